/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.systems;

/**
 * What to send, when, for how long, and the place where echoes are recorded. Used by one thread.
 */
public interface PacedLoad extends EchoHandler
{
    /**
     * Returned by {@link #dueStampNs(long)} when nothing is to be sent now.
     */
    long NOT_DUE = Long.MIN_VALUE;

    /**
     * Whether the next message waits for the last echo.
     *
     * @return true for a closed loop, false for a fixed rate.
     */
    boolean isClosedLoop();

    /**
     * The stamp of the message that is due, if one is: in a closed loop the time now, at a rate its intended time.
     *
     * @param nowNs the time now.
     * @return the stamp in nanoseconds or {@link #NOT_DUE}.
     */
    long dueStampNs(long nowNs);

    /**
     * The number that the next message carries.
     *
     * @return the sequence number.
     */
    long nextSequence();

    /**
     * The transport took the message that was due.
     */
    void onSent();

    /**
     * Whether all is sent and answered, or given up.
     *
     * @param nowNs the time now.
     * @return true when the load is over.
     */
    boolean isDone(long nowNs);

    /**
     * The clock of the load.
     *
     * @return the time now in nanoseconds.
     */
    long nowNs();
}
