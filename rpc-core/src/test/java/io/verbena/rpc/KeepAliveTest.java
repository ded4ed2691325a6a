/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import static io.verbena.rpc.RpcHarness.ECHO_METHOD_ID;
import static io.verbena.rpc.RpcHarness.SERVICE_ID;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.rpc.protocol.FrameType;
import io.verbena.rpc.test.InterruptAfter;
import io.verbena.rpc.test.RawPeer;
import io.verbena.rpc.test.RecordingHandler;
import io.verbena.rpc.test.SilentTransport;
import io.verbena.rpc.transport.LoopbackTransport;
import io.verbena.rpc.transport.Transport;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Peers that say nothing any more: cases/rpc.md 6.
 */
@InterruptAfter(30)
class KeepAliveTest
{
    private static final AtomicInteger NAMES = new AtomicInteger();
    private static final long MS = 1_000_000L;
    private static final int KEEP = 2;

    private final String address = "loopback:keep-alive-" + NAMES.incrementAndGet();
    private final List<SilentTransport> transports = new ArrayList<>();
    private final RpcHarness rpc = new RpcHarness(this::newTransport, () -> address);
    private final List<ServerCall> kept = new ArrayList<>();

    private Transport newTransport()
    {
        final SilentTransport transport = new SilentTransport(new LoopbackTransport());
        transports.add(transport);
        return transport;
    }

    private void fallSilent()
    {
        transports.forEach(SilentTransport::fallSilent);
    }

    @AfterEach
    void closeAll()
    {
        rpc.close();
    }

    private void start(final boolean isClientAsking, final boolean isServerAsking)
    {
        rpc.service().on(KEEP, (call, buffer, offset, length) -> kept.add(call.detach()));
        rpc.launchServer(context -> context
            .keepAliveIntervalNs(isServerAsking ? 1_000 * MS : 0).keepAliveTimeoutNs(400 * MS))
            .launchClient(context -> context
                .keepAliveIntervalNs(isClientAsking ? 1_000 * MS : 0).keepAliveTimeoutNs(400 * MS))
            .awaitReady();
    }

    private void pass(final int ms)
    {
        for (int i = 0; i < ms; i += 50)
        {
            rpc.clock().advanceMs(50);
            rpc.settle();
        }
    }

    @Test
    void shouldEndCallsAtTheLimitAndConnectAgainWhenServerFallsSilent()
    {
        start(true, false);
        final RecordingHandler handler = new RecordingHandler();
        rpc.offer(KEEP, new byte[8], RpcChannel.NO_TIMEOUT, handler);
        rpc.until(() -> kept.size() == 1);
        rpc.settle();
        fallSilent();
        rpc.settle();
        pass(1_000);
        assertEquals(0, handler.count(), "asked, and it may yet answer");
        assertTrue(transports.get(0).dropped() > 0, "the PING got lost");
        pass(350);
        assertEquals(0, handler.count());
        pass(100);
        assertEquals(1, handler.count());
        assertEquals(StatusCode.UNAVAILABLE, handler.last().code());
        assertTrue(handler.last().text().contains("nothing was heard for 1400000000 ns"), handler.last()::text);
        pass(100);
        rpc.awaitReady();
        final byte[] payload = {1, 2, 3};
        assertEquals(StatusCode.OK, rpc.call(ECHO_METHOD_ID, payload).code());
        assertEquals(List.of(StatusCode.UNAVAILABLE), rpc.service().cancelled().stream()
            .map(cancelled -> cancelled.cause()).toList(), "the service is told once");
        rpc.assertClean();
    }

