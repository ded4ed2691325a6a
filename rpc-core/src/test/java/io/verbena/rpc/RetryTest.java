/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.rpc.protocol.FrameType;
import io.verbena.rpc.test.InterruptAfter;
import io.verbena.rpc.test.RawPeer;
import io.verbena.rpc.test.ScriptedAdapter;
import io.verbena.rpc.transport.LoopbackTransport;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

@InterruptAfter(20)
class RetryTest extends ResilienceSupport
{
    private static final RetryPolicy POLICY = new RetryPolicy(
        4, 10 * MS, 30 * MS, StatusCode.UNAVAILABLE, StatusCode.RESOURCE_EXHAUSTED);
    private static final CallOptions RETRIED =
        CallOptions.DEFAULT.timeoutNs(1_000 * MS).retry(POLICY).idempotent(true);

    @Test
    void shouldTryAgainWithLongerAndLongerWaitsWhenIdempotentCallFails()
    {
        rpc.start();
        rpc.service().on(METHOD, UNAVAILABLE);
        final CompletableFuture<DirectBuffer> future = call(RETRIED);
        for (int attempt = 1; attempt <= 3; attempt++)
        {
            final int attempts = attempt;
            rpc.until(() -> rpc.service().requestCount() == attempts);
            if (attempt == 3)
            {
                rpc.service().on(METHOD, ScriptedAdapter.ECHO);
            }
            final long mostMs = Math.min(30, 10L << attempt - 1);
            final long waitedMs = waitedMs(attempt + 1);
            assertTrue(
                waitedMs >= mostMs / 2 && waitedMs <= mostMs, () -> "waited " + waitedMs + " of at most " + mostMs);
        }
        assertSucceeds(future);
        assertEquals(4, rpc.service().requestCount());
        assertNothingLeft();
    }

    @Test
    void shouldWaitTheSameWhenTheSeedIsTheSame()
    {
        final long[] waits = new long[2];
        for (int run = 0; run < 2; run++)
        {
            try (RpcHarness other = new RpcHarness(
                LoopbackTransport::new, () -> "loopback:retry-seed"))
            {
                other.launchServer(context -> {}).launchClient(context -> context.randomSeed(7)).awaitReady();
                other.service().on(METHOD, UNAVAILABLE);
                other.channel().call(SERVICE_ID, METHOD, new UnsafeBuffer(new byte[8]), 0, 8, RETRIED);
                other.until(() -> other.service().requestCount() == 1);
                while (other.service().requestCount() < 3)
                {
                    other.clock().advanceNs(MS / 10);
                    waits[run]++;
                    other.settle();
                }
            }
        }
        assertEquals(waits[0], waits[1]);
    }

    @Test
    void shouldEndWithTheLastFailureWhenAttemptsAreUsedUp()
    {
        rpc.start();
        rpc.service().on(METHOD, UNAVAILABLE);
        final CompletableFuture<DirectBuffer> future = call(RETRIED);
        for (int attempt = 1; attempt < 4; attempt++)
        {
            final int attempts = attempt;
            rpc.until(() -> rpc.service().requestCount() == attempts);
            rpc.settle();
            assertFalse(future.isDone());
            rpc.clock().advanceMs(30);
        }
        assertFails(future, StatusCode.UNAVAILABLE);
        assertEquals("down", failureOf(future).text());
        assertEquals(4, rpc.service().requestCount());
        assertNothingLeft();
    }

    @Test
    void shouldExecuteOnceWhenMethodIsNotIdempotent()
    {
        rpc.start();
        rpc.service().on(METHOD, UNAVAILABLE);
        final CompletableFuture<DirectBuffer> future = call(RETRIED.idempotent(false));
        assertFails(future, StatusCode.UNAVAILABLE);
        rpc.clock().advanceMs(500);
        rpc.settle();
        assertEquals(1, rpc.service().requestCount());
        assertNothingLeft();
    }

    @Test
    void shouldExecuteOnceWhenCodeIsNotOfThePolicy()
    {
        rpc.start();
        rpc.service().on(METHOD, (call, buffer, offset, length) -> call.fail(StatusCode.NOT_FOUND, "none"));
        assertFails(call(RETRIED), StatusCode.NOT_FOUND);
        rpc.clock().advanceMs(500);
        rpc.settle();
        assertEquals(1, rpc.service().requestCount());
    }

