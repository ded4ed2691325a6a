/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc.protocol;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

/**
 * The payload of HELLO and HELLO_ACK frames. Little endian, 8-byte aligned.
 * <pre>
 *   0                   1                   2                   3
 *   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *  +---------------+---------------+-------------------------------+
 *  |  Min Version  |  Max Version  |          Incarnation          |
 *  +---------------+---------------+-------------------------------+
 *  |                      Max Calls In Flight                      |
 *  +---------------------------------------------------------------+
 *  |                       Max Message Length                      |
 *  +-------------------------------+-------------------------------+
 *  |         Service Count         |      Max Metadata Length      |
 *  +-------------------------------+-------------------------------+
 *  |                      Initial Stream Items                     |
 *  +---------------------------------------------------------------+
 *  |                      Initial Stream Bytes                     |
 *  +---------------------------------------------------------------+
 *  |                     Connection Window Bytes                   |
 *  |                                                               |
 *  +---------------------------------------------------------------+
 *  |                             Codecs                            |
 *  +---------------------------------------------------------------+
 *  |                            Reserved                           |
 *  +---------------------------------------------------------------+
 *  |  for each service: service id u16, schema id u16,             |
 *  |                    schema version u16, reserved u16          ...
 *  +---------------------------------------------------------------+
 * </pre>
 * Limits are those of the side that sends them; of calls and message length each side keeps to the smaller of both, of
 * the others to its peer's. Stream items, stream bytes and window bytes are the credit that the receiver of this frame
 * begins with. The incarnation is the client's and is echoed; it stands in the high 16 bits of each correlation id of
 * this connection. A HELLO may list the services that the client needs, a HELLO_ACK lists all of the server's.
 */
public final class HelloPayload
{
    /** Length of the fixed part in bytes. */
    public static final int HEADER_LENGTH = 40;

    /** Length of the entry of one service in bytes. */
    public static final int SERVICE_LENGTH = 8;

    private static final int INCARNATION_OFFSET = 2;
    private static final int MAX_CALLS_OFFSET = 4;
    private static final int MAX_MESSAGE_OFFSET = 8;
    private static final int SERVICE_COUNT_OFFSET = 12;
    private static final int MAX_METADATA_OFFSET = 14;
    private static final int STREAM_ITEMS_OFFSET = 16;
    private static final int STREAM_BYTES_OFFSET = 20;
    private static final int WINDOW_BYTES_OFFSET = 24;
    private static final int CODECS_OFFSET = 32;

    private HelloPayload()
    {
    }

    /**
     * Writes the fixed part, but for {@link #encodeCredit} and {@link #encodeCapabilities}, which come after it.
     *
     * @param buffer           to write to.
     * @param offset           of the payload, in bytes.
     * @param incarnation      of the client's connection, 1 to 32767.
     * @param maxCallsInFlight that the sender takes.
     * @param maxMessageLength that the sender takes, in bytes.
     * @param serviceCount     how many entries follow.
     */
    public static void encode(
        final MutableDirectBuffer buffer,
        final int offset,
        final int incarnation,
        final int maxCallsInFlight,
        final int maxMessageLength,
        final int serviceCount)
    {
        buffer.putByte(offset, (byte)FrameHeader.VERSION);
        buffer.putByte(offset + 1, (byte)FrameHeader.VERSION);
        buffer.putShort(offset + INCARNATION_OFFSET, (short)incarnation, LITTLE_ENDIAN);
        buffer.putInt(offset + MAX_CALLS_OFFSET, maxCallsInFlight, LITTLE_ENDIAN);
        buffer.putInt(offset + MAX_MESSAGE_OFFSET, maxMessageLength, LITTLE_ENDIAN);
        buffer.putInt(offset + SERVICE_COUNT_OFFSET, serviceCount & 0xFFFF, LITTLE_ENDIAN);
        buffer.setMemory(offset + STREAM_ITEMS_OFFSET, HEADER_LENGTH - STREAM_ITEMS_OFFSET, (byte)0);
    }

