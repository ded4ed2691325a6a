/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.aeron;

import io.aeron.ExclusivePublication;
import io.aeron.Image;
import io.aeron.Publication;
import io.aeron.Subscription;
import io.aeron.logbuffer.BufferClaim;
import io.aeron.logbuffer.FragmentHandler;
import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.logbuffer.Header;
import io.verbena.rpc.transport.ConnectionState;
import io.verbena.rpc.transport.DisconnectCause;
import io.verbena.rpc.transport.TransportException;
import org.agrona.DirectBuffer;

/**
 * What connections run over: a publication to the peer and the image of the peer's publication, shared by the
 * connections of one transport to one address. Created and polled by {@link Connections}; how the two streams come
 * about is told by a {@link ConnectionSetup}.
 * <p>
 * <b>The end of a pair.</b> The side that opened it ends it when its last connection has closed. An empty frame, which
 * callers cannot send, says goodbye: everything before it was delivered. Aeron's own end of stream cannot say that,
 * since a driver ends the streams of a dead client in the same way. Who reads a goodbye says goodbye too, which tells
 * the other side that all was taken. However a pair ends, its connections end with it.
 */
final class StreamPair implements FragmentHandler
{
    private static final int DISCARD_LIMIT = 256;
    private static final long UNKNOWN = Long.MIN_VALUE;

    private final AeronLoop loop;
    private final ConnectionSetup setup;
    private final AeronAddress asked;
    private final Slots slots = new Slots();
    private ConnectionState state = ConnectionState.CONNECTING;
    private DisconnectCause cause;
    private int openConnections;
    private long lastEndedNs;

    private ExclusivePublication publication;
    private StagedClaim staged;
    private Image image;
    private Subscription ownSubscription;
    private final BufferClaim controlClaim = new BufferClaim();
    private Reassembly reassembly;
    private boolean goodbyeRead;
    private boolean goodbyeSent;
    private boolean released;
    private long endedAtNs;

    private final StallWatch stallWatch = new StallWatch();
    private long unconnectedSinceNs = UNKNOWN;
    private long unconnectedAtPosition;

    /**
     * Not connected yet.
     *
     * @param loop  that polls it.
     * @param setup connects it.
     * @param asked the address that it leads to, or null where the peer opened it.
     */
    StreamPair(final AeronLoop loop, final ConnectionSetup setup, final AeronAddress asked)
    {
        this.loop = loop;
        this.setup = setup;
        this.asked = asked;
    }

    /**
     * Whether another connection to an address may share this pair.
     *
     * @param session of the connection.
     * @param address of the connection.
     * @return true if it leads there, has not ended, and is not full.
     */
    boolean canTake(final DriverSession session, final AeronAddress address)
    {
        return state != ConnectionState.CLOSED && setup.session() == session && address.equals(asked) &&
            slots.used() < loop.context().connectionsPerStreamPair();
    }

    void add(final AeronConnection connection)
    {
        ++openConnections;
        connection.attach(this, slots.add(connection));
    }

    void free(final int slot)
    {
        slots.free(slot);
    }

    void connectionEnded()
    {
        --openConnections;
        lastEndedNs = loop.nanoTime();
    }

    int openConnections()
    {
        return openConnections;
    }

    boolean isAccepting()
    {
        return state == ConnectionState.CONNECTED && setup.isAccepting();
    }

    ExclusivePublication publication()
    {
        return publication;
    }

    StagedClaim staged()
    {
        return staged;
    }

    /** The publication pushed back just now. */
    void blocked()
    {
        stallWatch.blocked();
        loop.hurry();
    }

    /**
     * Sends an empty frame.
     *
     * @param tag what it says.
     * @return true if it was accepted, false to try again later.
     */
    boolean trySend(final long tag)
    {
        if (state != ConnectionState.CONNECTED || staged != null && staged.isKept(publication, 0))
        {
            return false;
        }
        final long result = send(tag);
        if (result == Publication.BACK_PRESSURED)
        {
            blocked();
        }
        else if (result == Publication.MAX_POSITION_EXCEEDED || result == Publication.CLOSED)
        {
            end(DisconnectCause.TRANSPORT_ERROR);
        }
        return result > 0;
    }

    private long send(final long tag)
    {
        long result;
        do
        {
            result = publication.tryClaim(0, controlClaim);
        }
        while (result == Publication.ADMIN_ACTION);
        if (result > 0)
        {
            controlClaim.reservedValue(tag);
            controlClaim.commit();
        }
        return result;
    }

