/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import static io.verbena.rpc.RpcHarness.ECHO_METHOD_ID;
import static io.verbena.rpc.RpcHarness.SERVICE_ID;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.rpc.protocol.FrameFlags;
import io.verbena.rpc.protocol.FrameType;
import io.verbena.rpc.test.InterruptAfter;
import io.verbena.rpc.test.RawPeer;
import io.verbena.rpc.transport.LoopbackTransport;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * A server that goes away, seen by raw clients: cases/rpc.md 7.
 */
@InterruptAfter(60)
class DrainTest
{
    private static final AtomicInteger NAMES = new AtomicInteger();
    private static final long NONE = Long.MAX_VALUE;
    private static final long SECOND = 1_000_000_000L;
    private static final int KEEP = 2;

    private final String address = "loopback:drain-" + NAMES.incrementAndGet();
    private final RpcHarness rpc = new RpcHarness(LoopbackTransport::new, () -> address);
    private final List<ServerCall> kept = new ArrayList<>();
    /** How many calls were made in each slot. */
    private int[] madeIn;

    @AfterEach
    void closeAll()
    {
        rpc.close();
    }

    private RawPeer launch()
    {
        rpc.service().on(KEEP, (call, buffer, offset, length) -> kept.add(call.detach()));
        rpc.launchServer(context -> {});
        return rpc.rawClient(5);
    }

    private void answerAll()
    {
        kept.forEach(call ->
        {
            call.claim(0);
            call.send(0);
        });
        kept.clear();
    }

    private static void pong(final RawPeer raw)
    {
        raw.send(FrameType.PONG, 0, 0, raw.last(FrameType.PING).correlationId(), 0, new byte[0]);
    }

    @Test
    void shouldFinishWhatIsInFlightAndRefuseWhatComesThen()
    {
        final RawPeer raw = launch();
        final RawPeer idle = rpc.rawClient(6);
        raw.request(SERVICE_ID, KEEP, RawPeer.id(5, 0, 0), NONE, new byte[8]);
        rpc.until(() -> kept.size() == 1);
        final CompletableFuture<Boolean> drained = rpc.server().drain(10 * SECOND);
        rpc.until(() -> raw.count(FrameType.PING) == 1 && idle.count(FrameType.PING) == 1);
        assertEquals(1, raw.count(FrameType.GO_AWAY));
        raw.request(SERVICE_ID, ECHO_METHOD_ID, RawPeer.id(5, 0, 1), NONE, new byte[8]);
        rpc.until(() -> raw.count(FrameType.ERROR) == 1);
        assertEquals(StatusCode.UNAVAILABLE.value(), raw.last(FrameType.ERROR).status());
        assertTrue((raw.last(FrameType.ERROR).flags() & FrameFlags.NOT_STARTED) != 0);
        pong(raw);
        pong(idle);
        rpc.until(() -> idle.cause() != null);
        rpc.settle();
        assertFalse(drained.isDone());
        assertEquals(1, rpc.server().sessionCount(), "one call is in flight");
        answerAll();
        rpc.until(drained::isDone);
        rpc.until(() -> raw.count(FrameType.RESPONSE) == 1);
        assertTrue(drained.join());
        assertEquals(1, raw.count(FrameType.ERROR));
        assertEquals(1, rpc.service().requestCount());
        rpc.assertClean();
    }

    @Test
    void shouldKeepAnIdleConnectionUntilWhatMayBeOnItsWayHasArrived()
    {
        final RawPeer raw = launch();
        final CompletableFuture<Boolean> drained = rpc.server().drain(10 * SECOND);
        rpc.settle();
        assertEquals(1, rpc.server().sessionCount());
        raw.request(SERVICE_ID, ECHO_METHOD_ID, RawPeer.id(5, 0, 1), NONE, new byte[8]);
        pong(raw);
        rpc.until(drained::isDone);
        assertEquals(1, raw.count(FrameType.ERROR), "refused, not cut off");
        assertTrue(drained.join());
    }

    @Test
    void shouldEndTheRestAtTheDeadline()
    {
        final RawPeer raw = launch();
        raw.request(SERVICE_ID, KEEP, RawPeer.id(5, 0, 0), NONE, new byte[8]);
        rpc.until(() -> kept.size() == 1);
        final CompletableFuture<Boolean> drained = rpc.server().drain(SECOND);
        rpc.until(() -> raw.count(FrameType.PING) == 1);
        pong(raw);
        rpc.clock().advanceNs(SECOND - 1);
        rpc.settle();
        assertFalse(drained.isDone());
        rpc.clock().advanceNs(1);
        rpc.until(drained::isDone);
        assertFalse(drained.join());
        rpc.until(() -> raw.cause() != null);
        assertEquals(1, raw.count(FrameType.ERROR));
        assertEquals(StatusCode.UNAVAILABLE.value(), raw.last(FrameType.ERROR).status());
        assertEquals(0, raw.last(FrameType.ERROR).flags() & FrameFlags.NOT_STARTED);
        assertEquals(1, rpc.service().cancelled().size());
        rpc.settle();
        rpc.assertClean();
    }

