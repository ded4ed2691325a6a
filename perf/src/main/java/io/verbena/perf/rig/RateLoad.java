/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.rig;

import org.HdrHistogram.Histogram;
import org.agrona.concurrent.NanoClock;

import java.util.concurrent.TimeUnit;

/**
 * Messages at a fixed rate. Message k is due k / rate after the start, and its stamp is that intended time: when the
 * system, or the rig itself, holds messages up, the wait counts as latency (no coordinated omission). Every message of
 * the window is sent, however late, until the load is given up.
 */
final class RateLoad extends AbstractLoad
{
    /**
     * Time after the window for late messages and their echoes.
     */
    static final long GRACE_NS = TimeUnit.SECONDS.toNanos(2);
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);

    private final long ratePerSecond;
    private final long durationNs;
    private final long total;
    private long dueNs;

    RateLoad(
        final NanoClock clock,
        final Histogram histogram,
        final long firstSequence,
        final long durationNs,
        final long ratePerSecond)
    {
        super(clock, histogram, firstSequence);
        this.ratePerSecond = ratePerSecond;
        this.durationNs = durationNs;
        total = total(durationNs, ratePerSecond);
        dueNs = startNs;
    }

    /**
     * How many messages a window holds.
     *
     * @param durationNs    of the window in nanoseconds.
     * @param ratePerSecond messages a second.
     * @return the number, rounded down.
     */
    static long total(final long durationNs, final long ratePerSecond)
    {
        return durationNs / SECOND_NS * ratePerSecond + durationNs % SECOND_NS * ratePerSecond / SECOND_NS;
    }

    /**
     * When a message is due. Whole seconds are taken apart first, so that nothing is lost to rounding or overflow.
     *
     * @param index         of the message, from 0.
     * @param ratePerSecond messages a second.
     * @return nanoseconds after the start.
     */
    static long dueOffsetNs(final long index, final long ratePerSecond)
    {
        return index / ratePerSecond * SECOND_NS + index % ratePerSecond * SECOND_NS / ratePerSecond;
    }

    @Override
    public boolean isClosedLoop()
    {
        return false;
    }

    @Override
    public long dueStampNs(final long nowNs)
    {
        return sent() == total || nowNs - dueNs < 0 ? NOT_DUE : dueNs;
    }

    @Override
    public void onSent()
    {
        super.onSent();
        dueNs = startNs + dueOffsetNs(sent(), ratePerSecond);
    }

    @Override
    public boolean isDone(final long nowNs)
    {
        if (sent() == total && !isOutstanding())
        {
            return true;
        }
        return nowNs - (startNs + durationNs + GRACE_NS) >= 0;
    }

    long total()
    {
        return total;
    }

    /**
     * The window, or longer where the last echo came later than its end.
     */
    @Override
    long elapsedNs()
    {
        return Math.max(durationNs, lastReceiveNs() - startNs);
    }
}
