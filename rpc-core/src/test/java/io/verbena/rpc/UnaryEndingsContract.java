/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import static io.verbena.rpc.RpcHarness.ECHO_METHOD_ID;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.rpc.protocol.FrameType;
import io.verbena.rpc.test.InterruptAfter;
import io.verbena.rpc.test.RawPeer;
import io.verbena.rpc.test.RecordingHandler;
import io.verbena.rpc.test.ScriptedAdapter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.Test;

/**
 * Ends of calls by deadline, cancel and handlers that answer late.
 */
abstract class UnaryEndingsContract extends UnaryBasicsContract
{
    static final long MS = 1_000_000L;

    /** Keeps its calls to answer them later. */
    final List<ServerCall> kept = new ArrayList<>();

    final ScriptedAdapter.Script keep = (call, buffer, offset, length) -> kept.add(call.detach());

    @Test
    @InterruptAfter(20)
    void shouldCancelOnceAtTheDeadlineWhenNoCancelFrameArrives()
    {
        rpc.launchServer(context -> {});
        rpc.service().on(METHOD, keep);
        final RawPeer raw = rpc.rawClient(3);
        raw.request(SERVICE_ID, METHOD, RawPeer.id(3, 0, 0), 500 * MS, new byte[8]);
        rpc.until(() -> kept.size() == 1);
        assertEquals(500 * MS, kept.get(0).remainingNs());
        rpc.clock().advanceMs(499);
        rpc.settle();
        assertEquals(List.of(), rpc.service().cancelled());
        assertEquals(MS, kept.get(0).remainingNs());
        assertTrue(kept.get(0).isOpen());
        rpc.clock().advanceMs(1);
        rpc.until(() -> rpc.service().cancelled().size() == 1);
        final ScriptedAdapter.Cancelled cancelled = rpc.service().cancelled().get(0);
        assertEquals(StatusCode.DEADLINE_EXCEEDED, cancelled.cause());
        assertEquals(RawPeer.id(3, 0, 0), cancelled.correlationId());
        assertEquals(kept.get(0).connectionId(), cancelled.connectionId());
        assertEquals(METHOD, cancelled.methodId());
        assertFalse(kept.get(0).isOpen());
        assertEquals(0, kept.get(0).remainingNs());
        rpc.clock().advanceMs(10_000);
        raw.send(FrameType.CANCEL, SERVICE_ID, METHOD, RawPeer.id(3, 0, 0), 0, new byte[0]);
        rpc.settle();
        assertEquals(1, rpc.service().cancelled().size());
        kept.get(0).fail(StatusCode.INTERNAL, "too late");
        rpc.until(() -> raw.count(FrameType.ERROR) == 1);
        assertEquals(StatusCode.DEADLINE_EXCEEDED.value(), raw.last(FrameType.ERROR).status());
        rpc.settle();
        assertEquals(1, raw.count(FrameType.ERROR));
        rpc.assertClean();
    }

    @Test
    @InterruptAfter(20)
    void shouldNotHandleRequestWhenItExpiredBeforeItArrived()
    {
        rpc.launchServer(context -> {});
        final RawPeer raw = rpc.rawClient(3);
        raw.request(SERVICE_ID, METHOD, RawPeer.id(3, 0, 0), 0, new byte[8]);
        raw.request(SERVICE_ID, METHOD, RawPeer.id(3, 0, 1), -5, new byte[8]);
        raw.request(SERVICE_ID, METHOD, RawPeer.id(3, 0, 2), Long.MIN_VALUE, new byte[8]);
        rpc.until(() -> raw.count(FrameType.ERROR) == 3);
        assertTrue(raw.frames().stream().filter(frame -> frame.type() == FrameType.ERROR)
            .allMatch(frame -> frame.status() == StatusCode.DEADLINE_EXCEEDED.value()));
        raw.request(SERVICE_ID, METHOD, RawPeer.id(3, 0, 3), 1, new byte[8]);
        rpc.until(() -> raw.count(FrameType.RESPONSE) == 1);
        assertEquals(1, rpc.service().requestCount());
        assertEquals(List.of(), rpc.service().cancelled());
        rpc.assertClean();
    }

