/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc.protocol;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HexFormat;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/**
 * Every byte of metadata entries and of the header of coded payloads, as docs/wire.md has them.
 */
class MessageLayoutTest
{
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[24]);

    @Test
    void shouldWriteMetadataEntryByteForByte()
    {
        MetadataBlock.encodeHeader(buffer, 1, 200, MetadataBlock.BINARY, 0xFEDC);
        assertBytes("00 c8 01 dc fe 00");
        assertEquals(200, MetadataBlock.keyLength(buffer, 1));
        assertEquals(MetadataBlock.BINARY, MetadataBlock.kind(buffer, 1));
        assertEquals(0xFEDC, MetadataBlock.valueLength(buffer, 1));
        MetadataBlock.encodeHeader(buffer, 1, 1, MetadataBlock.TEXT, 3);
        assertBytes("00 01 00 03 00 00");
    }

    @Test
    void shouldWriteHeaderOfCodedPayloadByteForByte()
    {
        buffer.setMemory(0, 24, (byte)-1);
        CodedPayload.encode(buffer, 8, 30, 0x01020304);
        CodedPayload.encodeChecksum(buffer, 8, 0xA1B2C3D4);
        assertBytes("ff ff ff ff ff ff ff ff d4 c3 b2 a1 1e 00 00 00 04 03 02 01 00 00 00 00");
        assertEquals(0xA1B2C3D4, CodedPayload.checksum(buffer, 8));
        assertEquals(30, CodedPayload.codecId(buffer, 8));
        assertEquals(0x01020304, CodedPayload.length(buffer, 8));
        assertEquals(100, CodedPayload.maxLength(100, FrameFlags.WHOLE));
        assertEquals(116, CodedPayload.maxLength(100, FrameFlags.WHOLE | FrameFlags.CHECKSUM));
        assertEquals(116, CodedPayload.maxLength(100, FrameFlags.COMPRESSED));
    }

    private void assertBytes(final String hex)
    {
        final byte[] expected = HexFormat.ofDelimiter(" ").parseHex(hex);
        final byte[] found = new byte[expected.length];
        buffer.getBytes(0, found);
        assertArrayEquals(expected, found, () -> HexFormat.ofDelimiter(" ").formatHex(found));
    }
}