    @Test
    void shouldTryAgainWhenServerHasNotStartedCallThoughItIsNotIdempotent()
    {
        final RawPeer raw = rawServer(context -> {});
        final CompletableFuture<DirectBuffer> future = call(RETRIED.idempotent(false));
        refuse(raw, request(raw, 1), StatusCode.RESOURCE_EXHAUSTED, 0, true);
        rpc.settle();
        assertEquals(1, raw.count(FrameType.REQUEST));
        rpc.clock().advanceMs(10);
        answer(raw, request(raw, 2));
        assertSucceeds(future);
        assertNothingLeft();
    }

    @Test
    void shouldNotTryAgainWithoutPolicyWhenServerIsOverloaded()
    {
        final RawPeer raw = rawServer(context -> {});
        final CompletableFuture<DirectBuffer> future = call(CallOptions.DEFAULT.idempotent(true));
        refuse(raw, request(raw, 1), StatusCode.RESOURCE_EXHAUSTED, 5 * MS, true);
        assertFails(future, StatusCode.RESOURCE_EXHAUSTED);
        assertTrue(failureOf(future).isNotStarted());
        assertEquals(5 * MS, failureOf(future).pushbackNs());
        rpc.clock().advanceMs(500);
        rpc.settle();
        assertEquals(1, raw.count(FrameType.REQUEST));
    }

    @Test
    void shouldWaitAsLongAsTheServerSaysWhenItPushesBack()
    {
        final RawPeer raw = rawServer(context -> {});
        final CompletableFuture<DirectBuffer> future = call(RETRIED);
        refuse(raw, request(raw, 1), StatusCode.UNAVAILABLE, 200 * MS, false);
        rpc.settle();
        rpc.clock().advanceMs(199);
        rpc.settle();
        assertEquals(1, raw.count(FrameType.REQUEST));
        rpc.clock().advanceMs(1);
        // the waits begin with the shortest again
        refuse(raw, request(raw, 2), StatusCode.UNAVAILABLE, 0, false);
        rpc.settle();
        rpc.clock().advanceMs(10);
        answer(raw, request(raw, 3));
        assertSucceeds(future);
    }

    @Test
    void shouldStopWhenTheServerAsksNotToComeBack()
    {
        final RawPeer raw = rawServer(context -> {});
        final CompletableFuture<DirectBuffer> future = call(RETRIED);
        refuse(raw, request(raw, 1), StatusCode.UNAVAILABLE, -1, true);
        assertFails(future, StatusCode.UNAVAILABLE);
        assertTrue(failureOf(future).pushbackNs() < 0);
        rpc.clock().advanceMs(500);
        rpc.settle();
        assertEquals(1, raw.count(FrameType.REQUEST));
        assertNothingLeft();
    }

    @Test
    void shouldSpanAllAttemptsWithOneDeadline()
    {
        final RawPeer raw = rawServer(context -> {});
        final CompletableFuture<DirectBuffer> future = call(RETRIED.timeoutNs(100 * MS));
        assertEquals(100 * MS, request(raw, 1).timeoutNs());
        rpc.clock().advanceMs(40);
        refuse(raw, request(raw, 1), StatusCode.UNAVAILABLE, 0, false);
        rpc.settle();
        rpc.clock().advanceMs(10);
        assertEquals(50 * MS, request(raw, 2).timeoutNs());
        rpc.clock().advanceMs(50);
        assertFails(future, StatusCode.DEADLINE_EXCEEDED);
        assertNothingLeft();
    }

    @Test
    void shouldFailAtOnceWhenTheNextAttemptWouldComeAfterTheDeadline()
    {
        final RawPeer raw = rawServer(context -> {});
        final CompletableFuture<DirectBuffer> future = call(RETRIED.timeoutNs(100 * MS));
        rpc.until(() -> raw.count(FrameType.REQUEST) == 1);
        rpc.clock().advanceMs(50);
        refuse(raw, request(raw, 1), StatusCode.UNAVAILABLE, 50 * MS, false);
        assertFails(future, StatusCode.UNAVAILABLE);
        assertNothingLeft();
    }

