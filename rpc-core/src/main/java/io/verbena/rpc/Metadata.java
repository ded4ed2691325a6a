/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import io.verbena.rpc.protocol.FrameHeader;
import io.verbena.rpc.protocol.MetadataBlock;
import java.util.Arrays;
import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Entries that travel with a call beside its messages: a key and a value, which is printable ASCII text or any bytes.
 * Keys are 1 to 255 lower-case ASCII letters, digits, '-', '_' and '.'; one may occur several times, and order is kept.
 * <p>
 * Entries are told by a cursor, so that neither iteration nor look-up allocates:
 * <pre>
 *     for (int entry = metadata.first(); entry &gt;= 0; entry = metadata.next(entry))
 * </pre>
 * A cursor is valid until the metadata changes. Adding allocates only while the instance grows to what it has held
 * before; it is meant to be kept, cleared and filled again.
 * <p>
 * Metadata that was received lies in the frame it came in: it can't be changed, and is valid until the callback that
 * it is given to returns; {@link #copy()} outlives that.
 * <p>
 * <b>Threading:</b> none of its own; one thread at a time.
 */
public final class Metadata extends MetadataEntries
{
    /** The longest metadata that any limit allows, in bytes. */
    public static final int MAX_LENGTH = MetadataBlock.MAX_LENGTH;

    private static final int MIN_CAPACITY = 256;
    private static final int MAX_VALUE_LENGTH = 0xFFFF;
    private static final byte[] NOTHING = new byte[0];

    private final int maxLength;
    private byte[] bytes = NOTHING;
    private boolean isReceived;

    /**
     * Empty, of at most {@link #MAX_LENGTH} bytes.
     */
    public Metadata()
    {
        this(MAX_LENGTH);
    }

    /**
     * Empty.
     *
     * @param maxLength of all entries together as they are encoded, in bytes, 0 to {@link #MAX_LENGTH}.
     * @throws IllegalArgumentException if that is out of its range.
     */
    public Metadata(final int maxLength)
    {
        if (maxLength < 0 || maxLength > MAX_LENGTH)
        {
            throw new IllegalArgumentException(
                "maxLength of metadata: expected 0 to " + MAX_LENGTH + " bytes, found " + maxLength);
        }
        this.maxLength = maxLength;
    }

    /**
     * Adds an entry whose value is text, behind those that are there.
     *
     * @param key  of the entry.
     * @param text of printable ASCII, the space included; may be empty.
     * @return this.
     * @throws IllegalArgumentException if the key or text is not of the characters that it may be of, or the key is
     *                                  empty or too long; nothing is added.
     * @throws RpcException             {@link StatusCode#RESOURCE_EXHAUSTED} if the limit is exceeded; nothing is
     *                                  added.
     * @throws IllegalStateException    if this metadata was received.
     */
    public Metadata add(final CharSequence key, final CharSequence text)
    {
        final int valueLength = text.length();
        for (int i = 0; i < valueLength; i++)
        {
            if (!MetadataBlock.isTextCharacter(text.charAt(i)))
            {
                throw new IllegalArgumentException(
                    "text of metadata " + key + ": expected printable ASCII, found U+" +
                    Integer.toHexString(0x10000 | text.charAt(i)).substring(1) + " at index " + i);
            }
        }
        final int valueStart = addEntry(key, MetadataBlock.TEXT, valueLength);
        for (int i = 0; i < valueLength; i++)
        {
            bytes[valueStart + i] = (byte)text.charAt(i);
        }
        return this;
    }

    /**
     * Adds an entry whose value is bytes, behind those that are there.
     *
     * @param key         of the entry.
     * @param value       that holds the bytes; copied.
     * @param offset      of the bytes.
     * @param valueLength how many, from 0.
     * @return this.
     * @throws IllegalArgumentException  as of {@link #add}.
     * @throws IndexOutOfBoundsException if the bytes lie outside the buffer, or the length is negative.
     * @throws RpcException              as of {@link #add}.
     * @throws IllegalStateException     if this metadata was received.
     */
    public Metadata addBinary(
        final CharSequence key, final DirectBuffer value, final int offset, final int valueLength)
    {
        value.boundsCheck(offset, valueLength);
        final int valueStart = addEntry(key, MetadataBlock.BINARY, valueLength);
        value.getBytes(offset, bytes, valueStart, valueLength);
        return this;
    }

    /**
     * Adds an entry whose value is bytes, behind those that are there.
     *
     * @param key   of the entry.
     * @param value copied.
     * @return this.
     * @throws IllegalArgumentException as of {@link #add}.
     * @throws RpcException             as of {@link #add}.
     * @throws IllegalStateException    if this metadata was received.
     */
    public Metadata addBinary(final CharSequence key, final byte[] value)
    {
        final int valueStart = addEntry(key, MetadataBlock.BINARY, value.length);
        System.arraycopy(value, 0, bytes, valueStart, value.length);
        return this;
    }

    /**
     * Adds all entries of another metadata, behind those that are there.
     *
     * @param other to copy from.
     * @return this.
     * @throws RpcException          as of {@link #add}.
     * @throws IllegalStateException if this metadata was received.
     */
    public Metadata addAll(final Metadata other)
    {
        final int added = other.length;
        reserve(added);
        other.buffer.getBytes(0, bytes, length, added);
        length += added;
        size += other.size;
        return this;
    }

    /**
     * Makes an entry of text the only one of its key, behind the others. Throws as {@link #add} does; the entries of
     * that key are gone then.
     *
     * @param key  of the entry.
     * @param text of printable ASCII; may be empty.
     * @return this.
     */
    public Metadata set(final CharSequence key, final CharSequence text)
    {
        remove(key);
        return add(key, text);
    }

    /**
     * Removes all entries of a key.
     *
     * @param key of the entries.
     * @return how many there were.
     * @throws IllegalStateException if this metadata was received.
     */
    public int remove(final CharSequence key)
    {
        requireOwn();
        int removed = 0;
        int entry;
        while ((entry = find(key)) >= 0)
        {
            final int end = end(entry);
            System.arraycopy(bytes, end, bytes, entry, length - end);
            length -= end - entry;
            size--;
            removed++;
        }
        return removed;
    }

    /**
     * Removes all entries.
     *
     * @return this.
     * @throws IllegalStateException if this metadata was received.
     */
    public Metadata clear()
    {
        requireOwn();
        length = 0;
        size = 0;
        return this;
    }

    /**
     * How long the entries may be together.
     *
     * @return length in bytes.
     */
    public int maxLength()
    {
        return maxLength;
    }

    /**
     * A copy that can be changed and stays valid. Allocates.
     *
     * @return the copy, with the same limit.
     */
    public Metadata copy()
    {
        return new Metadata(isReceived ? MAX_LENGTH : maxLength).addAll(this);
    }

    /**
     * Makes this instance, used for nothing else, show what lies in a frame.
     *
     * @param frame  that holds the block, checked to be well formed.
     * @param offset of the block.
     * @param frameLength of the block.
     */
    void wrap(final DirectBuffer frame, final int offset, final int frameLength)
    {
        isReceived = true;
        buffer.wrap(frame, offset, frameLength);
        length = frameLength;
        size = 0;
        for (int entry = first(); entry >= 0; entry = next(entry))
        {
            size++;
        }
    }

    /**
     * Makes this instance, used for nothing else, show nothing: an empty metadata that was received.
     */
    void wrapNothing()
    {
        isReceived = true;
        length = 0;
        size = 0;
    }

    /**
     * How much room these entries take in a frame.
     */
    int paddedLength()
    {
        return BitUtil.align(length, FrameHeader.ALIGNMENT);
    }

    /**
     * Writes the block and its padding.
     */
    void encode(final MutableDirectBuffer frame, final int offset)
    {
        frame.putBytes(offset, buffer, 0, length);
        frame.setMemory(offset + length, paddedLength() - length, (byte)0);
    }

    private int addEntry(final CharSequence key, final int kind, final int valueLength)
    {
        final int keyLength = key.length();
        if (keyLength == 0 || keyLength > MetadataBlock.MAX_KEY_LENGTH)
        {
            throw new IllegalArgumentException(
                "key of metadata: expected 1 to " + MetadataBlock.MAX_KEY_LENGTH + " characters, found " + keyLength);
        }
        for (int i = 0; i < keyLength; i++)
        {
            if (!MetadataBlock.isKeyCharacter(key.charAt(i)))
            {
                throw new IllegalArgumentException(
                    "key of metadata: expected lower-case ASCII letters, digits, '-', '_' and '.', found " + key);
            }
        }
        if (valueLength > MAX_VALUE_LENGTH)
        {
            throw tooLong((long)length + MetadataBlock.ENTRY_HEADER_LENGTH + keyLength + valueLength, maxLength);
        }
        reserve(MetadataBlock.ENTRY_HEADER_LENGTH + keyLength + valueLength);
        MetadataBlock.encodeHeader(buffer, length, keyLength, kind, valueLength);
        final int keyStart = length + MetadataBlock.ENTRY_HEADER_LENGTH;
        for (int i = 0; i < keyLength; i++)
        {
            bytes[keyStart + i] = (byte)key.charAt(i);
        }
        length = keyStart + keyLength + valueLength;
        size++;
        return keyStart + keyLength;
    }

    private void reserve(final int added)
    {
        requireOwn();
        final int needed = length + added;
        if (needed > maxLength)
        {
            throw tooLong(needed, maxLength);
        }
        if (needed > bytes.length)
        {
            bytes = Arrays.copyOf(bytes, BitUtil.findNextPositivePowerOfTwo(Math.max(MIN_CAPACITY, needed)));
            buffer.wrap(bytes);
        }
    }

    private void requireOwn()
    {
        if (isReceived)
        {
            throw new IllegalStateException("metadata that was received can't be changed: copy it");
        }
    }

    static RpcException tooLong(final long length, final int limit)
    {
        return new RpcException(StatusCode.RESOURCE_EXHAUSTED, tooLongText(length, limit));
    }

    static String tooLongText(final long length, final int limit)
    {
        return "the metadata of " + length + " bytes exceeds the limit of " + limit + " bytes (" +
            RpcConfiguration.MAX_METADATA_LENGTH_PROP_NAME + ")";
    }
}
