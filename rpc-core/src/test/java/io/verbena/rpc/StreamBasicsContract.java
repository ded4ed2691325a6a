/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.rpc.test.InterruptAfter;
import io.verbena.rpc.test.RecordingHandler;
import io.verbena.rpc.test.RecordingStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The contract of streams: each kind of call does what it is for, in order, and ends once.
 */
abstract class StreamBasicsContract extends StreamContractSupport
{
    @Test
    @InterruptAfter(30)
    void shouldDeliverAllItemsInOrderWhenServerStreams()
    {
        serveNumbers(new Numbers(20_000, 32));
        rpc.start();
        final RecordingStream stream = new RecordingStream();
        final long correlationId = openDown(stream, RpcChannel.NO_TIMEOUT);
        assertEnded(stream, StatusCode.OK);
        assertNumbered(stream.items(), 20_000);
        assertServerEnded(StatusCode.OK);
        assertEquals(correlationId, rpc.service().ended().get(0).correlationId());
        assertEquals(DOWN, rpc.service().ended().get(0).methodId());
        assertFalse(rpc.channel().cancel(correlationId));
        rpc.assertClean();
    }

    @Test
    @InterruptAfter(30)
    void shouldDeliverAllItemsInOrderWhenRequestIsClaimed()
    {
        serveNumbers(new Numbers(3, 32));
        rpc.start();
        final RecordingStream stream = new RecordingStream();
        assertTrue(rpc.channel().claimStream(SERVICE_ID, DOWN, 16, RpcChannel.DEFAULT_TIMEOUT, stream) > 0);
        rpc.channel().abort();
        assertTrue(rpc.channel().claimStream(SERVICE_ID, DOWN, 16, RpcChannel.DEFAULT_TIMEOUT, stream) > 0);
        rpc.channel().buffer().putLong(rpc.channel().offset(), 1);
        rpc.channel().commit(8);
        assertEnded(stream, StatusCode.OK);
        assertNumbered(stream.items(), 3);
        assertEquals(1, rpc.service().requestCount());
        rpc.assertClean();
    }

    @Test
    @InterruptAfter(30)
    void shouldAnswerOnceWhenClientStreams()
    {
        final List<byte[]> received = new ArrayList<>();
        rpc.service().on(UP, MethodKind.CLIENT_STREAM, (call, buffer, offset, length) -> assertEquals(0, length))
            .onItem(UP, (call, buffer, offset, length) -> received.add(copy(buffer, offset, length)))
            .onHalfClosed(UP, call ->
            {
                call.claim(8);
                call.buffer().putLong(call.offset(), received.size());
                call.send(8);
            });
        rpc.start();
        final RecordingStream stream = new RecordingStream();
        final long correlationId = openUp(UP, MethodKind.CLIENT_STREAM, stream, RpcChannel.NO_TIMEOUT);
        final List<byte[]> sent = new ArrayList<>();
        for (int i = 0; i < 10_000; i++)
        {
            sent.add(bytes(1 + i % 100, i));
            sendItem(correlationId, sent.get(i));
        }
        assertTrue(rpc.channel().halfClose(correlationId));
        assertFalse(rpc.channel().halfClose(correlationId));
        assertThrows(IllegalStateException.class, () -> rpc.channel().claimItem(correlationId, 1));
        assertFalse(rpc.channel().isReady(correlationId));
        assertEnded(stream, StatusCode.OK);
        assertItems(sent, received);
        assertEquals(10_000, buffer(stream.response()).getLong(0));
        assertEquals(List.of(), stream.items());
        assertEquals(RpcChannel.CALL_ENDED, rpc.channel().claimItem(correlationId, 1));
        assertFalse(rpc.channel().halfClose(correlationId));
        assertServerEnded(StatusCode.OK);
        rpc.assertClean();
    }

