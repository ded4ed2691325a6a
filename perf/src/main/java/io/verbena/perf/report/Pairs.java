/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.report;

import io.verbena.perf.rig.RunResult;
import io.verbena.perf.rig.RunStatus;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Ratios of rows within the repeats in which they took turns.
 */
final class Pairs
{
    private Pairs()
    {
    }

    /**
     * The median of the ratios over the repeats in which both rows ended well.
     *
     * @param results of all runs.
     * @param system  whose figure is divided.
     * @param peer    by whose.
     * @param figure  of a run.
     * @return the median, NaN when there is no such repeat.
     */
    static double medianRatio(
        final List<RunResult> results,
        final String system,
        final String peer,
        final ToDoubleFunction<RunResult> figure)
    {
        return RowSummary.median(results.stream()
            .filter(result -> isOk(result, system))
            .flatMapToDouble(result -> results.stream()
                .filter(other -> isOk(other, peer) && other.spec().repeat() == result.spec().repeat())
                .mapToDouble(other -> figure.applyAsDouble(result) / figure.applyAsDouble(other)))
            .toArray());
    }

    private static boolean isOk(final RunResult result, final String system)
    {
        return result.status() == RunStatus.OK && result.spec().rowName().equals(system);
    }
}
