/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.rpc.test.InterruptAfter;
import io.verbena.rpc.transport.CountersSource;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.AtomicCounter;
import org.agrona.concurrent.status.CountersReader;
import org.junit.jupiter.api.Test;

@InterruptAfter(10)
class RpcCountersTest
{
    private final RpcCounters client = new RpcCounters("test-client", false);
    private final FakeSource source = new FakeSource();

    @Test
    void shouldTellCallsInFlightWhenCallsStartAndEnd()
    {
        client.callStarted();
        client.callStarted();
        client.callStarted();
        client.callEnded(StatusCode.OK);
        client.callEnded(StatusCode.UNAUTHENTICATED);

        assertEquals(3, client.get(RpcCounter.CALLS_STARTED));
        assertEquals(1, client.get(RpcCounter.CALLS_IN_FLIGHT));
        assertEquals(1, client.get(RpcCounter.ENDED_OK));
        assertEquals(1, client.get(RpcCounter.ENDED_UNAUTHENTICATED));
        assertEquals(0, client.get(RpcCounter.ENDED_UNKNOWN));
    }

    @Test
    void shouldShowCountersToAgronaWhenReadByTypeId()
    {
        client.itemSent();
        client.callStarted();
        client.publish();

        final CountersReader reader = client.reader();
        final Map<Integer, Long> values = new HashMap<>();
        reader.forEach((counterId, typeId, key, label) -> values.put(typeId, reader.getCounterValue(counterId)));
        assertEquals(1, values.get(RpcCounter.ITEMS_SENT.typeId()));
        assertEquals(1, values.get(RpcCounter.CALLS_IN_FLIGHT.typeId()));
        assertFalse(values.containsKey(RpcCounter.ADMISSION_REFUSALS.typeId()), "a server's, at a client");
        assertTrue(values.containsKey(RpcCounter.HEDGES.typeId()));
    }

    @Test
    void shouldHaveEachTypeIdOnceWhenAllAreListed()
    {
        final Set<Integer> ids = new HashSet<>();
        for (final RpcCounter counter : RpcCounter.values())
        {
            assertTrue(ids.add(counter.typeId()), counter.name());
            assertTrue(counter.isClients() || counter.isServers());
        }
        for (final StatusCode code : StatusCode.values())
        {
            assertEquals(code, RpcCounter.ended(code).status());
            assertEquals(7100 + code.value(), RpcCounter.ended(code).typeId());
        }
    }

    @Test
    void shouldMakeOnlyTheTransportsCountersThatCountedWhenMirrored()
    {
        client.mirrorTo(source);
        client.retried();
        client.admissionRefused();

        client.publish();

        assertEquals(Set.of("test-client: retries"), source.counters.keySet());
        assertEquals(1, source.counters.get("test-client: retries").get());
    }

    @Test
    void shouldAskAgainWhenTheTransportsCounterIsNotThereYet()
    {
        client.mirrorTo(source);
        source.isRefusing = true;
        client.hedged();
        client.publish();
        assertTrue(source.counters.isEmpty());

        source.isRefusing = false;
        client.publish();

        assertEquals(1, source.counters.get("test-client: hedges").get());
    }

    @Test
    void shouldCopyOnEveryThousandthCycleWhenCyclesPass()
    {
        client.mirrorTo(source);
        client.hedged();
        for (long cycle = 1; cycle < RpcCounters.PUBLISH_CYCLES; cycle++)
        {
            client.publish(cycle);
        }
        assertTrue(source.counters.isEmpty());

        client.publish(RpcCounters.PUBLISH_CYCLES);

        assertEquals(1, source.counters.get("test-client: hedges").get());
    }

    @Test
    void shouldTouchTheTransportsCountersNoMoreWhenDetached()
    {
        client.mirrorTo(source);
        client.hedged();
        client.detach();
        assertEquals(1, source.counters.get("test-client: hedges").get());

        client.hedged();
        client.publish();

        assertEquals(1, source.counters.get("test-client: hedges").get());
        assertEquals(2, client.get(RpcCounter.HEDGES));
    }

    @Test
    void shouldPassOverATransportWhenItOffersNoCounters()
    {
        client.mirrorTo(new Object());
        client.hedged();
        client.publish();
        assertEquals(1, client.get(RpcCounter.HEDGES));
    }

    @Test
    void shouldReadNoughtWhenTheCounterIsTheOtherSides()
    {
        assertEquals(0, client.get(RpcCounter.ADMISSION_WAITING));
        assertFalse(client.isOfThisSide(RpcCounter.ADMISSION_WAITING));
        assertNull(RpcCounter.HEDGES.status());
        assertFalse(new RpcCounters("s", true).isOfThisSide(RpcCounter.HEDGES));
    }

    private static final class FakeSource implements CountersSource
    {
        private final Map<String, AtomicCounter> counters = new HashMap<>();
        private boolean isRefusing;

        @Override
        public AtomicCounter counter(final int typeId, final String label)
        {
            return isRefusing ? null : counters.computeIfAbsent(label, key -> new AtomicCounter(
                new UnsafeBuffer(ByteBuffer.allocateDirect(CountersReader.COUNTER_LENGTH)), 0));
        }
    }
}
