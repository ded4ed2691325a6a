/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc.metrics;

import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.agrona.concurrent.NanoClock;

/**
 * Quantiles of the calls of the last whole interval. Intervals end when somebody reads and the time has come, so all
 * quantiles that are read together are of the same calls. Any thread.
 */
final class RecentQuantiles
{
    static final int INTERVAL_S = 10;

    static final double[] ALL = {0.5, 0.9, 0.99, 0.999, 1};

    private static final long INTERVAL_NS = TimeUnit.SECONDS.toNanos(INTERVAL_S);
    private static final double PERCENT = 100;

    private final CallLatency latency;
    private final NanoClock clock;
    private Histogram before;
    private Histogram recent;
    private long startNs;

    RecentQuantiles(final CallLatency latency, final NanoClock clock)
    {
        this.latency = latency;
        this.clock = clock;
    }

    /**
     * A quantile in nanoseconds, NaN if there were no calls. The first interval is what was before the first reading.
     */
    synchronized double get(final double quantile)
    {
        final long nowNs = clock.nanoTime();
        if (recent == null || nowNs - startNs >= INTERVAL_NS)
        {
            startNs = nowNs;
            final Histogram now = latency.copy();
            recent = now.copy();
            if (before != null)
            {
                recent.subtract(before);
            }
            before = now;
        }
        return recent.getTotalCount() == 0 ? Double.NaN : recent.getValueAtPercentile(quantile * PERCENT);
    }
}