    @Test
    void shouldStopRetryingWhenTheBudgetIsSpentAndGoOnWhenSuccessesHaveFilledIt()
    {
        rpc.launchServer(context -> {})
            .launchClient(context -> context.retryMaxTokens(10).retryTokenThousandths(500)).awaitReady();
        rpc.service().on(METHOD, UNAVAILABLE);
        // each failure takes one of 10 tokens; with 5 left there is no retry
        assertFailsAtLast(RETRIED.retry(new RetryPolicy(5, MS, MS, StatusCode.UNAVAILABLE)));
        assertEquals(5, rpc.service().requestCount());
        assertFailsAtLast(RETRIED);
        assertEquals(6, rpc.service().requestCount());
        rpc.service().on(METHOD, ScriptedAdapter.ECHO);
        // 4 tokens are left, and 5 successes make it 6.5
        for (int i = 0; i < 5; i++)
        {
            assertSucceeds(call(CallOptions.DEFAULT));
        }
        rpc.service().on(METHOD, UNAVAILABLE);
        assertFailsAtLast(RETRIED);
        assertEquals(13, rpc.service().requestCount());
    }

    @Test
    void shouldNotTryAgainWhenTheRequestIsNotKept()
    {
        rpc.launchServer(context -> {}).launchClient(context -> context.retryBufferBytes(15)).awaitReady();
        rpc.service().on(METHOD, UNAVAILABLE);
        // the first takes 8 of 15 bytes, the second does not fit
        final CompletableFuture<DirectBuffer> first = call(RETRIED);
        final CompletableFuture<DirectBuffer> second = call(RETRIED);
        assertFails(second, StatusCode.UNAVAILABLE);
        assertFalse(first.isDone());
        rpc.service().on(METHOD, ScriptedAdapter.ECHO);
        rpc.clock().advanceMs(10);
        assertSucceeds(first);
        assertEquals(3, rpc.service().requestCount());
        assertNothingLeft();
    }

    @Test
    void shouldNotSendAgainWhenCancelledWhileItWaits()
    {
        rpc.start();
        rpc.service().on(METHOD, UNAVAILABLE);
        final CompletableFuture<DirectBuffer> future = call(RETRIED);
        rpc.until(() -> rpc.service().requestCount() == 1);
        rpc.settle();
        assertEquals(1, rpc.channel().callsWaiting());
        assertTrue(future.cancel(true));
        assertNothingLeft();
        rpc.clock().advanceMs(500);
        rpc.settle();
        assertEquals(1, rpc.service().requestCount());
    }

    @Test
    void shouldEndAtOnceWhenTheChannelClosesWhileItWaits()
    {
        rpc.start();
        rpc.service().on(METHOD, UNAVAILABLE);
        final CompletableFuture<DirectBuffer> future = call(RETRIED);
        rpc.until(() -> rpc.service().requestCount() == 1);
        rpc.settle();
        rpc.channel().close();
        assertEquals(StatusCode.UNAVAILABLE, failureOf(future).code());
        assertNothingLeft();
    }

    @Test
    void shouldEndWithItsFailureWhenThereIsNoPlaceToWait()
    {
        rpc.launchServer(context -> {}).launchClient(context -> context.asyncQueueLength(2)).awaitReady();
        rpc.service().on(METHOD, UNAVAILABLE);
        final CompletableFuture<DirectBuffer> first = call(RETRIED);
        final CompletableFuture<DirectBuffer> second = call(RETRIED);
        rpc.until(() -> rpc.service().requestCount() == 2);
        rpc.settle();
        final CompletableFuture<DirectBuffer> refused = call(RETRIED);
        assertFails(refused, StatusCode.RESOURCE_EXHAUSTED);
        assertTrue(failureOf(refused).text().contains("queue of 2 calls"), failureOf(refused)::text);
        rpc.service().on(METHOD, ScriptedAdapter.ECHO);
        rpc.clock().advanceMs(10);
        assertSucceeds(first);
        assertSucceeds(second);
        assertNothingLeft();
    }