    @Test
    @InterruptAfter(30)
    void shouldEchoEachItemWhenBothStream()
    {
        serveEcho();
        rpc.start();
        final RecordingStream stream = new RecordingStream();
        final long correlationId = openUp(BOTH, MethodKind.BIDI, stream, RpcChannel.NO_TIMEOUT);
        final List<byte[]> sent = new ArrayList<>();
        for (int i = 0; i < 1_000; i++)
        {
            sent.add(bytes(64, i));
            final long result = rpc.channel().claimItem(correlationId, 128);
            if (result < 0)
            {
                assertTransient(result);
                rpc.pump();
                sent.remove(i--);
                continue;
            }
            rpc.channel().buffer().putBytes(rpc.channel().offset(), sent.get(i));
            rpc.channel().commit(64);
            rpc.until(() -> stream.items().size() == sent.size());
        }
        assertEquals(0, stream.endCount());
        rpc.channel().halfClose(correlationId);
        assertEnded(stream, StatusCode.OK);
        assertItems(sent, stream.items());
        assertNull(stream.response());
        assertServerEnded(StatusCode.OK);
        rpc.assertClean();
    }

    @Test
    @InterruptAfter(30)
    void shouldServeUnaryCallsWhenStreamsAreOpen()
    {
        serveEcho();
        rpc.start();
        final RecordingStream stream = new RecordingStream();
        final long correlationId = openUp(BOTH, MethodKind.BIDI, stream, RpcChannel.NO_TIMEOUT);
        for (int i = 0; i < 100; i++)
        {
            final byte[] payload = bytes(64, i);
            sendItem(correlationId, payload);
            final RecordingHandler.Outcome outcome = rpc.call(UNARY, payload);
            assertArrayEquals(payload, outcome.payload());
        }
        rpc.channel().halfClose(correlationId);
        assertEnded(stream, StatusCode.OK);
        assertEquals(100, stream.items().size());
        rpc.assertClean();
    }

    @Test
    @InterruptAfter(30)
    void shouldRefuseWhatTheKindOfCallDoesNotHave()
    {
        serveEcho();
        serveNumbers(new Numbers(1 << 30, 8));
        rpc.start();
        final RpcChannel channel = rpc.channel();
        final RecordingStream down = new RecordingStream();
        final long downId = openDown(down, RpcChannel.NO_TIMEOUT);
        assertThrows(IllegalStateException.class, () -> channel.claimItem(downId, 8));
        assertThrows(IllegalStateException.class, () -> channel.halfClose(downId));
        assertThrows(IllegalStateException.class, () -> channel.grant(downId, 1));
        assertThrows(IllegalArgumentException.class, () -> channel.grant(downId, 0));
        assertThrows(IllegalArgumentException.class, () -> channel.openStream(
            SERVICE_ID, DOWN, MethodKind.SERVER_STREAM, 0, down));
        assertThrows(IllegalArgumentException.class, () -> channel.openStream(
            SERVICE_ID, DOWN, MethodKind.UNARY, 0, down));
        final RecordingStream both = new RecordingStream();
        final long bothId = openUp(BOTH, MethodKind.BIDI, both, RpcChannel.NO_TIMEOUT);
        assertThrows(IllegalArgumentException.class, () -> channel.claimItem(bothId, -1));
        rpc.until(() -> channel.claimItem(bothId, 8) > 0);
        assertThrows(IllegalStateException.class, () -> channel.claimItem(bothId, 8));
        assertThrows(IllegalStateException.class, () -> channel.halfClose(bothId));
        assertThrows(IllegalStateException.class, () -> channel.claim(SERVICE_ID, UNARY, 8, 0, both));
        assertThrows(IllegalArgumentException.class, () -> channel.commit(9));
        assertThrows(IllegalStateException.class, () -> channel.commit(8));
        assertThrows(IllegalStateException.class, () -> channel.grant(bothId, 1));
        assertTrue(channel.cancel(downId));
        assertTrue(channel.cancel(bothId));
        assertEnded(down, StatusCode.CANCELLED);
        assertEnded(both, StatusCode.CANCELLED);
        rpc.until(() -> rpc.server().callsInFlight() == 0);
        rpc.assertClean();
    }

    static byte[] copy(final org.agrona.DirectBuffer buffer, final int offset, final int length)
    {
        final byte[] bytes = new byte[length];
        buffer.getBytes(offset, bytes);
        return bytes;
    }
}
