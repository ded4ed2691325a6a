/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.rpc.protocol.FrameType;
import io.verbena.rpc.test.InterruptAfter;
import io.verbena.rpc.test.RawPeer;
import io.verbena.rpc.test.RecordingHandler;
import io.verbena.rpc.test.RecordingStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.Test;

/**
 * Calls that handlers make: they inherit the time that is left, and end when the call that they are made for does.
 * A handler of {@link #METHOD} calls {@link #NESTED} on the same server.
 */
abstract class ScopeContract extends InterceptorContract
{
    static final int NESTED = 5;
    private static final long MS = 1_000_000;

    private final List<ServerCall> parents = new ArrayList<>();
    private final List<ServerCall> nestedCalls = new ArrayList<>();
    private final List<Long> nestedRemainingNs = new ArrayList<>();
    private final RecordingHandler nestedHandler = new RecordingHandler();

    private interface Nest
    {
        void call();
    }

    private void serve(final Nest nest)
    {
        rpc.service().on(METHOD, (call, buffer, offset, length) ->
        {
            parents.add(call.detach());
            nest.call();
        });
        rpc.service().on(NESTED, (call, buffer, offset, length) ->
        {
            nestedRemainingNs.add(call.remainingNs());
            nestedCalls.add(call.detach());
        });
    }

    private void callNested(final long timeoutNs)
    {
        final long result = rpc.channel().offer(
            SERVICE_ID, NESTED, buffer(new byte[8]), 0, 8, timeoutNs, nestedHandler);
        assertTrue(result > 0, () -> "result " + result);
    }

    private long startNested(final Nest nest, final long timeoutNs, final RecordingHandler handler)
    {
        serve(nest);
        rpc.start();
        final long id = rpc.offer(METHOD, new byte[8], timeoutNs, handler);
        rpc.until(() -> !nestedCalls.isEmpty());
        return id;
    }

    @Test
    @InterruptAfter(20)
    void shouldGiveNestedCallTheTimeThatIsLeft()
    {
        startNested(() ->
        {
            rpc.clock().advanceMs(100);
            callNested(RpcChannel.DEFAULT_TIMEOUT);
            callNested(50 * MS);
            callNested(RpcChannel.NO_TIMEOUT);
            rpc.channel().claim(SERVICE_ID, NESTED, 8, RpcChannel.NO_TIMEOUT, nestedHandler);
            rpc.channel().commit(8);
        }, 300 * MS, new RecordingHandler());
        rpc.until(() -> nestedCalls.size() == 4);
        assertEquals(List.of(200 * MS, 50 * MS, 200 * MS, 200 * MS), nestedRemainingNs);
    }

    @Test
    @InterruptAfter(20)
    void shouldGiveNestedFutureAndStreamTheTimeThatIsLeft()
    {
        final RecordingStream stream = new RecordingStream();
        rpc.service().on(STREAM_METHOD, MethodKind.BIDI, (call, buffer, offset, length) ->
            nestedRemainingNs.add(call.remainingNs()));
        startNested(() ->
        {
            rpc.channel().call(SERVICE_ID, NESTED, buffer(new byte[8]), 0, 8, RpcChannel.DEFAULT_TIMEOUT);
            assertTrue(rpc.channel().openStream(
                SERVICE_ID, STREAM_METHOD, MethodKind.BIDI, RpcChannel.NO_TIMEOUT, stream) > 0);
        }, 300 * MS, new RecordingHandler());
        rpc.until(() -> nestedRemainingNs.size() == 2);
        assertEquals(List.of(300 * MS, 300 * MS), nestedRemainingNs);
        rpc.clock().advanceMs(300);
        rpc.until(stream::hasEnded);
    }

