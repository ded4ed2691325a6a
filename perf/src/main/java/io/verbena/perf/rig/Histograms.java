/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.rig;

import io.vertx.core.json.JsonObject;
import org.HdrHistogram.Histogram;

import java.util.concurrent.TimeUnit;

/**
 * Histograms of latency, and their figures as JSON.
 */
final class Histograms
{
    /**
     * Longer ones count as this.
     */
    static final long HIGHEST_NS = TimeUnit.MINUTES.toNanos(10);
    private static final int SIGNIFICANT_DIGITS = 3;

    private Histograms()
    {
    }

    static Histogram create()
    {
        return new Histogram(1, HIGHEST_NS, SIGNIFICANT_DIGITS);
    }

    static JsonObject toJson(final Histogram histogram)
    {
        final boolean isEmpty = histogram.getTotalCount() == 0;
        return new JsonObject()
            .put("min", isEmpty ? null : histogram.getMinValue())
            .put("p50", isEmpty ? null : histogram.getValueAtPercentile(50))
            .put("p90", isEmpty ? null : histogram.getValueAtPercentile(90))
            .put("p99", isEmpty ? null : histogram.getValueAtPercentile(99))
            .put("p99_9", isEmpty ? null : histogram.getValueAtPercentile(99.9))
            .put("p99_99", isEmpty ? null : histogram.getValueAtPercentile(99.99))
            .put("max", isEmpty ? null : histogram.getMaxValue());
    }
}