    /**
     * Delivers what the image holds.
     *
     * @param limit of fragments.
     * @return fragments read.
     */
    int poll(final int limit)
    {
        return state == ConnectionState.CONNECTED ? image.poll(this, limit) : 0;
    }

    @Override
    public void onFragment(final DirectBuffer buffer, final int offset, final int length, final Header header)
    {
        final long tag = header.reservedValue();
        if ((header.flags() & FrameDescriptor.UNFRAGMENTED) != FrameDescriptor.UNFRAGMENTED)
        {
            join(buffer, offset, length, header);
        }
        else if (length == 0)
        {
            onControl(tag);
        }
        else
        {
            deliver(tag, buffer, offset, length);
        }
    }

    private void join(final DirectBuffer buffer, final int offset, final int length, final Header header)
    {
        if (reassembly == null)
        {
            reassembly = new Reassembly(FrameDescriptor.computeMaxMessageLength(image.termBufferLength()));
        }
        if (!reassembly.append(buffer, offset, length, header))
        {
            refuse(header.reservedValue());
        }
        else if (reassembly.isComplete())
        {
            deliver(header.reservedValue(), reassembly.buffer(), 0, reassembly.length());
        }
    }

    private void deliver(final long tag, final DirectBuffer buffer, final int offset, final int length)
    {
        final AeronConnection connection = slots.get(tag);
        if (connection != null && connection.isReady())
        {
            loop.callbacks().message(connection, buffer, offset, length);
        }
        else if (connection == null || !connection.mayReceive())
        {
            refuse(tag);
        }
        // Else closed by this side: what is left is for nobody.
    }

    private void onControl(final long tag)
    {
        if (tag == FrameTag.GOODBYE)
        {
            goodbyeRead = true;
            end(DisconnectCause.CLOSED_BY_PEER);
            return;
        }
        final long kind = FrameTag.kind(tag);
        final long slot = FrameTag.slot(tag);
        final AeronConnection connection = slots.get(slot);
        final boolean legal;
        if (kind == FrameTag.OPEN)
        {
            legal = setup.isInbound() && connection == null &&
                slot >= FrameTag.MIN_SLOT && slot <= FrameTag.MAX_SLOT;
            if (legal && state == ConnectionState.CONNECTED)
            {
                opened((int)slot);
            }
        }
        else if (kind == FrameTag.ACCEPT)
        {
            legal = connection != null && connection.onAccept();
        }
        else
        {
            legal = kind == FrameTag.CLOSE && connection != null && connection.onClose();
        }
        if (!legal)
        {
            refuse(tag);
        }
    }

    private void opened(final int slot)
    {
        final AeronConnection connection = loop.connections().inbound();
        slots.put(slot, connection);
        ++openConnections;
        connection.attach(this, slot);
        loop.connections().pending(connection);
    }

    /** A frame that no peer of ours sends. After the end of the pair what still arrives is for nobody. */
    private void refuse(final long tag)
    {
        if (state == ConnectionState.CONNECTED)
        {
            loop.errors().onError(new TransportException(
                "expected a frame of an open connection, found tag 0x" + Long.toHexString(tag) + " from " +
                image.sourceIdentity() + ": that peer's stream and its " + openConnections + " connections end"));
            end(DisconnectCause.PROTOCOL_ERROR);
        }
    }

    /**
     * Both directions stand.
     *
     * @param toPeer       sends.
     * @param fromPeer     receives.
     * @param subscription of the image where it belongs to this pair alone, or null.
     */
    void connected(final ExclusivePublication toPeer, final Image fromPeer, final Subscription subscription)
    {
        publication = toPeer;
        staged = StagedClaim.forPublication(toPeer);
        image = fromPeer;
        ownSubscription = subscription;
        state = ConnectionState.CONNECTED;
        loop.eventPending();
    }

    /**
     * Ends the pair, and with it its connections.
     *
     * @param why the first reason counts.
     */
    void end(final DisconnectCause why)
    {
        if (state == ConnectionState.CLOSED)
        {
            return;
        }
        if (state == ConnectionState.CONNECTING)
        {
            setup.cancel();
            released = true;
        }
        state = ConnectionState.CLOSED;
        cause = why;
        endedAtNs = loop.nanoTime();
        slots.forEach((connection) -> connection.pairEnded(why));
        slots.clear();
        loop.eventPending();
        if (!released && isOrderly())
        {
            sayGoodbye();
        }
    }

