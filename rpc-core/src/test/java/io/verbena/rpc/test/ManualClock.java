/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc.test;

import org.agrona.concurrent.NanoClock;

/**
 * A clock that the test moves: deadlines and timers under it pass exactly when the test says so. Any thread may read
 * it; one thread moves it.
 */
public final class ManualClock implements NanoClock
{
    private static final long START_NS = 1_000_000_000_000L;

    private volatile long nowNs = START_NS;
    private volatile long stepNs;
    private volatile long reads;

    /**
     * Stands at an arbitrary moment.
     */
    public ManualClock()
    {
    }

    @Override
    @SuppressWarnings("NonAtomicOperationOnVolatileField")
    public long nanoTime()
    {
        reads = reads + 1;
        final long stepOnReadNs = stepNs;
        if (stepOnReadNs != 0)
        {
            nowNs = nowNs + stepOnReadNs;
        }
        return nowNs;
    }

    /**
     * Moves the clock on.
     *
     * @param deltaNs nanoseconds.
     */
    public void advanceNs(final long deltaNs)
    {
        nowNs = nowNs + deltaNs;
    }

    /**
     * Moves the clock on.
     *
     * @param deltaMs milliseconds.
     */
    public void advanceMs(final long deltaMs)
    {
        advanceNs(deltaMs * 1_000_000L);
    }

    /**
     * Lets the clock run by itself: so that loops which wait for a timeout end.
     *
     * @param stepOnReadNs nanoseconds on each read; 0 to stand still.
     */
    public void stepOnReadNs(final long stepOnReadNs)
    {
        stepNs = stepOnReadNs;
    }

    /**
     * How often it was read, exact where one thread reads.
     *
     * @return a count.
     */
    public long reads()
    {
        return reads;
    }
}