    @Test
    void shouldRefuseNewConnectionsWithTheReason()
    {
        launch();
        rpc.server().drain(SECOND);
        rpc.settle();
        final RawPeer late = rpc.connectedRawClient();
        late.hello(7);
        rpc.until(() -> late.cause() != null);
        assertEquals(StatusCode.UNAVAILABLE.value(), late.last(FrameType.ERROR).status());
    }

    @Test
    void shouldHoldToTheEarlierDeadlineWhenDrainedTwiceAndSayFalseWhenClosed()
    {
        final RawPeer raw = launch();
        raw.request(SERVICE_ID, KEEP, RawPeer.id(5, 0, 0), NONE, new byte[8]);
        rpc.until(() -> kept.size() == 1);
        final CompletableFuture<Boolean> first = rpc.server().drain(Long.MAX_VALUE);
        final CompletableFuture<Boolean> second = rpc.server().drain(SECOND);
        rpc.until(() -> raw.count(FrameType.GO_AWAY) == 1);
        rpc.clock().advanceNs(SECOND);
        rpc.until(() -> first.isDone() && second.isDone());
        assertFalse(first.join());
        assertThrows(IllegalArgumentException.class, () -> rpc.server().drain(-1));
        rpc.clock().stepOnReadNs(1_000_000);
        rpc.closeServer();
        assertThrows(RejectedExecutionException.class, () -> rpc.server().drain(1));
    }

    @Test
    void shouldApplyEachIncrementAtMostOnceWhenServerDrainsInTheMiddle()
    {
        for (long seed = 1; seed <= 20; seed++)
        {
            incrementAtRandom(new Random(seed), "seed " + seed);
        }
    }

    private void incrementAtRandom(final Random random, final String hint)
    {
        final Map<Long, Integer> applied = new HashMap<>();
        rpc.service().on(KEEP, (call, buffer, offset, length) ->
        {
            applied.merge(buffer.getLong(offset), 1, Integer::sum);
            if (random.nextBoolean())
            {
                kept.add(call.detach());
            }
            else
            {
                call.claim(0);
                call.send(0);
            }
        });
        rpc.launchServer(context -> context.admission(
            random.nextBoolean() ? new AdmissionControl().maxInProgress(20) : null));
        final RawPeer raw = rpc.rawClient(5);
        madeIn = new int[64];
        final int drainAt = random.nextInt(1_000);
        final byte[] payload = new byte[8];
        CompletableFuture<Boolean> drained = null;
        for (int i = 0; i < 1_000; i++)
        {
            if (i == drainAt)
            {
                drained = rpc.server().drain(10 * SECOND);
            }
            new org.agrona.concurrent.UnsafeBuffer(payload).putLong(0, i);
            // as a client: no more in flight than there are slots, and each answered once
            final int made = i;
            rpc.until(() -> made - answered(raw) < 60);
            raw.request(SERVICE_ID, KEEP, RawPeer.id(5, i, freeSlot(raw)), NONE, payload);
            for (int pumps = random.nextInt(3); pumps > 0; pumps--)
            {
                rpc.pump();
            }
            if (random.nextInt(4) == 0)
            {
                answerAll();
            }
        }
        rpc.until(() -> raw.count(FrameType.PING) == 1);
        pong(raw);
        final CompletableFuture<Boolean> awaited = drained;
        rpc.until(() ->
        {
            answerAll();
            return awaited.isDone();
        });
        rpc.until(() -> answered(raw) == 1_000);
        assertTrue(awaited.join(), hint);
        applied.forEach((increment, times) -> assertEquals(1, times, hint + ": increment " + increment));
        for (final RawPeer.Frame frame : raw.frames())
        {
            final long increment = frame.correlationId() >>> 16 & 0xFFFFFFFFL;
            if (frame.type() == FrameType.ERROR)
            {
                assertTrue((frame.flags() & FrameFlags.NOT_STARTED) != 0, hint);
                assertFalse(applied.containsKey(increment), hint + ": refused and yet applied: " + increment);
            }
            else if (frame.type() == FrameType.RESPONSE)
            {
                assertTrue(applied.containsKey(increment), hint);
            }
        }
        rpc.clock().stepOnReadNs(1_000_000);
        rpc.closeServer();
        rpc.clock().stepOnReadNs(0);
    }

    private static int answered(final RawPeer raw)
    {
        return raw.count(FrameType.RESPONSE) + raw.count(FrameType.ERROR);
    }

    /**
     * Of the 64 slots one that no unanswered call has.
     */
    private int freeSlot(final RawPeer raw)
    {
        final int[] answeredIn = new int[64];
        for (final RawPeer.Frame frame : raw.frames())
        {
            if (frame.type() == FrameType.RESPONSE || frame.type() == FrameType.ERROR)
            {
                answeredIn[(int)(frame.correlationId() & 0xFFFF)]++;
            }
        }
        int slot = 0;
        while (madeIn[slot] != answeredIn[slot])
        {
            slot++;
        }
        madeIn[slot]++;
        return slot;
    }
}