    @Test
    void shouldTellTheServiceOnceAtTheLimitWhenClientFallsSilent()
    {
        start(false, true);
        final RecordingHandler handler = new RecordingHandler();
        rpc.offer(KEEP, new byte[8], RpcChannel.NO_TIMEOUT, handler);
        rpc.until(() -> kept.size() == 1);
        rpc.settle();
        fallSilent();
        pass(1_000);
        assertEquals(0, rpc.service().cancelled().size());
        pass(600);
        assertEquals(1, rpc.service().cancelled().size());
        assertEquals(StatusCode.UNAVAILABLE, rpc.service().cancelled().get(0).cause());
        assertEquals(0, rpc.server().callsInFlight());
        assertFalse(kept.get(0).isOpen());
        pass(200);
        assertEquals(1, handler.count());
        assertEquals(1, rpc.service().cancelled().size());
    }

    @Test
    void shouldKeepTheConnectionOfAPeerThatAnswers()
    {
        start(true, true);
        final RecordingHandler handler = new RecordingHandler();
        rpc.offer(KEEP, new byte[8], RpcChannel.NO_TIMEOUT, handler);
        rpc.until(() -> kept.size() == 1);
        pass(20_000);
        assertEquals(0, handler.count());
        assertEquals(ChannelState.READY, rpc.channel().state());
        kept.get(0).fail(StatusCode.ABORTED, "enough");
        rpc.until(() -> handler.count() == 1);
        rpc.settle();
        rpc.assertClean();
    }

    @Test
    void shouldNotAskWhileNoCallsAreOpenUnlessSet()
    {
        rpc.launchServer(context -> {});
        final RawPeer silent = rpc.rawClient(3);
        pass(60_000);
        assertEquals(0, silent.count(FrameType.PING));
        rpc.closeServer();
        rpc.clock().stepOnReadNs(0);
        rpc.launchServer(context -> context
            .keepAliveWhenIdle(true).keepAliveIntervalNs(1_000 * MS).keepAliveTimeoutNs(400 * MS));
        final RawPeer asked = rpc.rawClient(4);
        pass(1_200);
        assertEquals(1, asked.count(FrameType.PING));
        asked.send(FrameType.PONG, 0, 0, asked.last(FrameType.PING).correlationId(), 0, new byte[0]);
        pass(1_200);
        assertEquals(1, rpc.server().sessionCount());
        pass(1_000);
        assertEquals(0, rpc.server().sessionCount(), "it did not answer the second one");
    }

    @Test
    void shouldEndTheConnectionOfAPeerThatAsksTooOften()
    {
        rpc.launchServer(context -> {});
        final RawPeer raw = rpc.rawClient(3);
        for (int i = 0; i < KeepAlive.PING_BURST; i++)
        {
            raw.send(FrameType.PING, 0, 0, i + 1, 0, new byte[0]);
        }
        rpc.until(() -> raw.count(FrameType.PONG) == KeepAlive.PING_BURST);
        for (int i = 0; i < 40; i++)
        {
            rpc.clock().advanceMs(1_000);
            raw.send(FrameType.PING, 0, 0, 100 + i, 0, new byte[0]);
            rpc.settle();
        }
        assertEquals(KeepAlive.PING_BURST + 40, raw.count(FrameType.PONG), "as often as it may");
        raw.send(FrameType.PING, 0, 0, 200, 0, new byte[0]);
        rpc.until(() -> raw.cause() != null);
        assertTrue(rpc.serverErrors().get(0).getMessage().contains("more PINGs than one in 1000000000 ns"));
        assertEquals(KeepAlive.PING_BURST + 40, raw.count(FrameType.PONG));
    }

    @Test
    void shouldTakeAnyNumberOfPingsWhenThereIsNoLimit()
    {
        rpc.launchServer(context -> context.minPingIntervalNs(0));
        final RawPeer raw = rpc.rawClient(3);
        for (int i = 0; i < 500; i++)
        {
            raw.send(FrameType.PING, 0, 0, i + 1, 0, new byte[0]);
        }
        rpc.until(() -> raw.count(FrameType.PONG) == 500);
        raw.request(SERVICE_ID, ECHO_METHOD_ID, RawPeer.id(3, 0, 0), RpcChannel.NO_TIMEOUT, new byte[8]);
        rpc.until(() -> raw.count(FrameType.RESPONSE) == 1);
        rpc.assertClean();
    }
}
