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
 * Of round trips alone and beside streams of long messages on the same connection. Both were measured in the same pair
 * of processes; the ratio is taken within each and its median shown.
 */
final class BackgroundReport extends Report
{
    private static final String ROW_FORMAT = "%-16s %13s %13s %13s %13s %10s %16s %9s%n";
    private static final double WANTED_RATIO = 3;

    BackgroundReport(final JsonObject environment, final List<RunResult> results)
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
                .put("idle_p50_ns", number(detail(row, "idle_p50_ns")))
                .put("idle_p99_ns", number(detail(row, "idle_p99_ns")))
                .put("loaded_p50_ns", number(detail(row, "loaded_p50_ns")))
                .put("loaded_p99_ns", number(detail(row, "loaded_p99_ns")))
                .put("p99_ratio_loaded_to_idle", number(detail(row, "p99_ratio_loaded_to_idle")))
                .put("background_bytes_per_s", number(detail(row, "background_bytes_per_s"))));
        }
        return summary;
    }

    @Override
    public String toText()
    {
        final StringBuilder text = new StringBuilder();
        text.append(String.format(
            Locale.ROOT, ROW_FORMAT,
            "system", "idle p50 µs", "idle p99 µs", "loaded p50 µs", "loaded p99 µs", "p99 ratio", "background MB/s",
            "runs"));
        for (final RowSummary row : rows())
        {
            text.append(String.format(
                Locale.ROOT, ROW_FORMAT,
                row.system() + (row.isDisturbed() ? " *" : ""),
                micros(detail(row, "idle_p50_ns")),
                micros(detail(row, "idle_p99_ns")),
                micros(detail(row, "loaded_p50_ns")),
                micros(detail(row, "loaded_p99_ns")),
                format("%.2f", detail(row, "p99_ratio_loaded_to_idle")),
                format("%.1f", detail(row, "background_bytes_per_s") / 1e6),
                row.okRuns() + "/" + row.runs() + " OK"));
        }
        appendDisturbance(text);
        text.append(String.format(Locale.ROOT, "wanted: a p99 ratio of at most %.0f over udp%n", WANTED_RATIO));
        return text.toString();
    }

    private double detail(final RowSummary row, final String key)
    {
        return row.median(results(), result -> result.detail(key));
    }
}
