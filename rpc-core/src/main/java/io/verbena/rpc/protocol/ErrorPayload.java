/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc.protocol;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

/**
 * The payload of an ERROR frame; the status itself stands in the frame header. Little endian, 8-byte aligned.
 * <pre>
 *   0                   1                   2                   3
 *   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *  +-------------------------------+-------------------------------+
 *  |          Text Length          |            Reserved           |
 *  +-------------------------------+-------------------------------+
 *  |                          Detail Length                        |
 *  +---------------------------------------------------------------+
 *  |                 Text, UTF-8, padded to 8 bytes               ...
 *  +---------------------------------------------------------------+
 *  |           Detail: an SBE message header and its body         ...
 *  +---------------------------------------------------------------+
 * </pre>
 */
public final class ErrorPayload
{
    /** Length of the fixed part in bytes. */
    public static final int HEADER_LENGTH = 8;

    /** The longest text in bytes of UTF-8; longer ones are cut and the frame is flagged {@link FrameFlags#CUT}. */
    public static final int MAX_TEXT_LENGTH = 1024;

    private static final int TEXT_LENGTH_OFFSET = 0;
    private static final int DETAIL_LENGTH_OFFSET = 4;

    private ErrorPayload()
    {
    }

    /**
     * Turns a text into the bytes that go on the wire, at most {@link #MAX_TEXT_LENGTH} of them and never half a
     * character.
     *
     * @param text to encode; null counts as empty.
     * @return the bytes.
     */
    public static byte[] textBytes(final CharSequence text)
    {
        if (text == null)
        {
            return new byte[0];
        }
        // each character takes a byte at least, so what lies further behind can't fit; one more, lest it is halved
        final String most = text.subSequence(0, Math.min(text.length(), MAX_TEXT_LENGTH + 1)).toString();
        final byte[] all = most.getBytes(StandardCharsets.UTF_8);
        if (all.length <= MAX_TEXT_LENGTH)
        {
            return all;
        }
        int end = MAX_TEXT_LENGTH;
        while ((all[end] & 0xC0) == 0x80)
        {
            end--;
        }
        return Arrays.copyOf(all, end);
    }

    /**
     * Whether a text had to be cut.
     *
     * @param text  as it was given; null counts as empty.
     * @param bytes as {@link #textBytes(CharSequence)} returned them.
     * @return true if the bytes hold less than the text.
     */
    public static boolean isCut(final CharSequence text, final byte[] bytes)
    {
        return text != null && bytes.length < text.length() ||
            text != null && bytes.length > MAX_TEXT_LENGTH - 4 &&
            text.toString().getBytes(StandardCharsets.UTF_8).length > bytes.length;
    }

    /**
     * Where the detail begins, counted from the payload's start.
     *
     * @param textLength in bytes of UTF-8.
     * @return offset in bytes, a multiple of 8.
     */
    public static int detailOffset(final int textLength)
    {
        return HEADER_LENGTH + BitUtil.align(textLength, FrameHeader.ALIGNMENT);
    }

    /**
     * Writes everything but the detail itself.
     *
     * @param buffer       to write to.
     * @param offset       of the payload, in bytes.
     * @param text         from {@link #textBytes(CharSequence)}.
     * @param detailLength in bytes, from 0.
     */
    public static void encode(
        final MutableDirectBuffer buffer, final int offset, final byte[] text, final int detailLength)
    {
        buffer.putLong(offset, (text.length & 0xFFFFL) | (detailLength & 0xFFFFFFFFL) << 32, LITTLE_ENDIAN);
        buffer.putBytes(offset + HEADER_LENGTH, text);
        final int padding = detailOffset(text.length) - HEADER_LENGTH - text.length;
        buffer.setMemory(offset + HEADER_LENGTH + text.length, padding, (byte)0);
    }

    /**
     * Whether the lengths within the payload lie within it.
     *
     * @param buffer that holds the payload.
     * @param offset of the payload, in bytes.
     * @param length of the payload, in bytes.
     * @return true if so.
     */
    public static boolean isWellFormed(final DirectBuffer buffer, final int offset, final int length)
    {
        if (length < HEADER_LENGTH)
        {
            return false;
        }
        final int detailLength = detailLength(buffer, offset);
        return detailLength >= 0 && detailLength <= length - detailOffset(textLength(buffer, offset));
    }

    /**
     * The text.
     *
     * @param buffer that holds the payload.
     * @param offset of the payload, in bytes.
     * @return the text, empty if there is none.
     */
    public static String text(final DirectBuffer buffer, final int offset)
    {
        final byte[] bytes = new byte[textLength(buffer, offset)];
        buffer.getBytes(offset + HEADER_LENGTH, bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /**
     * How long the text is.
     *
     * @param buffer that holds the payload.
     * @param offset of the payload, in bytes.
     * @return length in bytes of UTF-8.
     */
    public static int textLength(final DirectBuffer buffer, final int offset)
    {
        return buffer.getShort(offset + TEXT_LENGTH_OFFSET, LITTLE_ENDIAN) & 0xFFFF;
    }

    /**
     * How long the detail is.
     *
     * @param buffer that holds the payload.
     * @param offset of the payload, in bytes.
     * @return length in bytes, 0 where there is none.
     */
    public static int detailLength(final DirectBuffer buffer, final int offset)
    {
        return buffer.getInt(offset + DETAIL_LENGTH_OFFSET, LITTLE_ENDIAN);
    }
}
