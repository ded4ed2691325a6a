/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class WaitQueueTest
{
    private static final long MS = 1_000_000L;
    private static final long US = 1_000L;

    private final AdmissionControl admission =
        new AdmissionControl().maxQueued(4).maxQueuedBytes(100).targetDelayNs(5 * MS).intervalNs(100 * MS);

    private static LaneCall call(final int length, final long nowNs)
    {
        final LaneCall call = new LaneCall(null).set(null, 1, 1);
        call.keep(new UnsafeBuffer(new byte[length]), new UnsafeBuffer(new byte[length]), 0, length, nowNs);
        return call;
    }

    @Test
    void shouldServeOldestFirstInABurst()
    {
        final WaitQueue queue = new WaitQueue(admission);
        final LaneCall first = call(1, 0);
        final LaneCall second = call(1, 1);
        queue.add(first, 0);
        queue.add(second, 1);
        assertSame(first, queue.poll(5 * MS));
        assertSame(second, queue.poll(5 * MS));
        assertTrue(queue.isEmpty());
    }

    @Test
    void shouldServeNewestFirstWhenQueueHasNotBeenEmptyForTheTargetDelay()
    {
        final WaitQueue queue = new WaitQueue(admission);
        final LaneCall first = call(1, 0);
        final LaneCall second = call(1, 4 * MS);
        queue.add(first, 0);
        queue.add(second, 4 * MS);
        assertSame(second, queue.poll(5 * MS + 1));
        assertSame(first, queue.poll(5 * MS + 1));
        final LaneCall third = call(1, 6 * MS);
        final LaneCall fourth = call(1, 7 * MS);
        queue.add(third, 6 * MS);
        queue.add(fourth, 7 * MS);
        assertSame(third, queue.poll(8 * MS), "the queue was empty in between");
    }

    @Test
    void shouldDropWhatHasWaitedForTheIntervalAndUnderOverloadForTheTargetDelay()
    {
        final WaitQueue queue = new WaitQueue(admission);
        final LaneCall first = call(1, 0);
        final LaneCall second = call(1, 95 * MS);
        final LaneCall third = call(1, 96 * MS);
        queue.add(first, 0);
        queue.add(second, 95 * MS);
        queue.add(third, 96 * MS);
        assertNull(queue.pollOverdue(100 * MS));
        assertSame(first, queue.pollOverdue(100 * MS + 1));
        assertSame(second, queue.pollOverdue(100 * MS + 1));
        assertNull(queue.pollOverdue(100 * MS + 1), "waited for less than the target delay");
        assertSame(third, queue.pollOverdue(101 * MS + 1));
        assertNull(queue.pollOverdue(200 * MS));
    }

    @Test
    void shouldTakeNoMoreThanTheLimitsInNumberAndBytes()
    {
        final WaitQueue queue = new WaitQueue(admission);
        for (int i = 0; i < 4; i++)
        {
            assertTrue(queue.hasRoomFor(25));
            queue.add(call(25, i), i);
        }
        assertFalse(queue.hasRoomFor(0));
        queue.poll();
        assertTrue(queue.hasRoomFor(25));
        assertFalse(queue.hasRoomFor(26));
        assertFalse(new WaitQueue(new AdmissionControl().maxQueued(0)).hasRoomFor(0));
    }

    @Test
    void shouldEstimateTheWaitFromRecentStarts()
    {
        final WaitQueue queue = new WaitQueue(admission);
        assertEquals(5 * MS, queue.pushbackNs(), "nothing known yet");
        for (int i = 0; i < 4; i++)
        {
            queue.add(call(1, 0), 0);
        }
        for (int i = 1; i <= 3; i++)
        {
            queue.poll(i * 200 * US);
            queue.onStart(i * 200 * US);
        }
        assertEquals(2 * 200 * US, queue.pushbackNs());
    }

    @Test
    void shouldKeepGoodputAtThreeTimesTheRateThatTheServerSustains()
    {
        // one server of 100 us, callers that give up after 20 ms, a call each 33 us, for 5 s of manual time
        final long serviceNs = 100 * US;
        final long deadlineNs = 20 * MS;
        final WaitQueue queue = new WaitQueue(new AdmissionControl().maxQueued(1024));
        long nextArrivalNs = 0;
        long nowNs = 0;
        int good = 0;
        int served = 0;
        while (nowNs < 5_000 * MS)
        {
            for (; nextArrivalNs <= nowNs; nextArrivalNs += serviceNs / 3)
            {
                if (queue.hasRoomFor(8))
                {
                    queue.add(call(8, nextArrivalNs), nextArrivalNs);
                }
            }
            while (queue.pollOverdue(nowNs) != null)
            {
                assertTrue(queue.size() < 1024);
            }
            if (queue.isEmpty())
            {
                nowNs = nextArrivalNs;
                continue;
            }
            final LaneCall call = queue.poll(nowNs);
            nowNs += serviceNs;
            served++;
            good += nowNs - call.queuedNs() <= deadlineNs ? 1 : 0;
        }
        assertTrue(served >= 49_900, "served " + served);
        assertTrue(good >= served * 0.98, "served " + served + ", in time " + good);
    }
}
