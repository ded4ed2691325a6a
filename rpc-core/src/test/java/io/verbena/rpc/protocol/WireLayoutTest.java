/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc.protocol;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/**
 * The bytes on the wire, fixed for all time of protocol version 1.
 */
class WireLayoutTest
{
    @Test
    void shouldWriteFrameHeaderByteForByte()
    {
        final byte[] bytes = new byte[40];
        final UnsafeBuffer buffer = new UnsafeBuffer(bytes);
        FrameHeader.encode(
            buffer, 8, FrameType.REQUEST, FrameFlags.WHOLE, 0x1122, 0x3344, 0x0102030405060708L, 0x1112131415161718L,
            0x2122, 0x3132, 0x41424344);
        assertEquals(
            "01030300" + "22114433" + "0807060504030201" + "1817161514131211" + "22213231" + "44434241",
            HexFormat.of().formatHex(bytes, 8, 40));
        assertEquals(1, FrameHeader.version(buffer, 8));
        assertEquals(FrameType.REQUEST, FrameHeader.frameType(buffer, 8));
        assertEquals(FrameFlags.WHOLE, FrameHeader.flags(buffer, 8));
        assertEquals(0x1122, FrameHeader.serviceId(buffer, 8));
        assertEquals(0x3344, FrameHeader.methodId(buffer, 8));
        assertEquals(0x0102030405060708L, FrameHeader.correlationId(buffer, 8));
        assertEquals(0x1112131415161718L, FrameHeader.timeoutNs(buffer, 8));
        assertEquals(0x2122, FrameHeader.status(buffer, 8));
        assertEquals(0x3132, FrameHeader.metadataLength(buffer, 8));
        assertEquals(0x41424344, FrameHeader.payloadLength(buffer, 8));
        assertEquals(8 + 32 + 0x3138, FrameHeader.payloadOffset(buffer, 8));
    }

