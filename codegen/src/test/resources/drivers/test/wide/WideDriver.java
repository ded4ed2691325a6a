/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package test.wide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.rpc.RpcChannel;
import io.verbena.rpc.ServerCall;
import io.verbena.rpc.StatusCode;
import java.nio.ByteOrder;
import org.agrona.concurrent.UnsafeBuffer;

/** Drives stubs of a big endian schema whose header is neither 8 bytes nor in the usual order. */
public final class WideDriver
{
    private WideDriver()
    {
    }

    public static void shouldUseTheSchemasOwnHeader() throws Exception
    {
        assertEquals(10, FrameHeaderEncoder.ENCODED_LENGTH);
        final RpcChannel channel = new RpcChannel(new WideAdapter((request, responder) ->
        {
            int sum = request.number();
            for (final AskDecoder.PartsDecoder part : request.parts())
            {
                sum += part.value();
            }
            responder.claim(4).number(sum + request.blobLength());
            responder.send();
        }));
        final AnswerDecoder answer = new WideClient(channel).ask((request) ->
        {
            final AskEncoder.PartsEncoder parts = request.number(1000).partsCount(2);
            parts.next().value((short)100);
            parts.next().value((short)10);
            request.putBlob(new byte[5], 0, 5);
        });
        assertEquals(1115, answer.number());
        assertEquals(10 + 4 + 5 + 4 + 1 + 5, channel.request.capacity());
        assertEquals(14, channel.call.sent.capacity());
        assertEquals(70_000, channel.request.getInt(4, ByteOrder.BIG_ENDIAN));
    }

    public static void shouldRefuseHostileCountsOfFourBytes()
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[64]);
        final AskEncoder encoder = new AskEncoder().wrapAndApplyHeader(buffer, 0, new FrameHeaderEncoder());
        encoder.number(1).partsCount(1).next().value((short)1);
        encoder.putBlob(new byte[0], 0, 0);
        final int length = 10 + encoder.encodedLength();
        assertEquals("", status(buffer, length));
        for (final int hostile : new int[]{2, 0x4000_0000, Integer.MAX_VALUE, Integer.MIN_VALUE, -1})
        {
            buffer.putInt(14, hostile, ByteOrder.BIG_ENDIAN);
            assertTrue(status(buffer, length).startsWith("ask: expected parts to end inside"), "count " + hostile);
        }
    }

    public static void shouldRefuseForeignSchema()
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[64]);
        final AskEncoder encoder = new AskEncoder().wrapAndApplyHeader(buffer, 0, new FrameHeaderEncoder());
        encoder.number(1).partsCount(0);
        encoder.putBlob(new byte[0], 0, 0);
        buffer.putInt(4, 70_001, ByteOrder.BIG_ENDIAN);
        assertEquals("ask: expected schema id 70000, found 70001", status(buffer, 10 + encoder.encodedLength()));
        assertEquals("ask: expected at least the 10 bytes of a message header, found 9", status(buffer, 9));
    }

    private static String status(final UnsafeBuffer buffer, final int length)
    {
        final ServerCall call = new ServerCall(1, 1, 65535);
        new WideAdapter((request, responder) -> {}).onRequest(call, 65535, buffer, 0, length);
        assertEquals(call.text.isEmpty() ? StatusCode.OK : StatusCode.INVALID_ARGUMENT, call.code);
        return call.text;
    }
}