    @Test
    @InterruptAfter(20)
    void shouldFailLocallyWhenQueuedRequestExpires()
    {
        final RawPeer raw = rpc.rawServer();
        rpc.launchClient(context -> {});
        rpc.until(() -> raw.count(FrameType.HELLO) == 1);
        // not ready: the call from another thread waits, and its deadline counts from here
        final CompletableFuture<DirectBuffer> future =
            rpc.channel().call(SERVICE_ID, METHOD, buffer(new byte[8]), 0, 8, 100 * MS);
        rpc.settle();
        rpc.clock().advanceMs(99);
        rpc.settle();
        assertFalse(future.isDone());
        rpc.clock().advanceMs(1);
        rpc.until(future::isDone);
        assertEquals(StatusCode.DEADLINE_EXCEEDED, statusOf(future));
        raw.helloAck(raw.last(FrameType.HELLO), 64, 1 << 20);
        rpc.awaitReady().settle();
        assertEquals(0, raw.count(FrameType.REQUEST));

        // ready, and the transport full: the request waits in the outbox
        raw.deaf(true);
        final RecordingHandler handler = new RecordingHandler();
        final byte[] filler = new byte[1 << 20];
        assertTrue(rpc.channel().offer(
            SERVICE_ID, METHOD, buffer(filler), 0, filler.length, RpcChannel.NO_TIMEOUT, handler) > 0);
        final byte[] payload = new byte[rpc.channel().connector().link().connection().maxMessageLength()];
        final long expiring = rpc.channel().offer(
            SERVICE_ID, 77, buffer(payload), 0, payload.length, 100 * MS, handler);
        assertTrue(expiring > 0);
        rpc.clock().advanceMs(20_000);
        raw.deaf(false);
        rpc.until(() -> handler.count() == 1);
        assertEquals(expiring, handler.last().correlationId());
        assertEquals(StatusCode.DEADLINE_EXCEEDED, handler.last().code());
        rpc.until(() -> raw.frames().stream().filter(frame -> frame.type() == FrameType.REQUEST)
            .mapToInt(frame -> frame.payload().length).sum() >= filler.length);
        rpc.settle();
        assertTrue(raw.frames().stream().noneMatch(frame -> frame.methodId() == 77), raw.frames()::toString);
    }

    @Test
    @InterruptAfter(20)
    void shouldTellTheTimeThatRemainsWhenRequestHasWaited()
    {
        final RawPeer raw = rpc.rawServer();
        rpc.launchClient(context -> {});
        rpc.until(() -> raw.count(FrameType.HELLO) == 1);
        final CompletableFuture<DirectBuffer> future =
            rpc.channel().call(SERVICE_ID, METHOD, buffer(new byte[8]), 0, 8, 300 * MS);
        rpc.settle();
        rpc.clock().advanceMs(100);
        raw.helloAck(raw.last(FrameType.HELLO), 64, 1 << 20);
        rpc.until(() -> raw.count(FrameType.REQUEST) == 1);
        assertEquals(200 * MS, raw.last(FrameType.REQUEST).timeoutNs());
        rpc.clock().advanceMs(200);
        rpc.until(future::isDone);
        assertEquals(StatusCode.DEADLINE_EXCEEDED, statusOf(future));
    }

    @Test
    @InterruptAfter(20)
    void shouldEndBothSidesByTheirOwnClocksWhenDeadlinePasses()
    {
        rpc.start();
        rpc.service().on(METHOD, keep);
        final RecordingHandler handler = new RecordingHandler();
        final long id = rpc.offer(METHOD, new byte[8], 50 * MS, handler);
        final long never = rpc.offer(METHOD, new byte[8], Long.MAX_VALUE - 1, handler);
        rpc.until(() -> kept.size() == 2);
        assertEquals(Long.MAX_VALUE, kept.get(1).remainingNs());
        rpc.clock().advanceMs(49);
        rpc.settle();
        assertEquals(0, handler.count());
        rpc.clock().advanceMs(1);
        rpc.until(() -> handler.count() == 1 && rpc.service().cancelled().size() == 1);
        assertEquals(id, handler.last().correlationId());
        assertEquals(StatusCode.DEADLINE_EXCEEDED, handler.last().code());
        rpc.clock().advanceMs(3_600_000);
        rpc.settle();
        assertEquals(1, handler.count());
        kept.get(0).fail(StatusCode.INTERNAL, "late");
        kept.get(1).fail(StatusCode.ABORTED, "in time");
        rpc.until(() -> handler.count() == 2);
        assertEquals(never, handler.last().correlationId());
        assertEquals(StatusCode.ABORTED, handler.last().code());
        rpc.settle();
        rpc.assertClean();
    }

    @Test
    @InterruptAfter(20)
    void shouldGiveRequestItsWholeTimeWhenAHandlerBeforeItTookLong()
    {
        rpc.launchServer(context -> {});
        rpc.service().on(METHOD, keep).on(3, (call, buffer, offset, length) -> rpc.clock().advanceMs(1_000));
        final RawPeer raw = rpc.rawClient(3);
        raw.request(SERVICE_ID, 3, RawPeer.id(3, 0, 0), 2_000 * MS, new byte[8]);
        raw.request(SERVICE_ID, METHOD, RawPeer.id(3, 0, 1), 500 * MS, new byte[8]);
        rpc.until(() -> kept.size() == 1);
        assertEquals(500 * MS, kept.get(0).remainingNs());
        rpc.settle();
        assertEquals(List.of(), rpc.service().cancelled());
    }

