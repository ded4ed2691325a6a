/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.rig;

import io.verbena.perf.systems.Workload;

import java.util.List;
import java.util.stream.IntStream;

/**
 * Which runs to make.
 *
 * @param systems       names, in the order in which they take turns.
 * @param workloads     of each system, in order; more than one for a row of points.
 * @param pattern       of the load.
 * @param ratePerSecond messages a second, 0 in a closed loop.
 * @param payloadLength bytes of a message.
 * @param warmupNs      of each run, thrown away, in nanoseconds.
 * @param durationNs    of each run, recorded, in nanoseconds.
 * @param repeats       runs of each system.
 * @param othersLimit   cores that others may use during a run before it is repeated.
 * @param retries       how often a disturbed run is repeated at most.
 */
public record CampaignPlan(
    List<String> systems,
    List<Workload> workloads,
    LoadPattern pattern,
    long ratePerSecond,
    int payloadLength,
    long warmupNs,
    long durationNs,
    int repeats,
    double othersLimit,
    int retries)
{
    /**
     * The runs, the systems taking turns in every repeat, so that a drift of the machine hits all alike.
     *
     * @return the runs, in order.
     */
    public List<RunSpec> runs()
    {
        return IntStream.rangeClosed(1, repeats)
            .boxed()
            .flatMap(repeat -> systems.stream().flatMap(system -> workloads.stream().map(workload -> new RunSpec(
                system, pattern, ratePerSecond, payloadLength, warmupNs, durationNs, repeat, workload))))
            .toList();
    }
}