    @Test
    @InterruptAfter(20)
    void shouldLeaveCallAloneWhenItIsDetached()
    {
        final RecordingHandler handler = new RecordingHandler();
        final long id = startNested(() ->
        {
            assertNotNull(CallScope.current());
            try (CallScope scope = CallScope.detached())
            {
                assertNull(CallScope.current());
                assertEquals(RpcChannel.NO_TIMEOUT, scope.remainingNs());
                callNested(RpcChannel.DEFAULT_TIMEOUT);
            }
            assertNotNull(CallScope.current());
        }, 300 * MS, handler);
        assertEquals(rpc.client().context().defaultTimeoutNs(), nestedRemainingNs.get(0));
        rpc.channel().cancel(id);
        rpc.until(() -> !parents.get(0).isOpen());
        rpc.settle();
        assertEquals(0, nestedHandler.count());
        nestedCalls.get(0).claim(8);
        nestedCalls.get(0).send(8);
        rpc.until(() -> nestedHandler.count() == 1);
        assertEquals(StatusCode.OK, nestedHandler.last().code());
        assertNull(CallScope.current());
        rpc.assertClean();
    }

    @Test
    @InterruptAfter(20)
    void shouldCancelNestedCallsWhenTheirCallIsCancelled()
    {
        final RecordingHandler handler = new RecordingHandler();
        final List<CompletableFuture<DirectBuffer>> futures = new ArrayList<>();
        final long id = startNested(() ->
        {
            callNested(RpcChannel.DEFAULT_TIMEOUT);
            futures.add(
                rpc.channel().call(SERVICE_ID, NESTED, buffer(new byte[8]), 0, 8, RpcChannel.DEFAULT_TIMEOUT));
        }, RpcChannel.NO_TIMEOUT, handler);
        rpc.until(() -> nestedCalls.size() == 2);
        rpc.channel().cancel(id);
        rpc.until(() -> nestedHandler.count() == 1 && futures.get(0).isDone());
        assertEquals(StatusCode.CANCELLED, nestedHandler.last().code());
        assertEquals("the call that it was made for has ended: CANCELLED", nestedHandler.last().text());
        final RpcException failure =
            (RpcException)assertThrows(CompletionException.class, futures.get(0)::join).getCause();
        assertEquals(StatusCode.CANCELLED, failure.code());
        rpc.until(() -> rpc.server().callsInFlight() == 0);
        assertEquals(3, rpc.service().cancelled().size());
        rpc.assertClean();
    }

    @Test
    @InterruptAfter(20)
    void shouldEndNestedCallsWhenTheDeadlinePasses()
    {
        final RecordingHandler handler = new RecordingHandler();
        startNested(() -> callNested(RpcChannel.DEFAULT_TIMEOUT), 10 * MS, handler);
        rpc.clock().advanceMs(10);
        rpc.until(() -> nestedHandler.count() == 1 && handler.count() == 1 && rpc.server().callsInFlight() == 0);
        assertTrue(
            nestedHandler.last().code() == StatusCode.DEADLINE_EXCEEDED ||
            nestedHandler.last().code() == StatusCode.CANCELLED, nestedHandler.last()::toString);
        rpc.settle();
        assertEquals(1, nestedHandler.count());
        rpc.assertNothingHeld();
    }

    @Test
    @InterruptAfter(20)
    void shouldCancelNestedCallsWhenTheConnectionIsLost()
    {
        serve(() -> callNested(RpcChannel.NO_TIMEOUT));
        rpc.start();
        final RawPeer raw = rpc.rawClient(3);
        raw.request(SERVICE_ID, METHOD, RawPeer.id(3, 0, 0), RpcChannel.NO_TIMEOUT, new byte[8]);
        rpc.until(() -> nestedCalls.size() == 1);
        raw.connection().close();
        rpc.until(() -> nestedHandler.count() == 1);
        assertEquals(StatusCode.CANCELLED, nestedHandler.last().code());
        assertTrue(nestedHandler.last().text().contains("UNAVAILABLE"), nestedHandler.last()::text);
        rpc.until(() -> rpc.server().callsInFlight() == 0);
        rpc.assertNothingHeld();
    }

    @Test
    @InterruptAfter(20)
    void shouldLetNestedCallsGoOnWhenTheirCallIsAnswered()
    {
        final RecordingHandler handler = new RecordingHandler();
        startNested(() -> callNested(RpcChannel.DEFAULT_TIMEOUT), 300 * MS, handler);
        parents.get(0).fail(StatusCode.ABORTED, "answered");
        rpc.until(() -> handler.count() == 1);
        rpc.settle();
        assertEquals(0, nestedHandler.count());
        assertTrue(nestedCalls.get(0).isOpen());
        nestedCalls.get(0).claim(8);
        nestedCalls.get(0).send(8);
        rpc.until(() -> nestedHandler.count() == 1);
        assertEquals(StatusCode.OK, nestedHandler.last().code());
        rpc.assertClean();
    }

