/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import io.verbena.rpc.transport.Connection;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import org.agrona.collections.LongHashSet;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The messages of one connection that wait for the transport. Those of one frame go first, in their order; of the long
 * ones the one with the least left goes next, frame by frame, so that a short one never waits for the whole of a long
 * one. Every fourth frame is a long one's, so that a steady flow of short ones does not keep them back for ever.
 * <p>
 * The messages of one call keep their order: one that comes while an earlier of its call is here is linked behind that
 * and queued when that is done. Items of streams need credit of the connection, frame by frame; those without it are
 * passed over.
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

    /** Result of a drop: a part had been sent, or an earlier message of the call, so that the peer needs to be told. */
    static final int STARTED = 2;

    /**
     * How many frames one drain sends at most, so that a duty cycle stays short.
     */
    private static final int FRAMES_PER_DRAIN = 16;

    private static final int LONG_TURN_MASK = 3;

    private static final int MAX_FREE = 64;

    private final Connection connection;
    private final BufferPool pool;
    private final ConnectionFlow flow;
    private final long maxQueuedBytes;
    private final RpcCounters counters;
    /** Items that wait for credit of the connection; they were short ones before and will be again. */
    private final ArrayDeque<OutboundMessage> parked = new ArrayDeque<>();
    private final ArrayDeque<OutboundMessage> shortOnes = new ArrayDeque<>();
    private final ArrayList<OutboundMessage> longOnes = new ArrayList<>();
    private final ArrayDeque<OutboundMessage> free = new ArrayDeque<>();
    private long queuedBytes;
    private int turn;

    Outbox(
        final Connection connection,
        final BufferPool pool,
        final ConnectionFlow flow,
        final long maxQueuedBytes,
        final RpcCounters counters)
    {
        this.counters = counters;
        this.connection = connection;
        this.pool = pool;
        this.flow = flow;
        this.maxQueuedBytes = maxQueuedBytes;
    }

    boolean isEmpty()
    {
        return shortOnes.isEmpty() && longOnes.isEmpty() && parked.isEmpty();
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
        final int payloadLength,
        final StreamCall stream)
    {
        add(
            buffer, frameType, flags, serviceId, methodId, correlationId, deadlineNs, status, 0, payloadLength,
            stream);
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
        final int payloadLength,
        final StreamCall stream)
    {
        final OutboundMessage pooled = free.poll();
        final OutboundMessage message = pooled != null ? pooled : new OutboundMessage();
        message.set(
            buffer, frameType, flags, serviceId, methodId, correlationId, deadlineNs, status, metadataLength,
            payloadLength, stream);
        queuedBytes += metadataLength + payloadLength + MESSAGE_OVERHEAD;
        counters.messageQueued(metadataLength + payloadLength + MESSAGE_OVERHEAD);
        if (stream != null)
        {
            final OutboundMessage earlier = stream.queued();
            stream.queued(message);
            if (earlier != null)
            {
                earlier.next(message);
                return;
            }
        }
        enqueue(message);
    }

    /**
     * Sends what the transport takes.
     *
     * @return the number of frames sent or messages dropped.
     */
    int drain(final long nowNs)
    {
        if (!parked.isEmpty() && flow.canSend())
        {
            OutboundMessage message;
            while ((message = parked.pollLast()) != null)
            {
                shortOnes.addFirst(message);
            }
        }
        int work = 0;
        while (work < FRAMES_PER_DRAIN)
        {
            final boolean hasShort = parkUncovered();
            final int longIndex = nextLong();
            final boolean isLongTurn = longIndex >= 0 && (!hasShort || (turn & LONG_TURN_MASK) == LONG_TURN_MASK);
            if (!hasShort && !isLongTurn)
            {
                break;
            }
            if (!(isLongTurn ? sendLong(longIndex, nowNs) : sendShort(nowNs)))
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
                longOnes.remove(i);
                return discard(message);
            }
        }
        final int result = drop(shortOnes, correlationId);
        return result != NOT_QUEUED ? result : drop(parked, correlationId);
    }

    /**
     * Collects the calls whose requests have not been sent, or not wholly: no server can have begun them.
     */
    void unsentRequests(final LongHashSet correlationIds)
    {
        for (final OutboundMessage message : shortOnes)
        {
            message.collectRequest(correlationIds);
        }
        for (int i = longOnes.size() - 1; i >= 0; i--)
        {
            longOnes.get(i).collectRequest(correlationIds);
        }
    }

    void clear()
    {
        OutboundMessage message;
        while ((message = shortOnes.poll()) != null)
        {
            discard(message);
        }
        while ((message = parked.poll()) != null)
        {
            discard(message);
        }
        while (!longOnes.isEmpty())
        {
            discard(longOnes.remove(longOnes.size() - 1));
        }
    }

    private void enqueue(final OutboundMessage message)
    {
        if (message.frameLength() <= framePayload())
        {
            shortOnes.add(message);
        }
        else
        {
            longOnes.add(message);
        }
    }

    private int framePayload()
    {
        return OutboundMessage.maxFramePayload(connection.maxMessageLength());
    }

    private int drop(final ArrayDeque<OutboundMessage> queue, final long correlationId)
    {
        if (!queue.isEmpty())
        {
            for (final Iterator<OutboundMessage> iterator = queue.iterator(); iterator.hasNext();)
            {
                final OutboundMessage message = iterator.next();
                if (message.isPayloadOf(correlationId))
                {
                    iterator.remove();
                    return discard(message);
                }
            }
        }
        return NOT_QUEUED;
    }

    /**
     * Puts items without credit aside, until the first of the short ones can be sent.
     *
     * @return whether there is one.
     */
    private boolean parkUncovered()
    {
        OutboundMessage message;
        while ((message = shortOnes.peek()) != null)
        {
            if (!message.isItem() || flow.canSend())
            {
                return true;
            }
            parked.add(shortOnes.poll());
        }
        return false;
    }

    /**
     * The long message with the least left, of those that can be sent.
     *
     * @return its index, or -1.
     */
    private int nextLong()
    {
        int shortest = -1;
        for (int i = 0, size = longOnes.size(); i < size; i++)
        {
            final OutboundMessage message = longOnes.get(i);
            if ((shortest < 0 || message.remaining() < longOnes.get(shortest).remaining()) &&
                (!message.isItem() || flow.canSend()))
            {
                shortest = i;
            }
        }
        return shortest;
    }

    /**
     * Sends the first of the short ones.
     *
     * @return false if the transport takes nothing.
     */
    private boolean sendShort(final long nowNs)
    {
        final OutboundMessage message = shortOnes.peek();
        // an expired request: its caller has been told or will be; sent, it would make the server work for nobody
        if (message.isExpired(nowNs))
        {
            shortOnes.poll();
            discard(message);
            return true;
        }
        if (message.sendFrame(connection, framePayload(), nowNs) < 0)
        {
            return false;
        }
        countItem(message);
        shortOnes.poll();
        finish(message);
        return true;
    }

    private boolean sendLong(final int index, final long nowNs)
    {
        final OutboundMessage message = longOnes.get(index);
        if (message.isExpired(nowNs))
        {
            longOnes.remove(index);
            discard(message);
            return true;
        }
        if (message.sendFrame(connection, framePayload(), nowNs) < 0)
        {
            return false;
        }
        countItem(message);
        if (message.isDone())
        {
            longOnes.remove(index);
            finish(message);
        }
        return true;
    }

    private void countItem(final OutboundMessage message)
    {
        if (message.isItem())
        {
            flow.onSent(message.lastLength());
        }
    }

    /**
     * A message was sent: the next of its call may be.
     */
    private void finish(final OutboundMessage message)
    {
        final StreamCall stream = message.stream();
        if (stream != null)
        {
            final OutboundMessage next = message.next();
            if (next != null)
            {
                enqueue(next);
            }
            else if (stream.queued() == message)
            {
                stream.queued(null);
                if (stream.isWaiting())
                {
                    stream.table().noteMayBeReady();
                }
            }
        }
        release(message);
    }

    /**
     * A message will not be sent, and none of its call behind it.
     *
     * @return whether the peer may know of the call: one of the constants above.
     */
    private int discard(final OutboundMessage message)
    {
        final int result = message.isStarted() || message.isFollowUp() ? STARTED : NOT_STARTED;
        OutboundMessage next = message;
        while (next != null)
        {
            final OutboundMessage dropped = next;
            next = dropped.next();
            final StreamCall stream = dropped.stream();
            if (stream != null && stream.queued() == dropped)
            {
                stream.queued(null);
            }
            release(dropped);
        }
        return result;
    }

    private void release(final OutboundMessage message)
    {
        queuedBytes -= message.queuedLength() + MESSAGE_OVERHEAD;
        counters.messageUnqueued(message.queuedLength() + MESSAGE_OVERHEAD);
        pool.release(message.takeBuffer());
        message.unlink();
        if (free.size() < MAX_FREE)
        {
            free.push(message);
        }
    }
}