    @Test
    void shouldKeepUnsignedFieldsWhenAllBitsAreSet()
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[32]);
        FrameHeader.encode(buffer, 0, 0xFF, 0xFFFF, 0xFFFF, 0xFFFF, -1, -1, 0xFFFF, 0xFFFF, -1);
        assertEquals(0xFF, FrameHeader.frameType(buffer, 0));
        assertEquals(0xFFFF, FrameHeader.flags(buffer, 0));
        assertEquals(0xFFFF, FrameHeader.serviceId(buffer, 0));
        assertEquals(0xFFFF, FrameHeader.methodId(buffer, 0));
        assertEquals(0xFFFF, FrameHeader.status(buffer, 0));
        assertEquals(0xFFFF, FrameHeader.metadataLength(buffer, 0));
        assertEquals(-1, FrameHeader.payloadLength(buffer, 0));
        assertFalse(FrameHeader.isWellFormed(buffer, 0, Integer.MAX_VALUE));
    }

    @Test
    void shouldWriteHelloByteForByte()
    {
        final byte[] bytes = new byte[56];
        java.util.Arrays.fill(bytes, (byte)0x77);
        final UnsafeBuffer buffer = new UnsafeBuffer(bytes);
        HelloPayload.encode(buffer, 0, 0x7FFE, 0x01020304, 0x05060708, 2);
        HelloPayload.encodeCredit(buffer, 0, 0x11121314, 0x21222324, 0x3132333435363738L);
        HelloPayload.encodeCapabilities(buffer, 0, 0xFFF8, 0x80000003);
        HelloPayload.encodeService(buffer, 0, 0, 0x1112, 0x2122, 0x3132);
        HelloPayload.encodeService(buffer, 0, 1, 0x4142, 0x5152, 0x6162);
        assertEquals(
            "0101fe7f" + "04030201" + "08070605" + "0200f8ff" + "14131211" + "24232221" + "3837363534333231" +
            "0300008000000000" + "1211222132310000" + "4241525162610000",
            HexFormat.of().formatHex(bytes));
        assertTrue(HelloPayload.isWellFormed(buffer, 0, 56));
        assertFalse(HelloPayload.isWellFormed(buffer, 0, 55));
        assertFalse(HelloPayload.isWellFormed(buffer, 0, 39));
        assertEquals(0x4142, HelloPayload.serviceId(buffer, 0, 1));
        assertEquals(0x5152, HelloPayload.schemaId(buffer, 0, 1));
        assertEquals(0x6162, HelloPayload.schemaVersion(buffer, 0, 1));
        assertEquals(2, HelloPayload.serviceCount(buffer, 0));
        assertEquals(0xFFF8, HelloPayload.maxMetadataLength(buffer, 0));
        assertEquals(0x11121314, HelloPayload.streamItems(buffer, 0));
        assertEquals(0x21222324, HelloPayload.streamBytes(buffer, 0));
        assertEquals(0x3132333435363738L, HelloPayload.windowBytes(buffer, 0));
        assertEquals(0x80000003, HelloPayload.codecs(buffer, 0));
    }

    @Test
    void shouldRefuseHelloWhenItGrantsNothing()
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[40]);
        HelloPayload.encode(buffer, 0, 1, 1, 1, 0);
        final long[][] credits = { { 0, 1, 1 }, { -1, 1, 1 }, { 1, 0, 1 }, { 1, -1, 1 }, { 1, 1, 0 }, { 1, 1, -1 } };
        for (final long[] credit : credits)
        {
            HelloPayload.encodeCredit(buffer, 0, (int)credit[0], (int)credit[1], credit[2]);
            assertFalse(HelloPayload.isWellFormed(buffer, 0, 40), java.util.Arrays.toString(credit));
        }
        HelloPayload.encodeCredit(buffer, 0, 1, 1, 1);
        assertTrue(HelloPayload.isWellFormed(buffer, 0, 40));
    }

    @Test
    void shouldWriteErrorByteForByte()
    {
        final byte[] bytes = new byte[32];
        java.util.Arrays.fill(bytes, (byte)0x77);
        final UnsafeBuffer buffer = new UnsafeBuffer(bytes);
        ErrorPayload.encode(buffer, 0, ErrorPayload.textBytes("no\u20ac"), 16);
        assertEquals("0500000010000000" + "6e6fe282ac000000", HexFormat.of().formatHex(bytes, 0, 16));
        assertEquals(16, ErrorPayload.detailOffset(5));
        assertEquals(8, ErrorPayload.detailOffset(0));
        assertEquals("no\u20ac", ErrorPayload.text(buffer, 0));
        assertTrue(ErrorPayload.isWellFormed(buffer, 0, 32));
        assertFalse(ErrorPayload.isWellFormed(buffer, 0, 31));
        assertFalse(ErrorPayload.isWellFormed(buffer, 0, 7));
        buffer.putInt(4, -1);
        assertFalse(ErrorPayload.isWellFormed(buffer, 0, 32));
        buffer.putLong(0, 0xFFFF);
        assertFalse(ErrorPayload.isWellFormed(buffer, 0, 32));
    }

    @Test
    void shouldCutTextBetweenCharactersWhenItIsTooLong()
    {
        assertArrayEquals(new byte[0], ErrorPayload.textBytes(null));
        assertFalse(ErrorPayload.isCut(null, new byte[0]));
        for (final String character : new String[]{"x", "\u00e4", "\u20ac", "\ud83d\ude00"})
        {
            final int width = character.getBytes(StandardCharsets.UTF_8).length;
            for (int ascii = 1018; ascii <= 1025; ascii++)
            {
                final String text = "a".repeat(ascii) + character.repeat(3);
                final byte[] bytes = ErrorPayload.textBytes(text);
                final int expected = Math.min(1024, ascii + Math.min(3, Math.max(0, 1024 - ascii) / width) * width);
                assertEquals(expected, bytes.length, text);
                final String decoded = new String(bytes, StandardCharsets.UTF_8);
                assertTrue(text.startsWith(decoded));
                assertEquals(!decoded.equals(text), ErrorPayload.isCut(text, bytes));
            }
        }
        final String huge = "\ud83d\ude00".repeat(100_000);
        assertEquals(1024, ErrorPayload.textBytes(huge).length);
        assertTrue(ErrorPayload.isCut(huge, ErrorPayload.textBytes(huge)));
    }

    @Test
    void shouldSayWhatIsWrongWhenFrameIsMalformed()
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[48]);
        FrameHeader.encode(buffer, 0, FrameType.PING, FrameFlags.WHOLE, 0, 0, 0, 0, 0, 5, 8);
        MetadataBlock.encodeHeader(buffer, FrameHeader.LENGTH, 1, MetadataBlock.TEXT, 0);
        buffer.putByte(FrameHeader.LENGTH + 4, (byte)'a');
        assertTrue(FrameHeader.isWellFormed(buffer, 0, 48));
        assertEquals(40, FrameHeader.payloadOffset(buffer, 0));
        assertEquals("expected metadata and payload within the 47 bytes of the frame, found lengths of 5 and 8",
            FrameHeader.describeMalformed(buffer, 0, 47));
        assertFalse(FrameHeader.isWellFormed(buffer, 0, 47));
        assertEquals("expected a frame of at least 32 bytes, found 31", FrameHeader.describeMalformed(buffer, 0, 31));
        buffer.putByte(0, (byte)9);
        assertEquals("expected frame version 1, found 9", FrameHeader.describeMalformed(buffer, 0, 48));
        FrameHeader.encode(buffer, 0, FrameType.PING, FrameFlags.COMPRESSED, 0, 0, 0, 0, 0, 0, 0);
        assertEquals("expected neither compression nor a checksum in PING, found flags 8",
            FrameHeader.describeMalformed(buffer, 0, 48));
        assertEquals("frame type 99", FrameType.name(99));
    }
}
