/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import java.util.ArrayDeque;
import org.agrona.BitUtil;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Buffers for messages that do not fit a claim, kept by size so that a steady flow of long messages allocates nothing.
 * Sizes are a power of two and room for a header, so that a message of the limit, itself mostly a power of two, does
 * not take twice its size. Belongs to one agent's thread.
 * <p>
 * The pool bounds what it keeps, not what is out: that is bounded by whoever queues or assembles messages.
 */
final class BufferPool
{
    private static final int HEADROOM = 64;
    private static final int MIN_SHIFT = 8;
    private static final int MAX_SHIFT = 30;

    @SuppressWarnings({ "unchecked", "rawtypes" })
    private final ArrayDeque<UnsafeBuffer>[] free = new ArrayDeque[MAX_SHIFT - MIN_SHIFT + 1];
    private final long maxRetainedBytes;
    private long retainedBytes;
    private int outstanding;

    BufferPool(final long maxRetainedBytes)
    {
        this.maxRetainedBytes = maxRetainedBytes;
        for (int i = 0; i < free.length; i++)
        {
            free[i] = new ArrayDeque<>();
        }
    }

    /**
     * Takes a buffer, whose content is whatever was last in it, of at least the capacity asked for.
     */
    UnsafeBuffer acquire(final int minCapacity)
    {
        final int capacity = BitUtil.findNextPositivePowerOfTwo(Math.max(1 << MIN_SHIFT, minCapacity - HEADROOM)) +
            HEADROOM;
        final UnsafeBuffer pooled = free[index(capacity)].poll();
        if (pooled != null)
        {
            retainedBytes -= capacity;
            outstanding++;
            return pooled;
        }
        final UnsafeBuffer fresh = new UnsafeBuffer(new byte[capacity]);
        outstanding++;
        return fresh;
    }

    /**
     * Gives a buffer back.
     */
    void release(final UnsafeBuffer buffer)
    {
        final int capacity = buffer.capacity();
        outstanding--;
        if (retainedBytes + capacity <= maxRetainedBytes)
        {
            retainedBytes += capacity;
            free[index(capacity)].push(buffer);
        }
    }

    /**
     * How many buffers are out, so that tests can prove that none leaks.
     */
    int outstanding()
    {
        return outstanding;
    }

    /**
     * How many bytes of idle buffers are kept.
     */
    long retainedBytes()
    {
        return retainedBytes;
    }

    private static int index(final int capacity)
    {
        return Integer.numberOfTrailingZeros(capacity - HEADROOM) - MIN_SHIFT;
    }
}
