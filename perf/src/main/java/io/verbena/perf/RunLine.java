/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf;

import io.verbena.perf.rig.RunResult;

import java.util.Locale;

/**
 * What is said of a run as soon as it is over.
 */
final class RunLine
{
    private RunLine()
    {
    }

    static String of(final RunResult result)
    {
        return switch (result.spec().workload().scenario())
        {
            case STREAM -> String.format(
                Locale.ROOT, "%.0f items/s, %d out of order", result.achievedPerS(), result.outOfOrder());
            case BACKGROUND -> String.format(
                Locale.ROOT,
                "p99 %.2f µs alone, %.2f µs beside %.0f MB/s",
                result.detail("idle_p99_ns") / 1000,
                result.detail("loaded_p99_ns") / 1000,
                result.detail("background_bytes_per_s") / 1e6);
            case OVERLOAD -> String.format(
                Locale.ROOT,
                "peak %.0f/s, goodput at 3x %.2f of it",
                result.detail("peak_goodput_per_s"),
                result.detail("goodput_ratio_3x"));
            default -> String.format(
                Locale.ROOT,
                "p50 %.2f µs, p99 %.2f µs, %.0f/s",
                result.latency("p50") / 1000,
                result.latency("p99") / 1000,
                result.achievedPerS());
        };
    }
}
