/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.rig;

import io.verbena.perf.systems.RowSettings;
import io.verbena.perf.systems.Workload;
import io.vertx.core.json.JsonObject;

import java.util.List;

/**
 * Results for tests.
 */
public final class RunResults
{
    private static final RowSettings SETTINGS =
        new RowSettings("spin", "one thread at each end", "none", 65_536, 1408, "131072", "none");

    private RunResults()
    {
    }

    public static RunResult ok(final String system, final int repeat, final long p50Ns, final long p99Ns)
    {
        return of(system, repeat, RunStatus.OK, "", p50Ns, p99Ns, 0);
    }

    public static RunResult missed(final String system, final int repeat)
    {
        return of(system, repeat, RunStatus.FAIL, "missed its rate", 1, 1, 0);
    }

    public static RunResult disturbed(final String system, final double othersCores)
    {
        return of(system, 1, RunStatus.OK, "", (long)(othersCores * 1000), 1, othersCores);
    }

    public static RunResult failed(final String system, final int repeat)
    {
        return RunResult.failed(spec(system, repeat), "server process ended", List.of());
    }

    /**
     * Of a scenario other than the echo.
     */
    public static RunResult of(
        final String system,
        final int repeat,
        final Workload workload,
        final double perSecond,
        final JsonObject details)
    {
        return new RunResult(
            new RunSpec(system, LoadPattern.PINGPONG, 0, 32, 0, 5_000_000_000L, repeat, workload),
            RunStatus.OK,
            "",
            0,
            1000,
            0,
            perSecond,
            details.getJsonObject("latency_ns", Histograms.toJson(Histograms.create())),
            0.0,
            0.25,
            1,
            false,
            null,
            SETTINGS,
            List.of("-Xmx256m"),
            details);
    }

    private static RunSpec spec(final String system, final int repeat)
    {
        return new RunSpec(system, LoadPattern.PINGPONG, 0, 32, 3_000_000_000L, 5_000_000_000L, repeat, Workload.ECHO);
    }

    private static RunResult of(
        final String system,
        final int repeat,
        final RunStatus status,
        final String reason,
        final long p50Ns,
        final long p99Ns,
        final double othersCores)
    {
        final JsonObject latency = new JsonObject()
            .put("min", 1L).put("p50", p50Ns).put("p90", p50Ns).put("p99", p99Ns)
            .put("p99_9", p99Ns).put("p99_99", p99Ns).put("max", p99Ns);
        return new RunResult(
            spec(system, repeat),
            status,
            reason,
            3_000_000_000L,
            1000,
            0,
            200.0,
            latency,
            0.0,
            0.5,
            1,
            false,
            new OthersUsage(othersCores, 0, "other (1)"),
            SETTINGS,
            List.of("-Xmx256m"),
            new JsonObject());
    }
}
