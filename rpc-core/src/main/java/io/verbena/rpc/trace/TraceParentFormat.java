/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc.trace;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * The text of a {@code traceparent}, in ASCII:
 * <pre>
 *   0  2 3                              35 36            52 53 55
 *  +----+----------------------------------+----------------+----+
 *  |ver |-        trace id               - |   parent id  - |flag|     lower-case hexadecimal digits
 *  +----+----------------------------------+----------------+----+
 * </pre>
 * A version after 00 may have more behind that, after a dash.
 */
final class TraceParentFormat
{
    static final int LENGTH = 55;
    static final int TRACE_ID_OFFSET = 3;
    static final int PARENT_ID_OFFSET = 36;
    static final int FLAGS_OFFSET = 53;

    private static final int VERSION = 0;
    private static final int INVALID_VERSION = 0xFF;
    private static final byte[] DIGITS =
        {'0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'};

    private TraceParentFormat()
    {
    }

    /**
     * Whether the text has the form of a known version, or one that a later version may have.
     */
    static boolean isWellFormed(final DirectBuffer buffer, final int offset, final int length)
    {
        if (length < LENGTH ||
            buffer.getByte(offset + TRACE_ID_OFFSET - 1) != '-' ||
            buffer.getByte(offset + PARENT_ID_OFFSET - 1) != '-' ||
            buffer.getByte(offset + FLAGS_OFFSET - 1) != '-' ||
            !isHex(buffer, offset, 2) ||
            !isHex(buffer, offset + TRACE_ID_OFFSET, 32) ||
            !isHex(buffer, offset + PARENT_ID_OFFSET, 16) ||
            !isHex(buffer, offset + FLAGS_OFFSET, 2))
        {
            return false;
        }
        final long version = hex(buffer, offset, 2);
        return version != INVALID_VERSION &&
            (length == LENGTH || version != VERSION && buffer.getByte(offset + LENGTH) == '-');
    }

    /**
     * The number that hexadecimal digits, checked before, say.
     */
    static long hex(final DirectBuffer buffer, final int offset, final int digits)
    {
        long value = 0;
        for (int i = 0; i < digits; i++)
        {
            value = value << 4 | digit(buffer.getByte(offset + i));
        }
        return value;
    }

    static void putHex(final MutableDirectBuffer buffer, final int offset, final int digits, final long value)
    {
        for (int i = digits - 1, shift = 0; i >= 0; i--, shift += 4)
        {
            buffer.putByte(offset + i, DIGITS[(int)(value >>> shift) & 0xF]);
        }
    }

    private static boolean isHex(final DirectBuffer buffer, final int offset, final int digits)
    {
        for (int i = 0; i < digits; i++)
        {
            if (digit(buffer.getByte(offset + i)) < 0)
            {
                return false;
            }
        }
        return true;
    }

    private static int digit(final byte character)
    {
        if (character >= '0' && character <= '9')
        {
            return character - '0';
        }
        return character >= 'a' && character <= 'f' ? character - 'a' + 10 : -1;
    }
}
