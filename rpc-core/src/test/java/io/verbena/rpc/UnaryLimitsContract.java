/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.rpc.protocol.FrameFlags;
import io.verbena.rpc.protocol.FrameHeader;
import io.verbena.rpc.protocol.FrameType;
import io.verbena.rpc.test.InterruptAfter;
import io.verbena.rpc.test.RawPeer;
import io.verbena.rpc.test.RecordingHandler;
import io.verbena.rpc.transport.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;

/**
 * Every limit, at the limit.
 */
abstract class UnaryLimitsContract extends UnarySizesContract
{
    @Test
    @InterruptAfter(20)
    void shouldRefuseCallWhenAsManyAreInFlightAsAllowed()
    {
        rpc.launchServer(context -> context.maxCallsInFlight(4)).launchClient(context -> {}).awaitReady();
        assertCallsLimited(4);
        rpc.close();
    }

    @Test
    @InterruptAfter(20)
    void shouldRefuseCallWhenTheClientsOwnLimitIsReached()
    {
        rpc.launchServer(context -> {}).launchClient(context -> context.maxCallsInFlight(3)).awaitReady();
        assertCallsLimited(3);
    }

    private void assertCallsLimited(final int limit)
    {
        rpc.service().on(METHOD, keep);
        final RecordingHandler handler = new RecordingHandler();
        for (int i = 0; i < limit; i++)
        {
            assertTrue(rpc.offer(METHOD, new byte[8], RpcChannel.NO_TIMEOUT, handler) > 0);
        }
        assertEquals(RpcChannel.CALLS_EXHAUSTED, rpc.offer(METHOD, new byte[8], RpcChannel.NO_TIMEOUT, handler));
        assertEquals(RpcChannel.CALLS_EXHAUSTED,
            rpc.channel().claim(SERVICE_ID, METHOD, 8, RpcChannel.NO_TIMEOUT, handler));
        // a call of another thread waits for a slot
        final CompletableFuture<DirectBuffer> waiting =
            rpc.channel().call(SERVICE_ID, METHOD, buffer(new byte[8]), 0, 8, RpcChannel.NO_TIMEOUT);
        rpc.until(() -> kept.size() == limit);
        rpc.settle();
        assertEquals(limit, kept.size());
        answer(kept.get(1), new byte[8]);
        rpc.until(() -> handler.count() == 1 && kept.size() == limit + 1);
        for (int i = 0; i < kept.size(); i++)
        {
            answerIfOpen(kept.get(i));
        }
        rpc.until(() -> handler.count() == limit && waiting.isDone());
        assertEchoWorks();
        rpc.assertClean();
    }

    @Test
    @InterruptAfter(20)
    void shouldEndConnectionWhenSlotIsBeyondTheLimit()
    {
        rpc.launchServer(context -> context.maxCallsInFlight(4));
        final RawPeer raw = rpc.rawClient(3);
        raw.request(SERVICE_ID, METHOD, RawPeer.id(3, 0, 3), Long.MAX_VALUE, new byte[8]);
        rpc.until(() -> raw.count(FrameType.RESPONSE) == 1);
        raw.request(SERVICE_ID, METHOD, RawPeer.id(3, 0, 4), Long.MAX_VALUE, new byte[8]);
        rpc.until(() -> raw.cause() != null);
        assertEquals(1, rpc.service().requestCount());
        rpc.assertNothingHeld();
    }

