/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.aeron;

/**
 * How a stream pair comes about: the steps from the asking to two standing directions. Each step asks Aeron and looks
 * for the answer in a later duty cycle, so none waits.
 */
interface ConnectionSetup
{
    /**
     * Which side began.
     *
     * @return true if the peer did.
     */
    boolean isInbound();

    /**
     * Where the pair lives.
     *
     * @return the session.
     */
    DriverSession session();

    /**
     * One look at the present step.
     *
     * @param pair  to be told of success by connected, of failure by end.
     * @param nowNs the time.
     */
    void work(StreamPair pair, long nowNs);

    /**
     * Whether the peer's connections are wanted now.
     *
     * @return true if somebody listens where the pair came in.
     */
    boolean isAccepting();

    /** Begins anew, since the session under it was lost. */
    void restart();

    /** Gives up, and gives back what was asked for. */
    void cancel();
}
