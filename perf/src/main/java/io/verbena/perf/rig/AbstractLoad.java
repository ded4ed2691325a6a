/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.rig;

import io.verbena.perf.systems.PacedLoad;
import org.HdrHistogram.Histogram;
import org.agrona.concurrent.NanoClock;

/**
 * What both patterns share: numbering, counting and recording.
 */
abstract class AbstractLoad implements PacedLoad
{
    final NanoClock clock;
    final long startNs;
    private final Histogram histogram;
    private final long firstSequence;
    private long sent;
    private long received;
    private long outOfOrder;
    private long indexSum;
    private long lastReceiveNs;

    /**
     * Starts now.
     *
     * @param clock         to read.
     * @param histogram     to record in.
     * @param firstSequence number of the first message; those of earlier loads are below it.
     */
    AbstractLoad(final NanoClock clock, final Histogram histogram, final long firstSequence)
    {
        this.clock = clock;
        this.histogram = histogram;
        this.firstSequence = firstSequence;
        startNs = clock.nanoTime();
        lastReceiveNs = startNs;
    }

    @Override
    public final void onEcho(final long stampNs, final long sequence)
    {
        final long nowNs = clock.nanoTime();
        final long index = sequence - firstSequence;
        if (index < 0)
        {
            // An earlier load had given this echo up: late, and no news.
            return;
        }
        if (index >= sent || received == sent)
        {
            throw new IllegalStateException("echo of message " + index + ", not sent or echoed before");
        }
        indexSum += index;
        if (index != received)
        {
            outOfOrder++;
        }
        received++;
        lastReceiveNs = nowNs;
        histogram.recordValue(Math.clamp(nowNs - stampNs, 1L, Histograms.HIGHEST_NS));
    }

    @Override
    public final long nextSequence()
    {
        return firstSequence + sent;
    }

    @Override
    public void onSent()
    {
        sent++;
    }

    @Override
    public final long nowNs()
    {
        return clock.nanoTime();
    }

    final long sent()
    {
        return sent;
    }

    final long received()
    {
        return received;
    }

    /**
     * Echoes that were not the next in turn. Calls are free to overtake each other; a wire is not.
     *
     * @return how many.
     */
    final long outOfOrder()
    {
        return outOfOrder;
    }

    /**
     * Whether no echo was lost while another came twice, which the numbers alone would hide.
     *
     * @return false when that happened.
     */
    final boolean isEachEchoedOnce()
    {
        return isOutstanding() || indexSum == sent * (sent - 1) / 2;
    }

    final boolean isOutstanding()
    {
        return received != sent;
    }

    final long lastReceiveNs()
    {
        return lastReceiveNs;
    }

    /**
     * The time over which the echoes came.
     *
     * @return nanoseconds, at least 1.
     */
    abstract long elapsedNs();
}
