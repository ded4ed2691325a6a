/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.rpc.protocol.FrameType;
import io.verbena.rpc.test.InterruptAfter;
import io.verbena.rpc.test.RawPeer;
import java.util.concurrent.CompletableFuture;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.Test;

@InterruptAfter(20)
class HedgingTest extends ResilienceSupport
{
    private static final CallOptions HEDGED = CallOptions.DEFAULT.timeoutNs(1_000 * MS).idempotent(true)
        .hedging(new HedgingPolicy(3, 10 * MS, StatusCode.UNAVAILABLE));

    @Test
    void shouldSendOnceWhenTheAnswerComesBeforeTheDelay()
    {
        final RawPeer raw = rawServer(context -> {});
        final CompletableFuture<DirectBuffer> future = call(HEDGED);
        request(raw, 1);
        rpc.clock().advanceMs(9);
        rpc.settle();
        answer(raw, request(raw, 1));
        assertSucceeds(future);
        rpc.clock().advanceMs(100);
        rpc.settle();
        assertEquals(1, raw.count(FrameType.REQUEST));
        assertEquals(0, raw.count(FrameType.CANCEL));
        assertNothingLeft();
    }

    @Test
    void shouldTakeTheFirstSuccessAndCancelTheOthers()
    {
        final RawPeer raw = rawServer(context -> {});
        final CompletableFuture<DirectBuffer> future = call(HEDGED);
        for (int attempt = 1; attempt <= 3; attempt++)
        {
            request(raw, attempt);
            rpc.settle();
            assertEquals(attempt, raw.count(FrameType.REQUEST));
            rpc.clock().advanceMs(10);
        }
        rpc.settle();
        assertEquals(3, raw.count(FrameType.REQUEST));
        answer(raw, request(raw, 2));
        assertSucceeds(future);
        rpc.until(() -> raw.count(FrameType.CANCEL) == 2);
        assertTrue(raw.frames().stream().filter(frame -> frame.type() == FrameType.CANCEL)
            .noneMatch(frame -> frame.correlationId() == request(raw, 2).correlationId()));
        // answers that come late are for nobody
        answer(raw, request(raw, 1));
        assertNothingLeft();
    }

    @Test
    void shouldSendTheNextAtOnceWhenAnAttemptFailsWithoutBeingFatal()
    {
        final RawPeer raw = rawServer(context -> {});
        final CompletableFuture<DirectBuffer> future = call(HEDGED);
        refuse(raw, request(raw, 1), StatusCode.UNAVAILABLE, 0, false);
        refuse(raw, request(raw, 2), StatusCode.UNAVAILABLE, 0, false);
        assertFalse(future.isDone());
        answer(raw, request(raw, 3));
        assertSucceeds(future);
        assertNothingLeft();
    }

    @Test
    void shouldEndWithTheLastFailureWhenAllAttemptsFail()
    {
        final RawPeer raw = rawServer(context -> {});
        final CompletableFuture<DirectBuffer> future = call(HEDGED);
        for (int attempt = 1; attempt <= 3; attempt++)
        {
            refuse(raw, request(raw, attempt), StatusCode.UNAVAILABLE, 0, false);
        }
        assertFails(future, StatusCode.UNAVAILABLE);
        assertEquals(3, raw.count(FrameType.REQUEST));
        assertNothingLeft();
    }

    @Test
    void shouldWaitForTheOthersWhenTheLastAttemptFails()
    {
        final RawPeer raw = rawServer(context -> {});
        final CompletableFuture<DirectBuffer> future = call(HEDGED);
        request(raw, 1);
        rpc.clock().advanceMs(10);
        request(raw, 2);
        rpc.clock().advanceMs(10);
        refuse(raw, request(raw, 3), StatusCode.UNAVAILABLE, 0, false);
        refuse(raw, request(raw, 2), StatusCode.UNAVAILABLE, 0, false);
        rpc.settle();
        assertFalse(future.isDone());
        answer(raw, request(raw, 1));
        assertSucceeds(future);
        assertNothingLeft();
    }

