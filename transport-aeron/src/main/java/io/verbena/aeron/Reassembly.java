/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.aeron;

import java.nio.ByteBuffer;

import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.logbuffer.Header;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Joins the fragments of one message at a time. The publisher of a stream appends all fragments of a message in one go,
 * whoever else shares the stream, so those of two connections never alternate; a peer that sends such is refused, and
 * so is one that never comes to an end.
 */
final class Reassembly
{
    private static final int FIRST_CAPACITY = 4 * 1024;

    private final int maxLength;
    private UnsafeBuffer buffer;
    private int length;
    private long tag;
    private int nextTermOffset;
    private boolean isOpen;
    private boolean isComplete;

    Reassembly(final int maxLength)
    {
        this.maxLength = maxLength;
        buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(Math.min(FIRST_CAPACITY, maxLength)));
    }

    /**
     * Takes the next fragment.
     *
     * @param source that holds it.
     * @param offset of it.
     * @param count  its length in bytes.
     * @param header of its frame.
     * @return false if no peer of ours would send it here.
     */
    boolean append(final DirectBuffer source, final int offset, final int count, final Header header)
    {
        final byte flags = header.flags();
        isComplete = false;
        if ((flags & FrameDescriptor.BEGIN_FRAG_FLAG) != 0)
        {
            length = 0;
            tag = header.reservedValue();
            isOpen = true;
        }
        else if (!isOpen || tag != header.reservedValue() || nextTermOffset != header.termOffset())
        {
            return false;
        }
        if (count > maxLength - length)
        {
            return false;
        }
        ensureCapacity(length + count);
        buffer.putBytes(length, source, offset, count);
        length += count;
        nextTermOffset = header.nextTermOffset();
        isComplete = (flags & FrameDescriptor.END_FRAG_FLAG) != 0;
        isOpen = !isComplete;
        return true;
    }

    /** Whether the fragment before was a message's last. */
    boolean isComplete()
    {
        return isComplete;
    }

    DirectBuffer buffer()
    {
        return buffer;
    }

    int length()
    {
        return length;
    }

    private void ensureCapacity(final int needed)
    {
        if (needed > buffer.capacity())
        {
            final int capacity = Math.min(maxLength, Math.max(needed, 2 * buffer.capacity()));
            final UnsafeBuffer longer = new UnsafeBuffer(ByteBuffer.allocateDirect(capacity));
            longer.putBytes(0, buffer, 0, length);
            buffer = longer;
        }
    }
}
