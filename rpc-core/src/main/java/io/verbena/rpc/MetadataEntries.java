/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import io.verbena.rpc.protocol.MetadataBlock;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The part of {@link Metadata}, its only subclass, that finds and reads entries.
 */
abstract class MetadataEntries
{
    final UnsafeBuffer buffer = new UnsafeBuffer(new byte[0]);
    int length;
    int size;

    /**
     * Whether there are no entries.
     *
     * @return true if so.
     */
    public boolean isEmpty()
    {
        return length == 0;
    }

    /**
     * How many entries there are.
     *
     * @return a count, from 0.
     */
    public int size()
    {
        return size;
    }

    /**
     * How long the entries are together, as they are encoded: 4 bytes, key and value for each.
     *
     * @return length in bytes, from 0.
     */
    public int length()
    {
        return length;
    }

    /**
     * The first entry.
     *
     * @return its cursor, or -1 if there is none.
     */
    public int first()
    {
        return length == 0 ? -1 : 0;
    }

    /**
     * The entry behind another.
     *
     * @param entry cursor of an entry.
     * @return its cursor, or -1 if there is none.
     */
    public int next(final int entry)
    {
        final int end = end(entry);
        return end < length ? end : -1;
    }

    /**
     * The first entry of a key.
     *
     * @param key to look for.
     * @return its cursor, or -1 if there is none.
     */
    public int find(final CharSequence key)
    {
        return findFrom(0, key);
    }

    /**
     * The first entry of a key behind another entry.
     *
     * @param entry cursor of an entry.
     * @param key   to look for.
     * @return its cursor, or -1 if there is none.
     */
    public int findNext(final int entry, final CharSequence key)
    {
        return findFrom(end(entry), key);
    }

    /**
     * The text of the first entry of a key. Allocates the string.
     *
     * @param key to look for.
     * @return its text; null if there is no such entry, or its value is binary.
     */
    public String get(final CharSequence key)
    {
        final int entry = find(key);
        return entry < 0 || isBinary(entry) ? null : text(entry);
    }

    /**
     * An entry's key. Allocates the string; {@link #isKey} does not.
     *
     * @param entry cursor of the entry.
     * @return the key.
     */
    public String key(final int entry)
    {
        return buffer.getStringWithoutLengthAscii(
            entry + MetadataBlock.ENTRY_HEADER_LENGTH, MetadataBlock.keyLength(buffer, entry));
    }

    /**
     * Whether an entry has a key.
     *
     * @param entry cursor of the entry.
     * @param key   to compare with.
     * @return true if it has.
     */
    public boolean isKey(final int entry, final CharSequence key)
    {
        final int keyLength = MetadataBlock.keyLength(buffer, entry);
        if (keyLength != key.length())
        {
            return false;
        }
        final int start = entry + MetadataBlock.ENTRY_HEADER_LENGTH;
        for (int i = 0; i < keyLength; i++)
        {
            if (buffer.getByte(start + i) != key.charAt(i))
            {
                return false;
            }
        }
        return true;
    }

    /**
     * Whether an entry's value is bytes rather than text.
     *
     * @param entry cursor of the entry.
     * @return true for bytes.
     */
    public boolean isBinary(final int entry)
    {
        return MetadataBlock.kind(buffer, entry) == MetadataBlock.BINARY;
    }

    /**
     * An entry's value as text. Allocates the string.
     *
     * @param entry cursor of the entry.
     * @return the text; of a binary value, its bytes as ASCII.
     */
    public String text(final int entry)
    {
        return buffer.getStringWithoutLengthAscii(valueOffset(entry), valueLength(entry));
    }

    /**
     * An entry's value as bytes. Allocates the copy.
     *
     * @param entry cursor of the entry.
     * @return a copy.
     */
    public byte[] bytes(final int entry)
    {
        final byte[] copy = new byte[valueLength(entry)];
        buffer.getBytes(valueOffset(entry), copy);
        return copy;
    }

    /**
     * The buffer that the entries lie in; meaningful until they change.
     *
     * @return the buffer.
     */
    public DirectBuffer buffer()
    {
        return buffer;
    }

    /**
     * Where an entry's value begins.
     *
     * @param entry cursor of the entry.
     * @return offset in {@link #buffer()}; not aligned.
     */
    public int valueOffset(final int entry)
    {
        return entry + MetadataBlock.ENTRY_HEADER_LENGTH + MetadataBlock.keyLength(buffer, entry);
    }

    /**
     * How long an entry's value is.
     *
     * @param entry cursor of the entry.
     * @return length in bytes, from 0.
     */
    public int valueLength(final int entry)
    {
        return MetadataBlock.valueLength(buffer, entry);
    }

    /**
     * The entries, for people: keys with their texts, or lengths where they are binary.
     *
     * @return such as {@code [user=ann, trace=(16 bytes)]}.
     */
    @Override
    public String toString()
    {
        final StringBuilder text = new StringBuilder("[");
        for (int entry = first(); entry >= 0; entry = next(entry))
        {
            text.append(entry == 0 ? "" : ", ").append(key(entry)).append('=');
            text.append(isBinary(entry) ? "(" + valueLength(entry) + " bytes)" : text(entry));
        }
        return text.append(']').toString();
    }

    private int findFrom(final int start, final CharSequence key)
    {
        for (int entry = start; entry < length; entry = end(entry))
        {
            if (isKey(entry, key))
            {
                return entry;
            }
        }
        return -1;
    }

    final int end(final int entry)
    {
        return entry + MetadataBlock.ENTRY_HEADER_LENGTH + MetadataBlock.keyLength(buffer, entry) +
            MetadataBlock.valueLength(buffer, entry);
    }
}
