/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import static io.verbena.rpc.RpcHarness.SERVICE_ID;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.rpc.protocol.CreditPayload;
import io.verbena.rpc.protocol.FrameFlags;
import io.verbena.rpc.protocol.FrameType;
import io.verbena.rpc.protocol.HelloPayload;
import io.verbena.rpc.test.InterruptAfter;
import io.verbena.rpc.test.RawPeer;
import io.verbena.rpc.test.RecordingStream;
import io.verbena.rpc.transport.Connection;
import io.verbena.rpc.transport.LoopbackTransport;
import io.verbena.rpc.transport.Transport;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;
import org.agrona.collections.MutableInteger;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/**
 * What happens to streams when a peer does not keep to the protocol, frame by frame.
 */
class StreamProtocolTest extends StreamContractSupport
{
    private static final long NONE = RpcChannel.NO_TIMEOUT;
    private static final int INTERNAL = StatusCode.INTERNAL.value();

    private final MutableInteger received = new MutableInteger();

    @Override
    protected Transport newTransport()
    {
        return new LoopbackTransport();
    }

    @Override
    protected String listenAddress()
    {
        return "loopback:stream-protocol";
    }

    private void serveCounting()
    {
        rpc.service().on(UP, MethodKind.CLIENT_STREAM, (call, buffer, offset, length) -> {})
            .onItem(UP, (call, buffer, offset, length) -> received.increment());
    }

    private static byte[] credit(final long items, final long bytes)
    {
        final byte[] payload = new byte[CreditPayload.LENGTH];
        CreditPayload.encode(new UnsafeBuffer(payload), 0, items, bytes);
        return payload;
    }

    private static void send(final RawPeer raw, final int type, final int method, final long id, final byte[] payload)
    {
        long result;
        while ((result = raw.send(type, SERVICE_ID, method, id, type == FrameType.REQUEST ? NONE : 0, payload)) < 0)
        {
            assertEquals(Connection.BACK_PRESSURED, result);
            raw.poll();
        }
    }

    private static String text(final RawPeer.Frame error)
    {
        final int length = new UnsafeBuffer(error.payload()).getShort(0);
        return new String(error.payload(), 8, length, StandardCharsets.UTF_8);
    }

    private void assertFailed(final RawPeer raw, final long id, final String text)
    {
        rpc.until(() -> raw.last(FrameType.ERROR) != null && raw.last(FrameType.ERROR).correlationId() == id);
        final RawPeer.Frame error = raw.last(FrameType.ERROR);
        assertEquals(INTERNAL, error.status());
        assertTrue(text(error).startsWith(text), () -> text(error));
    }

    private void until(final RawPeer raw, final int type, final int count)
    {
        rpc.until(() -> raw.count(type) >= count);
    }

    @Test
    @InterruptAfter(30)
    void shouldAnnounceCreditInTheHandshake()
    {
        rpc.launchServer(context ->
            context.streamWindowItems(11).streamWindowBytes(12_000).connectionWindowBytes(13_000_000_000L));
        final RawPeer raw = rpc.rawClient(3);
        final UnsafeBuffer ack = new UnsafeBuffer(raw.last(FrameType.HELLO_ACK).payload());
        assertEquals(11, HelloPayload.streamItems(ack, 0));
        assertEquals(12_000, HelloPayload.streamBytes(ack, 0));
        assertEquals(13_000_000_000L, HelloPayload.windowBytes(ack, 0));
        final RawPeer server = rpc.rawPeer();
        server.listen("loopback:stream-protocol-2");
        rpc.launchClient(context -> {});
        rpc.client().connect("loopback:stream-protocol-2");
        until(server, FrameType.HELLO, 1);
        final UnsafeBuffer hello = new UnsafeBuffer(server.last(FrameType.HELLO).payload());
        assertEquals(RpcConfiguration.STREAM_WINDOW_ITEMS_DEFAULT, HelloPayload.streamItems(hello, 0));
        assertEquals(RpcConfiguration.STREAM_WINDOW_BYTES_DEFAULT, HelloPayload.streamBytes(hello, 0));
        assertEquals(RpcConfiguration.CONNECTION_WINDOW_BYTES_DEFAULT, HelloPayload.windowBytes(hello, 0));
    }

