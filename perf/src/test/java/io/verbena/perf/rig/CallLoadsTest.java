/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.rig;

import io.verbena.perf.systems.CallClient;
import io.verbena.perf.systems.OutcomeHandler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;

@Timeout(10)
class CallLoadsTest
{
    private static final long STEP_NS = 100;
    private static final long DEADLINE_NS = 10_000;

    private long nowNs = 5;
    private final List<Long> timeouts = new ArrayList<>();
    private final ArrayDeque<Long> pending = new ArrayDeque<>();
    private long answerAfterNs;
    private long blockedUntilNs;
    private int refuseEach = Integer.MAX_VALUE;
    private int polls;

    private final CallClient client = new CallClient()
    {
        @Override
        public boolean tryWork(final long stampNs, final long workNs, final long timeoutNs)
        {
            if (nowNs < blockedUntilNs)
            {
                return false;
            }
            timeouts.add(timeoutNs);
            pending.add(stampNs);
            return true;
        }

        @Override
        public boolean tryOccupy(final long timeoutNs)
        {
            return false;
        }

        @Override
        public int poll(final OutcomeHandler handler)
        {
            polls++;
            nowNs += STEP_NS;
            while (!pending.isEmpty() && nowNs - pending.peek() >= answerAfterNs)
            {
                final long stampNs = pending.remove();
                if (timeouts.size() % refuseEach == 0)
                {
                    handler.onRefused();
                }
                else
                {
                    handler.onAnswered(stampNs);
                }
            }
            return 0;
        }

        @Override
        public void close()
        {
            pending.clear();
        }
    };
    private final CallLoads loads = new CallLoads(client, () -> nowNs);
    private final CallCounts counts = new CallCounts(() -> nowNs, DEADLINE_NS, Histograms.create());

    @Test
    void shouldMakeEveryCallWhenLoopIsOpen()
    {
        loads.runOpen(counts, 1_000_000, 50_000, 0, DEADLINE_NS);
        assertEquals(50, counts.inTime());
        assertEquals(0, counts.expired());
        assertEquals(0, counts.outstanding());
    }

    @Test
    void shouldCountTimeUntilSentWhenCallsAreLate()
    {
        blockedUntilNs = 5_005;
        loads.runOpen(counts, 1_000_000, 50_000, 0, DEADLINE_NS);
        assertEquals(DEADLINE_NS - 5_000, timeouts.getFirst());
        assertEquals(50, counts.inTime());
    }

    @Test
    void shouldGiveCallsUpWhenTheyCannotBeSentInTime()
    {
        blockedUntilNs = 20_005;
        loads.runOpen(counts, 1_000_000, 50_000, 0, DEADLINE_NS);
        // those that were due in the first 10 µs of the 20, and the one whose deadline is just then
        assertEquals(11, counts.expired());
        assertEquals(39, counts.inTime());
    }

    @Test
    void shouldNotCountAsGoodWhenAnswersComeLate()
    {
        answerAfterNs = DEADLINE_NS + STEP_NS;
        loads.runOpen(counts, 1_000_000, 50_000, 0, DEADLINE_NS);
        assertEquals(0, counts.inTime());
        assertEquals(50, counts.expired());
    }

    @Test
    void shouldCountRefusalsWhenServerRefuses()
    {
        refuseEach = 1;
        loads.runOpen(counts, 1_000_000, 50_000, 0, DEADLINE_NS);
        assertEquals(50, counts.refused());
        assertEquals(0, counts.inTime());
    }

    @Test
    void shouldKeepSoManyInFlightWhenLoopIsClosed()
    {
        answerAfterNs = 10 * STEP_NS;
        loads.runClosed(counts, 4, 10_000, () -> client.tryWork(nowNs, 0, DEADLINE_NS));
        assertEquals(timeouts.size(), counts.inTime());
        assertEquals(0, counts.outstanding());
        // 4 in each round of 10 polls
        assertEquals(timeouts.size() / 4, polls / 10);
    }
}
