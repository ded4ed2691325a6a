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
 * What all runs of a command came to, for people and as JSON. Figures are medians over the runs that ended well.
 */
public abstract class Report
{
    private final JsonObject environment;
    private final List<RunResult> results;
    private final List<RowSummary> rows;

    Report(final JsonObject environment, final List<RunResult> results)
    {
        this.environment = environment;
        this.results = results;
        this.rows = RowSummary.of(results);
    }

    /**
     * The report of a scenario.
     *
     * @param environment in which the results came about.
     * @param results     of all runs, at least one.
     * @return the report.
     */
    public static Report of(final JsonObject environment, final List<RunResult> results)
    {
        return switch (results.getFirst().spec().workload().scenario())
        {
            case STREAM -> new StreamReport(environment, results);
            case BACKGROUND -> new BackgroundReport(environment, results);
            case CONNECTIONS -> new ConnectionsReport(environment, results);
            case OVERLOAD -> new OverloadReport(environment, results);
            default -> new EchoReport(environment, results);
        };
    }

    /**
     * The JSON of the command's contract, with a summary after it.
     *
     * @return the report.
     */
    public final JsonObject toJson()
    {
        final JsonArray runs = new JsonArray();
        results.forEach(result -> runs.add(result.toJson()));
        return new JsonObject().put("environment", environment).put("runs", runs).put("summary", summary());
    }

    /**
     * The table and the headlines.
     *
     * @return text with a line feed at its end.
     */
    public abstract String toText();

    abstract JsonArray summary();

    final List<RunResult> results()
    {
        return results;
    }

    /** The rows of the table. */
    final List<RowSummary> rows()
    {
        return rows;
    }

    final void appendDisturbance(final StringBuilder text)
    {
        if (results.stream().anyMatch(RunResult::isDisturbed))
        {
            text.append("* other processes used the CPU during a run: its figures are not to be trusted")
                .append(System.lineSeparator());
        }
    }

    /**
     * What the summary of every scenario begins with.
     *
     * @param row of the table.
     * @return the row's fields.
     */
    static JsonObject rowJson(final RowSummary row)
    {
        return new JsonObject()
            .put("system", row.system())
            .put("runs", row.runs())
            .put("ok_runs", row.okRuns())
            .put("disturbed", row.isDisturbed());
    }

    static Double number(final double value)
    {
        return Double.isNaN(value) ? null : value;
    }

    static String micros(final double ns)
    {
        return format("%.2f", ns / 1000);
    }

    static String format(final String form, final double value)
    {
        return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, form, value);
    }
}
