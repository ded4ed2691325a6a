/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import io.verbena.rpc.protocol.FrameType;
import io.verbena.rpc.transport.Connection;
import java.util.ArrayDeque;
import java.util.ArrayList;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The messages of one connection that wait for the transport. Frames of several long messages are interleaved, the one
 * with the least left first, so that a short one never waits for the whole of a long one.
 * <p>
 * Bounded in bytes; who adds checks {@link #hasRoomFor(int)} first.
 */
final class Outbox
{
    /**
     * How many frames one drain sends at most, so that a duty cycle stays short.
     */
    private static final int FRAMES_PER_DRAIN = 16;

    private final BufferPool pool;
    private final long maxQueuedBytes;
    private final ArrayList<OutboundMessage> queue = new ArrayList<>();
    private final ArrayDeque<OutboundMessage> free = new ArrayDeque<>();
    private long queuedBytes;

    Outbox(final BufferPool pool, final long maxQueuedBytes)
    {
        this.pool = pool;
        this.maxQueuedBytes = maxQueuedBytes;
    }

    boolean isEmpty()
    {
        return queue.isEmpty();
    }

    long queuedBytes()
    {
        return queuedBytes;
    }

    boolean hasRoomFor(final int payloadLength)
    {
        return queuedBytes + payloadLength <= maxQueuedBytes;
    }

    /**
     * Queues a message over a pooled buffer, which the outbox owns from here on.
     */
    void add(
        final UnsafeBuffer buffer,
        final int frameType,
        final int flags,
        final int serviceId,
        final int methodId,
        final long correlationId,
        final long deadlineNs,
        final int status,
        final int payloadLength)
    {
        final OutboundMessage pooled = free.poll();
        final OutboundMessage message = pooled != null ? pooled : new OutboundMessage();
        message.set(
            buffer, frameType, flags, serviceId, methodId, correlationId, deadlineNs, status, payloadLength);
        queue.add(message);
        queuedBytes += payloadLength;
    }

    /**
     * Sends what the transport takes.
     *
     * @return the number of frames sent or messages dropped.
     */
    int drain(final Connection connection, final long nowNs)
    {
        int work = 0;
        while (work < FRAMES_PER_DRAIN && !queue.isEmpty())
        {
            final int index = shortestRemaining();
            final OutboundMessage message = queue.get(index);
            if (message.isExpired(nowNs))
            {
                // its caller has been told by the call table; sending it would make the server work for nobody
                remove(index);
            }
            else if (message.sendFrame(connection, nowNs) < 0)
            {
                break;
            }
            else if (message.isDone())
            {
                remove(index);
            }
            work++;
        }
        return work;
    }

    /**
     * Drops what is left of a call's request.
     *
     * @return true if a part of it had been sent already, so that the peer needs to be told.
     */
    boolean drop(final long correlationId)
    {
        for (int i = 0, size = queue.size(); i < size; i++)
        {
            final OutboundMessage message = queue.get(i);
            if (message.correlationId() == correlationId && message.frameType() == FrameType.REQUEST)
            {
                final boolean started = message.isStarted();
                remove(i);
                return started;
            }
        }
        return false;
    }

    void clear()
    {
        while (!queue.isEmpty())
        {
            remove(queue.size() - 1);
        }
    }

    private int shortestRemaining()
    {
        int shortest = 0;
        for (int i = 1, size = queue.size(); i < size; i++)
        {
            if (queue.get(i).remaining() < queue.get(shortest).remaining())
            {
                shortest = i;
            }
        }
        return shortest;
    }

    private void remove(final int index)
    {
        final OutboundMessage message = queue.remove(index);
        queuedBytes -= message.payloadLength();
        pool.release(message.takeBuffer());
        free.push(message);
    }
}