    @Test
    @InterruptAfter(20)
    void shouldRefuseNestedCallWhenThereIsNobodyToMakeItFor()
    {
        final RecordingHandler handler = new RecordingHandler();
        final long id = startNested(() -> callNested(RpcChannel.DEFAULT_TIMEOUT), 300 * MS, handler);
        rpc.channel().cancel(id);
        rpc.until(() -> !parents.get(0).isOpen());
        rpc.until(() -> nestedHandler.count() == 1);
        try (CallScope scope = parents.get(0).enter())
        {
            assertTrue(scope.isEnded());
            final RpcException refusal = assertThrows(RpcException.class, () -> callNested(RpcChannel.NO_TIMEOUT));
            assertEquals(StatusCode.CANCELLED, refusal.code());
            assertTrue(refusal.isNotStarted());
            assertTrue(rpc.channel().call(
                SERVICE_ID, NESTED, buffer(new byte[8]), 0, 8, RpcChannel.NO_TIMEOUT).isCompletedExceptionally());
        }
        rpc.settle();
        assertEquals(1, nestedCalls.size());
        assertEquals(1, nestedHandler.count());
        // by its own clock alone: the server has not looked at its timers since
        final RecordingHandler late = new RecordingHandler();
        rpc.service().on(METHOD, (call, buffer, offset, length) ->
        {
            call.detach();
            rpc.clock().advanceMs(300);
            final RpcException refusal = assertThrows(RpcException.class, () -> callNested(RpcChannel.NO_TIMEOUT));
            assertEquals(StatusCode.DEADLINE_EXCEEDED, refusal.code());
        });
        rpc.offer(METHOD, new byte[8], 300 * MS, late);
        rpc.until(() -> late.count() == 1);
        assertEquals(StatusCode.DEADLINE_EXCEEDED, late.last().code(), late.last()::toString);
        rpc.until(() -> rpc.server().callsInFlight() == 0);
        rpc.assertClean();
    }

    @Test
    @InterruptAfter(20)
    void shouldCancelCallThatAnotherThreadMakesInTheScope() throws Exception
    {
        final RecordingHandler handler = new RecordingHandler();
        serve(() -> {});
        rpc.start();
        final long id = rpc.offer(METHOD, new byte[8], 300 * MS, handler);
        rpc.until(() -> parents.size() == 1);
        final CompletableFuture<CompletableFuture<DirectBuffer>> made = CompletableFuture.supplyAsync(() ->
        {
            try (CallScope scope = parents.get(0).enter())
            {
                assertFalse(scope.isEnded());
                return rpc.channel().call(
                    SERVICE_ID, NESTED, buffer(new byte[8]), 0, 8, RpcChannel.DEFAULT_TIMEOUT);
            }
        });
        final CompletableFuture<DirectBuffer> future = made.get(10, TimeUnit.SECONDS);
        rpc.until(() -> nestedCalls.size() == 1);
        assertEquals(300 * MS, nestedRemainingNs.get(0));
        assertEquals(1, parents.get(0).nested().count());
        rpc.channel().cancel(id);
        rpc.until(future::isDone);
        assertEquals(
            StatusCode.CANCELLED,
            ((RpcException)assertThrows(CompletionException.class, future::join).getCause()).code());
        rpc.until(() -> rpc.server().callsInFlight() == 0);
        assertEquals(0, parents.get(0).nested().count());
        rpc.assertClean();
    }

