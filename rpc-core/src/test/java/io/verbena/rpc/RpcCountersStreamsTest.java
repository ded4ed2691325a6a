/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.rpc.protocol.CreditPayload;
import io.verbena.rpc.protocol.FrameType;
import io.verbena.rpc.test.InterruptAfter;
import io.verbena.rpc.test.RawPeer;
import io.verbena.rpc.test.RecordingStream;
import io.verbena.rpc.transport.LoopbackTransport;
import io.verbena.rpc.transport.Transport;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/**
 * That what happens to streams is counted, at both sides.
 */
@InterruptAfter(20)
class RpcCountersStreamsTest extends StreamContractSupport
{
    private static final AtomicInteger NAMES = new AtomicInteger();

    private final String address = "loopback:counters-streams-" + NAMES.incrementAndGet();

    @Override
    protected Transport newTransport()
    {
        return new LoopbackTransport();
    }

    @Override
    protected String listenAddress()
    {
        return address;
    }

    private long client(final RpcCounter counter)
    {
        return rpc.client().counters().get(counter);
    }

    private long server(final RpcCounter counter)
    {
        return rpc.server().counters().get(counter);
    }

    @Test
    void shouldCountItemsAndGrantsWhenAServerStreams()
    {
        serveNumbers(new Numbers(100, 16));
        rpc.launchServer(context -> {}).launchClient(context -> context.streamWindowItems(10)).awaitReady();
        final RecordingStream stream = new RecordingStream();
        openDown(stream, RpcChannel.NO_TIMEOUT);
        rpc.until(stream::hasEnded);
        assertEquals(100, server(RpcCounter.ITEMS_SENT));
        assertEquals(100, client(RpcCounter.ITEMS_RECEIVED));
        assertEquals(0, server(RpcCounter.ITEMS_RECEIVED));
        assertTrue(client(RpcCounter.CREDIT_GRANTS) >= 9);
        assertTrue(server(RpcCounter.CREDIT_STALLS) >= 1);
        assertEquals(0, client(RpcCounter.STREAMS_OPEN));
        assertEquals(0, server(RpcCounter.STREAMS_OPEN));
        assertEquals(1, client(RpcCounter.ENDED_OK));
        assertEquals(1, server(RpcCounter.ENDED_OK));
    }

    @Test
    void shouldTellOpenStreamsAndStallsWhenTheReaderHoldsBack()
    {
        serveNumbers(new Numbers(100, 16));
        rpc.launchServer(context -> {}).launchClient(context -> context.streamWindowItems(10)).awaitReady();
        final RecordingStream stream = new RecordingStream(false);
        final long id = openDown(stream, RpcChannel.NO_TIMEOUT);
        rpc.until(() -> stream.items().size() == 10);
        rpc.settle();
        assertEquals(1, client(RpcCounter.STREAMS_OPEN));
        assertEquals(1, server(RpcCounter.STREAMS_OPEN));
        assertEquals(1, server(RpcCounter.CALLS_IN_FLIGHT));
        assertEquals(1, server(RpcCounter.CREDIT_STALLS));
        rpc.channel().cancel(id);
        rpc.settle();
        assertEquals(0, client(RpcCounter.STREAMS_OPEN));
        assertEquals(0, server(RpcCounter.STREAMS_OPEN));
        assertEquals(1, server(RpcCounter.CANCELS));
    }

    @Test
    void shouldCountItemsOfBothSizesWhenAClientStreams()
    {
        rpc.service().on(BOTH, MethodKind.BIDI, (call, buffer, offset, length) -> {});
        rpc.start();
        final RecordingStream stream = new RecordingStream();
        final long id = openUp(BOTH, MethodKind.BIDI, stream, RpcChannel.NO_TIMEOUT);
        sendItem(id, new byte[16]);
        sendItem(id, new byte[200_000]);
        rpc.until(() -> server(RpcCounter.ITEMS_RECEIVED) == 2);
        assertEquals(2, client(RpcCounter.ITEMS_SENT));
        assertEquals(1, client(RpcCounter.STREAMS_OPEN));
        rpc.until(() -> client(RpcCounter.BYTES_QUEUED) == 0);
    }

    @Test
    void shouldCountFlowControlErrorsWhenAPeerSendsBeyondItsCredit()
    {
        rpc.service().on(UP, MethodKind.CLIENT_STREAM, (call, buffer, offset, length) -> {});
        rpc.launchServer(context -> context.streamWindowItems(5));
        final RawPeer raw = rpc.rawClient(3);
        final long id = RawPeer.id(3, 1, 0);
        raw.request(SERVICE_ID, UP, id, RpcChannel.NO_TIMEOUT, new byte[0]);
        // all in one duty cycle of the server, which can grant in between at its end only
        for (int i = 0; i < 6; i++)
        {
            raw.send(FrameType.STREAM, SERVICE_ID, UP, id, 0, new byte[16]);
        }
        rpc.until(() -> raw.count(FrameType.ERROR) == 1);
        assertEquals(1, server(RpcCounter.FLOW_CONTROL_ERRORS));
        assertEquals(0, server(RpcCounter.PROTOCOL_ERRORS));
        assertEquals(1, server(RpcCounter.ENDED_INTERNAL));
    }

    @Test
    void shouldCountProtocolErrorsOfCallsWhenAGrantGrantsNothing()
    {
        rpc.service().on(BOTH, MethodKind.BIDI, (call, buffer, offset, length) -> {});
        rpc.launchServer(context -> {});
        final RawPeer raw = rpc.rawClient(3);
        final UnsafeBuffer credit = new UnsafeBuffer(new byte[CreditPayload.LENGTH]);
        CreditPayload.encode(credit, 0, 0, 0);
        raw.request(SERVICE_ID, BOTH, RawPeer.id(3, 1, 2), RpcChannel.NO_TIMEOUT, new byte[0]);
        raw.send(FrameType.CREDIT, SERVICE_ID, BOTH, RawPeer.id(3, 1, 2), 0, credit.byteArray());
        rpc.until(() -> raw.count(FrameType.ERROR) == 1);
        assertEquals(1, server(RpcCounter.PROTOCOL_ERRORS));
    }
}
