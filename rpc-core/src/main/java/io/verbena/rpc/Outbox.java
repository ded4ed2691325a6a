/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import io.verbena.rpc.protocol.FrameHeader;
import io.verbena.rpc.transport.Connection;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import org.agrona.BitUtil;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The messages of one connection that wait for the transport. Those of one frame go first, in their order; of the long
 * ones the one with the least left goes next, frame by frame, so that a short one never waits for the whole of a long
 * one. Every fourth frame is a long one's, so that a steady flow of short ones does not keep them back for ever.
 * <p>
 * Bounded in bytes; who adds checks {@link #hasRoomFor(int)} first. Each message counts with an overhead besides its
 * payload, so that many short ones are bounded too.
 */
final class Outbox
{
    /** What a message counts besides its payload, in bytes: roughly what it takes in memory if it is short. */
    static final int MESSAGE_OVERHEAD = 256;

    /** Result of a drop: nothing of that call was queued. */
    static final int NOT_QUEUED = 0;

    /** Result of a drop: it was queued, and nothing of it had been sent. */
    static final int NOT_STARTED = 1;

    /** Result of a drop: a part had been sent, so that the peer needs to be told. */
    static final int STARTED = 2;

    /**
     * How many frames one drain sends at most, so that a duty cycle stays short.
     */
    private static final int FRAMES_PER_DRAIN = 16;

    private static final int LONG_TURN_MASK = 3;
    private static final int MAX_FREE = 64;

    private final Connection connection;
    private final BufferPool pool;
    private final long maxQueuedBytes;
    private final ArrayDeque<OutboundMessage> shortOnes = new ArrayDeque<>();
    private final ArrayList<OutboundMessage> longOnes = new ArrayList<>();
    private final ArrayDeque<OutboundMessage> free = new ArrayDeque<>();
    private long queuedBytes;
    private int turn;

    Outbox(final Connection connection, final BufferPool pool, final long maxQueuedBytes)
    {
        this.connection = connection;
        this.pool = pool;
        this.maxQueuedBytes = maxQueuedBytes;
    }

    boolean isEmpty()
    {
        return shortOnes.isEmpty() && longOnes.isEmpty();
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
     * Queues a message without metadata, as the other method does.
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
        add(
            buffer, frameType, flags, serviceId, methodId, correlationId, deadlineNs, status, 0, payloadLength);
    }

    /**
     * Queues a message over a pooled buffer, which the outbox owns from here on. The connection must be connected.
     *
     * @param deadlineNs of a request; of an ERROR its push-back.
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
        final int metadataLength,
        final int payloadLength)
    {
        final OutboundMessage pooled = free.poll();
        final OutboundMessage message = pooled != null ? pooled : new OutboundMessage();
        message.set(
            buffer, frameType, flags, serviceId, methodId, correlationId, deadlineNs, status, metadataLength,
            payloadLength);
        if (payloadLength + BitUtil.align(metadataLength, FrameHeader.ALIGNMENT) <=
            OutboundMessage.maxFramePayload(connection.maxMessageLength()))
        {
            shortOnes.add(message);
        }
        else
        {
            longOnes.add(message);
        }
        queuedBytes += metadataLength + payloadLength + MESSAGE_OVERHEAD;
    }

    /**
     * Sends what the transport takes.
     *
     * @return the number of frames sent or messages dropped.
     */
    int drain(final long nowNs)
    {
        int work = 0;
        while (work < FRAMES_PER_DRAIN && !isEmpty())
        {
            final boolean isLongTurn =
                shortOnes.isEmpty() || !longOnes.isEmpty() && (turn & LONG_TURN_MASK) == LONG_TURN_MASK;
            if (!(isLongTurn ? sendLong(nowNs) : sendShort(nowNs)))
            {
                break;
            }
            turn++;
            work++;
        }
        return work;
    }

    /**
     * Drops what is left of a call's request or answer.
     *
     * @return one of the constants above.
     */
    int drop(final long correlationId)
    {
        for (int i = 0, size = longOnes.size(); i < size; i++)
        {
            final OutboundMessage message = longOnes.get(i);
            if (message.isPayloadOf(correlationId))
            {
                final boolean isStarted = message.isStarted();
                longOnes.remove(i);
                release(message);
                return isStarted ? STARTED : NOT_STARTED;
            }
        }
        if (!shortOnes.isEmpty())
        {
            for (final Iterator<OutboundMessage> iterator = shortOnes.iterator(); iterator.hasNext();)
            {
                final OutboundMessage message = iterator.next();
                if (message.isPayloadOf(correlationId))
                {
                    iterator.remove();
                    release(message);
                    return NOT_STARTED;
                }
            }
        }
        return NOT_QUEUED;
    }

    void clear()
    {
        OutboundMessage message;
        while ((message = shortOnes.poll()) != null)
        {
            release(message);
        }
        while (!longOnes.isEmpty())
        {
            release(longOnes.remove(longOnes.size() - 1));
        }
    }

    private boolean sendShort(final long nowNs)
    {
        final OutboundMessage message = shortOnes.peek();
        // an expired request: its caller has been told or will be; sent, it would make the server work for nobody
        if (!message.isExpired(nowNs) && message.sendFrame(connection, nowNs) < 0)
        {
            return false;
        }
        shortOnes.poll();
        release(message);
        return true;
    }

    private boolean sendLong(final long nowNs)
    {
        int shortest = 0;
        for (int i = 1, size = longOnes.size(); i < size; i++)
        {
            if (longOnes.get(i).remaining() < longOnes.get(shortest).remaining())
            {
                shortest = i;
            }
        }
        final OutboundMessage message = longOnes.get(shortest);
        final boolean isExpired = message.isExpired(nowNs);
        if (!isExpired && message.sendFrame(connection, nowNs) < 0)
        {
            return false;
        }
        if (isExpired || message.isDone())
        {
            longOnes.remove(shortest);
            release(message);
        }
        return true;
    }

    private void release(final OutboundMessage message)
    {
        queuedBytes -= message.queuedLength() + MESSAGE_OVERHEAD;
        pool.release(message.takeBuffer());
        if (free.size() < MAX_FREE)
        {
            free.push(message);
        }
    }
}
