/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.rig;

import io.verbena.perf.systems.RowSettings;
import io.vertx.core.json.JsonObject;

import java.util.List;

/**
 * Makes a result of what the client reported and what was seen of the server.
 */
abstract class Verdict
{
    /**
     * The one for a run.
     *
     * @param spec of the run.
     * @return the verdict of its scenario.
     */
    static Verdict of(final RunSpec spec)
    {
        return switch (spec.workload().scenario())
        {
            case STREAM -> new StreamVerdict();
            case BACKGROUND -> new BackgroundVerdict();
            case CONNECTIONS -> new ConnectionsVerdict();
            case OVERLOAD -> new OverloadVerdict();
            case ECHO -> new EchoVerdict();
        };
    }

    /**
     * How long a run takes at most, starting and ending apart.
     *
     * @param spec of the run.
     * @return nanoseconds.
     */
    long longestNs(final RunSpec spec)
    {
        return 2 * spec.warmupNs() + spec.durationNs();
    }

    /**
     * Judges.
     *
     * @param spec     of the run.
     * @param message  that the client reported.
     * @param marks    that were taken.
     * @param jvmFlags of both processes.
     * @return the result.
     */
    abstract RunResult result(RunSpec spec, JsonObject message, Marks marks, List<String> jvmFlags);

    static RunResult result(
        final RunSpec spec,
        final JsonObject message,
        final Marks marks,
        final List<String> jvmFlags,
        final String reason,
        final Figures figures)
    {
        return new RunResult(
            spec,
            reason.isEmpty() ? RunStatus.OK : RunStatus.FAIL,
            reason,
            message.getLong("warmup_ns"),
            figures.count(),
            figures.outOfOrder(),
            figures.achievedPerS(),
            message.getJsonObject("latency_ns"),
            figures.clientAllocPerOp(),
            figures.serverAllocPerOp(),
            1,
            false,
            marks.others(),
            RowSettings.fromJson(message.getJsonObject("settings")),
            jvmFlags,
            figures.details());
    }

    /**
     * What each scenario has, by its own understanding of an operation.
     *
     * @param count            operations of the window.
     * @param outOfOrder       of them.
     * @param achievedPerS     operations a second.
     * @param clientAllocPerOp bytes.
     * @param serverAllocPerOp bytes.
     * @param details          that only this scenario has.
     */
    record Figures(
        long count,
        long outOfOrder,
        double achievedPerS,
        double clientAllocPerOp,
        double serverAllocPerOp,
        JsonObject details)
    {
    }
}
