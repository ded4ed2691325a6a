/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.rig;

import io.vertx.core.json.JsonObject;

import java.util.List;

/**
 * Of round trips.
 */
final class EchoVerdict extends Verdict
{
    @Override
    RunResult result(
        final RunSpec spec, final JsonObject message, final Marks marks, final List<String> jvmFlags)
    {
        return result(spec, message, marks, jvmFlags, new JsonObject());
    }

    static RunResult result(
        final RunSpec spec,
        final JsonObject message,
        final Marks marks,
        final List<String> jvmFlags,
        final JsonObject details)
    {
        final long received = message.getLong("received");
        final double achievedPerS = received * 1e9 / message.getLong("elapsed_ns");
        final double ops = Math.max(1, message.getLong("ops_between_marks"));
        final String reason = RunResult.verdict(
            spec, message.getLong("expected"), received, message.getBoolean("once_each"), achievedPerS);
        return result(spec, message, marks, jvmFlags, reason, new Figures(
            received,
            message.getLong("out_of_order"),
            achievedPerS,
            message.getLong(ServerChild.ALLOCATED_BYTES) / ops,
            marks.windowGrowth(ServerChild.ALLOCATED_BYTES) / ops,
            details));
    }
}
