/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.report;

import io.verbena.perf.rig.RunResult;
import io.verbena.perf.rig.RunStatus;

import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * A system's runs as one row: medians over those that ended well.
 *
 * @param system            name.
 * @param runs              of it.
 * @param okRuns            of them that ended well.
 * @param isDisturbed       whether others used the CPU in one of them to the end.
 * @param waitStrategy      of the row.
 * @param p50Ns             median of p50, NaN when no run ended well.
 * @param p99Ns             median of p99, NaN when no run ended well.
 * @param achievedPerS      median of the echoes a second.
 * @param clientAllocPerOp  median of the bytes allocated in the client for each echo.
 * @param serverAllocPerOp  median of the bytes allocated in the server for each echo.
 */
record RowSummary(
    String system,
    int runs,
    int okRuns,
    boolean isDisturbed,
    String waitStrategy,
    double p50Ns,
    double p99Ns,
    double achievedPerS,
    double clientAllocPerOp,
    double serverAllocPerOp)
{
    static List<RowSummary> of(final List<RunResult> results)
    {
        return results.stream()
            .map(result -> result.spec().rowName())
            .distinct()
            .map(system -> of(system, results.stream().filter(r -> r.spec().rowName().equals(system)).toList()))
            .toList();
    }

    private static RowSummary of(final String system, final List<RunResult> runs)
    {
        final List<RunResult> ok = runs.stream().filter(run -> run.status() == RunStatus.OK).toList();
        return new RowSummary(
            system,
            runs.size(),
            ok.size(),
            ok.stream().anyMatch(RunResult::isDisturbed),
            runs.getFirst().settings().waitStrategy(),
            medianOf(ok, run -> run.latency("p50")),
            medianOf(ok, run -> run.latency("p99")),
            medianOf(ok, RunResult::achievedPerS),
            medianOf(ok, RunResult::clientAllocPerOp),
            medianOf(ok, RunResult::serverAllocPerOp));
    }

    /**
     * The median of a figure over the runs of a row that ended well.
     *
     * @param results of all runs.
     * @param figure  of a run.
     * @return the median, NaN when there is none.
     */
    double median(final List<RunResult> results, final ToDoubleFunction<RunResult> figure)
    {
        return medianOf(
            results.stream()
                .filter(run -> run.spec().rowName().equals(system) && run.status() == RunStatus.OK)
                .toList(),
            figure);
    }

    private static double medianOf(final List<RunResult> runs, final ToDoubleFunction<RunResult> figure)
    {
        return median(runs.stream().mapToDouble(figure).toArray());
    }

    /**
     * The median; of an even number of values the mean of the two in the middle.
     *
     * @param values in any order.
     * @return the median, NaN of no values.
     */
    static double median(final double... values)
    {
        if (values.length == 0)
        {
            return Double.NaN;
        }
        final double[] sorted = values.clone();
        Arrays.sort(sorted);
        final int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
