/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc.protocol;

import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

/**
 * The header before every frame. Little endian, 8-byte aligned.
 * <pre>
 *   0                   1                   2                   3
 *   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *  +---------------+---------------+-------------------------------+
 *  |    Version    |   Frame Type  |             Flags             |
 *  +---------------+---------------+-------------------------------+
 *  |          Service Id           |           Method Id           |
 *  +-------------------------------+-------------------------------+
 *  |                         Correlation Id                        |
 *  |            (high 16 bits: incarnation of the connection)      |
 *  +---------------------------------------------------------------+
 *  |                           Timeout (ns)                        |
 *  |     (request: time that remains, Long.MAX_VALUE for none)     |
 *  +-------------------------------+-------------------------------+
 *  |            Status             |        Metadata Length        |
 *  +-------------------------------+-------------------------------+
 *  |                         Payload Length                        |
 *  +---------------------------------------------------------------+
 *  |                 Metadata, padded to 8 bytes                  ...
 *  +---------------------------------------------------------------+
 *  |                            Payload                           ...
 *  +---------------------------------------------------------------+
 * </pre>
 * A frame may be longer than header, metadata and payload together: a sender that claimed more than it encoded leaves
 * the rest unused, and the receiver goes by the payload length.
 * <p>
 * Design note: the header is read and written as four 64-bit words. Fields that share a word are combined in a
 * register, so that a frame costs four stores and no partial writes that a reader on another core would stall on.
 */
public final class FrameHeader
{
    /** The version of the protocol that this code speaks. */
    public static final int VERSION = 1;

    /** Length of the header in bytes. */
    public static final int LENGTH = 32;

    /** What everything is aligned to, in bytes. */
    public static final int ALIGNMENT = 8;

    /** The timeout field's value for "no deadline". */
    public static final long NO_TIMEOUT = Long.MAX_VALUE;

    /** Where the correlation id stands. */
    public static final int CORRELATION_ID_OFFSET = 8;

    /** Where the timeout stands. */
    public static final int TIMEOUT_OFFSET = 16;

    /** Where the status, metadata length and payload length stand. */
    public static final int STATUS_OFFSET = 24;

    /** The longest metadata in bytes, given by the width of its length field. */
    public static final int MAX_METADATA_LENGTH = 0xFFFF;

    private static final int FRAME_TYPE_OFFSET = 1;
    private static final int FLAGS_OFFSET = 2;
    private static final int SERVICE_ID_OFFSET = 4;
    private static final int METHOD_ID_OFFSET = 6;
    private static final int METADATA_LENGTH_OFFSET = 26;
    private static final int PAYLOAD_LENGTH_OFFSET = 28;

    private FrameHeader()
    {
    }

    /**
     * Writes a header.
     *
     * @param buffer         to write to.
     * @param offset         of the frame, in bytes.
     * @param frameType      one of {@link FrameType}.
     * @param flags          of {@link FrameFlags}.
     * @param serviceId      0 to 65535.
     * @param methodId       0 to 65535.
     * @param correlationId  of the call.
     * @param timeoutNs      that remains, in nanoseconds; {@link #NO_TIMEOUT} for none; 0 but in requests.
     * @param status         0 to 65535, 0 for OK.
     * @param metadataLength in bytes, 0 to {@link #MAX_METADATA_LENGTH}.
     * @param payloadLength  in bytes, from 0.
     */
    public static void encode(
        final MutableDirectBuffer buffer,
        final int offset,
        final int frameType,
        final int flags,
        final int serviceId,
        final int methodId,
        final long correlationId,
        final long timeoutNs,
        final int status,
        final int metadataLength,
        final int payloadLength)
    {
        buffer.putLong(
            offset,
            VERSION | (frameType & 0xFFL) << 8 | (flags & 0xFFFFL) << 16 | (serviceId & 0xFFFFL) << 32 |
            (methodId & 0xFFFFL) << 48,
            LITTLE_ENDIAN);
        buffer.putLong(offset + CORRELATION_ID_OFFSET, correlationId, LITTLE_ENDIAN);
        buffer.putLong(offset + TIMEOUT_OFFSET, timeoutNs, LITTLE_ENDIAN);
        buffer.putLong(
            offset + STATUS_OFFSET,
            (status & 0xFFFFL) | (metadataLength & 0xFFFFL) << 16 | (payloadLength & 0xFFFFFFFFL) << 32,
            LITTLE_ENDIAN);
    }