    @Test
    void shouldTryAgainOnTheNextConnectionWhenIdempotentCallLostItsOwn()
    {
        final RawPeer raw = rawServer(context -> {});
        final CompletableFuture<DirectBuffer> retried = call(RETRIED);
        final CompletableFuture<DirectBuffer> once = call(CallOptions.DEFAULT);
        request(raw, 2);
        raw.connection().close();
        assertFails(once, StatusCode.UNAVAILABLE);
        assertFalse(failureOf(once).isNotStarted());
        assertFalse(retried.isDone());
        rpc.clock().advanceMs(50);
        accept(raw, 2);
        answer(raw, request(raw, 3));
        assertSucceeds(retried);
        assertEquals(3, raw.count(FrameType.REQUEST));
        assertNothingLeft();
    }

    @Test
    void shouldSendTheMetadataWithEachAttempt()
    {
        rpc.start();
        final List<String> keys = new ArrayList<>();
        rpc.service().on(METHOD, (call, buffer, offset, length) ->
        {
            keys.add(call.metadata().get("key"));
            if (keys.size() == 1)
            {
                call.fail(StatusCode.UNAVAILABLE, "down");
            }
            else
            {
                ScriptedAdapter.ECHO.onRequest(call, buffer, offset, length);
            }
        });
        final CompletableFuture<DirectBuffer> future = call(RETRIED.metadata(new Metadata().add("key", "value")));
        rpc.until(() -> keys.size() == 1);
        rpc.settle();
        rpc.clock().advanceMs(10);
        assertSucceeds(future);
        assertEquals(List.of("value", "value"), keys);
    }

    @Test
    void shouldEndWithTheCallThatItIsMadeForUnlessItIsDetached()
    {
        rpc.start();
        final List<CompletableFuture<DirectBuffer>> nested = new ArrayList<>();
        rpc.service()
            .on(METHOD, (call, buffer, offset, length) ->
            {
                for (final boolean isInherited : new boolean[]{true, false})
                {
                    nested.add(rpc.channel().call(
                        SERVICE_ID, METHOD + 1, buffer, offset, length, RETRIED.deadlineInherited(isInherited)));
                }
                call.detach();
            })
            .on(METHOD + 1, UNAVAILABLE);
        final CompletableFuture<DirectBuffer> outer = call(CallOptions.DEFAULT.timeoutNs(5 * MS));
        rpc.until(() -> rpc.service().requestCount() == 3);
        // the one would be tried again after the deadline of the outer call, so it has failed; the other waits
        rpc.settle();
        assertEquals(StatusCode.UNAVAILABLE, failureOf(nested.get(0)).code());
        assertFalse(nested.get(1).isDone());
        rpc.clock().advanceMs(5);
        assertFails(outer, StatusCode.DEADLINE_EXCEEDED);
        rpc.service().on(METHOD + 1, ScriptedAdapter.ECHO);
        rpc.clock().advanceMs(5);
        assertSucceeds(nested.get(1));
        assertNothingLeft();
    }

    @Test
    void shouldNotTryAgainWhenAMessageIsTooLong()
    {
        rpc.launchServer(context -> context.maxMessageLength(8192))
            .launchClient(context -> context.maxMessageLength(4096)).awaitReady();
        rpc.service().on(METHOD, (call, buffer, offset, length) -> call.claim(5000));
        final CompletableFuture<DirectBuffer> response = call(RETRIED);
        assertFails(response, StatusCode.RESOURCE_EXHAUSTED);
        final String text = failureOf(response).text();
        assertTrue(text.contains("5000") && text.contains("4096"), text);
        final CompletableFuture<DirectBuffer> request = rpc.channel().call(
            SERVICE_ID, METHOD, new UnsafeBuffer(new byte[5000]), 0, 5000, RETRIED);
        assertFails(request, StatusCode.RESOURCE_EXHAUSTED);
        rpc.clock().advanceMs(100);
        rpc.settle();
        assertEquals(1, rpc.service().requestCount());
        assertNothingLeft();
    }

    private void assertFailsAtLast(final CallOptions options)
    {
        final CompletableFuture<DirectBuffer> future = call(options);
        while (!future.isDone())
        {
            rpc.settle();
            rpc.clock().advanceMs(30);
        }
        assertEquals(StatusCode.UNAVAILABLE, failureOf(future).code());
    }

    private long waitedMs(final int requestCount)
    {
        long waitedMs = 0;
        rpc.settle();
        while (rpc.service().requestCount() < requestCount)
        {
            rpc.clock().advanceMs(1);
            waitedMs++;
            rpc.settle();
        }
        return waitedMs;
    }
}