    @Test
    @InterruptAfter(30)
    void shouldEndTheStreamAloneWhenClientSendsMoreItemsThanGranted()
    {
        serveCounting();
        rpc.service().grantsManually(UP);
        rpc.launchServer(context -> context.streamWindowItems(5));
        final RawPeer raw = rpc.rawClient(3);
        final long other = RawPeer.id(3, 1, 0);
        final long flooding = RawPeer.id(3, 1, 1);
        send(raw, FrameType.REQUEST, UP, other, new byte[0]);
        send(raw, FrameType.REQUEST, UP, flooding, new byte[0]);
        send(raw, FrameType.STREAM, UP, other, new byte[8]);
        for (int i = 0; i < 50_000; i++)
        {
            send(raw, FrameType.STREAM, UP, flooding, new byte[8]);
            if (i % 16 == 0)
            {
                rpc.pump();
            }
        }
        assertFailed(raw, flooding, "flow-control error: ");
        rpc.settle();
        assertEquals(6, received.get(), "one of the other and five of its own");
        assertServerEnded(StatusCode.INTERNAL);
        assertEquals(1, raw.count(FrameType.ERROR));
        send(raw, FrameType.STREAM, UP, other, new byte[8]);
        rpc.until(() -> received.get() == 7);
        assertEquals(1, rpc.server().callsInFlight());
        assertEquals(0, rpc.server().outstandingBuffers());
        assertEquals(List.of(), rpc.serverErrors());
    }

    @Test
    @InterruptAfter(30)
    void shouldEndTheStreamAloneWhenClientSendsMoreBytesThanGranted()
    {
        serveCounting();
        rpc.service().grantsManually(UP);
        rpc.launchServer(context -> context.streamWindowBytes(100));
        final RawPeer raw = rpc.rawClient(3);
        final long id = RawPeer.id(3, 1, 0);
        send(raw, FrameType.REQUEST, UP, id, new byte[0]);
        send(raw, FrameType.STREAM, UP, id, new byte[99]);
        send(raw, FrameType.STREAM, UP, id, new byte[500]);
        rpc.until(() -> received.get() == 2);
        send(raw, FrameType.STREAM, UP, id, new byte[0]);
        assertFailed(raw, id, "flow-control error: ");
        assertEquals(2, received.get());
        assertServerEnded(StatusCode.INTERNAL);
    }

    @Test
    @InterruptAfter(30)
    void shouldEndTheStreamAloneWhenFrameComesWithoutCreditOfTheConnection()
    {
        serveCounting();
        rpc.launchServer(context -> context.connectionWindowBytes(1_000).pollLimit(64));
        final RawPeer raw = rpc.rawClient(3);
        final long other = RawPeer.id(3, 1, 0);
        final long id = RawPeer.id(3, 1, 1);
        send(raw, FrameType.REQUEST, UP, other, new byte[0]);
        send(raw, FrameType.REQUEST, UP, id, new byte[0]);
        rpc.pump();
        send(raw, FrameType.STREAM, UP, other, new byte[999]);
        send(raw, FrameType.STREAM, UP, other, new byte[999]);
        send(raw, FrameType.STREAM, UP, id, new byte[8]);
        assertFailed(raw, id, "flow-control error: an item came without credit of the connection");
        assertEquals(2, received.get());
        until(raw, FrameType.CREDIT, 1);
        final RawPeer.Frame grant = raw.last(FrameType.CREDIT);
        assertEquals(3L << 48, grant.correlationId());
        assertEquals(0, CreditPayload.items(new UnsafeBuffer(grant.payload()), 0));
        assertEquals(999 + 999 + 8, CreditPayload.bytes(new UnsafeBuffer(grant.payload()), 0));
        send(raw, FrameType.STREAM, UP, other, new byte[8]);
        rpc.until(() -> received.get() == 3);
    }