    @Test
    void shouldEndAtOnceWhenAnAttemptFailsFatally()
    {
        final RawPeer raw = rawServer(context -> {});
        final CompletableFuture<DirectBuffer> future = call(HEDGED);
        request(raw, 1);
        rpc.clock().advanceMs(10);
        refuse(raw, request(raw, 2), StatusCode.NOT_FOUND, 0, false);
        assertFails(future, StatusCode.NOT_FOUND);
        rpc.until(() -> raw.count(FrameType.CANCEL) == 1);
        assertNothingLeft();
    }

    @Test
    void shouldHoldBackTheNextWhenTheServerPushesBack()
    {
        final RawPeer raw = rawServer(context -> {});
        final CompletableFuture<DirectBuffer> future = call(HEDGED);
        refuse(raw, request(raw, 1), StatusCode.UNAVAILABLE, 100 * MS, false);
        rpc.settle();
        rpc.clock().advanceMs(99);
        rpc.settle();
        assertEquals(1, raw.count(FrameType.REQUEST));
        rpc.clock().advanceMs(1);
        answer(raw, request(raw, 2));
        assertSucceeds(future);
        assertNothingLeft();
    }

    @Test
    void shouldSendNoMoreWhenTheServerAsksNotToComeBack()
    {
        final RawPeer raw = rawServer(context -> {});
        final CompletableFuture<DirectBuffer> future = call(HEDGED);
        request(raw, 1);
        rpc.clock().advanceMs(10);
        refuse(raw, request(raw, 2), StatusCode.UNAVAILABLE, -1, false);
        rpc.settle();
        rpc.clock().advanceMs(100);
        rpc.settle();
        assertEquals(2, raw.count(FrameType.REQUEST));
        answer(raw, request(raw, 1));
        assertSucceeds(future);
        assertNothingLeft();
    }

    @Test
    void shouldSendNoMoreWhenTheBudgetIsSpent()
    {
        final RawPeer raw = rawServer(context -> context.retryMaxTokens(2));
        final CompletableFuture<DirectBuffer> future = call(HEDGED);
        refuse(raw, request(raw, 1), StatusCode.UNAVAILABLE, 0, false);
        assertFails(future, StatusCode.UNAVAILABLE);
        assertNothingLeft();
    }

    @Test
    void shouldCancelAllAttemptsWhenTheCallerGivesUp()
    {
        final RawPeer raw = rawServer(context -> {});
        final CompletableFuture<DirectBuffer> future = call(HEDGED);
        request(raw, 1);
        rpc.clock().advanceMs(10);
        request(raw, 2);
        assertTrue(future.cancel(true));
        rpc.until(() -> raw.count(FrameType.CANCEL) == 2);
        rpc.clock().advanceMs(100);
        rpc.settle();
        assertEquals(2, raw.count(FrameType.REQUEST));
        assertNothingLeft();
    }

    @Test
    void shouldEndAtTheDeadlineWhenNothingIsAnswered()
    {
        final RawPeer raw = rawServer(context -> {});
        final CompletableFuture<DirectBuffer> future = call(HEDGED.timeoutNs(15 * MS));
        request(raw, 1);
        rpc.clock().advanceMs(10);
        assertEquals(5 * MS, request(raw, 2).timeoutNs());
        rpc.clock().advanceMs(5);
        assertFails(future, StatusCode.DEADLINE_EXCEEDED);
        assertNothingLeft();
    }

    @Test
    void shouldSendAllAtOnceWhenThereIsNoDelay()
    {
        final RawPeer raw = rawServer(context -> {});
        final CompletableFuture<DirectBuffer> future = call(HEDGED.hedging(new HedgingPolicy(2, 0)));
        answer(raw, request(raw, 2));
        assertSucceeds(future);
        assertEquals(2, raw.count(FrameType.REQUEST));
        assertNothingLeft();
    }

    @Test
    void shouldRefuseToHedgeWhenMethodIsNotIdempotent()
    {
        rpc.start();
        final IllegalArgumentException ex =
            assertThrows(IllegalArgumentException.class, () -> call(HEDGED.idempotent(false)));
        assertTrue(ex.getMessage().contains("idempotent"), ex::getMessage);
        assertEquals(0, rpc.service().requestCount());
    }
}