    @Test
    @InterruptAfter(20)
    void shouldUseTheDefaultTimeoutWhenNoneIsGiven()
    {
        rpc.launchServer(context -> {}).launchClient(context -> context.defaultTimeoutNs(70 * MS)).awaitReady();
        rpc.service().on(METHOD, keep);
        final RecordingHandler handler = new RecordingHandler();
        rpc.offer(METHOD, new byte[8], RpcChannel.DEFAULT_TIMEOUT, handler);
        rpc.until(() -> kept.size() == 1);
        assertEquals(70 * MS, kept.get(0).remainingNs());
        rpc.clock().advanceMs(70);
        rpc.until(() -> handler.count() == 1);
        assertEquals(StatusCode.DEADLINE_EXCEEDED, handler.last().code());
    }

    @Test
    @InterruptAfter(20)
    void shouldTellBothSidesOnceWhenCancelled()
    {
        rpc.start();
        rpc.service().on(METHOD, keep);
        final RecordingHandler handler = new RecordingHandler();
        final long id = rpc.offer(METHOD, new byte[8], RpcChannel.NO_TIMEOUT, handler);
        rpc.until(() -> kept.size() == 1);
        assertTrue(rpc.channel().cancel(id));
        assertEquals(1, handler.count());
        assertEquals(StatusCode.CANCELLED, handler.last().code());
        assertFalse(rpc.channel().cancel(id));
        rpc.until(() -> rpc.service().cancelled().size() == 1);
        assertEquals(StatusCode.CANCELLED, rpc.service().cancelled().get(0).cause());
        kept.get(0).claim(8);
        kept.get(0).send(8);
        rpc.settle();
        assertEquals(1, handler.count());
        assertEquals(1, rpc.service().cancelled().size());
        assertEquals(0, rpc.client().staleResponses());
        rpc.assertClean();
    }

    @Test
    @InterruptAfter(20)
    void shouldCancelCallWhenItsFutureIsCompletedByItsOwner()
    {
        rpc.start();
        rpc.service().on(METHOD, keep);
        final List<CompletableFuture<DirectBuffer>> futures = new ArrayList<>();
        for (int i = 0; i < 3; i++)
        {
            futures.add(rpc.channel().call(SERVICE_ID, METHOD, buffer(new byte[8]), 0, 8, RpcChannel.NO_TIMEOUT));
        }
        rpc.until(() -> kept.size() == 3);
        futures.get(0).cancel(true);
        futures.get(1).completeExceptionally(new java.util.concurrent.TimeoutException("of its own"));
        futures.get(2).orTimeout(1, TimeUnit.MILLISECONDS);
        rpc.until(() -> rpc.service().cancelled().size() == 3);
        rpc.settle();
        assertTrue(futures.get(0).isCancelled());
        rpc.assertClean();
        // before it was sent
        final CompletableFuture<DirectBuffer> unsent =
            rpc.channel().call(SERVICE_ID, METHOD, buffer(new byte[8]), 0, 8, RpcChannel.NO_TIMEOUT);
        unsent.cancel(false);
        rpc.settle();
        assertEquals(3, kept.size());
        assertEquals(0, rpc.channel().callsWaiting());
        rpc.assertClean();
    }

    @Test
    @InterruptAfter(20)
    void shouldAnswerLaterWhenCallIsDetached()
    {
        rpc.start();
        rpc.service().on(METHOD, keep);
        final RecordingHandler handler = new RecordingHandler();
        final long first = rpc.offer(METHOD, new byte[8], RpcChannel.DEFAULT_TIMEOUT, handler);
        final long second = rpc.offer(METHOD, new byte[8], RpcChannel.DEFAULT_TIMEOUT, handler);
        rpc.until(() -> kept.size() == 2);
        assertEchoWorks();
        answer(kept.get(1), bytes(16, 2));
        rpc.until(() -> handler.count() == 1);
        assertEquals(second, handler.last().correlationId());
        assertArrayEquals(bytes(16, 2), handler.last().payload());
        answer(kept.get(0), bytes(16, 1));
        rpc.until(() -> handler.count() == 2);
        assertEquals(first, handler.last().correlationId());
        assertArrayEquals(bytes(16, 1), handler.last().payload());
        // a second answer goes nowhere, and says so to nobody: the handler could not have known
        answer(kept.get(0), bytes(16, 9));
        kept.get(0).fail(StatusCode.INTERNAL, "again");
        kept.get(1).claimScratch();
        kept.get(1).buffer().putBytes(kept.get(1).offset(), new byte[5_000]);
        kept.get(1).send(5_000);
        rpc.settle();
        assertEquals(2, handler.count());
        assertEquals(0, rpc.client().staleResponses());
        rpc.assertClean();
    }