    /**
     * Writes the credit that the peer begins with.
     *
     * @param buffer      to write to.
     * @param offset      of the payload, in bytes.
     * @param streamItems of each stream, in items, from 1.
     * @param streamBytes of each stream, in bytes, from 1.
     * @param windowBytes of all streams of the connection together, in bytes, from 1.
     */
    public static void encodeCredit(
        final MutableDirectBuffer buffer,
        final int offset,
        final int streamItems,
        final int streamBytes,
        final long windowBytes)
    {
        buffer.putInt(offset + STREAM_ITEMS_OFFSET, streamItems, LITTLE_ENDIAN);
        buffer.putInt(offset + STREAM_BYTES_OFFSET, streamBytes, LITTLE_ENDIAN);
        buffer.putLong(offset + WINDOW_BYTES_OFFSET, windowBytes, LITTLE_ENDIAN);
    }

    /**
     * Writes what else the sender can take.
     *
     * @param buffer            to write to.
     * @param offset            of the payload, in bytes.
     * @param maxMetadataLength of one frame, in bytes, 0 to 65535; 0: none is taken.
     * @param codecs            bit n: payloads compressed by the codec of id n; bit 31: checksums are verified.
     */
    public static void encodeCapabilities(
        final MutableDirectBuffer buffer, final int offset, final int maxMetadataLength, final int codecs)
    {
        buffer.putShort(offset + MAX_METADATA_OFFSET, (short)maxMetadataLength, LITTLE_ENDIAN);
        buffer.putInt(offset + CODECS_OFFSET, codecs, LITTLE_ENDIAN);
    }

    /**
     * Writes the entry of one service.
     *
     * @param buffer        to write to.
     * @param offset        of the payload, in bytes.
     * @param index         of the entry, from 0.
     * @param serviceId     0 to 65535.
     * @param schemaId      0 to 65535.
     * @param schemaVersion 0 to 65535.
     */
    public static void encodeService(
        final MutableDirectBuffer buffer,
        final int offset,
        final int index,
        final int serviceId,
        final int schemaId,
        final int schemaVersion)
    {
        buffer.putLong(
            offset + HEADER_LENGTH + index * SERVICE_LENGTH,
            (serviceId & 0xFFFFL) | (schemaId & 0xFFFFL) << 16 | (schemaVersion & 0xFFFFL) << 32,
            LITTLE_ENDIAN);
    }

    /**
     * Whether the payload is as long as it says and its limits make sense.
     *
     * @param buffer that holds the payload.
     * @param offset of the payload, in bytes.
     * @param length of the payload, in bytes.
     * @return true if so.
     */
    public static boolean isWellFormed(final DirectBuffer buffer, final int offset, final int length)
    {
        return length >= HEADER_LENGTH &&
            length - HEADER_LENGTH >= serviceCount(buffer, offset) * SERVICE_LENGTH &&
            maxCallsInFlight(buffer, offset) > 0 &&
            maxMessageLength(buffer, offset) > 0 &&
            streamItems(buffer, offset) > 0 &&
            streamBytes(buffer, offset) > 0 &&
            windowBytes(buffer, offset) > 0 &&
            incarnation(buffer, offset) > 0 && incarnation(buffer, offset) <= Short.MAX_VALUE;
    }

    /**
     * Whether the sender speaks a version of the protocol.
     *
     * @param buffer  that holds the payload.
     * @param offset  of the payload, in bytes.
     * @param version in question.
     * @return true if so.
     */
    public static boolean speaks(final DirectBuffer buffer, final int offset, final int version)
    {
        return minVersion(buffer, offset) <= version && version <= maxVersion(buffer, offset);
    }

    /**
     * The oldest version that the sender speaks.
     *
     * @param buffer that holds the payload.
     * @param offset of the payload, in bytes.
     * @return the version.
     */
    public static int minVersion(final DirectBuffer buffer, final int offset)
    {
        return buffer.getByte(offset) & 0xFF;
    }

    /**
     * The newest version that the sender speaks.
     *
     * @param buffer that holds the payload.
     * @param offset of the payload, in bytes.
     * @return the version.
     */
    public static int maxVersion(final DirectBuffer buffer, final int offset)
    {
        return buffer.getByte(offset + 1) & 0xFF;
    }

    /**
     * The incarnation of the client's connection.
     *
     * @param buffer that holds the payload.
     * @param offset of the payload, in bytes.
     * @return 1 to 32767 if well formed.
     */
    public static int incarnation(final DirectBuffer buffer, final int offset)
    {
        return buffer.getShort(offset + INCARNATION_OFFSET, LITTLE_ENDIAN) & 0xFFFF;
    }