    /**
     * Whether a received frame has a header of our version, no flag that this version must not ignore, and lengths
     * that lie within it.
     *
     * @param buffer that holds the frame.
     * @param offset of the frame, in bytes.
     * @param length of the frame, in bytes.
     * @return true if every field may be trusted to lie within the frame.
     */
    public static boolean isWellFormed(final DirectBuffer buffer, final int offset, final int length)
    {
        if (length < LENGTH || version(buffer, offset) != VERSION ||
            (flags(buffer, offset) & FrameFlags.CODED) != 0 && !FrameType.isMessage(frameType(buffer, offset)))
        {
            return false;
        }
        final int payloadLength = payloadLength(buffer, offset);
        final int metadataLength = metadataLength(buffer, offset);
        final int available = length - LENGTH - BitUtil.align(metadataLength, ALIGNMENT);
        return payloadLength >= 0 && payloadLength <= available &&
            (metadataLength == 0 || MetadataBlock.isWellFormed(buffer, offset + LENGTH, metadataLength));
    }

    /**
     * Says what is wrong with a frame that is not well formed.
     *
     * @param buffer that holds the frame.
     * @param offset of the frame, in bytes.
     * @param length of the frame, in bytes.
     * @return what was expected and what was found.
     */
    public static String describeMalformed(final DirectBuffer buffer, final int offset, final int length)
    {
        if (length < LENGTH)
        {
            return "expected a frame of at least " + LENGTH + " bytes, found " + length;
        }
        final int version = version(buffer, offset);
        if (version != VERSION)
        {
            return "expected frame version " + VERSION + ", found " + version;
        }
        if ((flags(buffer, offset) & FrameFlags.CODED) != 0 && !FrameType.isMessage(frameType(buffer, offset)))
        {
            return "expected neither compression nor a checksum in " + FrameType.name(frameType(buffer, offset)) +
                ", found flags " + flags(buffer, offset);
        }
        final int available = length - LENGTH - payloadLength(buffer, offset);
        if (payloadLength(buffer, offset) >= 0 &&
            available >= BitUtil.align(metadataLength(buffer, offset), ALIGNMENT))
        {
            return "expected metadata of entries that fill it, with keys and texts of their characters, found " +
                metadataLength(buffer, offset) + " bytes of something else";
        }
        return "expected metadata and payload within the " + length + " bytes of the frame, found lengths of " +
            metadataLength(buffer, offset) + " and " + payloadLength(buffer, offset);
    }

    /**
     * The frame's version.
     *
     * @param buffer that holds the frame.
     * @param offset of the frame, in bytes.
     * @return the version, 0 to 255.
     */
    public static int version(final DirectBuffer buffer, final int offset)
    {
        return buffer.getByte(offset) & 0xFF;
    }

    /**
     * The frame's type.
     *
     * @param buffer that holds the frame.
     * @param offset of the frame, in bytes.
     * @return one of {@link FrameType}, or an unknown value.
     */
    public static int frameType(final DirectBuffer buffer, final int offset)
    {
        return buffer.getByte(offset + FRAME_TYPE_OFFSET) & 0xFF;
    }

    /**
     * The frame's flags.
     *
     * @param buffer that holds the frame.
     * @param offset of the frame, in bytes.
     * @return bits of {@link FrameFlags}.
     */
    public static int flags(final DirectBuffer buffer, final int offset)
    {
        return buffer.getShort(offset + FLAGS_OFFSET, LITTLE_ENDIAN) & 0xFFFF;
    }

