/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.rpc.protocol.FrameFlags;
import io.verbena.rpc.protocol.FrameType;
import io.verbena.rpc.test.InterruptAfter;
import io.verbena.rpc.test.RawPeer;
import io.verbena.rpc.transport.ConnectionState;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/**
 * Calls that provably never began go to the next connection by themselves; and calls that wait for a server.
 */
@InterruptAfter(20)
class CallMoveTest extends ResilienceSupport
{
    @Test
    void shouldMoveWhenAServerThatGoesAwayHasNotStartedIt()
    {
        final RawPeer raw = rawServer(context -> {});
        final CompletableFuture<DirectBuffer> started = call(CallOptions.DEFAULT);
        final CompletableFuture<DirectBuffer> refused = call(CallOptions.DEFAULT);
        request(raw, 2);
        assertTrue(raw.send(FrameType.GO_AWAY, FrameFlags.WHOLE, 0, 0, 0, 0, 0, new byte[0]) > 0);
        refuse(raw, request(raw, 2), StatusCode.UNAVAILABLE, 0, true);
        refuse(raw, request(raw, 1), StatusCode.UNAVAILABLE, 0, false);
        assertFails(started, StatusCode.UNAVAILABLE);
        rpc.settle();
        assertFalse(refused.isDone());
        reconnect(raw, 2);
        answer(raw, request(raw, 3));
        assertSucceeds(refused);
        assertEquals(3, raw.count(FrameType.REQUEST));
        assertNothingLeft();
    }

    @Test
    void shouldNotMoveForEverWhenEachServerRefusesIt()
    {
        final RawPeer raw = rawServer(context -> {});
        final CompletableFuture<DirectBuffer> future = call(CallOptions.DEFAULT);
        for (int attempt = 1; attempt <= AttemptPolicy.MAX_MOVES + 1; attempt++)
        {
            refuse(raw, request(raw, attempt), StatusCode.UNAVAILABLE, 0, true);
        }
        assertFails(future, StatusCode.UNAVAILABLE);
        assertTrue(failureOf(future).isNotStarted());
        rpc.settle();
        assertEquals(AttemptPolicy.MAX_MOVES + 1, raw.count(FrameType.REQUEST));
        assertNothingLeft();
    }

    @Test
    void shouldEndWhenTheNextConnectionDoesNotComeAbout()
    {
        final RawPeer raw = rawServer(context -> {});
        final CompletableFuture<DirectBuffer> future = call(CallOptions.DEFAULT);
        request(raw, 1);
        refuse(raw, request(raw, 1), StatusCode.UNAVAILABLE, 0, true);
        raw.connection().close();
        rpc.until(() -> rpc.channel().state() == ChannelState.BACKING_OFF);
        rpc.settle();
        assertFalse(future.isDone());
        rpc.clock().advanceMs(50);
        rpc.until(() -> raw.inbound().size() == 2);
        raw.inbound().get(1).close();
        assertFails(future, StatusCode.UNAVAILABLE);
        assertTrue(failureOf(future).isNotStarted());
        assertNothingLeft();
    }

    @Test
    void shouldMoveWhatWasNotSentWhenTheConnectionIsLost()
    {
        final RawPeer raw = rawServer(context -> {});
        raw.deaf(true);
        // too long for what the transport takes while nobody reads: a part of it is sent at most
        final int length = 1 << 20;
        final List<CompletableFuture<DirectBuffer>> futures = new ArrayList<>();
        for (int i = 0; i < 3; i++)
        {
            futures.add(rpc.channel().call(
                SERVICE_ID, METHOD, new UnsafeBuffer(new byte[length]), 0, length, CallOptions.DEFAULT));
        }
        rpc.settle();
        assertEquals(3, rpc.channel().callsInFlight());
        assertFalse(rpc.channel().connector().link().outbox().isEmpty());
        rpc.channel().connector().link().connection().close();
        raw.deaf(false);
        rpc.until(() -> rpc.channel().state() == ChannelState.BACKING_OFF);
        final long sentBefore = wholeRequests(raw);
        reconnect(raw, 2);
        rpc.until(() -> wholeRequests(raw) == sentBefore + 3);
        requests(raw).stream().filter(frame -> (frame.flags() & FrameFlags.LAST) != 0)
            .forEach(frame -> answer(raw, frame));
        futures.forEach(future -> rpc.until(future::isDone));
        futures.forEach(future -> assertEquals(8, future.join().capacity()));
        assertEquals(0, sentBefore);
        assertNothingLeft();
    }

