/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.rig;

import io.vertx.core.json.JsonObject;

import java.util.List;

/**
 * Of more calls than the server can serve.
 */
final class OverloadVerdict extends Verdict
{
    static final String BUSY_NS = "busy_ns";

    /** Goodput above this multiple of the peak shows that the peak was none. */
    private static final double MOST_OF_PEAK = 1.2;

    /** Loads of the probe's length: the closed one, those of the search, and two for each of the costs. */
    private static final int PROBES = 1 + OverloadExperiment.MAX_PROBES + 4;

    @Override
    long longestNs(final RunSpec spec)
    {
        return spec.warmupNs() + PROBES * OverloadExperiment.probeNs(spec) +
            OverloadExperiment.MULTIPLES * (spec.durationNs() + spec.workload().deadlineNs());
    }

    @Override
    RunResult result(
        final RunSpec spec, final JsonObject message, final Marks marks, final List<String> jvmFlags)
    {
        final double peakPerS = message.getDouble("peak_goodput_per_s");
        final JsonObject details = new JsonObject()
            .put("work_ns", spec.workload().workNs())
            .put("deadline_ns", spec.workload().deadlineNs())
            .put("capacity_per_s", message.getDouble("capacity_per_s"))
            .put("peak_goodput_per_s", peakPerS)
            .put("offers", message.getJsonArray("offers"));
        for (final Object element : message.getJsonArray("offers"))
        {
            final JsonObject offer = (JsonObject)element;
            final String suffix = "_" + offer.getInteger("multiple") + "x";
            details
                .put("goodput_ratio" + suffix, offer.getDouble("goodput_per_s") / peakPerS)
                .put("refused_per_s" + suffix, offer.getDouble("refused_per_s"))
                .put("expired_per_s" + suffix, offer.getDouble("expired_per_s"));
        }
        final double echoNs = costNs(
            marks, OverloadExperiment.ECHO_START, OverloadExperiment.ECHO_END, message.getLong("echoes"));
        final double refusalNs = costNs(
            marks, OverloadExperiment.REFUSAL_START, OverloadExperiment.REFUSAL_END, message.getLong("refusals"));
        details
            .put("server_ns_per_echo", echoNs)
            .put("server_ns_per_refusal", refusalNs)
            .put("refusal_cost_ratio_to_echo", refusalNs / echoNs);
        final double ops = Math.max(1, message.getLong("ended"));
        return result(spec, message, marks, jvmFlags, reason(message), new Figures(
            message.getLong("received"),
            0,
            message.getLong("received") * 1e9 / message.getLong("elapsed_ns"),
            message.getLong(ServerChild.ALLOCATED_BYTES) / ops,
            marks.windowGrowth(ServerChild.ALLOCATED_BYTES) / ops,
            details));
    }

    private static double costNs(final Marks marks, final String from, final String to, final long count)
    {
        return marks.growth(from, to, BUSY_NS) / (double)Math.max(1, count);
    }

    private static String reason(final JsonObject message)
    {
        if (message.getDouble("peak_goodput_per_s") == 0)
        {
            return "no call was answered within its deadline";
        }
        for (final Object element : message.getJsonArray("offers"))
        {
            final double goodputPerS = ((JsonObject)element).getDouble("goodput_per_s");
            if (goodputPerS > MOST_OF_PEAK * message.getDouble("peak_goodput_per_s"))
            {
                return "the peak was not found: goodput of " + Math.round(goodputPerS) + "/s beyond it";
            }
        }
        final long unrefused = message.getLong("unrefused");
        return unrefused == 0 ? "" : unrefused + " calls to a full service were not refused";
    }
}