    @Test
    @InterruptAfter(20)
    void shouldForgetNestedCallsWhenTheyEnd()
    {
        final RecordingHandler handler = new RecordingHandler();
        startNested(() -> callNested(RpcChannel.DEFAULT_TIMEOUT), RpcChannel.NO_TIMEOUT, handler);
        assertEquals(1, parents.get(0).nested().count());
        nestedCalls.get(0).claim(8);
        nestedCalls.get(0).send(8);
        rpc.until(() -> nestedHandler.count() == 1);
        for (int i = 0; i < 20; i++)
        {
            try (CallScope scope = parents.get(0).enter())
            {
                assertEquals(RpcChannel.NO_TIMEOUT, scope.remainingNs());
                rpc.offer(RpcHarness.ECHO_METHOD_ID, new byte[8], RpcChannel.DEFAULT_TIMEOUT, nestedHandler);
            }
        }
        assertEquals(20, parents.get(0).nested().count());
        rpc.until(() -> nestedHandler.count() == 21);
        assertEquals(0, parents.get(0).nested().count());
        parents.get(0).fail(StatusCode.ABORTED, "done");
        rpc.until(() -> handler.count() == 1);
        rpc.assertClean();
    }

    @Test
    @InterruptAfter(20)
    void shouldHoldThreadsToTheOrderOfTheirScopes()
    {
        final List<CallScope> left = new ArrayList<>();
        startNested(() ->
        {
            final CallScope outer = CallScope.detached();
            final CallScope inner = parents.get(0).enter();
            assertThrows(IllegalStateException.class, outer::close);
            inner.close();
            inner.close();
            assertNull(CallScope.current());
            outer.close();
            callNested(RpcChannel.NO_TIMEOUT);
            // left open: ends with the handler
            left.add(CallScope.detached());
        }, 300 * MS, new RecordingHandler());
        assertEquals(300 * MS, nestedRemainingNs.get(0));
        assertNull(CallScope.current());
        assertThrows(IllegalStateException.class, left.get(0)::close);
        // from a cycle of the client's that a handler runs, callbacks are on nobody's behalf
        final List<CallScope> seen = new ArrayList<>();
        rpc.service().on(METHOD, (call, buffer, offset, length) ->
        {
            call.detach();
            rpc.client().execute(() -> seen.add(CallScope.current()));
            rpc.channel().call(SERVICE_ID, NESTED, buffer(new byte[8]), 0, 8, RpcChannel.NO_TIMEOUT)
                .whenComplete((response, failure) -> seen.add(CallScope.current()));
            assertNotNull(CallScope.current());
            rpc.channel().close();
            seen.add(CallScope.current());
        });
        rpc.offer(METHOD, new byte[8], 300 * MS, new RecordingHandler());
        rpc.until(() -> seen.size() == 3);
        assertNotNull(seen.get(0), "called back within the handler itself");
        assertNotNull(seen.get(1));
        assertNull(seen.get(2));
    }

    @Test
    @InterruptAfter(20)
    void shouldTellCancelledStreamsApartFromTheirScopes()
    {
        final RecordingStream nestedStream = new RecordingStream();
        rpc.service().on(STREAM_METHOD, MethodKind.BIDI, (call, buffer, offset, length) -> {});
        rpc.service().onItem(STREAM_METHOD, (call, buffer, offset, length) ->
        {
            if (length == 16)
            {
                assertTrue(rpc.channel().openStream(
                    SERVICE_ID, STREAM_METHOD, MethodKind.BIDI, RpcChannel.NO_TIMEOUT, nestedStream) > 0);
            }
        });
        rpc.start();
        final RecordingStream stream = new RecordingStream();
        final long[] id = new long[1];
        rpc.until(() -> (id[0] = rpc.channel().openStream(
            SERVICE_ID, STREAM_METHOD, MethodKind.BIDI, RpcChannel.NO_TIMEOUT, stream)) > 0);
        rpc.until(() -> rpc.channel().offerItem(id[0], buffer(new byte[16]), 0, 16) > 0);
        rpc.until(() -> rpc.server().callsInFlight() == 2);
        rpc.channel().cancel(id[0]);
        rpc.until(nestedStream::hasEnded);
        assertEquals(StatusCode.CANCELLED, nestedStream.status(), nestedStream::toString);
        rpc.until(() -> rpc.server().callsInFlight() == 0);
        assertEquals(0, rpc.rawPeer().count(FrameType.ERROR));
        rpc.settle();
        rpc.assertClean();
    }
}
