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
 * Of round trips beside idle connections: a row for each number of connections. The ratio to one connection is taken
 * within each repeat.
 */
final class ConnectionsReport extends Report
{
    private static final String ROW_FORMAT = "%-16s %10s %10s %12s %18s %14s %9s%n";

    ConnectionsReport(final JsonObject environment, final List<RunResult> results)
    {
        super(environment, results);
    }

    @Override
    JsonArray summary()
    {
        final JsonArray summary = new JsonArray();
        for (final RowSummary row : rows())
        {
            final RunResult first = first(row);
            summary.add(rowJson(row)
                .put("system", first.spec().system())
                .put("connections", first.spec().workload().connections())
                .put("p50_ns", number(row.p50Ns()))
                .put("p99_ns", number(row.p99Ns()))
                .put("p50_ratio_to_one", number(ratioToOne(row)))
                .put("server_bytes_per_idle_connection", number(bytesPerIdle(row)))
                .put("connect_ns", number(connectNs(row))));
        }
        return summary;
    }

    @Override
    public String toText()
    {
        final StringBuilder text = new StringBuilder();
        text.append(String.format(
            Locale.ROOT, ROW_FORMAT,
            "connections", "p50 µs", "p99 µs", "p50/one", "server KiB/idle", "connected ms", "runs"));
        for (final RowSummary row : rows())
        {
            text.append(String.format(
                Locale.ROOT, ROW_FORMAT,
                row.system() + (row.isDisturbed() ? " *" : ""),
                micros(row.p50Ns()),
                micros(row.p99Ns()),
                format("%.2f", ratioToOne(row)),
                format("%.1f", bytesPerIdle(row) / 1024),
                format("%.1f", connectNs(row) / 1e6),
                row.okRuns() + "/" + row.runs() + " OK"));
        }
        appendDisturbance(text);
        text.append(
            "wanted: p50 beside 10 at most 1.5 times that of one; less than 1024 KiB at the server for each idle one")
            .append(System.lineSeparator());
        return text.toString();
    }

    private RunResult first(final RowSummary row)
    {
        return results().stream().filter(run -> run.spec().rowName().equals(row.system())).findFirst().orElseThrow();
    }

    private double ratioToOne(final RowSummary row)
    {
        return Pairs.medianRatio(
            results(), row.system(), first(row).spec().system() + " 1", result -> result.latency("p50"));
    }

    private double bytesPerIdle(final RowSummary row)
    {
        return row.median(results(), result -> result.detail("server_bytes_per_idle_connection"));
    }

    private double connectNs(final RowSummary row)
    {
        return row.median(results(), result -> result.detail("connect_ns"));
    }
}
