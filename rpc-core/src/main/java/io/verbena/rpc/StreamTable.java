/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import io.verbena.rpc.protocol.CreditPayload;
import io.verbena.rpc.protocol.FrameHeader;
import io.verbena.rpc.protocol.FrameType;
import io.verbena.rpc.transport.Connection;
import java.util.ArrayList;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The streams of one connection, the same at both ends: finds them by the slots of their calls, grants what was taken,
 * and finds out who can send again. Belongs to its agent's thread.
 * <p>
 * Design note: nothing here is looked at in a duty cycle in which nothing has changed. A stream that could not send
 * waits in a list, which is gone through only after credit came, a queued message was sent, or the transport pushed
 * back: that last one alone is tried again in each cycle.
 */
final class StreamTable
{
    /**
     * Told about streams that can send again.
     */
    interface ReadyListener
    {
        void onReady(StreamCall stream);
    }

    private static final StreamCall[] NONE = new StreamCall[0];

    private final StreamPool pool;
    private final ReadyListener readyListener;
    private final RpcCounters counters;
    private final int capacity;
    private final int windowItems;
    private final int windowBytes;
    private final UnsafeBuffer credit = new UnsafeBuffer(new byte[CreditPayload.LENGTH]);
    private final ArrayList<StreamCall> due = new ArrayList<>();
    private ArrayList<StreamCall> waiting = new ArrayList<>();
    private ArrayList<StreamCall> firing = new ArrayList<>();
    private StreamCall[] bySlot = NONE;
    private int open;
    private boolean hasWork;
    private boolean mayBeReady;
    private Link link;
    private ConnectionFlow flow;
    private long connectionId;
    private int peerItems;
    private int peerBytes;

    StreamTable(
        final StreamPool pool,
        final int capacity,
        final FlowControlContext<?> context,
        final ReadyListener readyListener)
    {
        this.pool = pool;
        this.capacity = capacity;
        this.windowItems = context.streamWindowItems();
        this.windowBytes = context.streamWindowBytes();
        this.readyListener = readyListener;
        this.counters = context.counters();
    }

    /**
     * The handshake is over.
     *
     * @param newLink     to send on.
     * @param incarnation of the connection.
     * @param items       of initial credit for each stream.
     * @param bytes       of initial credit for each stream.
     * @param connectionBytes of initial credit for all streams together.
     */
    void attach(
        final Link newLink, final int incarnation, final int items, final int bytes, final long connectionBytes)
    {
        link = newLink;
        flow = newLink.flow();
        flow.onCredit(connectionBytes);
        connectionId = (long)incarnation << 48;
        peerItems = items;
        peerBytes = bytes;
    }

    int windowItems()
    {
        return windowItems;
    }

    int windowBytes()
    {
        return windowBytes;
    }

    int peerItems()
    {
        return peerItems;
    }

    int peerBytes()
    {
        return peerBytes;
    }

    Link link()
    {
        return link;
    }

    /**
     * Whether any call of the connection streams: cheap, for the way of those that do not.
     */
    boolean isInUse()
    {
        return open != 0;
    }

    StreamCall begin(
        final int slot,
        final long correlationId,
        final int serviceId,
        final int methodId,
        final MethodKind kind,
        final boolean isGrantAutomatic,
        final StreamHandler handler)
    {
        if (bySlot.length == 0)
        {
            bySlot = new StreamCall[capacity];
        }
        final StreamCall stream = pool.acquire();
        counters.streamOpened();
        stream.begin(this, correlationId, serviceId, methodId, kind, isGrantAutomatic, handler);
        bySlot[slot] = stream;
        open++;
        return stream;
    }

    /**
     * The stream of a call in flight, by the call's slot.
     *
     * @return it, or null if the call does not stream.
     */
    StreamCall at(final int slot)
    {
        return open == 0 ? null : bySlot[slot];
    }

