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
import java.util.Map;

/**
 * Of streams: items a second, and what share that is of bare Aeron's rate. The ratio is taken within each repeat, in
 * which the two rows were run one after the other, and its median shown.
 */
final class StreamReport extends Report
{
    private static final String ROW_FORMAT = "%-16s %14s %14s %14s %10s %20s %9s  %s%n";
    private static final Map<String, String> RAW_ROWS = Map.of("ipc", "raw-aeron-ipc", "udp", "raw-aeron-udp");
    private static final double WANTED_RATIO = 0.6;

    StreamReport(final JsonObject environment, final List<RunResult> results)
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
                .put("items_per_s", number(row.achievedPerS()))
                .put("items_to_client_per_s", number(detail(row, "items_to_client_per_s")))
                .put("items_to_server_per_s", number(detail(row, "items_to_server_per_s")))
                .put("client_alloc_bytes_per_item", number(row.clientAllocPerOp()))
                .put("server_alloc_bytes_per_item", number(row.serverAllocPerOp()))
                .put("rate_ratio_to_raw", number(ratioToRaw(row.system()))));
        }
        return summary;
    }

    @Override
    public String toText()
    {
        final StringBuilder text = new StringBuilder();
        text.append(String.format(
            Locale.ROOT, ROW_FORMAT,
            "system", "items/s", "to client/s", "to server/s", "ratio/raw", "alloc B/item c|s", "runs", "waits by"));
        for (final RowSummary row : rows())
        {
            text.append(String.format(
                Locale.ROOT, ROW_FORMAT,
                row.system() + (row.isDisturbed() ? " *" : ""),
                format("%.0f", row.achievedPerS()),
                format("%.0f", detail(row, "items_to_client_per_s")),
                format("%.0f", detail(row, "items_to_server_per_s")),
                format("%.2f", ratioToRaw(row.system())),
                format("%.4f", row.clientAllocPerOp()) + "|" + format("%.4f", row.serverAllocPerOp()),
                row.okRuns() + "/" + row.runs() + " OK",
                row.waitStrategy()));
        }
        appendDisturbance(text);
        for (final RowSummary row : rows())
        {
            final double ratio = ratioToRaw(row.system());
            if (!Double.isNaN(ratio))
            {
                text.append(String.format(
                    Locale.ROOT, "%s: %.2f times the rate of %s (wanted: at least %.1f)%n",
                    row.system(), ratio, RAW_ROWS.get(row.system()), WANTED_RATIO));
            }
        }
        return text.toString();
    }

    private double detail(final RowSummary row, final String key)
    {
        return row.median(results(), result -> result.detail(key));
    }

    private double ratioToRaw(final String system)
    {
        final String raw = RAW_ROWS.get(system);
        return raw == null ? Double.NaN : Pairs.medianRatio(results(), system, raw, RunResult::achievedPerS);
    }
}
