/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.rig;

import io.vertx.core.json.JsonObject;

import java.util.List;

/**
 * Of round trips alone and beside streams of long messages.
 */
final class BackgroundVerdict extends Verdict
{
    /** Settling before each of four phases and more. */
    private static final long SETTLING_NS = 10 * EchoExperiment.SETTLE_NS;

    @Override
    long longestNs(final RunSpec spec)
    {
        return spec.warmupNs() + 2 * spec.durationNs() + SETTLING_NS;
    }

    @Override
    RunResult result(
        final RunSpec spec, final JsonObject message, final Marks marks, final List<String> jvmFlags)
    {
        final JsonObject idle = message.getJsonObject("idle_latency_ns");
        final JsonObject loaded = message.getJsonObject("latency_ns");
        final Long idleP99 = idle.getLong("p99");
        final Long loadedP99 = loaded.getLong("p99");
        final RunResult result = EchoVerdict.result(spec, message, marks, jvmFlags, new JsonObject()
            .put("background_message_bytes", spec.workload().backgroundLength())
            .put("background_bytes_per_s",
                message.getLong("background_bytes") * 1e9 / Math.max(1, message.getLong("background_ns")))
            .put("idle_latency_ns", idle)
            .put("idle_p50_ns", idle.getLong("p50"))
            .put("idle_p99_ns", idleP99)
            .put("loaded_p50_ns", loaded.getLong("p50"))
            .put("loaded_p99_ns", loadedP99)
            .put("p99_ratio_loaded_to_idle",
                idleP99 == null || loadedP99 == null ? null : loadedP99 / (double)idleP99));
        return message.getLong("background_bytes") > 0 ?
            result : result.withReason("nothing arrived from the streams in the background");
    }
}
