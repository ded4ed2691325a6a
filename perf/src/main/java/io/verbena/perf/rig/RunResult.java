/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.rig;

import io.verbena.perf.systems.RowSettings;
import io.verbena.perf.systems.Workload;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

import java.util.List;

/**
 * What came of a run.
 *
 * @param spec             of the run.
 * @param status           how it ended.
 * @param reason           why it did not end well, empty for OK.
 * @param warmupNs         warm-up that was really run, in nanoseconds.
 * @param count            echoes recorded.
 * @param outOfOrder       echoes that overtook others.
 * @param achievedPerS     echoes a second over the window.
 * @param latencyNs        min, percentiles and max, or nulls.
 * @param clientAllocPerOp bytes allocated in the client for each echo, NaN when unknown.
 * @param serverAllocPerOp bytes allocated in the server for each echo, NaN when unknown.
 * @param attempts         how often it was run, because others used the CPU.
 * @param isDisturbed      whether others used the CPU in the last attempt too.
 * @param others           what the others did, or null when unknown.
 * @param settings         of the row.
 * @param jvmFlags         of both processes.
 * @param details          what only runs of this scenario have.
 */
public record RunResult(
    RunSpec spec,
    RunStatus status,
    String reason,
    long warmupNs,
    long count,
    long outOfOrder,
    double achievedPerS,
    JsonObject latencyNs,
    double clientAllocPerOp,
    double serverAllocPerOp,
    int attempts,
    boolean isDisturbed,
    OthersUsage others,
    RowSettings settings,
    List<String> jvmFlags,
    JsonObject details)
{
    private static final double LEAST_SHARE_OF_RATE = 0.99;

    static RunResult failed(final RunSpec spec, final String reason, final List<String> jvmFlags)
    {
        return new RunResult(
            spec,
            RunStatus.FAILED,
            reason,
            0,
            0,
            0,
            0,
            Histograms.toJson(Histograms.create()),
            Double.NaN,
            Double.NaN,
            1,
            false,
            null,
            RowSettings.UNKNOWN,
            jvmFlags,
            new JsonObject());
    }

    RunResult withReason(final String newReason)
    {
        return new RunResult(
            spec,
            RunStatus.FAIL,
            newReason,
            warmupNs,
            count,
            outOfOrder,
            achievedPerS,
            latencyNs,
            clientAllocPerOp,
            serverAllocPerOp,
            attempts,
            isDisturbed,
            others,
            settings,
            jvmFlags,
            details);
    }

    RunResult withAttempts(final int newAttempts, final boolean nowDisturbed)
    {
        return new RunResult(
            spec,
            status,
            reason,
            warmupNs,
            count,
            outOfOrder,
            achievedPerS,
            latencyNs,
            clientAllocPerOp,
            serverAllocPerOp,
            newAttempts,
            nowDisturbed,
            others,
            settings,
            jvmFlags,
            details);
    }

    /**
     * Why a run's figures do not count.
     *
     * @param spec         of the run.
     * @param expected     messages of the window.
     * @param received     echoes of them.
     * @param isOnceEach   whether none came twice.
     * @param achievedPerS echoes a second.
     * @return the reason, empty when they do count.
     */
    static String verdict(
        final RunSpec spec,
        final long expected,
        final long received,
        final boolean isOnceEach,
        final double achievedPerS)
    {
        if (received == 0)
        {
            return "no echo in the window";
        }
        if (received < expected)
        {
            return (expected - received) + " of " + expected + " echoes missing";
        }
        if (!isOnceEach)
        {
            return "an echo lost, another doubled";
        }
        if (!spec.isClosedLoop() && achievedPerS < LEAST_SHARE_OF_RATE * spec.ratePerSecond())
        {
            return "missed its rate: " + Math.round(achievedPerS) + "/s of " + spec.ratePerSecond() + "/s";
        }
        return "";
    }

    /**
     * A percentile.
     *
     * @param key such as {@code p50}.
     * @return nanoseconds, or NaN when there is none.
     */
    public double latency(final String key)
    {
        final Long value = latencyNs.getLong(key);
        return value == null ? Double.NaN : value;
    }

    /**
     * A figure that only runs of this scenario have.
     *
     * @param key of the figure.
     * @return the figure, or NaN when there is none.
     */
    public double detail(final String key)
    {
        final Number value = details.getNumber(key);
        return value == null ? Double.NaN : value.doubleValue();
    }

    /**
     * As the contract of the command has it, with more fields after those.
     *
     * @return the run as JSON.
     */
    public JsonObject toJson()
    {
        return new JsonObject()
            .put("system", spec.system())
            .put("pattern", spec.pattern().label())
            .put("payload_bytes", spec.payloadLength())
            .put("rate_target_per_s", spec.isClosedLoop() ? null : spec.ratePerSecond())
            .put("status", status.name())
            .put("count", count)
            .put("achieved_per_s", achievedPerS)
            .put("latency_ns", latencyNs)
            .put("client_alloc_bytes_per_op", Double.isNaN(clientAllocPerOp) ? null : clientAllocPerOp)
            .put("server_alloc_bytes_per_op", Double.isNaN(serverAllocPerOp) ? null : serverAllocPerOp)
            .put("repeat", spec.repeat())
            .put("out_of_order", outOfOrder)
            .put("reason", reason.isEmpty() ? null : reason)
            .put("warmup_ns", warmupNs)
            .put("duration_ns", spec.durationNs())
            .mergeIn(settings.toJson())
            .put("attempts", attempts)
            .put("disturbed", isDisturbed)
            .put("others_cpu_cores", others == null ? null : others.othersCores())
            .put("others_busiest", others == null || others.busiest().isEmpty() ? null : others.busiest())
            .put("steal_cpu_cores", others == null ? null : others.stealCores())
            .put("client_jvm_flags", new JsonArray(jvmFlags))
            .put("server_jvm_flags", new JsonArray(jvmFlags))
            .put("kind", Workload.label(spec.workload().kind()))
            .mergeIn(details);
    }
}