    /**
     * The service that the frame is about.
     *
     * @param buffer that holds the frame.
     * @param offset of the frame, in bytes.
     * @return the id, 0 to 65535.
     */
    public static int serviceId(final DirectBuffer buffer, final int offset)
    {
        return buffer.getShort(offset + SERVICE_ID_OFFSET, LITTLE_ENDIAN) & 0xFFFF;
    }

    /**
     * The method that the frame is about.
     *
     * @param buffer that holds the frame.
     * @param offset of the frame, in bytes.
     * @return the id, 0 to 65535.
     */
    public static int methodId(final DirectBuffer buffer, final int offset)
    {
        return buffer.getShort(offset + METHOD_ID_OFFSET, LITTLE_ENDIAN) & 0xFFFF;
    }

    /**
     * The call that the frame is about.
     *
     * @param buffer that holds the frame.
     * @param offset of the frame, in bytes.
     * @return the correlation id.
     */
    public static long correlationId(final DirectBuffer buffer, final int offset)
    {
        return buffer.getLong(offset + CORRELATION_ID_OFFSET, LITTLE_ENDIAN);
    }

    /**
     * The time that remained when a request was sent.
     *
     * @param buffer that holds the frame.
     * @param offset of the frame, in bytes.
     * @return nanoseconds, or {@link #NO_TIMEOUT}.
     */
    public static long timeoutNs(final DirectBuffer buffer, final int offset)
    {
        return buffer.getLong(offset + TIMEOUT_OFFSET, LITTLE_ENDIAN);
    }

    /**
     * The status that a call ended with.
     *
     * @param buffer that holds the frame.
     * @param offset of the frame, in bytes.
     * @return the code, 0 to 65535.
     */
    public static int status(final DirectBuffer buffer, final int offset)
    {
        return buffer.getShort(offset + STATUS_OFFSET, LITTLE_ENDIAN) & 0xFFFF;
    }

    /**
     * How long the metadata is.
     *
     * @param buffer that holds the frame.
     * @param offset of the frame, in bytes.
     * @return length in bytes without padding, 0 to {@link #MAX_METADATA_LENGTH}.
     */
    public static int metadataLength(final DirectBuffer buffer, final int offset)
    {
        return buffer.getShort(offset + METADATA_LENGTH_OFFSET, LITTLE_ENDIAN) & 0xFFFF;
    }

    /**
     * How long the payload is.
     *
     * @param buffer that holds the frame.
     * @param offset of the frame, in bytes.
     * @return length in bytes; negative only if the frame is not well formed.
     */
    public static int payloadLength(final DirectBuffer buffer, final int offset)
    {
        return buffer.getInt(offset + PAYLOAD_LENGTH_OFFSET, LITTLE_ENDIAN);
    }

    /**
     * Where the payload begins.
     *
     * @param buffer that holds the frame.
     * @param offset of the frame, in bytes.
     * @return offset in the buffer, in bytes.
     */
    public static int payloadOffset(final DirectBuffer buffer, final int offset)
    {
        return offset + LENGTH + BitUtil.align(metadataLength(buffer, offset), ALIGNMENT);
    }

    /**
     * Finds the frame after one in the same message. Only an item of a stream is followed by another frame; zeros
     * behind it are room that its sender had claimed and not used.
     *
     * @param buffer with the message.
     * @param offset of the frame, which need not be well-formed.
     * @param end    of the message.
     * @return where the next frame begins, 8-byte aligned, or the end where there is none.
     */
    public static int nextFrame(final DirectBuffer buffer, final int offset, final int end)
    {
        if (end - offset <= LENGTH || frameType(buffer, offset) != FrameType.STREAM)
        {
            return end;
        }
        final long length = payloadOffset(buffer, offset) - offset + (long)payloadLength(buffer, offset);
        final long next = offset + BitUtil.align(length, ALIGNMENT);
        return next <= offset || next >= end || version(buffer, (int)next) == 0 ? end : (int)next;
    }
}
