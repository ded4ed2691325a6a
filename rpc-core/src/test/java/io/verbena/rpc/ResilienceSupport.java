/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.rpc.protocol.ErrorPayload;
import io.verbena.rpc.protocol.FrameFlags;
import io.verbena.rpc.protocol.FrameType;
import io.verbena.rpc.test.RawPeer;
import io.verbena.rpc.test.ScriptedAdapter;
import io.verbena.rpc.transport.LoopbackTransport;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;

/**
 * What the tests of retries, hedging and moves have in common: a client and a server, or a peer that acts as one, over
 * loopback.
 */
abstract class ResilienceSupport
{
    static final int SERVICE_ID = RpcHarness.SERVICE_ID;
    static final int METHOD = 2;
    static final long MS = 1_000_000L;

    /** A handler that fails each call. */
    static final ScriptedAdapter.Script UNAVAILABLE =
        (call, buffer, offset, length) -> call.fail(StatusCode.UNAVAILABLE, "down");

    private static final AtomicInteger NAMES = new AtomicInteger();

    final RpcHarness rpc =
        new RpcHarness(LoopbackTransport::new, () -> "loopback:resilience-" + NAMES.incrementAndGet());

    @AfterEach
    void closeAll()
    {
        rpc.close();
    }

    /**
     * A raw server with the client's connection past its handshake.
     */
    final RawPeer rawServer(final Consumer<RpcClient.Context> settings)
    {
        final RawPeer raw = rpc.rawServer();
        rpc.launchClient(settings);
        accept(raw, 1);
        return raw;
    }

    /**
     * Answers the handshake of a connection.
     */
    final void accept(final RawPeer raw, final int connectionCount)
    {
        rpc.until(() -> raw.count(FrameType.HELLO) == connectionCount);
        raw.helloAck(raw.last(FrameType.HELLO), 64, 1 << 20);
        rpc.awaitReady();
    }

    final CompletableFuture<DirectBuffer> call(final CallOptions options)
    {
        return rpc.channel().call(SERVICE_ID, METHOD, new UnsafeBuffer(new byte[8]), 0, 8, options);
    }

    /**
     * The request with a number, from 1, once it has arrived.
     */
    final RawPeer.Frame request(final RawPeer raw, final int number)
    {
        rpc.until(() -> raw.count(FrameType.REQUEST) >= number);
        return requests(raw).get(number - 1);
    }

    static List<RawPeer.Frame> requests(final RawPeer raw)
    {
        return raw.frames().stream().filter(frame -> frame.type() == FrameType.REQUEST).toList();
    }

    static void answer(final RawPeer raw, final RawPeer.Frame request)
    {
        assertTrue(raw.send(
            FrameType.RESPONSE, SERVICE_ID, METHOD, request.correlationId(), 0, new byte[8]) > 0);
    }

    static void refuse(
        final RawPeer raw,
        final RawPeer.Frame request,
        final StatusCode code,
        final long pushbackNs,
        final boolean isNotStarted)
    {
        final byte[] text = "refused".getBytes(StandardCharsets.US_ASCII);
        final byte[] bytes = new byte[ErrorPayload.detailOffset(text.length)];
        ErrorPayload.encode(new UnsafeBuffer(bytes), 0, text, 0);
        assertTrue(raw.send(
            FrameType.ERROR, FrameFlags.WHOLE | (isNotStarted ? FrameFlags.NOT_STARTED : 0), SERVICE_ID, METHOD,
            request.correlationId(), pushbackNs, code.value(), bytes) > 0);
    }

    static RpcException failureOf(final CompletableFuture<DirectBuffer> future)
    {
        assertTrue(future.isDone());
        return (RpcException)assertThrows(CompletionException.class, future::join).getCause();
    }

    final void assertFails(final CompletableFuture<DirectBuffer> future, final StatusCode code)
    {
        rpc.until(future::isDone);
        assertEquals(code, failureOf(future).code());
    }

    final void assertSucceeds(final CompletableFuture<DirectBuffer> future)
    {
        rpc.until(future::isDone);
        assertEquals(8, future.join().capacity());
    }

    /**
     * Proves that nothing waits or is kept any more.
     */
    final void assertNothingLeft()
    {
        rpc.settle();
        assertEquals(0, rpc.channel().callsWaiting(), "calls that wait");
        assertEquals(0, rpc.channel().retainedBytes(), "bytes of requests that are kept");
        rpc.assertNothingHeld();
    }
}
