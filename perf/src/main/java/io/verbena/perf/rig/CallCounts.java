/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.rig;

import io.verbena.perf.systems.OutcomeHandler;
import org.HdrHistogram.Histogram;
import org.agrona.concurrent.NanoClock;

/**
 * What became of the calls of one load. Goodput is what was answered within the deadline, counted from the time at
 * which the call was due; an answer after that is worth nothing to its caller.
 */
final class CallCounts implements OutcomeHandler
{
    private final NanoClock clock;
    private final long deadlineNs;
    private final Histogram histogram;
    private long started;
    private long inTime;
    private long late;
    private long refused;
    private long expired;
    private long notSent;

    CallCounts(final NanoClock clock, final long deadlineNs, final Histogram histogram)
    {
        this.clock = clock;
        this.deadlineNs = deadlineNs;
        this.histogram = histogram;
    }

    void onStarted()
    {
        started++;
    }

    /**
     * A call could not be sent before its deadline passed.
     */
    void onNotSent()
    {
        notSent++;
    }

    @Override
    public void onAnswered(final long stampNs)
    {
        final long latencyNs = clock.nanoTime() - stampNs;
        if (latencyNs <= deadlineNs)
        {
            inTime++;
            histogram.recordValue(Math.clamp(latencyNs, 1L, Histograms.HIGHEST_NS));
        }
        else
        {
            late++;
        }
    }

    @Override
    public void onRefused()
    {
        refused++;
    }

    @Override
    public void onExpired()
    {
        expired++;
    }

    long ended()
    {
        return inTime + late + refused + expired;
    }

    long outstanding()
    {
        return started - ended();
    }

    long inTime()
    {
        return inTime;
    }

    long refused()
    {
        return refused;
    }

    /**
     * Calls whose deadline passed: before they were sent, before they were answered, or before the answer came.
     *
     * @return how many.
     */
    long expired()
    {
        return late + expired + notSent;
    }
}
