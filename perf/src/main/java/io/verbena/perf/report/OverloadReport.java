/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.report;

import io.verbena.perf.rig.RunResult;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

import java.util.List;
import java.util.Locale;

/**
 * Of more calls than the server can serve: goodput at multiples of the rate at which it is greatest, and what a refusal
 * costs the server.
 */
final class OverloadReport extends Report
{
    private static final String ROW_FORMAT = "%-16s %12s %8s %8s %8s %14s %14s %12s %12s %8s %9s%n";
    private static final double WANTED_RATIO = 0.9;
    private static final double WANTED_COST = 1;

    OverloadReport(final JsonObject environment, final List<RunResult> results)
    {
        super(environment, results);
    }

    @Override
    JsonArray summary()
    {
        final JsonArray summary = new JsonArray();
        for (final RowSummary row : rows())
        {
            summary.add(rowJson(row)
                .put("peak_goodput_per_s", number(detail(row, "peak_goodput_per_s")))
                .put("goodput_ratio_1x", number(detail(row, "goodput_ratio_1x")))
                .put("goodput_ratio_2x", number(detail(row, "goodput_ratio_2x")))
                .put("goodput_ratio_3x", number(detail(row, "goodput_ratio_3x")))
                .put("refused_per_s_3x", number(detail(row, "refused_per_s_3x")))
                .put("expired_per_s_3x", number(detail(row, "expired_per_s_3x")))
                .put("server_ns_per_echo", number(detail(row, "server_ns_per_echo")))
                .put("server_ns_per_refusal", number(detail(row, "server_ns_per_refusal")))
                .put("refusal_cost_ratio_to_echo", number(detail(row, "refusal_cost_ratio_to_echo"))));
        }
        return summary;
    }

    @Override
    public String toText()
    {
        final StringBuilder text = new StringBuilder();
        text.append(String.format(
            Locale.ROOT, ROW_FORMAT,
            "system", "peak/s", "at 1x", "at 2x", "at 3x", "refused/s 3x", "expired/s 3x", "echo ns", "refusal ns",
            "ratio", "runs"));
        for (final RowSummary row : rows())
        {
            text.append(String.format(
                Locale.ROOT, ROW_FORMAT,
                row.system() + (row.isDisturbed() ? " *" : ""),
                format("%.0f", detail(row, "peak_goodput_per_s")),
                format("%.2f", detail(row, "goodput_ratio_1x")),
                format("%.2f", detail(row, "goodput_ratio_2x")),
                format("%.2f", detail(row, "goodput_ratio_3x")),
                format("%.0f", detail(row, "refused_per_s_3x")),
                format("%.0f", detail(row, "expired_per_s_3x")),
                format("%.0f", detail(row, "server_ns_per_echo")),
                format("%.0f", detail(row, "server_ns_per_refusal")),
                format("%.2f", detail(row, "refusal_cost_ratio_to_echo")),
                row.okRuns() + "/" + row.runs() + " OK"));
        }
        appendDisturbance(text);
        text.append(String.format(
            Locale.ROOT, "wanted: at 3x at least %.1f of the peak; a refusal at most %.0f times an echo%n",
            WANTED_RATIO, WANTED_COST));
        return text.toString();
    }

    private double detail(final RowSummary row, final String key)
    {
        return row.median(results(), result -> result.detail(key));
    }
}
