/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc.trace;

import org.agrona.DirectBuffer;

/**
 * A {@code tracestate}: what vendors of tracing add, a list of {@code key=value} between commas. Kept as text, passed
 * on unchanged where it is well formed and not too long. Reads in two steps, so that the list may come in several
 * headers: each is checked, then all are kept.
 */
final class TraceState
{
    /** The most bytes that are kept; the recommendation asks for as many at least. */
    static final int MAX_LENGTH = 512;

    /** The most entries; with more, the whole is malformed. */
    static final int MAX_ENTRIES = 32;

    /** The longest entries that are not the first to go where the whole is too long. */
    static final int LONG_ENTRY_LENGTH = 128;

    private static final int MAX_KEY_LENGTH = 256;
    private static final int MAX_TENANT_LENGTH = 241;
    private static final int MAX_SYSTEM_LENGTH = 14;
    private static final int MAX_VALUE_LENGTH = 256;

    private final byte[] bytes = new byte[MAX_LENGTH];
    private int length;

    int length()
    {
        return length;
    }

    byte[] bytes()
    {
        return bytes;
    }

    void clear()
    {
        length = 0;
    }

    void set(final TraceState other)
    {
        System.arraycopy(other.bytes, 0, bytes, 0, other.length);
        length = other.length;
    }

    /**
     * Counts the entries of one header.
     *
     * @return how many, empty ones not counted; negative if it is malformed.
     */
    static int entries(final DirectBuffer buffer, final int offset, final int headerLength)
    {
        final int end = offset + headerLength;
        int count = 0;
        int start = offset;
        while (start < end)
        {
            final int comma = indexOf(buffer, start, end, (byte)',');
            final int first = skipSpace(buffer, start, comma);
            final int last = skipSpaceBack(buffer, first, comma);
            if (first < last)
            {
                if (!isEntry(buffer, first, last))
                {
                    return -1;
                }
                count++;
            }
            start = comma + 1;
        }
        return count;
    }

    /**
     * Adds the entries of a header, checked before, behind those that are there.
     *
     * @param isShortOnly whether entries longer than {@link #LONG_ENTRY_LENGTH} are left out.
     * @return false if one had no room: it and those behind it were left out.
     */
    boolean add(final DirectBuffer buffer, final int offset, final int headerLength, final boolean isShortOnly)
    {
        final int end = offset + headerLength;
        int start = offset;
        while (start < end)
        {
            final int comma = indexOf(buffer, start, end, (byte)',');
            final int first = skipSpace(buffer, start, comma);
            final int entryLength = skipSpaceBack(buffer, first, comma) - first;
            if (entryLength > 0 && !(isShortOnly && entryLength > LONG_ENTRY_LENGTH))
            {
                final int position = length == 0 ? 0 : length + 1;
                if (position + entryLength > MAX_LENGTH)
                {
                    return false;
                }
                if (length != 0)
                {
                    bytes[length] = ',';
                }
                buffer.getBytes(first, bytes, position, entryLength);
                length = position + entryLength;
            }
            start = comma + 1;
        }
        return true;
    }

    private static boolean isEntry(final DirectBuffer buffer, final int start, final int end)
    {
        final int equals = indexOf(buffer, start, end, (byte)'=');
        return equals < end && isKey(buffer, start, equals) && isValue(buffer, equals + 1, end);
    }

    private static boolean isKey(final DirectBuffer buffer, final int start, final int end)
    {
        final int at = indexOf(buffer, start, end, (byte)'@');
        if (at == end)
        {
            return isName(buffer, start, end, MAX_KEY_LENGTH) && isLetter(buffer.getByte(start));
        }
        return isName(buffer, start, at, MAX_TENANT_LENGTH) && isName(buffer, at + 1, end, MAX_SYSTEM_LENGTH) &&
            isLetter(buffer.getByte(at + 1));
    }

    /**
     * Begins with a letter or a digit.
     */
    private static boolean isName(final DirectBuffer buffer, final int start, final int end, final int maxLength)
    {
        if (start == end || end - start > maxLength)
        {
            return false;
        }
        for (int i = start; i < end; i++)
        {
            final byte character = buffer.getByte(i);
            final boolean isAlphanumeric = isLetter(character) || character >= '0' && character <= '9';
            final boolean isMark = character == '_' || character == '-' || character == '*' || character == '/';
            if (!isAlphanumeric && !(isMark && i > start))
            {
                return false;
            }
        }
        return true;
    }

    /**
     * Printable ASCII but comma and equals sign; space before and after has been taken off.
     */
    private static boolean isValue(final DirectBuffer buffer, final int start, final int end)
    {
        if (start == end || end - start > MAX_VALUE_LENGTH)
        {
            return false;
        }
        for (int i = start; i < end; i++)
        {
            final byte character = buffer.getByte(i);
            if (character < ' ' || character > '~' || character == '=')
            {
                return false;
            }
        }
        return true;
    }

    private static boolean isLetter(final byte character)
    {
        return character >= 'a' && character <= 'z';
    }

    private static int indexOf(final DirectBuffer buffer, final int start, final int end, final byte character)
    {
        int i = start;
        while (i < end && buffer.getByte(i) != character)
        {
            i++;
        }
        return i;
    }

    private static int skipSpace(final DirectBuffer buffer, final int start, final int end)
    {
        int i = start;
        while (i < end && isSpace(buffer.getByte(i)))
        {
            i++;
        }
        return i;
    }

    private static int skipSpaceBack(final DirectBuffer buffer, final int start, final int end)
    {
        int i = end;
        while (i > start && isSpace(buffer.getByte(i - 1)))
        {
            i--;
        }
        return i;
    }

    private static boolean isSpace(final byte character)
    {
        return character == ' ' || character == '\t';
    }
}
