/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.aeron;

import io.aeron.ExclusivePublication;
import io.aeron.FragmentAssembler;
import io.aeron.Image;
import io.aeron.Publication;
import io.aeron.Subscription;
import io.aeron.logbuffer.BufferClaim;
import io.aeron.logbuffer.FragmentHandler;
import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.logbuffer.Header;
import io.aeron.protocol.DataHeaderFlyweight;
import io.verbena.rpc.transport.Connection;
import io.verbena.rpc.transport.ConnectionState;
import io.verbena.rpc.transport.DisconnectCause;
import io.verbena.rpc.transport.MessageClaim;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * One connection: a publication to the peer and the image of the peer's publication. Created and polled by its
 * {@link AeronLoop}; how the two come about is told by a {@link ConnectionSetup}.
 * <p>
 * <b>The end of a connection.</b> A message of length 0, which callers cannot send, says goodbye: everything before it
 * was delivered. Aeron's own end of stream cannot say that, since a driver ends the streams of a dead client in the
 * same way. Who reads a goodbye says goodbye too, which tells the other side that all was taken.
 */
final class AeronConnection implements Connection, MessageClaim.Completion, FragmentHandler
{
    private static final UnsafeBuffer NOTHING = new UnsafeBuffer(new byte[0]);
    private static final int DISCARD_LIMIT = 256;
    private static final long UNKNOWN = Long.MIN_VALUE;

    private final AeronLoop transport;
    private final Callbacks callbacks;
    private final long id;
    private final ConnectionSetup setup;
    private ConnectionState state = ConnectionState.CONNECTING;
    private DisconnectCause cause;
    private boolean connectionTold;
    private boolean endTold;

    private ExclusivePublication publication;
    private Image image;
    private Subscription ownSubscription;
    private int maxClaimLength;
    private int maxMessageLength;

    private final BufferClaim bufferClaim = new BufferClaim();
    private MessageClaim openClaim;
    private StagedClaim staged;
    private boolean isStaged;
    private FragmentAssembler assembler;
    private boolean goodbyeRead;
    private boolean goodbyeSent;
    private boolean released;
    private long endedAtNs;

    private final StallWatch stallWatch = new StallWatch();
    private long unconnectedSinceNs = UNKNOWN;
    private long unconnectedAtPosition;

    AeronConnection(final AeronLoop transport, final long id, final ConnectionSetup setup)
    {
        this.transport = transport;
        callbacks = transport.callbacks();
        this.id = id;
        this.setup = setup;
    }

    @Override
    public long id()
    {
        return id;
    }

    @Override
    public ConnectionState state()
    {
        return state;
    }

    @Override
    public boolean isInbound()
    {
        return setup.isInbound();
    }

    @Override
    public int maxClaimLength()
    {
        return maxClaimLength;
    }

    @Override
    public int maxMessageLength()
    {
        return maxMessageLength;
    }

    @Override
    public long tryClaim(final int length, final MessageClaim claim)
    {
        if (openClaim != null || state != ConnectionState.CONNECTED || claim.isOpen())
        {
            return refuse(claim.isOpen());
        }
        if (length < 1 || length > maxClaimLength)
        {
            throw new IllegalArgumentException(
                "length of a claim must be from 1 to " + maxClaimLength + " bytes, found " + length);
        }
        if (staged != null && staged.isRoom(publication, length))
        {
            openClaim = claim;
            isStaged = true;
            staged.open(claim, length, this);
            return length;
        }
        long position = publication.tryClaim(length, bufferClaim);
        if (position == Publication.ADMIN_ACTION)
        {
            // The log has just been rotated: there is room now.
            position = publication.tryClaim(length, bufferClaim);
        }
        if (position > 0)
        {
            openClaim = claim;
            claim.open(bufferClaim.buffer(), DataHeaderFlyweight.HEADER_LENGTH, length, this);
            return position;
        }
        return notAccepted(position);
    }

    @Override
    public long offer(final DirectBuffer buffer, final int offset, final int length)
    {
        if (openClaim != null || state != ConnectionState.CONNECTED)
        {
            return refuse(false);
        }
        if (length < 1 || length > maxMessageLength)
        {
            throw new IllegalArgumentException(
                "length of a message must be from 1 to " + maxMessageLength + " bytes, found " + length);
        }
        long position = publication.offer(buffer, offset, length);
        if (position == Publication.ADMIN_ACTION)
        {
            position = publication.offer(buffer, offset, length);
        }
        return position > 0 ? position : notAccepted(position);
    }

    private long refuse(final boolean claimIsOpenElsewhere)
    {
        if (openClaim != null || claimIsOpenElsewhere)
        {
            throw new IllegalStateException("a claim is open: commit or abort it first");
        }
        return state == ConnectionState.CONNECTING ? NOT_CONNECTED : CLOSED;
    }

    private long notAccepted(final long result)
    {
        if (result == Publication.BACK_PRESSURED)
        {
            stallWatch.blocked();
            transport.hurry();
            return BACK_PRESSURED;
        }
        if (result == Publication.NOT_CONNECTED)
        {
            // The peer's end is gone or silent; the next duty cycles find out which.
            return NOT_CONNECTED;
        }
        if (result == Publication.ADMIN_ACTION)
        {
            return ADMIN_ACTION;
        }
        if (result == Publication.MAX_POSITION_EXCEEDED)
        {
            end(DisconnectCause.TRANSPORT_ERROR);
        }
        return CLOSED;
    }

