/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.systems;

/**
 * A client of a server that can be overloaded: any number of calls may be in flight, and each ends in one of the ways
 * of {@link OutcomeHandler}. One thread.
 */
public non-sealed interface CallClient extends EchoClient
{
    /**
     * Makes a call that keeps the server busy, if it can be sent now.
     *
     * @param stampNs   to carry, in nanoseconds.
     * @param workNs    that the handler is to spin, in nanoseconds.
     * @param timeoutNs of the call.
     * @return false if it could not be sent.
     */
    boolean tryWork(long stampNs, long workNs, long timeoutNs);

    /**
     * Makes a call to a service that has room for one call and never answers it: the first occupies the service, each
     * further one is refused.
     *
     * @param timeoutNs of the call.
     * @return false if it could not be sent.
     */
    boolean tryOccupy(long timeoutNs);

    /**
     * One duty cycle. Never blocks.
     *
     * @param handler told of each call that ended.
     * @return the work done; 0 when idle.
     */
    int poll(OutcomeHandler handler);
}
