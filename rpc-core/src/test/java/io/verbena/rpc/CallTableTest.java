/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.rpc.test.RecordingHandler;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CallTableTest
{
    private static final long NONE = RpcChannel.NO_TIMEOUT;

    private final RecordingHandler handler = new RecordingHandler();

    private long begin(final CallTable table, final int incarnation, final long deadlineNs)
    {
        final long id = table.nextCorrelationId(incarnation);
        table.begin(id, 0xFFFE, 0xFFFD, deadlineNs, handler);
        return id;
    }

    @Test
    void shouldFindCallWhenItIsInFlightAndNothingElse()
    {
        final CallTable table = new CallTable(4);
        final long id = begin(table, Short.MAX_VALUE, NONE);
        assertTrue(id > 0);
        assertEquals(Short.MAX_VALUE, CallSlots.incarnation(id));
        final int slot = table.find(id);
        assertEquals(0, slot);
        assertEquals(0xFFFE, table.serviceId(slot));
        assertEquals(0xFFFD, table.methodId(slot));
        assertEquals(NONE, table.deadlineNs(slot));
        assertSame(handler, table.owner(slot));
        assertEquals(1, table.inFlight());
        for (final long other : new long[]{0, -1, id + 1, id + 4, id + 0x10000, id ^ 1L << 48, Long.MIN_VALUE})
        {
            assertEquals(-1, table.find(other));
        }
        table.end(slot);
        assertEquals(-1, table.find(id));
        assertNull(table.owner(slot));
        assertEquals(0, table.inFlight());
        assertNotEquals(id, begin(table, Short.MAX_VALUE, NONE));
    }

    @Test
    void shouldBeFullAtTheLowerOfBothLimits()
    {
        final CallTable table = new CallTable(8);
        table.reset(3);
        final Set<Long> ids = new HashSet<>();
        while (!table.isFull())
        {
            ids.add(begin(table, 1, NONE));
        }
        assertEquals(3, ids.size());
        ids.forEach(id -> table.end(table.find(id)));
        table.reset(100);
        int count = 0;
        while (!table.isFull())
        {
            assertTrue(ids.add(begin(table, 1, NONE)), "an id used again");
            count++;
        }
        assertEquals(8, count);
    }

    @Test
    void shouldUseTheSlotThatWasToldWhenOthersEndMeanwhile()
    {
        final CallTable table = new CallTable(4);
        final long first = begin(table, 1, NONE);
        final long second = begin(table, 1, NONE);
        final long told = table.nextCorrelationId(1);
        table.end(table.find(first));
        table.end(table.find(second));
        table.begin(told, 1, 1, NONE, handler);
        assertTrue(table.find(told) >= 0);
        assertEquals(1, table.inFlight());
        final Set<Long> ids = new HashSet<>();
        while (!table.isFull())
        {
            ids.add(begin(table, 1, NONE));
        }
        assertEquals(3, ids.size());
        assertEquals(4, table.inFlight());
        assertTrue(table.find(told) >= 0);
        ids.forEach(id -> assertTrue(table.find(id) >= 0));
    }

    @Test
    void shouldScanForDeadlinesOnlyWhenTheEarliestHasPassed()
    {
        final CallTable table = new CallTable(8);
        assertFalse(table.isExpiryDue(Long.MAX_VALUE));
        begin(table, 1, NONE);
        assertFalse(table.hasDeadlines());
        final long late = begin(table, 1, 300);
        final long early = begin(table, 1, 100);
        assertFalse(table.isExpiryDue(99));
        assertTrue(table.isExpiryDue(100));
        table.beginExpiry();
        final int slot = table.nextExpired(0, 100);
        assertEquals(table.find(early), slot);
        table.end(slot);
        // begun by a callback in the middle of the scan, in a slot that was passed already
        final long between = begin(table, 1, 200);
        assertEquals(-1, table.nextExpired(slot + 1, 100));
        assertEquals(200, table.earliestDeadlineNs());
        assertFalse(table.isExpiryDue(199));
        table.end(table.find(between));
        table.end(table.find(late));
        assertTrue(table.isExpiryDue(200), "a lower bound only");
        table.beginExpiry();
        assertEquals(-1, table.nextExpired(0, 200));
        assertFalse(table.hasDeadlines());
    }

    @Test
    void shouldCompareDeadlinesWhenTheClockWrapsAround()
    {
        final CallTable table = new CallTable(8);
        final long nowNs = Long.MAX_VALUE - 10;
        final long wrapped = begin(table, 1, nowNs + 100);
        final long before = begin(table, 1, nowNs + 5);
        assertEquals(nowNs + 5, table.earliestDeadlineNs());
        table.beginExpiry();
        assertEquals(table.find(before), table.nextExpired(0, nowNs + 50));
        assertTrue(table.find(wrapped) >= 0);
        table.end(table.find(before));
        assertEquals(-1, table.nextExpired(0, nowNs + 50));
        assertEquals(nowNs + 100, table.earliestDeadlineNs());
    }

    @Test
    void shouldAgreeWithAModelWhenCallsComeAndGoAtRandom()
    {
        for (long seed = 1; seed <= 200; seed++)
        {
            final Random random = new Random(seed);
            final CallTable table = new CallTable(1 + random.nextInt(16));
            final List<Long> open = new ArrayList<>();
            final Set<Long> all = new HashSet<>();
            for (int i = 0; i < 500; i++)
            {
                if (random.nextBoolean() && !table.isFull())
                {
                    final long id = begin(table, 5, random.nextInt(1000));
                    assertTrue(all.add(id), "seed " + seed);
                    open.add(id);
                }
                else if (!open.isEmpty())
                {
                    table.end(table.find(open.remove(random.nextInt(open.size()))));
                }
                assertEquals(open.size(), table.inFlight(), "seed " + seed);
                assertEquals(open.size() == table.capacity(), table.isFull(), "seed " + seed);
            }
            all.forEach(id -> assertEquals(open.contains(id), table.find(id) >= 0));
            int found = 0;
            for (int slot = table.next(0); slot >= 0; slot = table.next(slot + 1))
            {
                found++;
            }
            assertEquals(open.size(), found);
        }
    }

    @Test
    void shouldFindNothingWhenDisposed()
    {
        final CallSlots<Object> slots = new CallSlots<>(2);
        slots.occupy(1, 0x1_0000_0000_0001L, 1, 1, NONE, this);
        assertEquals(1, slots.find(0x1_0000_0000_0001L));
        slots.end(1);
        slots.dispose();
        assertEquals(-1, slots.find(0x1_0000_0000_0001L));
        assertEquals(-1, slots.next(0));
    }
}
