/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.rig;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;

@Timeout(10)
class CpuUsageTest
{
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);

    @Test
    void shouldReadTicksWhenNameHoldsBracketsAndBlanks()
    {
        assertEquals(
            30, CpuUsage.ticksOf("42 (a ) b (c) S 1 2 3 4 5 6 7 8 9 10 10 20 0 0 20 0 1 0 100 0 0\n"));
    }

    @Test
    void shouldCountOthersWhenTheyAreSeen()
    {
        final CpuUsage before = new CpuUsage(0, 1000, 5, Map.of(1L, 100L, 2L, 200L, 3L, 10L));
        final CpuUsage after = new CpuUsage(2 * SECOND_NS, 1300, 25, Map.of(1L, 250L, 2L, 300L, 3L, 60L));
        final OthersUsage others = after.since(before, Set.of(1L, 2L));
        assertEquals(0.25, others.othersCores(), 1e-9);
        assertEquals(0.1, others.stealCores(), 1e-9);
    }

    @Test
    void shouldCountOthersWhenTheyAreGone()
    {
        final CpuUsage before = new CpuUsage(0, 1000, 0, Map.of(1L, 100L, 9L, 7L));
        final CpuUsage after = new CpuUsage(SECOND_NS, 1150, 0, Map.of(1L, 200L));
        assertEquals(0.5, after.since(before, Set.of(1L)).othersCores(), 1e-9);
    }

    @Test
    void shouldCountNothingWhenInterruptsAreChargedToOwn()
    {
        final CpuUsage before = new CpuUsage(0, 1000, 0, Map.of(1L, 100L));
        final CpuUsage after = new CpuUsage(SECOND_NS, 1080, 0, Map.of(1L, 200L));
        assertEquals(0.0, after.since(before, Set.of(1L)).othersCores());
    }
}