    @Test
    @InterruptAfter(20)
    void shouldFailAtOnceWhenAsyncQueueIsFull() throws Exception
    {
        final RawPeer raw = rpc.rawServer();
        rpc.launchClient(context -> context.asyncQueueLength(5).maxMessageLength(2048).maxQueuedBytes(8192));
        final List<CompletableFuture<DirectBuffer>> futures = new ArrayList<>();
        for (int i = 0; i < 5; i++)
        {
            futures.add(rpc.channel().call(SERVICE_ID, METHOD, buffer(new byte[8]), 0, 8, RpcChannel.NO_TIMEOUT));
            rpc.settle();
        }
        final CompletableFuture<DirectBuffer> sixth =
            rpc.channel().call(SERVICE_ID, METHOD, buffer(new byte[8]), 0, 8, RpcChannel.NO_TIMEOUT);
        assertTrue(sixth.isDone());
        final RpcException failure = (RpcException)failureOf(sixth);
        assertEquals(StatusCode.RESOURCE_EXHAUSTED, failure.code());
        assertTrue(failure.text().contains(RpcConfiguration.ASYNC_QUEUE_LENGTH_PROP_NAME), failure::text);
        futures.get(0).cancel(true);
        rpc.until(() -> raw.count(FrameType.HELLO) == 1);
        raw.helloAck(raw.last(FrameType.HELLO), 64, 1 << 20);
        rpc.until(() -> raw.count(FrameType.REQUEST) == 4);
        assertEquals(0, rpc.channel().callsWaiting());
    }

    @Test
    @InterruptAfter(20)
    void shouldFailAtOnceWhenAsyncQueueHoldsTooManyBytes() throws Exception
    {
        rpc.rawServer();
        rpc.launchClient(context -> context.maxMessageLength(2048).maxQueuedBytes(4096));
        rpc.channel().call(SERVICE_ID, METHOD, buffer(new byte[2048]), 0, 2048, RpcChannel.NO_TIMEOUT);
        final CompletableFuture<DirectBuffer> second =
            rpc.channel().call(SERVICE_ID, METHOD, buffer(new byte[2048]), 0, 2048, 50 * MS);
        assertFalse(second.isDone());
        final CompletableFuture<DirectBuffer> third =
            rpc.channel().call(SERVICE_ID, METHOD, buffer(new byte[1]), 0, 1, RpcChannel.NO_TIMEOUT);
        assertEquals(StatusCode.RESOURCE_EXHAUSTED, ((RpcException)failureOf(third)).code());
        rpc.settle();
        rpc.clock().advanceMs(50);
        rpc.until(second::isDone);
        assertFalse(rpc.channel()
            .call(SERVICE_ID, METHOD, buffer(new byte[1]), 0, 1, RpcChannel.NO_TIMEOUT).isDone());
    }

    @Test
    @InterruptAfter(20)
    void shouldPushBackWhenClientsOutboxIsFull()
    {
        final RawPeer raw = rpc.rawServer();
        rpc.launchClient(context -> context.maxMessageLength(MIB).maxQueuedBytes(2 * MIB + 1024));
        rpc.until(() -> raw.count(FrameType.HELLO) == 1);
        raw.helloAck(raw.last(FrameType.HELLO), 4096, MIB);
        rpc.awaitReady();
        raw.deaf(true);
        final RecordingHandler handler = new RecordingHandler();
        int accepted = 0;
        long result;
        while ((result = rpc.channel().offer(
            SERVICE_ID, METHOD, buffer(new byte[MIB]), 0, MIB, RpcChannel.NO_TIMEOUT, handler)) > 0)
        {
            accepted++;
            rpc.client().doWork();
        }
        assertEquals(Connection.BACK_PRESSURED, result);
        assertTrue(accepted >= 2, "accepted " + accepted);
        while ((result = rpc.channel().offer(
            SERVICE_ID, METHOD, buffer(new byte[8]), 0, 8, RpcChannel.NO_TIMEOUT, handler)) > 0)
        {
            accepted++;
        }
        final long last = result;
        assertTrue(last == Connection.BACK_PRESSURED || last == RpcChannel.CALLS_EXHAUSTED, () -> "result " + last);
        assertTrue(rpc.channel().connector().link().outbox().queuedBytes() <= 2 * MIB + 1024 + Outbox.MESSAGE_OVERHEAD);
        final int inFlight = accepted;
        assertEquals(inFlight, rpc.channel().callsInFlight());
        rpc.channel().close();
        assertEquals(inFlight, handler.count());
    }

