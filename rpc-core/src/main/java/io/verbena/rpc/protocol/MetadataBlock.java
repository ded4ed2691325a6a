/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc.protocol;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

/**
 * The metadata of a frame: entries one after another, unaligned, in the order they were added. Little endian.
 * <pre>
 *   0                   1                   2                   3
 *   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *  +---------------+---------------+-------------------------------+
 *  |   Key Length  |     Kind      |         Value Length          |
 *  +---------------+---------------+-------------------------------+
 *  |  Key: a-z 0-9 - _ .                                          ...
 *  +---------------------------------------------------------------+
 *  |  Value: printable ASCII (kind 0), or any bytes (kind 1)      ...
 *  +---------------------------------------------------------------+
 * </pre>
 * The length of the whole block, without its padding to 8 bytes, stands in the frame header.
 */
public final class MetadataBlock
{
    /** Length of an entry's fixed part in bytes. */
    public static final int ENTRY_HEADER_LENGTH = 4;

    /** Kind of an entry whose value is printable ASCII text. */
    public static final int TEXT = 0;

    /** Kind of an entry whose value is any bytes. */
    public static final int BINARY = 1;

    /** The longest key in bytes. */
    public static final int MAX_KEY_LENGTH = 255;

    /** The longest block in bytes that fits the frame header's length field, padded. */
    public static final int MAX_LENGTH = 65_528;

    private MetadataBlock()
    {
    }

    /**
     * Writes the fixed part of an entry.
     *
     * @param buffer      to write to.
     * @param offset      of the entry, in bytes.
     * @param keyLength   in bytes, 1 to {@link #MAX_KEY_LENGTH}.
     * @param kind        {@link #TEXT} or {@link #BINARY}.
     * @param valueLength in bytes, 0 to 65535.
     */
    public static void encodeHeader(
        final MutableDirectBuffer buffer,
        final int offset,
        final int keyLength,
        final int kind,
        final int valueLength)
    {
        buffer.putInt(offset, (keyLength & 0xFF) | (kind & 0xFF) << 8 | valueLength << 16, LITTLE_ENDIAN);
    }

    /**
     * How long an entry's key is.
     *
     * @param buffer that holds the entry.
     * @param offset of the entry, in bytes.
     * @return length in bytes.
     */
    public static int keyLength(final DirectBuffer buffer, final int offset)
    {
        return buffer.getByte(offset) & 0xFF;
    }

    /**
     * What an entry's value is.
     *
     * @param buffer that holds the entry.
     * @param offset of the entry, in bytes.
     * @return {@link #TEXT} or {@link #BINARY} if well formed.
     */
    public static int kind(final DirectBuffer buffer, final int offset)
    {
        return buffer.getByte(offset + 1) & 0xFF;
    }

    /**
     * How long an entry's value is.
     *
     * @param buffer that holds the entry.
     * @param offset of the entry, in bytes.
     * @return length in bytes.
     */
    public static int valueLength(final DirectBuffer buffer, final int offset)
    {
        return buffer.getShort(offset + 2, LITTLE_ENDIAN) & 0xFFFF;
    }

    /**
     * Whether a byte or character may stand in a key.
     *
     * @param character the character.
     * @return true for lower-case ASCII letters, digits, '-', '_' and '.'.
     */
    public static boolean isKeyCharacter(final int character)
    {
        return character >= 'a' && character <= 'z' || character >= '0' && character <= '9' ||
            character == '-' || character == '_' || character == '.';
    }

    /**
     * Whether a byte or character may stand in a text value.
     *
     * @param character the character.
     * @return true for printable ASCII, the space included.
     */
    public static boolean isTextCharacter(final int character)
    {
        return character >= 0x20 && character <= 0x7E;
    }

    /**
     * Whether entries fill a block exactly, and hold what they may.
     *
     * @param buffer that holds the block.
     * @param offset of the block, in bytes.
     * @param length of the block, in bytes.
     * @return true if so; an empty block is.
     */
    public static boolean isWellFormed(final DirectBuffer buffer, final int offset, final int length)
    {
        if (length > MAX_LENGTH)
        {
            return false;
        }
        final int end = offset + length;
        int entry = offset;
        while (entry < end)
        {
            if (end - entry < ENTRY_HEADER_LENGTH || !isEntryWellFormed(buffer, entry, end))
            {
                return false;
            }
            entry += ENTRY_HEADER_LENGTH + keyLength(buffer, entry) + valueLength(buffer, entry);
        }
        return true;
    }

    private static boolean isEntryWellFormed(final DirectBuffer buffer, final int entry, final int end)
    {
        final int kind = kind(buffer, entry);
        final int keyStart = entry + ENTRY_HEADER_LENGTH;
        final int valueStart = keyStart + keyLength(buffer, entry);
        final int valueEnd = valueStart + valueLength(buffer, entry);
        if (valueStart == keyStart || kind > BINARY || valueEnd > end)
        {
            return false;
        }
        for (int i = keyStart; i < valueStart; i++)
        {
            if (!isKeyCharacter(buffer.getByte(i)))
            {
                return false;
            }
        }
        for (int i = valueStart; kind == TEXT && i < valueEnd; i++)
        {
            if (!isTextCharacter(buffer.getByte(i)))
            {
                return false;
            }
        }
        return true;
    }
}