    @Override
    public void onComplete(final MessageClaim claim, final boolean committed)
    {
        openClaim = null;
        if (released)
        {
            // The memory of the claim is gone with the session.
            return;
        }
        if (isStaged)
        {
            isStaged = false;
            if (committed && !staged.publish(publication, claim.length()))
            {
                end(DisconnectCause.TRANSPORT_ERROR);
            }
        }
        else if (committed)
        {
            bufferClaim.commit();
        }
        else
        {
            bufferClaim.abort();
        }
    }

    @Override
    public void close()
    {
        end(DisconnectCause.CLOSED_LOCALLY);
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
        if ((header.flags() & FrameDescriptor.UNFRAGMENTED) == FrameDescriptor.UNFRAGMENTED)
        {
            deliver(buffer, offset, length);
        }
        else
        {
            if (assembler == null)
            {
                assembler = new FragmentAssembler(this::onAssembled, maxMessageLength, true);
            }
            assembler.onFragment(buffer, offset, length, header);
        }
    }

    private void onAssembled(final DirectBuffer buffer, final int offset, final int length, final Header header)
    {
        deliver(buffer, offset, length);
    }

    private void deliver(final DirectBuffer buffer, final int offset, final int length)
    {
        if (state != ConnectionState.CONNECTED)
        {
            // Closed by a callback: what is left is for nobody. But the peer's goodbye counts.
            goodbyeRead |= length == 0;
        }
        else if (length == 0)
        {
            goodbyeRead = true;
            end(DisconnectCause.CLOSED_BY_PEER);
        }
        else
        {
            callbacks.message(this, buffer, offset, length);
        }
    }

    /**
     * Both directions stand.
     *
     * @param toPeer       sends.
     * @param fromPeer     receives.
     * @param subscription of the image where it belongs to this connection alone, or null.
     */
    void connected(final ExclusivePublication toPeer, final Image fromPeer, final Subscription subscription)
    {
        publication = toPeer;
        staged = StagedClaim.forPublication(toPeer);
        image = fromPeer;
        ownSubscription = subscription;
        maxMessageLength = toPeer.maxMessageLength();
        maxClaimLength = Math.min(toPeer.maxPayloadLength(), maxMessageLength);
        state = ConnectionState.CONNECTED;
    }

    /**
     * Ends the connection; the listener is told by a later poll.
     *
     * @param why the first reason counts.
     */
    void end(final DisconnectCause why)
    {
        if (state == ConnectionState.CLOSED)
        {
            return;
        }
        if (openClaim != null)
        {
            openClaim.abort();
        }
        if (state == ConnectionState.CONNECTING)
        {
            setup.cancel();
            released = true;
        }
        state = ConnectionState.CLOSED;
        cause = why;
        endedAtNs = transport.nanoTime();
        transport.eventPending();
        if (!released && (why == DisconnectCause.CLOSED_LOCALLY || why == DisconnectCause.CLOSED_BY_PEER))
        {
            sayGoodbye();
        }
    }

    /** The session under this connection is gone, and everything of it with it. */
    void sessionLost(final DriverSession lost)
    {
        if (setup.session() != lost)
        {
            return;
        }
        if (state == ConnectionState.CONNECTING && !isInbound())
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
     * @return the number of events told to the listener.
     */
    int work(final long nowNs)
    {
        int events = 0;
        if (state == ConnectionState.CONNECTING)
        {
            setup.work(this, nowNs);
        }
        if (state == ConnectionState.CONNECTED)
        {
            if (!connectionTold)
            {
                connectionTold = true;
                ++events;
                callbacks.connected(this);
            }
            checkPeer(nowNs);
        }
        if (state == ConnectionState.CLOSED)
        {
            if (!endTold)
            {
                endTold = true;
                // An inbound connection that never stood was never mentioned.
                if (connectionTold || !isInbound())
                {
                    ++events;
                    callbacks.disconnected(this, cause);
                }
            }
            release(nowNs, transport.context().closeTimeoutNs());
        }
        return events;
    }

    boolean isConnected()
    {
        return state == ConnectionState.CONNECTED && connectionTold;
    }

    boolean isForgettable()
    {
        return endTold && released;
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
        if (state != ConnectionState.CONNECTED)
        {
            return;
        }
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
        else if (nowNs - unconnectedSinceNs > transport.context().livenessTimeoutNs())
        {
            end(DisconnectCause.PEER_TIMEOUT);
            return;
        }
        if (stallWatch.isStalled(publication, nowNs, transport.context().stallTimeoutNs()))
        {
            end(DisconnectCause.PEER_STALLED);
        }
    }

    private void sayGoodbye()
    {
        if (goodbyeSent)
        {
            return;
        }
        long result;
        do
        {
            result = publication.offer(NOTHING, 0, 0);
        }
        while (result == Publication.ADMIN_ACTION);
        if (result != Publication.BACK_PRESSURED)
        {
            // Sent, or nobody is there to read it.
            goodbyeSent = true;
            publication.close();
        }
        else if (stallWatch.hasMoved(publication))
        {
            // The peer reads, however slowly: the patience with it begins anew.
            endedAtNs = transport.nanoTime();
        }
    }

    /** Gives back what Aeron holds: at once where the peer is gone, else when it has taken all, or after a while. */
    private void release(final long nowNs, final long patienceNs)
    {
        if (released)
        {
            return;
        }
        final boolean orderly = cause == DisconnectCause.CLOSED_LOCALLY || cause == DisconnectCause.CLOSED_BY_PEER;
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
