/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import io.verbena.rpc.protocol.CodedPayload;
import io.verbena.rpc.protocol.FrameFlags;
import java.util.ArrayDeque;
import org.agrona.DirectBuffer;
import org.agrona.collections.Long2ObjectHashMap;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Joins the messages of one connection that come in several frames. Bounded: one message by the message limit, all
 * together by the assembly limit.
 */
final class Assemblies
{
    /** More frames are to come. */
    static final int INCOMPLETE = 0;

    /** The message is whole: {@link #buffer()}, {@link #length()}, then {@link #drop(long)}. */
    static final int COMPLETE = 1;

    /** The message is longer than the limit; what there was of it is gone. */
    static final int TOO_LONG = -1;

    /** All messages being joined together are longer than the limit; what there was of this one is gone. */
    static final int NO_ROOM = -2;

    /** A further frame of a message that is not being joined: its call has ended. */
    static final int UNKNOWN = -3;

    private static final class Assembly
    {
        UnsafeBuffer buffer;
        int length;
        UnsafeBuffer metadata;
        int metadataLength;
    }

    private final BufferPool pool;
    private final int maxMessageLength;
    private final long maxTotalLength;
    private final Long2ObjectHashMap<Assembly> byCorrelationId = new Long2ObjectHashMap<>();
    private final ArrayDeque<Assembly> free = new ArrayDeque<>();
    private long totalLength;
    private Assembly complete;
    private UnsafeBuffer takenMetadata;

    Assemblies(final BufferPool pool, final int maxMessageLength, final long maxTotalLength)
    {
        this.pool = pool;
        this.maxMessageLength = maxMessageLength;
        this.maxTotalLength = maxTotalLength;
    }

    boolean isEmpty()
    {
        return byCorrelationId.isEmpty();
    }

    /**
     * Takes the payload of one frame.
     *
     * @return one of the constants above.
     */
    int add(final long correlationId, final int flags, final DirectBuffer buffer, final int offset, final int length)
    {
        Assembly assembly = byCorrelationId.get(correlationId);
        if ((flags & FrameFlags.FIRST) != 0)
        {
            drop(correlationId);
            final Assembly pooled = free.poll();
            assembly = pooled != null ? pooled : new Assembly();
            byCorrelationId.put(correlationId, assembly);
            // even for a message without any bytes there is a buffer
            assembly.buffer = pool.acquire(Math.min(length, maxMessageLength));
        }
        else if (assembly == null)
        {
            return UNKNOWN;
        }
        if (length > CodedPayload.maxLength(maxMessageLength, flags) - assembly.length)
        {
            drop(correlationId);
            return TOO_LONG;
        }
        if (totalLength + length > maxTotalLength)
        {
            drop(correlationId);
            return NO_ROOM;
        }
        append(assembly, buffer, offset, length);
        if ((flags & FrameFlags.LAST) == 0)
        {
            return INCOMPLETE;
        }
        complete = assembly;
        return COMPLETE;
    }

    /**
     * The whole message, from index 0, after {@link #COMPLETE} and until it is dropped.
     */
    DirectBuffer buffer()
    {
        return complete.buffer;
    }

    /**
     * Its length in bytes.
     */
    int length()
    {
        return complete.length;
    }

    /**
     * Keeps the metadata of a message whose first frame was just added; does nothing if it is not being joined.
     */
    void addMetadata(final long correlationId, final DirectBuffer buffer, final int offset, final int length)
    {
        final Assembly assembly = byCorrelationId.get(correlationId);
        if (assembly != null)
        {
            assembly.metadata = pool.acquire(length);
            assembly.metadata.putBytes(0, buffer, offset, length);
            assembly.metadataLength = length;
        }
    }

    /**
     * The metadata of the whole message, from index 0; null if it has none.
     */
    DirectBuffer metadata()
    {
        return complete.metadata;
    }

    /**
     * Its length in bytes.
     */
    int metadataLength()
    {
        return complete.metadataLength;
    }

    /**
     * Whether a message of a call is being joined.
     */
    boolean isJoining(final long correlationId)
    {
        return !byCorrelationId.isEmpty() && byCorrelationId.containsKey(correlationId);
    }

    /**
     * Takes the whole message out, after {@link #COMPLETE}: its buffer is the caller's until it is given back to
     * {@link #release(UnsafeBuffer)}, whatever becomes of its call meanwhile.
     */
    UnsafeBuffer take(final long correlationId)
    {
        final Assembly assembly = byCorrelationId.remove(correlationId);
        final UnsafeBuffer taken = assembly.buffer;
        totalLength -= assembly.length;
        takenMetadata = assembly.metadata;
        assembly.metadata = null;
        recycle(assembly);
        return taken;
    }

    /**
     * Gives back what was taken.
     */
    void release(final UnsafeBuffer taken)
    {
        pool.release(taken);
        if (takenMetadata != null)
        {
            pool.release(takenMetadata);
            takenMetadata = null;
        }
    }

    /**
     * Forgets a message, whole or not.
     */
    void drop(final long correlationId)
    {
        if (!byCorrelationId.isEmpty())
        {
            final Assembly assembly = byCorrelationId.remove(correlationId);
            if (assembly != null)
            {
                release(assembly);
            }
        }
    }

    void clear()
    {
        byCorrelationId.forEachLong((correlationId, assembly) -> release(assembly));
        byCorrelationId.clear();
    }

    private void append(final Assembly assembly, final DirectBuffer buffer, final int offset, final int length)
    {
        final int needed = assembly.length + length;
        if (assembly.buffer.capacity() < needed)
        {
            final UnsafeBuffer larger = pool.acquire(needed);
            larger.putBytes(0, assembly.buffer, 0, assembly.length);
            pool.release(assembly.buffer);
            assembly.buffer = larger;
        }
        assembly.buffer.putBytes(assembly.length, buffer, offset, length);
        assembly.length = needed;
        totalLength += length;
    }

    private void release(final Assembly assembly)
    {
        totalLength -= assembly.length;
        pool.release(assembly.buffer);
        recycle(assembly);
    }

    private void recycle(final Assembly assembly)
    {
        assembly.buffer = null;
        assembly.length = 0;
        if (assembly.metadata != null)
        {
            pool.release(assembly.metadata);
            assembly.metadata = null;
        }
        assembly.metadataLength = 0;
        complete = null;
        free.push(assembly);
    }
}