    /**
     * Takes the stream of a call out that has ended.
     *
     * @param status to keep until the service was told; null where nobody is to be told.
     * @return the stream, or null if the call did not stream.
     */
    StreamCall end(final int slot, final StatusCode status)
    {
        final StreamCall stream = at(slot);
        if (stream != null)
        {
            bySlot[slot] = null;
            open--;
            counters.streamClosed();
            stream.end();
            stream.endStatus(status);
            if (stream.isWaiting())
            {
                noteMayBeReady();
            }
            stream.releaseIfUnused();
        }
        return stream;
    }

    /**
     * Whether a stream can send an item now, as far as credit goes; if not, it will be told when it can.
     */
    boolean isReady(final StreamCall stream)
    {
        if (stream.canSend() && flow.canSend())
        {
            return true;
        }
        await(stream);
        return false;
    }

    /**
     * What keeps a stream from sending an item now.
     *
     * @return 0 for nothing; else {@link Connection#BACK_PRESSURED} or {@link RpcChannel#CREDIT_EXHAUSTED}, and the
     *     stream will be told when it can.
     */
    long refusal(final StreamCall stream, final RpcCounters counters)
    {
        if (isReady(stream))
        {
            return 0;
        }
        if (stream.queued() != null)
        {
            return Connection.BACK_PRESSURED;
        }
        counters.creditStalled();
        return RpcChannel.CREDIT_EXHAUSTED;
    }

    /**
     * A stream could not send for want of credit, or since a message of it is queued.
     */
    void await(final StreamCall stream)
    {
        if (!stream.isWaiting())
        {
            stream.isWaiting(true);
            waiting.add(stream);
        }
    }

    /**
     * A stream could not send since the transport pushed back.
     */
    void awaitTransport(final StreamCall stream)
    {
        await(stream);
        noteMayBeReady();
    }

    void noteMayBeReady()
    {
        mayBeReady = true;
        hasWork = true;
    }

    /**
     * Counts the bytes of a frame that has arrived, of whichever call.
     *
     * @return false if the connection had no credit for it.
     */
    boolean onReceived(final int bytes)
    {
        final boolean isCovered = flow.onReceived(bytes);
        if (flow.isGrantDue())
        {
            hasWork = true;
        }
        return isCovered;
    }

    /**
     * The reader of a stream has taken an item.
     */
    void onTaken(final StreamCall stream, final int bytes)
    {
        if (stream.onTaken(bytes))
        {
            noteDue(stream);
        }
    }

    void grant(final StreamCall stream, final int items)
    {
        if (stream.grant(items))
        {
            noteDue(stream);
        }
    }

    /**
     * Whether a CREDIT frame is about the connection's window.
     */
    boolean isConnectionCredit(final DirectBuffer buffer, final int frameOffset)
    {
        return flow != null && FrameHeader.correlationId(buffer, frameOffset) == connectionId;
    }

    /**
     * Takes a CREDIT frame about the connection's window.
     *
     * @return false if it grants nothing or more than bytes.
     */
    boolean onConnectionCredit(final DirectBuffer buffer, final int frameOffset)
    {
        final int offset = FrameHeader.payloadOffset(buffer, frameOffset);
        final long bytes = CreditPayload.bytes(buffer, offset);
        if (bytes <= 0 || CreditPayload.items(buffer, offset) != 0)
        {
            return false;
        }
        flow.onCredit(bytes);
        if (!waiting.isEmpty())
        {
            noteMayBeReady();
        }
        return true;
    }

    /**
     * Takes a CREDIT frame about a stream.
     *
     * @return null, or what is wrong with it.
     */
    String onCredit(final StreamCall stream, final DirectBuffer buffer, final int frameOffset)
    {
        final int offset = FrameHeader.payloadOffset(buffer, frameOffset);
        final long items = CreditPayload.items(buffer, offset);
        final long bytes = CreditPayload.bytes(buffer, offset);
        if (stream == null)
        {
            return "protocol error: credit for a call that does not stream";
        }
        if (!CreditPayload.isGrant(items, bytes))
        {
            return "protocol error: expected a grant of 0 or more items and bytes, and of one at least, found " +
                items + " items and " + bytes + " bytes";
        }
        stream.onCredit(items, bytes);
        if (stream.isWaiting())
        {
            noteMayBeReady();
        }
        return null;
    }