    @Test
    @InterruptAfter(30)
    void shouldSaturateGrantsAndEndTheStreamWhenOneIsNotPositive()
    {
        final byte[][] wrong =
            { credit(0, 0), credit(-1, 0), credit(0, -1), credit(-1, 5), credit(5, Long.MIN_VALUE) };
        serveNumbers(new Numbers(Integer.MAX_VALUE, 100));
        rpc.launchServer(context -> {});
        final RawPeer raw = rpc.rawClient(3);
        send(raw, FrameType.CREDIT, 0, 3L << 48, credit(0, Long.MAX_VALUE));
        send(raw, FrameType.CREDIT, 0, 3L << 48, credit(0, Long.MAX_VALUE));
        for (int i = 0; i < wrong.length; i++)
        {
            final long id = RawPeer.id(3, 1, i);
            final int ended = i;
            raw.frames().clear();
            send(raw, FrameType.REQUEST, DOWN, id, new byte[8]);
            until(raw, FrameType.STREAM, 100);
            send(raw, FrameType.CREDIT, DOWN, id, credit(Long.MAX_VALUE, Long.MAX_VALUE));
            send(raw, FrameType.CREDIT, DOWN, id, credit(Long.MAX_VALUE, Long.MAX_VALUE));
            until(raw, FrameType.STREAM, 2 * RpcConfiguration.STREAM_WINDOW_ITEMS_DEFAULT);
            send(raw, FrameType.CREDIT, DOWN, id, wrong[i]);
            assertFailed(raw, id, "protocol error: ");
            rpc.until(() -> rpc.service().ended().size() == ended + 1);
            assertEquals(StatusCode.INTERNAL, rpc.service().ended().get(i).status());
        }
        rpc.settle();
        assertEquals(0, rpc.server().callsInFlight());
        assertNull(raw.cause(), "the connection goes on");
    }

    @Test
    @InterruptAfter(30)
    void shouldEndTheCallAloneWhenClientBreaksTheProtocolOfStreams()
    {
        serveCounting();
        rpc.launchServer(context -> {});
        rpc.service().on(BOTH, (call, buffer, offset, length) -> call.detach());
        final RawPeer raw = rpc.rawClient(3);
        final long id = RawPeer.id(3, 1, 0);
        final long unary = RawPeer.id(3, 1, 1);
        final int whole = FrameFlags.WHOLE;
        final List<Consumer<RawPeer>> breaks = List.of(
            peer -> peer.send(FrameType.STREAM, whole, SERVICE_ID, BOTH, unary, 0, 0, new byte[8]),
            peer -> peer.send(FrameType.HALF_CLOSE, whole, SERVICE_ID, BOTH, unary, 0, 0, new byte[0]),
            peer -> peer.send(FrameType.CREDIT, whole, SERVICE_ID, BOTH, unary, 0, 0, credit(1, 1)),
            peer -> peer.send(FrameType.STREAM, 0, SERVICE_ID, UP, id, 0, 0, new byte[8]),
            peer -> peer.send(FrameType.STREAM, FrameFlags.LAST, SERVICE_ID, UP, id, 0, 0, new byte[8]),
            peer ->
            {
                peer.send(FrameType.STREAM, FrameFlags.FIRST, SERVICE_ID, UP, id, 0, 0, new byte[8]);
                peer.send(FrameType.HALF_CLOSE, whole, SERVICE_ID, UP, id, 0, 0, new byte[0]);
            },
            peer ->
            {
                peer.send(FrameType.HALF_CLOSE, whole, SERVICE_ID, UP, id, 0, 0, new byte[0]);
                peer.send(FrameType.HALF_CLOSE, whole, SERVICE_ID, UP, id, 0, 0, new byte[0]);
            },
            peer ->
            {
                peer.send(FrameType.HALF_CLOSE, whole, SERVICE_ID, UP, id, 0, 0, new byte[0]);
                peer.send(FrameType.STREAM, whole, SERVICE_ID, UP, id, 0, 0, new byte[8]);
            });
        for (int i = 0; i < breaks.size(); i++)
        {
            final long broken = i < 3 ? unary : id;
            final String which = "break " + i;
            raw.frames().clear();
            raw.request(SERVICE_ID, UP, id, NONE, new byte[0]);
            raw.request(SERVICE_ID, BOTH, unary, NONE, new byte[8]);
            breaks.get(i).accept(raw);
            until(raw, FrameType.ERROR, 1);
            assertEquals(broken, raw.last(FrameType.ERROR).correlationId(), which);
            assertEquals(INTERNAL, raw.last(FrameType.ERROR).status(), which);
            rpc.settle();
            assertEquals(1, raw.count(FrameType.ERROR), which);
            assertEquals(1, rpc.server().callsInFlight(), which);
            raw.send(FrameType.CANCEL, SERVICE_ID, UP, id, 0, new byte[0]);
            raw.send(FrameType.CANCEL, SERVICE_ID, BOTH, unary, 0, new byte[0]);
            rpc.until(() -> rpc.server().callsInFlight() == 0);
        }
        assertEquals(0, received.get());
        assertEquals(0, rpc.server().outstandingBuffers());
        assertNull(raw.cause());
        assertEquals(List.of(), rpc.serverErrors());
    }