    @Test
    void shouldNotMoveWhenSentAndNotAnswered()
    {
        final RawPeer raw = rawServer(context -> {});
        final CompletableFuture<DirectBuffer> future = call(CallOptions.DEFAULT);
        request(raw, 1);
        raw.connection().close();
        assertFails(future, StatusCode.UNAVAILABLE);
        assertFalse(failureOf(future).isNotStarted());
        reconnect(raw, 2);
        rpc.settle();
        assertEquals(1, raw.count(FrameType.REQUEST));
        assertNothingLeft();
    }

    @Test
    void shouldFailAtOnceWhenBackingOffUnlessTheCallWaitsForReady()
    {
        final RawPeer raw = rpc.rawServer();
        rpc.launchClient(context -> {});
        rpc.until(() -> raw.inbound().size() == 1);
        raw.inbound().get(0).close();
        rpc.until(() -> rpc.channel().state() == ChannelState.BACKING_OFF);
        final CompletableFuture<DirectBuffer> waiting = call(CallOptions.DEFAULT.waitForReady(true));
        final CompletableFuture<DirectBuffer> failing = call(CallOptions.DEFAULT);
        assertFails(failing, StatusCode.UNAVAILABLE);
        assertTrue(failureOf(failing).isNotStarted());
        assertFalse(waiting.isDone());
        // one more attempt fails, and the call goes on to wait
        rpc.clock().advanceMs(50);
        rpc.until(() -> raw.inbound().size() == 2);
        raw.inbound().get(1).close();
        rpc.until(() -> rpc.channel().state() == ChannelState.BACKING_OFF);
        rpc.settle();
        assertFalse(waiting.isDone());
        rpc.clock().advanceMs(100);
        rpc.until(() -> raw.inbound().size() == 3 && raw.count(FrameType.HELLO) > 0 &&
            raw.last(FrameType.HELLO).connection() == raw.inbound().get(2));
        raw.helloAck(raw.last(FrameType.HELLO), 64, 1 << 20);
        answer(raw, request(raw, 1));
        assertSucceeds(waiting);
        assertNothingLeft();
    }

    @Test
    void shouldWaitUntilTheDeadlineWhenNoServerComes()
    {
        final RawPeer raw = rpc.rawServer();
        rpc.launchClient(context -> context.reconnectMinBackoffNs(10_000 * MS).reconnectMaxBackoffNs(10_000 * MS));
        rpc.until(() -> raw.inbound().size() == 1);
        raw.inbound().get(0).close();
        rpc.until(() -> rpc.channel().state() == ChannelState.BACKING_OFF);
        final CallOptions options = CallOptions.DEFAULT.waitForReady(true).timeoutNs(100 * MS);
        final CompletableFuture<DirectBuffer> future = call(options);
        final CompletableFuture<DirectBuffer> cancelled = call(options.timeoutNs(RpcChannel.NO_TIMEOUT));
        rpc.settle();
        assertTrue(cancelled.cancel(true));
        rpc.settle();
        assertEquals(1, rpc.channel().callsWaiting());
        rpc.clock().advanceMs(99);
        rpc.settle();
        assertFalse(future.isDone());
        rpc.clock().advanceMs(1);
        assertFails(future, StatusCode.DEADLINE_EXCEEDED);
        assertNothingLeft();
    }

    @Test
    void shouldEndWhatWaitsForReadyWhenTheChannelCloses()
    {
        final RawPeer raw = rpc.rawServer();
        rpc.launchClient(context -> {});
        rpc.until(() -> raw.inbound().size() == 1);
        raw.inbound().get(0).close();
        rpc.until(() -> rpc.channel().state() == ChannelState.BACKING_OFF);
        final CompletableFuture<DirectBuffer> future = call(CallOptions.DEFAULT.waitForReady(true));
        rpc.settle();
        assertFalse(future.isDone());
        rpc.channel().close();
        assertEquals(StatusCode.UNAVAILABLE, failureOf(future).code());
        assertNothingLeft();
    }

    private static long wholeRequests(final RawPeer raw)
    {
        return requests(raw).stream().filter(frame -> (frame.flags() & FrameFlags.LAST) != 0).count();
    }

    private void reconnect(final RawPeer raw, final int connectionCount)
    {
        if (raw.connection().state() != ConnectionState.CLOSED)
        {
            raw.connection().close();
        }
        rpc.until(() -> rpc.channel().state() == ChannelState.BACKING_OFF);
        rpc.clock().advanceMs(50);
        accept(raw, connectionCount);
    }
}
