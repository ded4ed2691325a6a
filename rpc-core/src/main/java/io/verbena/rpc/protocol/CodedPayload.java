/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc.protocol;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

/**
 * What a message's payload begins with where its frames are flagged {@link FrameFlags#COMPRESSED} or
 * {@link FrameFlags#CHECKSUM}, or both: once for a message, before it is split into frames. Little endian, 8-byte
 * aligned.
 * <pre>
 *   0                   1                   2                   3
 *   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *  +---------------------------------------------------------------+
 *  |       CRC32C of all that follows it, 0 without CHECKSUM       |
 *  +---------------+-----------------------------------------------+
 *  |    Codec Id   |                    Reserved                   |
 *  +---------------+-----------------------------------------------+
 *  |               Payload Length before Compression               |
 *  +---------------------------------------------------------------+
 *  |                            Reserved                           |
 *  +---------------------------------------------------------------+
 *  |            Payload, compressed where COMPRESSED says so      ...
 *  +---------------------------------------------------------------+
 * </pre>
 * The codec id is 0 without COMPRESSED.
 */
public final class CodedPayload
{
    /** Length of this header in bytes. */
    public static final int HEADER_LENGTH = 16;

    /** Where what the checksum covers begins. */
    public static final int CHECKED_OFFSET = 4;

    private static final int LENGTH_OFFSET = 8;

    private CodedPayload()
    {
    }

    /**
     * Writes all but the checksum.
     *
     * @param buffer  to write to.
     * @param offset  of the payload, in bytes.
     * @param codecId 1 to 30; 0 for none.
     * @param length  of the payload before compression, in bytes.
     */
    public static void encode(
        final MutableDirectBuffer buffer, final int offset, final int codecId, final int length)
    {
        buffer.putLong(offset, (codecId & 0xFFL) << 32, LITTLE_ENDIAN);
        buffer.putLong(offset + LENGTH_OFFSET, length & 0xFFFFFFFFL, LITTLE_ENDIAN);
    }

    /**
     * Writes the checksum.
     *
     * @param buffer   to write to.
     * @param offset   of the payload, in bytes.
     * @param checksum of what begins at {@link #CHECKED_OFFSET}.
     */
    public static void encodeChecksum(final MutableDirectBuffer buffer, final int offset, final int checksum)
    {
        buffer.putInt(offset, checksum, LITTLE_ENDIAN);
    }

    /**
     * The checksum that was sent.
     *
     * @param buffer that holds the payload.
     * @param offset of the payload, in bytes.
     * @return the checksum.
     */
    public static int checksum(final DirectBuffer buffer, final int offset)
    {
        return buffer.getInt(offset, LITTLE_ENDIAN);
    }

    /**
     * The codec that the payload was compressed by.
     *
     * @param buffer that holds the payload.
     * @param offset of the payload, in bytes.
     * @return its id, 0 to 255.
     */
    public static int codecId(final DirectBuffer buffer, final int offset)
    {
        return buffer.getByte(offset + CHECKED_OFFSET) & 0xFF;
    }

    /**
     * How long the payload was before compression.
     *
     * @param buffer that holds the payload.
     * @param offset of the payload, in bytes.
     * @return length in bytes; anything, until it was checked.
     */
    public static int length(final DirectBuffer buffer, final int offset)
    {
        return buffer.getInt(offset + LENGTH_OFFSET, LITTLE_ENDIAN);
    }

    /**
     * The most bytes of payload that the frames of a message may carry.
     *
     * @param maxMessageLength of a message before it is coded, in bytes.
     * @param flags            of its frames.
     * @return the limit in bytes.
     */
    public static int maxLength(final int maxMessageLength, final int flags)
    {
        return (flags & FrameFlags.CODED) == 0 ? maxMessageLength : maxMessageLength + HEADER_LENGTH;
    }
}