    /** The transport closes: so does every connection, those too that still connect. */
    void close()
    {
        slots.forEach((connection) -> connection.end(DisconnectCause.CLOSED_LOCALLY));
        end(DisconnectCause.CLOSED_LOCALLY);
    }

    /** The session under this pair is gone, and everything of it with it. */
    void sessionLost(final DriverSession lost)
    {
        if (setup.session() != lost)
        {
            return;
        }
        if (state == ConnectionState.CONNECTING && !setup.isInbound())
        {
            setup.restart();
            return;
        }
        released = true;
        end(DisconnectCause.DRIVER_LOST);
    }

    /**
     * What is not done in each poll: progress of connecting, signs of the peer's end, the end itself.
     *
     * @param nowNs the time.
     */
    void work(final long nowNs)
    {
        if (state == ConnectionState.CONNECTING)
        {
            setup.work(this, nowNs);
        }
        if (state == ConnectionState.CONNECTED)
        {
            checkPeer(nowNs);
        }
        if (state != ConnectionState.CLOSED && !setup.isInbound() && openConnections == 0 &&
            (slots.used() == 0 || nowNs - lastEndedNs > loop.context().closeTimeoutNs()))
        {
            end(DisconnectCause.CLOSED_LOCALLY);
        }
        if (state == ConnectionState.CLOSED)
        {
            release(nowNs, loop.context().closeTimeoutNs());
        }
    }

    boolean isConnected()
    {
        return state == ConnectionState.CONNECTED;
    }

    boolean isReleased()
    {
        return released;
    }

    ConnectionSetup setup()
    {
        return setup;
    }

    private void checkPeer(final long nowNs)
    {
        if (image.isClosed() || image.isEndOfStream())
        {
            // No goodbye came before the end of the stream: the peer's client or its driver was timed out.
            end(DisconnectCause.PEER_TIMEOUT);
            return;
        }
        if (publication.isConnected())
        {
            unconnectedSinceNs = UNKNOWN;
        }
        else if (unconnectedSinceNs == UNKNOWN || image.position() != unconnectedAtPosition)
        {
            // It reads no more, but what it sent, with its goodbye, may still be on the way.
            unconnectedSinceNs = nowNs;
            unconnectedAtPosition = image.position();
        }
        else if (nowNs - unconnectedSinceNs > loop.context().livenessTimeoutNs())
        {
            end(DisconnectCause.PEER_TIMEOUT);
            return;
        }
        if (stallWatch.isStalled(publication, nowNs, loop.context().stallTimeoutNs()))
        {
            end(DisconnectCause.PEER_STALLED);
        }
    }

    private boolean isOrderly()
    {
        return cause == DisconnectCause.CLOSED_LOCALLY || cause == DisconnectCause.CLOSED_BY_PEER;
    }

    private void sayGoodbye()
    {
        if (goodbyeSent)
        {
            return;
        }
        if (send(FrameTag.GOODBYE) != Publication.BACK_PRESSURED)
        {
            // Sent, or nobody is there to read it.
            goodbyeSent = true;
            publication.close();
        }
        else if (stallWatch.hasMoved(publication))
        {
            // The peer reads, however slowly: the patience with it begins anew.
            endedAtNs = loop.nanoTime();
        }
    }

    /** Gives back what Aeron holds: at once where the peer is gone, else when it has taken all, or after a while. */
    private void release(final long nowNs, final long patienceNs)
    {
        if (released)
        {
            return;
        }
        final boolean orderly = isOrderly();
        boolean done = !orderly || nowNs - endedAtNs > patienceNs;
        if (!done)
        {
            sayGoodbye();
            // The goodbye comes back when the peer has read everything before ours.
            image.poll(this, DISCARD_LIMIT);
            // A driver that outlives this transport hands over what it holds by itself.
            done = goodbyeSent &&
                (goodbyeRead || image.isClosed() || image.isEndOfStream() || !setup.session().isEmbedded());
        }
        if (done)
        {
            if (!orderly)
            {
                // Nobody will drain this log: do not let the driver wait for it.
                publication.revokeOnClose();
            }
            publication.close();
            if (ownSubscription != null)
            {
                ownSubscription.close();
            }
            released = true;
        }
    }
}
