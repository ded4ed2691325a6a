/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import static io.verbena.rpc.RpcHarness.ECHO_METHOD_ID;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.rpc.protocol.ErrorPayload;
import io.verbena.rpc.protocol.FrameFlags;
import io.verbena.rpc.protocol.FrameType;
import io.verbena.rpc.test.InterruptAfter;
import io.verbena.rpc.test.RawPeer;
import io.verbena.rpc.test.RecordingHandler;
import io.verbena.rpc.transport.Connection;
import io.verbena.rpc.transport.TransportException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/**
 * Connections that end, and that come back.
 */
abstract class UnaryConnectionContract extends UnaryLimitsContract
{
    @Test
    @InterruptAfter(20)
    void shouldEndEveryCallOnceWhenConnectionIsLostAndWorkAgain()
    {
        rpc.start();
        rpc.service().on(METHOD, keep);
        final RecordingHandler handler = new RecordingHandler();
        final List<Long> ids = new ArrayList<>();
        for (int i = 0; i < 50; i++)
        {
            ids.add(rpc.offer(METHOD, new byte[8], RpcChannel.NO_TIMEOUT, handler));
        }
        final CompletableFuture<DirectBuffer> future =
            rpc.channel().call(SERVICE_ID, METHOD, buffer(new byte[8]), 0, 8, RpcChannel.NO_TIMEOUT);
        rpc.until(() -> kept.size() == 51);
        rpc.channel().connector().link().connection().close();
        rpc.until(() -> handler.count() == 50 && future.isDone() && rpc.server().sessionCount() == 0);
        for (final long id : ids)
        {
            assertEquals(1, handler.count(id));
        }
        assertTrue(handler.outcomes().stream().allMatch(outcome -> outcome.code() == StatusCode.UNAVAILABLE));
        assertTrue(handler.last().text().contains(rpc.address()), handler.last()::text);
        assertEquals(StatusCode.UNAVAILABLE, statusOf(future));
        assertEquals(51, rpc.service().cancelled().size());
        assertTrue(rpc.service().cancelled().stream().allMatch(ended -> ended.cause() == StatusCode.UNAVAILABLE));
        assertEquals(ChannelState.BACKING_OFF, rpc.channel().state());
        assertEquals(Connection.NOT_CONNECTED, rpc.offer(METHOD, new byte[8], 0, handler));
        // the detached calls are dead, and answering them does nothing
        kept.forEach(call -> assertFalse(call.isOpen()));
        kept.forEach(call -> answer(call, new byte[8]));
        kept.forEach(call -> call.fail(StatusCode.INTERNAL, "late"));
        assertEquals(0, kept.get(0).remainingNs());
        rpc.clock().advanceMs(50);
        rpc.awaitReady();
        assertEchoWorks();
        assertEquals(50, handler.count());
        rpc.assertClean();
    }

    @Test
    @InterruptAfter(60)
    void shouldBackOffLongerAndLongerWhenServerCanNotBeReached()
    {
        final RawPeer raw = rpc.rawServer();
        rpc.launchClient(context -> {});
        long mostMs = 50;
        for (int attempt = 1; attempt <= 8; attempt++)
        {
            final int connections = attempt;
            rpc.until(() -> raw.inbound().size() == connections);
            raw.inbound().get(attempt - 1).close();
            rpc.until(() -> rpc.channel().state() == ChannelState.BACKING_OFF);
            long waitedMs = 0;
            while (rpc.channel().state() == ChannelState.BACKING_OFF)
            {
                rpc.clock().advanceMs(1);
                waitedMs++;
                for (int i = 0; i < 9; i++)
                {
                    rpc.pump();
                }
            }
            final String waited = "attempt " + attempt + " after " + waitedMs + " ms of at most " + mostMs;
            assertTrue(waitedMs >= mostMs / 2 && waitedMs <= mostMs + 1, waited);
            mostMs = Math.min(2 * mostMs, 2_000);
        }
        // once it has been there, the wait begins with the shortest again
        rpc.until(() -> raw.inbound().size() == 9 && raw.count(FrameType.HELLO) > 0 &&
            raw.last(FrameType.HELLO).connection() == raw.inbound().get(8));
        raw.helloAck(raw.last(FrameType.HELLO), 16, 1 << 20);
        rpc.awaitReady();
        raw.connection().close();
        rpc.until(() -> rpc.channel().state() == ChannelState.BACKING_OFF);
        rpc.clock().advanceMs(50);
        rpc.until(() -> raw.inbound().size() == 10);
        assertEquals(List.of(), rpc.clientErrors());
    }

