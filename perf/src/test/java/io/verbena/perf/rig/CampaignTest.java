/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.rig;

import io.verbena.perf.systems.Workload;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

@Timeout(10)
class CampaignTest
{
    private static final double OTHERS_LIMIT = 0.1;

    private final List<String> log = new ArrayList<>();
    private final Campaign.Progress progress = new Campaign.Progress()
    {
        @Override
        public void onStart(final int index, final int total, final RunSpec spec, final int attempt)
        {
            log.add(index + "/" + total + " " + spec.system() + " " + spec.repeat() + " attempt " + attempt);
        }

        @Override
        public void onEnd(final int index, final int total, final RunResult result)
        {
            log.add(index + "/" + total + " " + result.status());
        }
    };

    private static CampaignPlan plan(final int repeats, final int retries, final String... systems)
    {
        return new CampaignPlan(
            List.of(systems),
            List.of(Workload.ECHO),
            LoadPattern.PINGPONG,
            0,
            32,
            0,
            1_000_000,
            repeats,
            OTHERS_LIMIT,
            retries);
    }

    @Test
    void shouldTakeTurnsWhenRunsRepeat()
    {
        final List<RunResult> results = new Campaign(
            plan(2, 0, "udp", "http1"), spec -> RunResults.ok(spec.system(), spec.repeat(), 1, 1)).run(progress);
        assertEquals(
            List.of("udp 1", "http1 1", "udp 2", "http1 2"),
            results.stream().map(r -> r.spec().system() + " " + r.spec().repeat()).toList());
        assertEquals("1/4 udp 1 attempt 1", log.getFirst());
        assertEquals("4/4 OK", log.getLast());
    }

    @Test
    void shouldGoOnWhenRunFails()
    {
        final List<RunResult> results = new Campaign(
            plan(1, 3, "udp", "http1"),
            spec -> "udp".equals(spec.system()) ? RunResults.failed("udp", 1) : RunResults.ok("http1", 1, 1, 1))
            .run(progress);
        assertEquals(List.of(RunStatus.FAILED, RunStatus.OK), results.stream().map(RunResult::status).toList());
    }

    @Test
    void shouldRepeatRunWhenOthersUsedCpu()
    {
        final Deque<Double> others = new ArrayDeque<>(List.of(0.5, 0.11, 0.1));
        final List<RunResult> results = new Campaign(
            plan(1, 5, "udp"), spec -> RunResults.disturbed("udp", others.remove())).run(progress);
        assertEquals(3, results.getFirst().attempts());
        assertFalse(results.getFirst().isDisturbed());
        assertEquals(OTHERS_LIMIT, results.getFirst().others().othersCores());
    }

    @Test
    void shouldKeepLeastDisturbedWhenRetriesAreUsedUp()
    {
        final Deque<Double> others = new ArrayDeque<>(List.of(0.5, 0.2, 0.9));
        final RunResult result = new Campaign(
            plan(1, 2, "udp"), spec -> RunResults.disturbed("udp", others.remove())).run(progress).getFirst();
        assertEquals(3, result.attempts());
        assertTrue(result.isDisturbed());
        assertEquals(0.2, result.others().othersCores());
        assertTrue(others.isEmpty());
    }
}
