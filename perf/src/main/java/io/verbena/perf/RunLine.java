/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf;

import io.verbena.perf.rig.RunResult;
import io.verbena.perf.rig.RunSpec;
import io.verbena.perf.systems.Scenario;

import java.util.Locale;

/**
 * What is said of a run as soon as it is over.
 */
final class RunLine
{
    private RunLine()
    {
    }

    static String name(final RunSpec spec)
    {
        return spec.workload().scenario() == Scenario.CONNECTIONS ?
            spec.system() + " " + spec.workload().connections() : spec.system();
    }

    static String of(final RunResult result)
    {
        return switch (result.spec().workload().scenario())
        {
            case STREAM -> String.format(
                Locale.ROOT, "%.0f items/s, %d out of order", result.achievedPerS(), result.outOfOrder());
            default -> String.format(
                Locale.ROOT,
                "p50 %.2f µs, p99 %.2f µs, %.0f/s",
                result.latency("p50") / 1000,
                result.latency("p99") / 1000,
                result.achievedPerS());
        };
    }
}