    @Test
    @InterruptAfter(20)
    void shouldGiveUpConnectionWhenHandshakeIsNotAnswered()
    {
        final RawPeer raw = rpc.rawServer();
        rpc.launchClient(context -> {});
        rpc.until(() -> raw.count(FrameType.HELLO) == 1);
        rpc.clock().advanceMs(4_999);
        rpc.settle();
        assertEquals(ChannelState.CONNECTING, rpc.channel().state());
        rpc.clock().advanceMs(1);
        rpc.until(() -> rpc.channel().state() == ChannelState.BACKING_OFF);
        final CompletableFuture<DirectBuffer> future =
            rpc.channel().call(SERVICE_ID, METHOD, buffer(new byte[8]), 0, 8, 0);
        rpc.until(future::isDone);
        assertEquals(StatusCode.UNAVAILABLE, statusOf(future));
        assertTrue(rpc.channel().unavailableText().contains("handshake"), rpc.channel()::unavailableText);
    }

    @Test
    @InterruptAfter(20)
    void shouldDropLateAnswersWhenTheyAreOfAnEarlierCallOrIncarnation()
    {
        final RawPeer raw = rpc.rawServer();
        rpc.launchClient(context -> {});
        rpc.until(() -> raw.count(FrameType.HELLO) == 1);
        raw.helloAck(raw.last(FrameType.HELLO), 1, 1 << 20);
        rpc.awaitReady();
        final RecordingHandler handler = new RecordingHandler();
        final long former = rpc.offer(METHOD, new byte[8], RpcChannel.NO_TIMEOUT, handler);
        raw.connection().close();
        rpc.until(() -> handler.count() == 1);
        rpc.clock().advanceMs(50);
        rpc.until(() -> raw.count(FrameType.HELLO) == 2);
        raw.helloAck(raw.last(FrameType.HELLO), 1, 1 << 20);
        rpc.awaitReady();

        final long cancelled = rpc.offer(METHOD, new byte[8], RpcChannel.NO_TIMEOUT, handler);
        assertEquals(CallSlots.slot(former), CallSlots.slot(cancelled));
        assertTrue(rpc.channel().cancel(cancelled));
        final long current = rpc.offer(METHOD, new byte[8], RpcChannel.NO_TIMEOUT, handler);
        assertEquals(CallSlots.slot(cancelled), CallSlots.slot(current));
        assertEquals(2, handler.count());
        final byte[] error = new byte[16];
        ErrorPayload.encode(new UnsafeBuffer(error), 0, new byte[8], 0);
        for (final long late : new long[]{former, cancelled, 0, -1, Long.MIN_VALUE, RawPeer.id(9, 9, 9)})
        {
            raw.send(FrameType.RESPONSE, SERVICE_ID, METHOD, late, 0, new byte[8]);
            raw.send(FrameType.RESPONSE, FrameFlags.FIRST, SERVICE_ID, METHOD, late, 0, 0, new byte[8]);
            raw.send(FrameType.RESPONSE, FrameFlags.LAST, SERVICE_ID, METHOD, late, 0, 0, new byte[8]);
            raw.send(FrameType.ERROR, FrameFlags.WHOLE, SERVICE_ID, METHOD, late, 0, 13, error);
        }
        raw.send(FrameType.RESPONSE, SERVICE_ID, METHOD, current, 0, bytes(8, 1));
        raw.send(FrameType.RESPONSE, SERVICE_ID, METHOD, current, 0, bytes(8, 2));
        rpc.until(() -> handler.count() == 3 && rpc.client().staleResponses() == 25);
        assertEquals(current, handler.last().correlationId());
        assertArrayEquals(bytes(8, 1), handler.last().payload());
        assertEquals(0, rpc.client().outstandingBuffers());
        assertEquals(List.of(), rpc.clientErrors());
    }

