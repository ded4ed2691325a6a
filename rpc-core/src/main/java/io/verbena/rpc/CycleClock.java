/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import org.agrona.concurrent.NanoClock;

/**
 * Reads the clock at most once in a duty cycle, and not at all in an idle one: a read costs about as much as polling
 * an empty transport. All messages of one poll count as arrived at the moment of the first read.
 */
final class CycleClock
{
    private final NanoClock clock;
    private long nowNs;
    private boolean isRead;

    CycleClock(final NanoClock clock)
    {
        this.clock = clock;
    }

    void nextCycle()
    {
        isRead = false;
    }

    /**
     * The time of this cycle.
     */
    long nanoTime()
    {
        if (!isRead)
        {
            isRead = true;
            nowNs = clock.nanoTime();
        }
        return nowNs;
    }

    /**
     * The time at this moment, for what the caller may have delayed by any time since the cycle began.
     */
    long freshNanoTime()
    {
        isRead = true;
        nowNs = clock.nanoTime();
        return nowNs;
    }
}