    /**
     * How many calls in flight the sender takes on this connection.
     *
     * @param buffer that holds the payload.
     * @param offset of the payload, in bytes.
     * @return the limit.
     */
    public static int maxCallsInFlight(final DirectBuffer buffer, final int offset)
    {
        return buffer.getInt(offset + MAX_CALLS_OFFSET, LITTLE_ENDIAN);
    }

    /**
     * How long a message the sender takes.
     *
     * @param buffer that holds the payload.
     * @param offset of the payload, in bytes.
     * @return the limit in bytes.
     */
    public static int maxMessageLength(final DirectBuffer buffer, final int offset)
    {
        return buffer.getInt(offset + MAX_MESSAGE_OFFSET, LITTLE_ENDIAN);
    }

    /**
     * How long the metadata of a frame may be that the sender takes.
     *
     * @param buffer that holds the payload.
     * @param offset of the payload, in bytes.
     * @return the limit in bytes, 0 to 65535.
     */
    public static int maxMetadataLength(final DirectBuffer buffer, final int offset)
    {
        return buffer.getShort(offset + MAX_METADATA_OFFSET, LITTLE_ENDIAN) & 0xFFFF;
    }

    /**
     * How many items each stream to the sender may hold before the first grant.
     *
     * @param buffer that holds the payload.
     * @param offset of the payload, in bytes.
     * @return the initial credit, in items.
     */
    public static int streamItems(final DirectBuffer buffer, final int offset)
    {
        return buffer.getInt(offset + STREAM_ITEMS_OFFSET, LITTLE_ENDIAN);
    }

    /**
     * How many bytes each stream to the sender may hold before the first grant.
     *
     * @param buffer that holds the payload.
     * @param offset of the payload, in bytes.
     * @return the initial credit, in bytes.
     */
    public static int streamBytes(final DirectBuffer buffer, final int offset)
    {
        return buffer.getInt(offset + STREAM_BYTES_OFFSET, LITTLE_ENDIAN);
    }

    /**
     * How many bytes all streams to the sender together may hold before the first grant.
     *
     * @param buffer that holds the payload.
     * @param offset of the payload, in bytes.
     * @return the initial credit, in bytes.
     */
    public static long windowBytes(final DirectBuffer buffer, final int offset)
    {
        return buffer.getLong(offset + WINDOW_BYTES_OFFSET, LITTLE_ENDIAN);
    }

    /**
     * Which codecs the sender can read.
     *
     * @param buffer that holds the payload.
     * @param offset of the payload, in bytes.
     * @return bit n for the codec of id n; bit 31: checksums are verified.
     */
    public static int codecs(final DirectBuffer buffer, final int offset)
    {
        return buffer.getInt(offset + CODECS_OFFSET, LITTLE_ENDIAN);
    }

    /**
     * How many services are listed.
     *
     * @param buffer that holds the payload.
     * @param offset of the payload, in bytes.
     * @return the number of entries.
     */
    public static int serviceCount(final DirectBuffer buffer, final int offset)
    {
        return buffer.getShort(offset + SERVICE_COUNT_OFFSET, LITTLE_ENDIAN) & 0xFFFF;
    }

    /**
     * The id of a listed service.
     *
     * @param buffer that holds the payload.
     * @param offset of the payload, in bytes.
     * @param index  of the entry, from 0.
     * @return the id.
     */
    public static int serviceId(final DirectBuffer buffer, final int offset, final int index)
    {
        return buffer.getShort(offset + HEADER_LENGTH + index * SERVICE_LENGTH, LITTLE_ENDIAN) & 0xFFFF;
    }

    /**
     * The id of the schema of a listed service.
     *
     * @param buffer that holds the payload.
     * @param offset of the payload, in bytes.
     * @param index  of the entry, from 0.
     * @return the id.
     */
    public static int schemaId(final DirectBuffer buffer, final int offset, final int index)
    {
        return buffer.getShort(offset + HEADER_LENGTH + index * SERVICE_LENGTH + 2, LITTLE_ENDIAN) & 0xFFFF;
    }

    /**
     * The version of the schema of a listed service.
     *
     * @param buffer that holds the payload.
     * @param offset of the payload, in bytes.
     * @param index  of the entry, from 0.
     * @return the version.
     */
    public static int schemaVersion(final DirectBuffer buffer, final int offset, final int index)
    {
        return buffer.getShort(offset + HEADER_LENGTH + index * SERVICE_LENGTH + 4, LITTLE_ENDIAN) & 0xFFFF;
    }
}
