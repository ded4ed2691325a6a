/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc.transport;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.ControlledMessageHandler;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBuffer;

/**
 * One end of a loopback connection. Created and polled by its {@link LoopbackTransport}, on that transport's thread.
 */
final class LoopbackConnection implements Connection, MessageClaim.Completion, ControlledMessageHandler
{
    private static final int MESSAGE_TYPE = 1;

    private final LoopbackTransport.Context ctx;
    private final long id;
    private final String address;
    private final boolean inbound;
    private final long startedNs;
    private ConnectionState state = ConnectionState.CONNECTING;
    private DisconnectCause cause;
    private boolean notified;

    private LoopbackLink link;
    private LoopbackLink.End end;
    private OneToOneRingBuffer outbound;
    private int maxClaimLength;
    private int maxMessageLength;
    private MessageClaim openClaim;
    private int claimIndex;
    private TransportListener listener;
    private long judgedFromNs;

    LoopbackConnection(
        final LoopbackTransport.Context ctx, final long id, final String address, final boolean inbound,
        final long nowNs)
    {
        this.ctx = ctx;
        this.id = id;
        this.address = address;
        this.inbound = inbound;
        this.startedNs = nowNs;
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
        return inbound;
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
        final int index = outbound.tryClaim(MESSAGE_TYPE, length);
        if (index == RingBuffer.INSUFFICIENT_CAPACITY)
        {
            return BACK_PRESSURED;
        }
        claim.view().wrap(outbound.buffer(), index, length);
        openClaim = claim;
        claimIndex = index;
        claim.open(claim.view(), 0, length, this);
        return outbound.producerPosition();
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
        return outbound.write(MESSAGE_TYPE, buffer, offset, length) ? outbound.producerPosition() : BACK_PRESSURED;
    }

    private long refuse(final boolean claimIsOpenElsewhere)
    {
        if (openClaim != null || claimIsOpenElsewhere)
        {
            throw new IllegalStateException("a claim is open: commit or abort it first");
        }
        return state == ConnectionState.CONNECTING ? NOT_CONNECTED : CLOSED;
    }

    @Override
    public void onComplete(final MessageClaim claim, final boolean committed)
    {
        openClaim = null;
        if (committed)
        {
            outbound.commit(claimIndex);
        }
        else
        {
            outbound.abort(claimIndex);
        }
    }

    @Override
    public void close()
    {
        end(DisconnectCause.CLOSED_LOCALLY);
    }

    @Override
    public Action onMessage(
        final int messageType, final MutableDirectBuffer buffer, final int index, final int length)
    {
        listener.onMessage(this, buffer, index, length);
        return state == ConnectionState.CLOSED ? Action.BREAK : Action.CONTINUE;
    }

    /** For the accepting end: the link was taken from the listener's queue. */
    void accepted(final LoopbackLink taken, final long nowNs)
    {
        link = taken;
        open(taken.accepting, nowNs);
    }

    /**
     * Ends that have nothing more to say to their caller can be forgotten.
     *
     * @return true after onDisconnected.
     */
    boolean isNotified()
    {
        return notified;
    }

    /**
     * Connection events: progress of connecting, the peer's silence, the end.
     *
     * @return the number of events handled.
     */
    int pollEvents(final TransportListener events, final long nowNs, final boolean resumed)
    {
        int workCount = 0;
        if (state == ConnectionState.CONNECTING && connectProgress(nowNs))
        {
            ++workCount;
            events.onConnected(this);
        }
        if (state == ConnectionState.CONNECTED)
        {
            keepAlive(nowNs, resumed);
        }
        if (state == ConnectionState.CLOSED && !notified)
        {
            ++workCount;
            notified = true;
            events.onDisconnected(this, cause);
        }
        return workCount;
    }

    int pollMessages(final TransportListener events, final int limit)
    {
        if (state != ConnectionState.CONNECTED)
        {
            return 0;
        }
        // Read the mark before the ring: what was written before the mark is then seen too.
        final boolean peerClosed = end.isPeerClosed();
        listener = events;
        final int count = end.inbound.controlledRead(this, limit);
        if (peerClosed && state == ConnectionState.CONNECTED &&
            end.inbound.consumerPosition() == end.inbound.producerPosition())
        {
            end(DisconnectCause.CLOSED_BY_PEER);
        }
        return count;
    }

    private boolean connectProgress(final long nowNs)
    {
        if (link == null || link.stage() == LoopbackLink.Stage.WITHDRAWN)
        {
            link = null;
            final LoopbackListener target = LoopbackListener.find(address);
            if (target != null)
            {
                link = new LoopbackLink(ctx.ringCapacity(), nowNs);
                target.offer(link);
            }
        }
        if (link != null && link.stage() == LoopbackLink.Stage.ACCEPTED)
        {
            open(link.connecting, nowNs);
            return true;
        }
        if (nowNs - startedNs > ctx.connectTimeoutNs() && (link == null || link.withdraw()))
        {
            end(DisconnectCause.CONNECT_TIMEOUT);
        }
        return false;
    }

    private void open(final LoopbackLink.End side, final long nowNs)
    {
        end = side;
        outbound = side.outbound;
        // The connecting end chose the ring, so its capacity counts here, not this end's option.
        maxMessageLength = outbound.maxMsgLength();
        maxClaimLength = Math.min(ctx.maxClaimLength(), maxMessageLength);
        judgedFromNs = nowNs;
        side.polledAt(nowNs);
        state = ConnectionState.CONNECTED;
    }

    /** A transport that was paused itself cannot tell whether its peer was: the measure begins anew. */
    private void keepAlive(final long nowNs, final boolean resumed)
    {
        end.polledAt(nowNs);
        if (resumed)
        {
            judgedFromNs = nowNs;
        }
        final long livenessNs = ctx.livenessTimeoutNs();
        if (livenessNs > 0 && nowNs - judgedFromNs > livenessNs && nowNs - end.peerPolledAtNs() > livenessNs)
        {
            end(DisconnectCause.PEER_TIMEOUT);
        }
    }

    private void end(final DisconnectCause why)
    {
        if (state == ConnectionState.CLOSED)
        {
            return;
        }
        if (openClaim != null)
        {
            openClaim.abort();
        }
        state = ConnectionState.CLOSED;
        cause = why;
        if (end != null)
        {
            end.close();
        }
        else if (link != null && !link.withdraw() && link.stage() == LoopbackLink.Stage.ACCEPTED)
        {
            link.connecting.close();
        }
    }
}
