/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.rpc.protocol.CodedPayload;
import io.verbena.rpc.protocol.FrameFlags;
import io.verbena.rpc.protocol.FrameType;
import io.verbena.rpc.protocol.HelloPayload;
import io.verbena.rpc.test.DeflateCodec;
import io.verbena.rpc.test.InterruptAfter;
import io.verbena.rpc.test.RawPeer;
import io.verbena.rpc.test.RecordingHandler;
import io.verbena.rpc.test.RecordingStream;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/**
 * Compression and checksums: by choice, negotiated, and with a hostile peer.
 */
abstract class CodecContract extends ScopeContract
{
    private static final int CODEC_ID = 7;
    private static final int THRESHOLD = 1_000;

    private final DeflateCodec clientCodec = new DeflateCodec(CODEC_ID);
    private final DeflateCodec serverCodec = new DeflateCodec(CODEC_ID);

    private void startCoded(final int clientThreshold, final int serverThreshold, final int checksumThreshold)
    {
        rpc.launchServer(context -> context.compression(serverCodec, serverThreshold).checksum(checksumThreshold))
            .launchClient(context -> context.compression(clientCodec, clientThreshold).checksum(checksumThreshold))
            .awaitReady();
    }

    private void assertEchoes(final byte[] payload)
    {
        final RecordingHandler.Outcome outcome = rpc.call(RpcHarness.ECHO_METHOD_ID, payload);
        assertEquals(StatusCode.OK, outcome.code(), outcome::toString);
        assertArrayEquals(payload, outcome.payload());
        final RecordingHandler handler = new RecordingHandler();
        rpc.until(() -> rpc.channel().claim(
            SERVICE_ID, RpcHarness.ECHO_METHOD_ID, payload.length + 64, RpcChannel.NO_TIMEOUT, handler) > 0);
        rpc.channel().buffer().putBytes(rpc.channel().offset(), payload);
        rpc.channel().commit(payload.length);
        rpc.until(() -> handler.count() == 1);
        assertArrayEquals(payload, handler.last().payload());
    }

    /**
     * Compressible, and different everywhere.
     */
    private static byte[] text(final int length)
    {
        final byte[] text = new byte[length];
        for (int i = 0; i < length; i++)
        {
            text[i] = (byte)('a' + i / 50 % 20);
        }
        return text;
    }

    @Test
    @InterruptAfter(30)
    void shouldCompressFromTheThresholdOnWhenBothSidesCan()
    {
        startCoded(THRESHOLD, THRESHOLD, 0);
        assertEchoes(text(THRESHOLD - 1));
        assertEquals(0, clientCodec.compressed() + serverCodec.compressed());
        int expected = 0;
        for (final int length : new int[]{THRESHOLD, THRESHOLD + 1, 5_000, 100_000, 3_000_000})
        {
            assertEchoes(text(length));
            expected += 2;
            assertEquals(expected, clientCodec.compressed());
            assertEquals(expected, serverCodec.decompressed());
            assertEquals(expected, serverCodec.compressed());
            assertEquals(expected, clientCodec.decompressed());
        }
        assertEchoes(bytes(100_000, 1));
        assertEquals(expected, serverCodec.decompressed(), "what does not get shorter goes as it is");
        rpc.assertClean();
        rpc.close();
        assertTrue(clientCodec.isClosed() && serverCodec.isClosed());
    }

    @Test
    @InterruptAfter(30)
    void shouldCheckAndCompressMessagesOfTheLongestLength()
    {
        rpc.launchServer(
            context -> context.compression(serverCodec, Integer.MAX_VALUE).checksum(1).maxMessageLength(1 << 20))
            .launchClient(context -> context.compression(clientCodec, THRESHOLD).checksum(1)).awaitReady();
        rpc.service().on(METHOD, MetadataContract::echoMetadata);
        for (final byte[] payload : List.of(text(1 << 20), bytes(1 << 20, 2), bytes(1, 3), bytes(1_400, 4)))
        {
            assertEchoes(payload.length > (1 << 20) - 64 ? Arrays.copyOf(payload, (1 << 20) - 64) : payload);
            rpc.channel().requestMetadata().add("k", "v");
            final RecordingHandler handler = infoHandler();
            toldInfos.clear();
            rpc.offer(METHOD, payload, RpcChannel.DEFAULT_TIMEOUT, handler);
            rpc.until(() -> handler.count() == 1);
            assertArrayEquals(payload, handler.last().payload(), handler.last()::toString);
            assertEquals(List.of("OK [k=v, seen=1] 0"), toldInfos);
        }
        assertEquals(0, serverCodec.compressed());
        assertEchoWorks();
        rpc.assertClean();
    }

