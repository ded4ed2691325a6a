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
        final long expected = firstSequence + received;
        if (sequence != expected)
        {
            onUnexpected(sequence, expected);
            return;
        }
        received++;
        lastReceiveNs = nowNs;
        histogram.recordValue(Math.clamp(nowNs - stampNs, 1L, Histograms.HIGHEST_NS));
    }

    private void onUnexpected(final long sequence, final long expected)
    {
        // An echo that an earlier load had given up is late and no news; anything else is.
        if (sequence >= firstSequence)
        {
            throw new IllegalStateException(
                "echo of message " + (expected - firstSequence) + " expected, found that of message " +
                (sequence - firstSequence) + ": lost, doubled or out of order");
        }
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