    @Test
    @InterruptAfter(20)
    void shouldFailThatCallAloneWhenAssembliesAreFull()
    {
        rpc.launchServer(context -> context.maxMessageLength(4096).maxAssemblyBytes(8192));
        final RawPeer raw = rpc.rawClient(3);
        final int part = Math.min(4096, raw.connection().maxMessageLength() - FrameHeader.LENGTH);
        for (int sent = 0, slot = 0; sent < 8192; sent += part, slot++)
        {
            raw.send(FrameType.REQUEST, FrameFlags.FIRST, SERVICE_ID, METHOD, RawPeer.id(3, 0, slot),
                Long.MAX_VALUE, 0, new byte[Math.min(part, 8192 - sent)]);
        }
        rpc.settle();
        assertEquals(0, raw.count(FrameType.ERROR));
        raw.send(FrameType.REQUEST, FrameFlags.FIRST, SERVICE_ID, METHOD, RawPeer.id(3, 0, 60),
            Long.MAX_VALUE, 0, new byte[1]);
        rpc.until(() -> raw.count(FrameType.ERROR) == 1);
        assertEquals(StatusCode.RESOURCE_EXHAUSTED.value(), raw.last(FrameType.ERROR).status());
        assertEquals(RawPeer.id(3, 0, 60), raw.last(FrameType.ERROR).correlationId());
        raw.send(FrameType.REQUEST, FrameFlags.LAST, SERVICE_ID, METHOD, RawPeer.id(3, 0, 0),
            Long.MAX_VALUE, 0, new byte[0]);
        rpc.until(() -> raw.count(FrameType.RESPONSE) == 1);
        raw.connection().close();
        rpc.until(() -> rpc.server().sessionCount() == 0);
        assertEquals(1, rpc.service().requestCount());
        assertEquals(List.of(), rpc.service().cancelled());
        rpc.assertClean();
    }

    @Test
    @InterruptAfter(20)
    void shouldRefuseConnectionWhenServerHasItsLimit()
    {
        rpc.launchServer(context -> context.maxConnections(2));
        final RawPeer first = rpc.rawClient(1);
        rpc.rawClient(2);
        final RawPeer third = rpc.connectedRawClient();
        third.hello(3);
        rpc.until(() -> third.count(FrameType.ERROR) == 1 && third.cause() != null);
        assertEquals(StatusCode.RESOURCE_EXHAUSTED.value(), third.last(FrameType.ERROR).status());
        assertEquals(0, third.count(FrameType.HELLO_ACK));
        rpc.launchClient(context -> {});
        rpc.until(() -> rpc.channel().state() == ChannelState.BACKING_OFF);
        final CompletableFuture<DirectBuffer> future =
            rpc.channel().call(SERVICE_ID, METHOD, buffer(new byte[8]), 0, 8, 0);
        rpc.until(future::isDone);
        assertEquals(StatusCode.UNAVAILABLE, statusOf(future));
        first.connection().close();
        rpc.until(() -> rpc.server().sessionCount() == 1);
        rpc.clock().advanceMs(10_000);
        rpc.awaitReady();
        assertEchoWorks();
    }

    @Test
    @InterruptAfter(20)
    void shouldCloseConnectionsWhenTooManySayNothing()
    {
        rpc.launchServer(context -> context.maxConnections(2));
        final RawPeer silent = rpc.connectedRawClient();
        rpc.connectedRawClient();
        rpc.until(() -> rpc.server().sessionCount() == 2);
        final RawPeer third = rpc.rawPeer();
        third.connect(rpc.address());
        rpc.until(() -> third.cause() != null);
        assertEquals(2, rpc.server().sessionCount());
        rpc.clock().advanceMs(5_000);
        rpc.until(() -> silent.cause() != null && rpc.server().sessionCount() == 0);
        rpc.rawClient(4);
    }

    @Test
    @InterruptAfter(20)
    void shouldTakeNoMoreMessagesThanThePollLimitInOneCycle()
    {
        rpc.launchServer(context -> context.pollLimit(3)).launchClient(context -> {}).awaitReady();
        final RecordingHandler handler = new RecordingHandler();
        for (int i = 0; i < 10; i++)
        {
            assertTrue(rpc.channel().offer(
                SERVICE_ID, METHOD, buffer(new byte[8]), 0, 8, RpcChannel.NO_TIMEOUT, handler) > 0);
        }
        while (rpc.service().requestCount() < 10)
        {
            final int before = rpc.service().requestCount();
            rpc.pump();
            assertTrue(rpc.service().requestCount() - before <= 3);
        }
        rpc.until(() -> handler.count() == 10);
    }