    @Test
    @InterruptAfter(30)
    void shouldCodeItemsAndReturnTheirCreditAsItCame()
    {
        rpc.service().on(STREAM_METHOD, MethodKind.BIDI, (call, buffer, offset, length) -> {});
        rpc.service().onItem(STREAM_METHOD, (call, buffer, offset, length) -> call.offerItem(buffer, offset, length));
        startCoded(THRESHOLD, THRESHOLD, 100);
        final RecordingStream stream = new RecordingStream();
        final long[] id = new long[1];
        rpc.until(() -> (id[0] = rpc.channel().openStream(
            SERVICE_ID, STREAM_METHOD, MethodKind.BIDI, RpcChannel.NO_TIMEOUT, stream)) > 0);
        final byte[][] items = {text(50_000), bytes(50_000, 1), text(99), text(100), bytes(1, 2)};
        for (int i = 0; i < 100; i++)
        {
            final byte[] item = items[i % items.length];
            rpc.until(() -> rpc.channel().offerItem(id[0], buffer(item), 0, item.length) > 0);
            final int expected = i + 1;
            rpc.until(() -> stream.items().size() == expected || stream.hasEnded());
            assertEquals(expected, stream.items().size(), stream::toString);
            assertArrayEquals(item, stream.items().get(i));
        }
        rpc.channel().cancel(id[0]);
        rpc.until(() -> rpc.server().callsInFlight() == 0);
        assertEquals(20, clientCodec.decompressed());
        rpc.assertClean();
    }

    @Test
    @InterruptAfter(20)
    void shouldSendPlainlyToPeerThatReadsNothingElse()
    {
        rpc.launchServer(context -> context.compression(serverCodec, 1).checksum(1));
        final int[] codecs = {0, 1 << CODEC_ID, 1 << 31, 1 << 31 | 1 << CODEC_ID, 1 << 6};
        final int[] flags =
            {0, FrameFlags.COMPRESSED, FrameFlags.CHECKSUM, FrameFlags.COMPRESSED | FrameFlags.CHECKSUM, 0};
        for (int i = 0; i < codecs.length; i++)
        {
            final RawPeer raw = rpc.connectedRawClient();
            raw.hello(3, 0, codecs[i]);
            rpc.until(() -> raw.count(FrameType.HELLO_ACK) == 1);
            final UnsafeBuffer ack = new UnsafeBuffer(raw.last(FrameType.HELLO_ACK).payload());
            assertEquals(1 << 31 | 1 << CODEC_ID, HelloPayload.codecs(ack, 0));
            raw.request(
                SERVICE_ID, RpcHarness.ECHO_METHOD_ID, RawPeer.id(3, 0, 0), RpcChannel.NO_TIMEOUT, new byte[500]);
            rpc.until(() -> raw.count(FrameType.RESPONSE) == 1);
            final RawPeer.Frame response = raw.last(FrameType.RESPONSE);
            assertEquals(flags[i], response.flags() & FrameFlags.CODED);
            if (flags[i] != 0)
            {
                assertEquals(500, CodedPayload.length(new UnsafeBuffer(response.payload()), 0));
            }
            if ((flags[i] & FrameFlags.CHECKSUM) != 0)
            {
                final CRC32C crc = new CRC32C();
                crc.update(response.payload(), 4, response.payload().length - 4);
                assertEquals((int)crc.getValue(), CodedPayload.checksum(new UnsafeBuffer(response.payload()), 0));
            }
        }
        rpc.assertClean();
    }