    @Test
    @InterruptAfter(20)
    void shouldAnswerFromAnotherThreadWhenExecutedOnTheServer() throws Exception
    {
        rpc.start();
        rpc.service().on(METHOD, (call, buffer, offset, length) ->
        {
            final ServerCall detached = call.detach();
            new Thread(() -> rpc.server().execute(() -> answer(detached, bytes(16, 4)))).start();
        });
        final RecordingHandler handler = new RecordingHandler();
        rpc.offer(METHOD, new byte[8], RpcChannel.DEFAULT_TIMEOUT, handler);
        rpc.until(() -> handler.count() == 1);
        assertArrayEquals(bytes(16, 4), handler.last().payload());
        rpc.assertClean();
    }

    @Test
    @InterruptAfter(20)
    void shouldExpireWhenHandlerReturnsWithoutAnAnswer()
    {
        rpc.launchServer(context -> {});
        rpc.service().on(METHOD, (call, buffer, offset, length) -> kept.add(null));
        final RawPeer raw = rpc.rawClient(3);
        raw.request(SERVICE_ID, METHOD, RawPeer.id(3, 0, 0), 500 * MS, new byte[8]);
        rpc.until(() -> kept.size() == 1);
        rpc.clock().advanceMs(499);
        rpc.settle();
        assertEquals(List.of(), rpc.service().cancelled());
        rpc.clock().advanceMs(1);
        rpc.until(() -> rpc.service().cancelled().size() == 1);
        assertEquals(StatusCode.DEADLINE_EXCEEDED, rpc.service().cancelled().get(0).cause());
        rpc.until(() -> raw.count(FrameType.ERROR) == 1);
        rpc.assertClean();
    }

    @Test
    @InterruptAfter(20)
    void shouldCountDeadlineFromArrivalWhenSlowHandlersDetachAgain()
    {
        rpc.launchServer(context -> {});
        rpc.service().on(METHOD, (call, buffer, offset, length) ->
        {
            rpc.clock().advanceMs(200);
            kept.add(call.detach());
        });
        final RawPeer raw = rpc.rawClient(3);
        raw.request(SERVICE_ID, METHOD, RawPeer.id(3, 0, 0), 500 * MS, new byte[8]);
        rpc.until(() -> kept.size() == 1);
        // the first of all: the clock was not read as it arrived, so it is late by what its handler took
        assertEquals(500 * MS, kept.get(0).remainingNs());
        raw.request(SERVICE_ID, METHOD, RawPeer.id(3, 0, 1), 500 * MS, new byte[8]);
        rpc.until(() -> kept.size() == 2);
        assertEquals(300 * MS, kept.get(1).remainingNs());
        rpc.clock().advanceMs(300);
        rpc.until(() -> rpc.service().cancelled().size() == 2);
        rpc.assertClean();
    }

    @Test
    @InterruptAfter(20)
    void shouldReuseSlotWhenServerStillHoldsTheFormerCall()
    {
        rpc.launchServer(context -> {});
        rpc.service().on(METHOD, keep);
        final RawPeer raw = rpc.rawClient(3);
        raw.request(SERVICE_ID, METHOD, RawPeer.id(3, 0, 5), Long.MAX_VALUE, new byte[8]);
        rpc.until(() -> kept.size() == 1);
        raw.request(SERVICE_ID, ECHO_METHOD_ID, RawPeer.id(3, 1, 5), Long.MAX_VALUE, new byte[8]);
        rpc.until(() -> raw.count(FrameType.RESPONSE) == 1);
        assertEquals(RawPeer.id(3, 1, 5), raw.last(FrameType.RESPONSE).correlationId());
        assertEquals(1, rpc.service().cancelled().size());
        assertEquals(StatusCode.CANCELLED, rpc.service().cancelled().get(0).cause());
        assertFalse(kept.get(0).isOpen());
        answer(kept.get(0), new byte[8]);
        rpc.settle();
        assertEquals(1, raw.count(FrameType.RESPONSE));
        assertEquals(0, raw.count(FrameType.ERROR));
        rpc.assertClean();
    }

    static void answer(final ServerCall call, final byte[] payload)
    {
        call.claim(payload.length);
        call.buffer().putBytes(call.offset(), payload);
        call.send(payload.length);
    }

    static StatusCode statusOf(final CompletableFuture<DirectBuffer> future)
    {
        try
        {
            future.get(10, TimeUnit.SECONDS);
            return StatusCode.OK;
        }
        catch (final ExecutionException ex)
        {
            return ((RpcException)ex.getCause()).code();
        }
        catch (final CancellationException ex)
        {
            return StatusCode.CANCELLED;
        }
        catch (final InterruptedException | java.util.concurrent.TimeoutException ex)
        {
            throw new AssertionError(ex);
        }
    }
}