    boolean hasWork()
    {
        return hasWork;
    }

    /**
     * Sends grants, then what is queued, then tells those that can send again: so whoever has waited longest goes
     * first.
     *
     * @return a count of work done.
     */
    int doWork(final Link connectionLink)
    {
        int work = hasWork ? sendGrants() : 0;
        work += connectionLink.drain();
        if (hasWork)
        {
            if (mayBeReady)
            {
                work += fireReady();
                // what they have sent need not wait for the next cycle
                work += connectionLink.drain();
            }
            hasWork = mayBeReady || !due.isEmpty() || flow.isGrantDue();
        }
        return work;
    }

    /**
     * The connection is gone; all calls have ended.
     */
    void detach()
    {
        forget(waiting, true);
        forget(due, false);
        hasWork = false;
        mayBeReady = false;
        link = null;
    }

    /**
     * Frees the memory as well.
     */
    void dispose()
    {
        detach();
        bySlot = NONE;
    }

    private static void forget(final ArrayList<StreamCall> list, final boolean isWaitingList)
    {
        for (int i = list.size() - 1; i >= 0; i--)
        {
            final StreamCall stream = list.remove(i);
            if (isWaitingList)
            {
                stream.isWaiting(false);
            }
            else
            {
                stream.isDue(false);
            }
            stream.releaseIfUnused();
        }
    }

    private void noteDue(final StreamCall stream)
    {
        if (!stream.isDue())
        {
            stream.isDue(true);
            due.add(stream);
            hasWork = true;
        }
    }

    /**
     * What the transport does not take now is not queued: it is tried again in the next cycle, and then says more.
     */
    private int sendGrants()
    {
        int work = 0;
        if (flow.isGrantDue())
        {
            if (!sendCredit(0, 0, connectionId, 0, flow.returnedBytes()))
            {
                return 0;
            }
            flow.onGranted();
            work++;
        }
        while (!due.isEmpty())
        {
            final StreamCall stream = due.get(due.size() - 1);
            // who has heard the last item needs no more credit, and who has ended none at all
            if (stream.isOpen() && !stream.isReceiveClosed())
            {
                if (!sendCredit(
                    stream.serviceId(), stream.methodId(), stream.correlationId(), stream.returnedItems(),
                    stream.returnedBytes()))
                {
                    return work;
                }
                stream.onGranted();
                work++;
            }
            due.remove(due.size() - 1);
            stream.isDue(false);
            stream.releaseIfUnused();
        }
        return work;
    }

    private boolean sendCredit(
        final int serviceId, final int methodId, final long correlationId, final long items, final long bytes)
    {
        CreditPayload.encode(credit, 0, items, bytes);
        final boolean isSent = link.trySend(
            FrameType.CREDIT, 0, serviceId, methodId, correlationId, 0, 0, credit, 0, CreditPayload.LENGTH) > 0;
        if (isSent)
        {
            counters.creditGranted();
        }
        return isSent;
    }

    /**
     * Those that still can't send stay ahead of those that send now and can't send on: so they take turns.
     */
    private int fireReady()
    {
        mayBeReady = false;
        final ArrayList<StreamCall> candidates = waiting;
        waiting = firing;
        firing = candidates;
        int work = 0;
        int kept = 0;
        for (int i = 0, size = candidates.size(); i < size; i++)
        {
            final StreamCall stream = candidates.get(i);
            if (stream.isOpen() && !(stream.canSend() && flow.canSend()))
            {
                candidates.set(kept++, stream);
                continue;
            }
            stream.isWaiting(false);
            if (stream.isOpen())
            {
                work++;
                readyListener.onReady(stream);
            }
            else
            {
                stream.releaseIfUnused();
            }
        }
        for (int i = candidates.size() - 1; i >= kept; i--)
        {
            candidates.remove(i);
        }
        for (int i = 0, size = waiting.size(); i < size; i++)
        {
            candidates.add(waiting.get(i));
        }
        waiting.clear();
        firing = waiting;
        waiting = candidates;
        return work;
    }
}