    @Test
    @InterruptAfter(20)
    void shouldEndOnlyThatCallWhenItsPayloadIsHostile()
    {
        rpc.launchServer(context -> context.compression(serverCodec, 1).maxMessageLength(100_000));
        final RawPeer raw = rpc.rawClient(3);
        final byte[] sound = coded(CODEC_ID, text(5_000), 5_000);
        final byte[] flipped = sound.clone();
        flipped[30] ^= 1;
        assertEnds(raw, FrameFlags.COMPRESSED, coded(CODEC_ID, new byte[100_001], 100_001),
            StatusCode.RESOURCE_EXHAUSTED,
            "the message of 100001 bytes, decompressed, exceeds the limit of 100000 bytes");
        assertEnds(raw, FrameFlags.COMPRESSED, coded(CODEC_ID, new byte[5_000_000], -1), StatusCode.RESOURCE_EXHAUSTED,
            "the message of 4294967295 bytes, decompressed, exceeds the limit of 100000 bytes");
        assertEnds(raw, FrameFlags.COMPRESSED, coded(CODEC_ID, new byte[5_000_000], 100_000), StatusCode.DATA_LOSS,
            "longer than the bound of 100000 bytes");
        assertEnds(raw, FrameFlags.COMPRESSED, coded(CODEC_ID, text(5_000), 5_001), StatusCode.DATA_LOSS,
            "expected a payload that decompresses to 5001 bytes, found 5000");
        assertEnds(raw, FrameFlags.COMPRESSED, flipped, StatusCode.DATA_LOSS, "");
        assertEnds(raw, FrameFlags.COMPRESSED, coded(6, text(5_000), 5_000), StatusCode.INTERNAL, "codec 6");
        assertEnds(raw, FrameFlags.COMPRESSED, coded(255, text(5_000), 5_000), StatusCode.INTERNAL, "codec 255");
        assertEnds(raw, FrameFlags.COMPRESSED, new byte[15], StatusCode.DATA_LOSS, "at least 16 bytes");
        assertEnds(raw, FrameFlags.CHECKSUM, new byte[0], StatusCode.DATA_LOSS, "at least 16 bytes");
        final byte[] plain = new byte[24];
        CodedPayload.encode(new UnsafeBuffer(plain), 0, 0, 8);
        final CRC32C crc = new CRC32C();
        crc.update(plain, 4, 20);
        assertEnds(raw, FrameFlags.CHECKSUM, plain, StatusCode.DATA_LOSS,
            "expected a payload with the checksum 0, found " + Integer.toHexString((int)crc.getValue()));
        new UnsafeBuffer(plain).putInt(0, (int)crc.getValue(), ByteOrder.LITTLE_ENDIAN);
        raw.send(FrameType.REQUEST, FrameFlags.WHOLE | FrameFlags.CHECKSUM, SERVICE_ID, RpcHarness.ECHO_METHOD_ID,
            RawPeer.id(3, 1_000, 1), RpcChannel.NO_TIMEOUT, 0, plain);
        rpc.until(() -> raw.count(FrameType.RESPONSE) == 1);
        assertArrayEquals(new byte[8], raw.last(FrameType.RESPONSE).payload());
        assertEquals(1, rpc.service().requestCount());
        assertEquals(List.of(), rpc.serverErrors());
        rpc.assertNothingHeld();
    }

    private int generation;

