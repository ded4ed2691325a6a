/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.rig;

import org.HdrHistogram.Histogram;
import org.agrona.concurrent.NanoClock;

/**
 * One message in flight at a time, for a while. The stamp is the time of sending.
 */
final class ClosedLoad extends AbstractLoad
{
    private final long endNs;

    ClosedLoad(final NanoClock clock, final Histogram histogram, final long firstSequence, final long durationNs)
    {
        super(clock, histogram, firstSequence);
        endNs = startNs + durationNs;
    }

    @Override
    public boolean isClosedLoop()
    {
        return true;
    }

    @Override
    public long dueStampNs(final long nowNs)
    {
        return isOutstanding() || nowNs - endNs >= 0 ? NOT_DUE : nowNs;
    }

    @Override
    public boolean isDone(final long nowNs)
    {
        return nowNs - endNs >= 0 && !isOutstanding();
    }

    @Override
    long elapsedNs()
    {
        return Math.max(1, lastReceiveNs() - startNs);
    }
}