    @Test
    @InterruptAfter(20)
    void shouldRejectTaskWhenTaskQueueIsFull()
    {
        rpc.launchServer(context -> context.taskQueueLength(3))
            .launchClient(context -> context.taskQueueLength(2)).awaitReady();
        final int[] ran = new int[1];
        for (int i = 0; i < 3; i++)
        {
            rpc.server().execute(() -> ran[0]++);
        }
        final RejectedExecutionException ex = Assertions.assertThrows(
            RejectedExecutionException.class, () -> rpc.server().execute(() -> ran[0]++));
        assertTrue(ex.getMessage().contains(RpcConfiguration.TASK_QUEUE_LENGTH_PROP_NAME), ex::getMessage);
        rpc.client().execute(() -> ran[0]++);
        rpc.client().execute(() ->
        {
            throw new IllegalStateException("of a task");
        });
        Assertions.assertThrows(RejectedExecutionException.class, () -> rpc.client().execute(() -> ran[0]++));
        rpc.pump();
        assertEquals(4, ran[0]);
        assertEquals(1, rpc.clientErrors().size());
        rpc.client().execute(() -> ran[0]++);
        rpc.pump();
        assertEquals(5, ran[0]);
    }

    @Test
    @InterruptAfter(60)
    void shouldCloseConnectionWhenPeerNeverReadsItsAnswers()
    {
        rpc.launchServer(context -> context.maxMessageLength(64 * 1024).maxQueuedBytes(256 * 1024));
        final RawPeer raw = rpc.rawClient(3);
        rpc.service().on(METHOD, (call, buffer, offset, length) ->
        {
            call.claim(4);
            call.send(4);
        });
        raw.deaf(true);
        long worst = 0;
        for (int i = 0; raw.isConnected() && rpc.server().sessionCount() == 1; i++)
        {
            raw.request(SERVICE_ID, METHOD, RawPeer.id(3, i, i & 63), Long.MAX_VALUE, new byte[8]);
            rpc.server().doWork();
            worst = Math.max(worst, rpc.server().outstandingBuffers());
        }
        if (sendsWithoutPolling())
        {
            assertEquals(1, rpc.serverErrors().size(), rpc.serverErrors()::toString);
            assertTrue(rpc.serverErrors().get(0).getMessage().contains("does not read"));
        }
        // the limit and the slack for errors, in the smallest buffers
        final long bound = (256 * 1024 + MIB) / Outbox.MESSAGE_OVERHEAD + 64;
        assertTrue(worst <= bound, "buffers out: " + worst + ", expected at most " + bound);
        raw.deaf(false);
        rpc.until(() -> rpc.server().sessionCount() == 0);
        rpc.assertNothingHeld();
    }

    @Test
    @InterruptAfter(60)
    void shouldCloseConnectionWhenPeerAsksForPongsAndNeverReadsThem()
    {
        rpc.launchServer(context -> context.maxMessageLength(64 * 1024).maxQueuedBytes(64 * 1024));
        final RawPeer raw = rpc.rawClient(3);
        raw.deaf(true);
        while (raw.isConnected() && rpc.server().sessionCount() == 1)
        {
            raw.send(FrameType.PING, 0, 0, 1, 0, new byte[0]);
            rpc.server().doWork();
            assertTrue(rpc.server().outstandingBuffers() <= 64 * 1024 / Outbox.MESSAGE_OVERHEAD + 16);
        }
        raw.deaf(false);
        rpc.until(() -> rpc.server().sessionCount() == 0);
        rpc.assertNothingHeld();
    }

    /**
     * Whether what a peer sends arrives although it does not poll; else such a peer is silent, and its transport ends
     * the connection before any queue is full.
     */
    boolean sendsWithoutPolling()
    {
        return false;
    }

    private static void answerIfOpen(final ServerCall call)
    {
        if (call.isOpen())
        {
            answer(call, new byte[8]);
        }
    }
}
