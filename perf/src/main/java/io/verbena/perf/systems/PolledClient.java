/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.systems;

/**
 * A client that the rig drives in one thread. In steady state neither method allocates, for the systems whose
 * transport does not.
 */
public non-sealed interface PolledClient extends EchoClient
{
    /**
     * Sends one message if the transport takes it now.
     *
     * @param stampNs  to carry, in nanoseconds.
     * @param sequence to carry.
     * @return false for back pressure: the rig polls and tries again.
     */
    boolean trySend(long stampNs, long sequence);

    /**
     * One duty cycle: delivers the echoes that have arrived. Never blocks.
     *
     * @param handler for each echo.
     * @return the work done; 0 when idle.
     */
    int poll(EchoHandler handler);
}