    @Test
    @InterruptAfter(60)
    void shouldLoseNoRequestWhenClientClosesInOrder()
    {
        rpc.start();
        final RecordingHandler handler = new RecordingHandler();
        for (int i = 0; i < 10; i++)
        {
            assertTrue(rpc.offer(METHOD, new byte[100_000], RpcChannel.NO_TIMEOUT, handler) > 0);
        }
        assertTrue(rpc.offer(METHOD, new byte[MIB], RpcChannel.NO_TIMEOUT, handler) > 0);
        // the channel goes at once, its requests stay
        rpc.channel().close();
        rpc.channel().close();
        assertEquals(11, handler.count());
        assertTrue(handler.outcomes().stream().allMatch(outcome -> outcome.code() == StatusCode.CANCELLED));
        assertEquals(ChannelState.CLOSED, rpc.channel().state());
        assertEquals(Connection.CLOSED, rpc.offer(METHOD, new byte[8], 0, handler));
        final CompletableFuture<DirectBuffer> future =
            rpc.channel().call(SERVICE_ID, METHOD, buffer(new byte[8]), 0, 8, 0);
        assertEquals(StatusCode.UNAVAILABLE, statusOf(future));
        rpc.until(() -> rpc.service().requestCount() == 11 && rpc.server().sessionCount() == 0);
        assertEquals(11, handler.count());
        assertEquals(ChannelState.CLOSED, rpc.channel().state());
        rpc.assertClean();
    }

    @Test
    @InterruptAfter(20)
    void shouldFlushWhenClientIsClosed() throws Exception
    {
        rpc.launchServer(context -> {}).launchClient(context -> {}).awaitReady();
        final RecordingHandler handler = new RecordingHandler();
        assertTrue(rpc.offer(METHOD, new byte[MIB], RpcChannel.NO_TIMEOUT, handler) > 0);
        final RpcClient client = rpc.client();
        // closing blocks until all is sent: another thread serves meanwhile
        final Thread server = new Thread(() ->
        {
            while (rpc.service().requestCount() == 0 && !Thread.currentThread().isInterrupted())
            {
                rpc.server().doWork();
            }
        });
        server.start();
        client.close();
        client.close();
        server.join();
        assertEquals(1, rpc.service().requestCount());
        assertEquals(1, handler.count());
        assertEquals(StatusCode.CANCELLED, handler.last().code());
        assertEquals(0, client.doWork());
        assertEquals(0, client.outstandingBuffers());
        assertThrows(IllegalStateException.class, () -> client.connect(rpc.address()));
    }

    @Test
    @InterruptAfter(20)
    void shouldEndClosedChannelWhenServerTakesNothingAnyMore()
    {
        final RawPeer raw = rpc.rawServer();
        rpc.launchClient(context -> {});
        rpc.until(() -> raw.count(FrameType.HELLO) == 1);
        raw.helloAck(raw.last(FrameType.HELLO), 8, 16 * MIB);
        rpc.awaitReady();
        raw.deaf(true);
        final RecordingHandler handler = new RecordingHandler();
        assertTrue(rpc.channel().offer(
            SERVICE_ID, METHOD, buffer(new byte[8 * MIB]), 0, 8 * MIB, RpcChannel.NO_TIMEOUT, handler) > 0);
        rpc.channel().close();
        rpc.settle();
        final Connection connection = rpc.channel().connector().link().connection();
        assertEquals(io.verbena.rpc.transport.ConnectionState.CONNECTED, connection.state());
        rpc.clock().advanceMs(2_000);
        rpc.until(() -> rpc.channel().connector().link() == null);
        rpc.assertNothingHeld();
    }

    @Test
    @InterruptAfter(20)
    void shouldComeBackWhenServerWasClosedAndIsThereAgain()
    {
        rpc.start();
        rpc.service().on(METHOD, keep);
        final RecordingHandler handler = new RecordingHandler();
        for (int i = 0; i < 5; i++)
        {
            rpc.offer(METHOD, new byte[8], RpcChannel.NO_TIMEOUT, handler);
        }
        rpc.until(() -> kept.size() == 5);
        final RpcServer former = rpc.server();
        rpc.closeServer();
        assertEquals(5, rpc.service().cancelled().size());
        rpc.until(() -> handler.count() == 5);
        assertTrue(handler.outcomes().stream().allMatch(outcome -> outcome.code() == StatusCode.UNAVAILABLE));
        assertEquals(0, former.callsInFlight());
        assertEquals(0, former.outstandingBuffers());
        rpc.until(() -> rpc.channel().state() == ChannelState.BACKING_OFF);
        kept.forEach(call -> answer(call, new byte[8]));
        rpc.launchServer(context -> {});
        rpc.clock().advanceMs(10_000);
        rpc.awaitReady();
        assertEchoWorks();
        assertEquals(5, handler.count());
        rpc.assertClean();
    }