    private void assertEnds(
        final RawPeer raw, final int flags, final byte[] payload, final StatusCode code, final String text)
    {
        final int errors = raw.count(FrameType.ERROR);
        // in two frames, and, where it is short, in one
        final long id = RawPeer.id(3, ++generation, 0);
        final int half = payload.length / 2 & ~7;
        final int most = (raw.connection().maxMessageLength() - 32 & ~7);
        int sent = 0;
        while (sent < payload.length || sent == 0)
        {
            final int length = Math.min(Math.max(half, 8), Math.min(most, payload.length - sent));
            final int part = (sent == 0 ? FrameFlags.FIRST : 0) |
                (sent + length == payload.length ? FrameFlags.LAST : 0);
            final byte[] slice = Arrays.copyOfRange(payload, sent, sent + length);
            rpc.until(() -> raw.send(
                FrameType.REQUEST, flags | part, SERVICE_ID, RpcHarness.ECHO_METHOD_ID, id, RpcChannel.NO_TIMEOUT, 0,
                slice) > 0);
            sent += Math.max(length, 1);
        }
        rpc.until(() -> raw.count(FrameType.ERROR) == errors + 1);
        final RawPeer.Frame error = raw.last(FrameType.ERROR);
        assertEquals(code.value(), error.status());
        final String found = new String(error.payload(), 8, error.payload().length - 8,
            java.nio.charset.StandardCharsets.UTF_8);
        assertTrue(found.contains(text), found);
        assertTrue((error.flags() & FrameFlags.NOT_STARTED) != 0);
    }

    private byte[] coded(final int codecId, final byte[] original, final int toldLength)
    {
        final byte[] target = new byte[16 + serverCodec.maxCompressedLength(original.length)];
        CodedPayload.encode(new UnsafeBuffer(target), 0, codecId, toldLength);
        return Arrays.copyOf(
            target, 16 + new DeflateCodec(1).compress(original, 0, original.length, target, 16));
    }

    @Test
    @InterruptAfter(20)
    void shouldEndOnlyThatCallWhenResponseOrItemIsSpoiled()
    {
        final RawPeer raw = rpc.rawServer();
        rpc.launchClient(context -> context.compression(clientCodec, THRESHOLD));
        rpc.until(() -> raw.count(FrameType.HELLO) == 1);
        raw.helloAck(raw.last(FrameType.HELLO), 64, 1 << 20);
        rpc.awaitReady();
        assertEquals(1 << 31 | 1 << CODEC_ID,
            HelloPayload.codecs(new UnsafeBuffer(raw.last(FrameType.HELLO).payload()), 0));
        final RecordingHandler handler = new RecordingHandler();
        final long id = rpc.offer(METHOD, text(5_000), RpcChannel.NO_TIMEOUT, handler);
        rpc.until(() -> raw.count(FrameType.REQUEST) > 0);
        assertEquals(0, raw.last(FrameType.REQUEST).flags() & FrameFlags.CODED, "that server reads none");
        raw.send(FrameType.RESPONSE, FrameFlags.WHOLE | FrameFlags.CHECKSUM, SERVICE_ID, METHOD, id, 0, 0,
            new byte[24]);
        rpc.until(() -> handler.count() == 1);
        assertEquals(StatusCode.DATA_LOSS, handler.last().code());
        assertTrue(handler.last().text().startsWith("expected a payload with the checksum 0, found "));
        final RecordingStream stream = new RecordingStream();
        final long[] streamId = new long[1];
        rpc.until(() -> (streamId[0] = rpc.channel().openStream(
            SERVICE_ID, STREAM_METHOD, MethodKind.BIDI, RpcChannel.NO_TIMEOUT, stream)) > 0);
        raw.send(FrameType.STREAM, FrameFlags.WHOLE | FrameFlags.COMPRESSED, SERVICE_ID, STREAM_METHOD, streamId[0],
            0, 0, coded(CODEC_ID, text(5_000), 5_000));
        rpc.until(() -> stream.items().size() == 1);
        assertArrayEquals(text(5_000), stream.items().get(0));
        raw.send(FrameType.STREAM, FrameFlags.WHOLE | FrameFlags.COMPRESSED, SERVICE_ID, STREAM_METHOD, streamId[0],
            0, 0, coded(CODEC_ID, text(5_000), 17_000_000));
        rpc.until(stream::hasEnded);
        assertEquals(StatusCode.RESOURCE_EXHAUSTED, stream.status(), stream::toString);
        rpc.until(() -> raw.count(FrameType.CANCEL) == 1);
        assertEquals(List.of(), rpc.clientErrors());
        rpc.assertNothingHeld();
    }
}