    @Test
    @InterruptAfter(30)
    void shouldIgnoreLateFramesAndReturnTheirCreditWhenTheCallHasEnded()
    {
        serveCounting();
        rpc.launchServer(context -> context.connectionWindowBytes(100));
        final RawPeer raw = rpc.rawClient(3);
        final long id = RawPeer.id(3, 1, 0);
        for (int i = 0; i < 200; i++)
        {
            final int sent = i;
            send(raw, FrameType.STREAM, UP, id, new byte[64]);
            send(raw, FrameType.CREDIT, UP, id, credit(i - 100, i - 100));
            send(raw, FrameType.HALF_CLOSE, UP, id, new byte[0]);
            send(raw, FrameType.CANCEL, UP, id, new byte[0]);
            rpc.until(() -> raw.count(FrameType.CREDIT) == sent + 1);
        }
        assertEquals(0, raw.count(FrameType.ERROR));
        send(raw, FrameType.REQUEST, UP, id, new byte[0]);
        send(raw, FrameType.STREAM, UP, id, new byte[64]);
        rpc.until(() -> received.get() == 1);
        assertNull(raw.cause());
        assertEquals(List.of(), rpc.serverErrors());
    }

    @Test
    @InterruptAfter(30)
    void shouldRefuseTheCallWhenRequestOfAClientStreamIsNotEmpty()
    {
        serveCounting();
        rpc.launchServer(context -> {});
        final RawPeer raw = rpc.rawClient(3);
        final long id = RawPeer.id(3, 1, 0);
        send(raw, FrameType.REQUEST, UP, id, new byte[8]);
        assertFailed(raw, id, "the client sent a request of 8 bytes");
        assertTrue((raw.last(FrameType.ERROR).flags() & FrameFlags.NOT_STARTED) != 0);
        assertEquals(0, rpc.service().requestCount());
        assertEquals(List.of(), rpc.service().ended());
        assertEquals(0, rpc.server().callsInFlight());
    }