    @Test
    @InterruptAfter(20)
    void shouldFinishCallsAndMakeNoNewOnesWhenServerGoesAway()
    {
        final RawPeer raw = rpc.rawServer();
        rpc.launchClient(context -> {});
        rpc.until(() -> raw.count(FrameType.HELLO) == 1);
        raw.helloAck(raw.last(FrameType.HELLO), 8, 1 << 20);
        rpc.awaitReady();
        final RecordingHandler handler = new RecordingHandler();
        final long id = rpc.offer(METHOD, new byte[8], RpcChannel.NO_TIMEOUT, handler);
        raw.send(FrameType.GO_AWAY, 0, 0, 0, 0, new byte[0]);
        rpc.until(() -> rpc.channel().state() != ChannelState.READY);
        assertEquals(Connection.NOT_CONNECTED, rpc.offer(METHOD, new byte[8], 0, handler));
        rpc.clock().advanceMs(60_000);
        rpc.settle();
        raw.send(FrameType.RESPONSE, SERVICE_ID, METHOD, id, 0, bytes(8, 3));
        rpc.until(() -> handler.count() == 1);
        assertArrayEquals(bytes(8, 3), handler.last().payload());
        rpc.until(() -> rpc.channel().state() == ChannelState.BACKING_OFF);
        rpc.clock().advanceMs(50);
        rpc.until(() -> raw.count(FrameType.HELLO) == 2);
        assertEquals(List.of(), rpc.clientErrors());
    }

    @Test
    @InterruptAfter(20)
    void shouldAbortOpenRequestWhenConnectionEndsOrCycleBegins()
    {
        rpc.start();
        final RecordingHandler handler = new RecordingHandler();
        final RpcChannel other = rpc.client().connect(rpc.address());
        rpc.until(() -> other.state() == ChannelState.READY);
        // open on two channels at once
        assertTrue(rpc.channel().claim(SERVICE_ID, METHOD, 8, RpcChannel.NO_TIMEOUT, handler) > 0);
        assertTrue(other.claim(SERVICE_ID, METHOD, 8, RpcChannel.NO_TIMEOUT, handler) > 0);
        other.commit(8);
        rpc.client().doWork();
        assertEquals(1, rpc.clientErrors().size());
        assertTrue(rpc.clientErrors().get(0).getMessage().contains("neither committed nor aborted"));
        assertThrows(IllegalStateException.class, () -> rpc.channel().commit(8));
        rpc.until(() -> handler.count() == 1);
        assertEchoWorks();

        rpc.clientErrors().clear();
        assertTrue(rpc.channel().claim(SERVICE_ID, METHOD, 8, RpcChannel.NO_TIMEOUT, handler) > 0);
        rpc.channel().connector().link().connection().close();
        rpc.until(() -> rpc.channel().state() == ChannelState.BACKING_OFF);
        assertThrows(IllegalStateException.class, () -> rpc.channel().commit(8));
        rpc.channel().abort();
        assertEquals(1, handler.count());
        rpc.clock().advanceMs(50);
        rpc.awaitReady();
        assertTrue(rpc.channel().claim(SERVICE_ID, ECHO_METHOD_ID, 8, RpcChannel.NO_TIMEOUT, handler) > 0);
        rpc.channel().commit(8);
        rpc.until(() -> handler.count() == 2);
        rpc.assertNothingHeld();
    }

    @Test
    @InterruptAfter(20)
    void shouldCancelOtherCallWhileARequestIsOpen()
    {
        rpc.start();
        rpc.service().on(METHOD, keep);
        final RecordingHandler handler = new RecordingHandler();
        final long id = rpc.offer(METHOD, new byte[8], RpcChannel.NO_TIMEOUT, handler);
        rpc.until(() -> kept.size() == 1);
        assertTrue(rpc.channel().claim(SERVICE_ID, ECHO_METHOD_ID, 8, RpcChannel.NO_TIMEOUT, handler) > 0);
        assertTrue(rpc.channel().cancel(id));
        rpc.channel().commit(8);
        rpc.until(() -> handler.count() == 2 && rpc.service().cancelled().size() == 1);
        rpc.assertClean();
    }

    @Test
    @InterruptAfter(20)
    void shouldReportErrorWhenAddressIsMalformed()
    {
        rpc.start();
        assertThrows(TransportException.class, () -> rpc.client().connect("nonsense"));
        assertEchoWorks();
        rpc.assertClean();
    }
}
