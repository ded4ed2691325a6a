/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.report;

import io.verbena.perf.rig.RunResult;
import io.verbena.perf.systems.Systems;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The results of a campaign, for programs and for people.
 */
final class EchoReport extends Report
{
    private static final String ROW_FORMAT = "%-16s %10s %10s %12s %12s %12s %18s %9s  %s%n";
    private static final List<String> HEADLINED = List.of("ipc", "udp");
    /** Rows that are compared beside the baseline: a system and what it is judged against. */
    private static final List<String[]> PEERS = List.of(
        new String[]{"ipc", "raw-aeron-ipc"},
        new String[]{"udp", "raw-aeron-udp"},
        new String[]{"udp", "http1-busy"});

    EchoReport(final JsonObject environment, final List<RunResult> results)
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
                .put("p50_ns", number(row.p50Ns()))
                .put("p99_ns", number(row.p99Ns()))
                .put("p50_ratio_to_http1", number(ratio(row, true)))
                .put("p99_ratio_to_http1", number(ratio(row, false))));
        }
        return summary;
    }

    @Override
    public String toText()
    {
        final StringBuilder text = new StringBuilder();
        text.append(String.format(
            Locale.ROOT, ROW_FORMAT,
            "system", "p50 µs", "p99 µs", "p50/http1", "p99/http1", "per second", "alloc B/op c|s", "runs",
            "waits by"));
        for (final RowSummary row : rows())
        {
            text.append(String.format(
                Locale.ROOT, ROW_FORMAT,
                row.system() + (row.isDisturbed() ? " *" : ""),
                micros(row.p50Ns()),
                micros(row.p99Ns()),
                ratioText(ratio(row, true)),
                ratioText(ratio(row, false)),
                format("%.0f", row.achievedPerS()),
                format("%.2f", row.clientAllocPerOp()) + "|" + format("%.2f", row.serverAllocPerOp()),
                row.okRuns() + "/" + row.runs() + " OK",
                row.waitStrategy()));
        }
        appendDisturbance(text);
        for (final String line : headlines())
        {
            text.append(line).append(System.lineSeparator());
        }
        return text.toString();
    }

    private List<String> headlines()
    {
        final List<String> lines = new ArrayList<>();
        final RowSummary baseline = find(Systems.BASELINE);
        for (final String name : HEADLINED)
        {
            final RowSummary row = find(name);
            if (isUsable(row) && isUsable(baseline))
            {
                lines.add(String.format(
                    Locale.ROOT,
                    "%s: p50 %.1f times lower than %s (%s µs against %s µs; p99 %.1f times)",
                    name,
                    baseline.p50Ns() / row.p50Ns(),
                    Systems.BASELINE,
                    micros(row.p50Ns()),
                    micros(baseline.p50Ns()),
                    baseline.p99Ns() / row.p99Ns()));
            }
        }
        for (final String[] pair : PEERS)
        {
            final RowSummary row = find(pair[0]);
            final RowSummary peer = find(pair[1]);
            if (isUsable(row) && isUsable(peer))
            {
                lines.add(String.format(
                    Locale.ROOT,
                    "%s: p50 %.2f times, p99 %.2f times that of %s",
                    pair[0],
                    row.p50Ns() / peer.p50Ns(),
                    row.p99Ns() / peer.p99Ns(),
                    pair[1]));
            }
        }
        return lines;
    }

    private RowSummary find(final String system)
    {
        return rows().stream().filter(row -> row.system().equals(system)).findFirst().orElse(null);
    }

    private static boolean isUsable(final RowSummary row)
    {
        return row != null && row.okRuns() > 0;
    }

    private double ratio(final RowSummary row, final boolean isP50)
    {
        final RowSummary baseline = find(Systems.BASELINE);
        if (baseline == null)
        {
            return Double.NaN;
        }
        return isP50 ? row.p50Ns() / baseline.p50Ns() : row.p99Ns() / baseline.p99Ns();
    }

    private static String ratioText(final double ratio)
    {
        return format(ratio < 0.1 ? "%.4f" : "%.2f", ratio);
    }
}