    @Test
    @InterruptAfter(60)
    void shouldEndTheCallAloneWhenServerBreaksTheProtocolOfStreams()
    {
        final RawPeer raw = rpc.rawServer();
        rpc.launchClient(context -> context.streamWindowItems(5));
        until(raw, FrameType.HELLO, 1);
        raw.helloAck(raw.last(FrameType.HELLO), 64, 1 << 20);
        rpc.awaitReady();
        final RecordingStream other = new RecordingStream(false);
        final long otherId = openDown(other, NONE);
        final int whole = FrameFlags.WHOLE;
        final long[] id = new long[1];
        final List<Runnable> breaks = List.of(
            () ->
            {
                for (int i = 0; i < 50_000; i++)
                {
                    send(raw, FrameType.STREAM, DOWN, id[0], new byte[8]);
                    if (i % 16 == 0)
                    {
                        rpc.pump();
                    }
                }
            },
            () -> raw.send(FrameType.CREDIT, whole, SERVICE_ID, DOWN, id[0], 0, 0, credit(0, 0)),
            () -> raw.send(FrameType.RESPONSE, whole, SERVICE_ID, DOWN, id[0], 0, 0, new byte[8]),
            () -> raw.send(FrameType.STREAM, 0, SERVICE_ID, DOWN, id[0], 0, 0, new byte[8]),
            () ->
            {
                raw.send(FrameType.STREAM, FrameFlags.FIRST, SERVICE_ID, DOWN, id[0], 0, 0, new byte[8]);
                raw.send(FrameType.HALF_CLOSE, whole, SERVICE_ID, DOWN, id[0], 0, 0, new byte[0]);
            });
        for (int i = 0; i < breaks.size(); i++)
        {
            final RecordingStream stream = new RecordingStream(false);
            raw.frames().clear();
            id[0] = openDown(stream, NONE);
            breaks.get(i).run();
            assertEnded(stream, StatusCode.INTERNAL);
            assertEquals(i == 0 ? 5 : 0, stream.items().size());
            assertEquals(i == 0, stream.text().startsWith("flow-control error: "), stream::text);
            until(raw, FrameType.CANCEL, 1);
            assertEquals(id[0], raw.last(FrameType.CANCEL).correlationId());
            assertEquals(INTERNAL, raw.last(FrameType.CANCEL).status());
        }
        final RecordingStream up = new RecordingStream();
        final long upId = openUp(UP, MethodKind.CLIENT_STREAM, up, NONE);
        raw.send(FrameType.HALF_CLOSE, whole, SERVICE_ID, UP, upId, 0, 0, new byte[0]);
        assertEnded(up, StatusCode.INTERNAL);
        assertFalse(other.hasEnded());
        send(raw, FrameType.STREAM, DOWN, otherId, new byte[8]);
        rpc.until(() -> other.items().size() == 1);
        send(raw, FrameType.HALF_CLOSE, DOWN, otherId, new byte[0]);
        assertEnded(other, StatusCode.OK);
        rpc.assertClean();
    }

    @Test
    @InterruptAfter(30)
    void shouldSendNothingAfterTheServerHasEndedTheCall()
    {
        final RawPeer raw = rpc.rawServer();
        rpc.launchClient(context -> {});
        until(raw, FrameType.HELLO, 1);
        raw.helloAck(raw.last(FrameType.HELLO), 64, 1 << 20);
        rpc.awaitReady();
        final RecordingStream both = new RecordingStream();
        final long id = openUp(BOTH, MethodKind.BIDI, both, NONE);
        sendItem(id, new byte[8]);
        until(raw, FrameType.STREAM, 1);
        raw.send(FrameType.ERROR, FrameFlags.WHOLE, SERVICE_ID, BOTH, id, 0, 5, new byte[8]);
        assertEnded(both, StatusCode.NOT_FOUND);
        raw.frames().clear();
        assertFalse(rpc.channel().cancel(id));
        assertFalse(rpc.channel().halfClose(id));
        assertEquals(RpcChannel.CALL_ENDED, rpc.channel().offerItem(id, buffer(new byte[8]), 0, 8));
        send(raw, FrameType.STREAM, BOTH, id, new byte[8]);
        send(raw, FrameType.CREDIT, BOTH, id, credit(1, 1));
        send(raw, FrameType.HALF_CLOSE, BOTH, id, new byte[0]);
        rpc.settle();
        assertEquals(List.of(), raw.frames());
        rpc.assertClean();
    }
}
