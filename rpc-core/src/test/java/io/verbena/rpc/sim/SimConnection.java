/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc.sim;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Random;

import io.verbena.rpc.transport.Connection;
import io.verbena.rpc.transport.ConnectionState;
import io.verbena.rpc.transport.DisconnectCause;
import io.verbena.rpc.transport.MessageClaim;
import io.verbena.rpc.transport.TransportListener;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * One end of a connection of the {@link SimNetwork}: what was sent to it and has not arrived, and what it is to be
 * told.
 */
final class SimConnection implements Connection, MessageClaim.Completion
{
    private record Message(byte[] bytes, long arrivesNs)
    {
    }

    private static final long NEVER = Long.MAX_VALUE;
    /** What a buffer holds once its user should have let it go. */
    private static final byte POISON = (byte)0xDB;

    private final SimNetwork network;
    private final long id;
    private final boolean inbound;
    private final ArrayDeque<Message> arriving = new ArrayDeque<>();
    private SimConnection peer;
    private ConnectionState state = ConnectionState.CONNECTING;
    private long connectNs = NEVER;
    private long endNs = NEVER;
    private DisconnectCause cause;
    private boolean isLost;
    private boolean isTold;
    private int queuedBytes;
    private long lastArrivalNs;
    private MessageClaim openClaim;
    /** What changes the frames of a hostile peer; null for an honest one. */
    private Tamper tamper;

    SimConnection(final SimNetwork network, final long id, final boolean inbound)
    {
        this.network = network;
        this.id = id;
        this.inbound = inbound;
    }

    void pair(final SimConnection other)
    {
        peer = other;
        other.peer = this;
    }

    void tamper(final Tamper hostile)
    {
        tamper = hostile;
    }

    Tamper tamper()
    {
        return tamper;
    }

    SimConnection peer()
    {
        return peer;
    }

    void connectAt(final long timeNs)
    {
        connectNs = timeNs;
    }

    /** The first reason counts. */
    void endAt(final long timeNs, final DisconnectCause why)
    {
        if (cause == null)
        {
            endNs = Math.max(timeNs, lastArrivalNs);
            cause = why;
        }
    }

    /** The way is cut: some of what is under way to this end is lost, and all that is still sent to it. */
    void lose(final Random random)
    {
        isLost = true;
        for (int left = random.nextInt(arriving.size() + 1); arriving.size() > left;)
        {
            arriving.removeLast();
        }
        lastArrivalNs = arriving.isEmpty() ? 0 : arriving.getLast().arrivesNs;
    }

    boolean isAlive()
    {
        return state == ConnectionState.CONNECTED && cause == null;
    }

    boolean isOver()
    {
        return isTold;
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
        return network.maxClaimLength();
    }

    @Override
    public int maxMessageLength()
    {
        return network.maxMessageLength();
    }

    @Override
    public long tryClaim(final int length, final MessageClaim claim)
    {
        if (length < 1 || length > maxClaimLength())
        {
            throw new IllegalArgumentException("claim of " + length);
        }
        final long refusal = refusal(length);
        if (refusal < 0)
        {
            return refusal;
        }
        openClaim = claim;
        claim.view().wrap(new byte[length]);
        claim.open(claim.view(), 0, length, this);
        return length;
    }

    @Override
    public void onComplete(final MessageClaim claim, final boolean committed)
    {
        openClaim = null;
        if (committed)
        {
            send(claim.buffer(), claim.offset(), claim.length());
        }
    }

    @Override
    public long offer(final DirectBuffer buffer, final int offset, final int length)
    {
        if (length < 1 || length > maxMessageLength())
        {
            throw new IllegalArgumentException("offer of " + length);
        }
        final long refusal = refusal(length);
        if (refusal < 0)
        {
            return refusal;
        }
        send(buffer, offset, length);
        return length;
    }

    private long refusal(final int length)
    {
        if (openClaim != null)
        {
            throw new IllegalStateException("a claim is open");
        }
        if (state != ConnectionState.CONNECTED)
        {
            return state == ConnectionState.CONNECTING ? NOT_CONNECTED : CLOSED;
        }
        if (network.happens(200))
        {
            return ADMIN_ACTION;
        }
        return peer.queuedBytes + length > network.capacity() || network.happens(25) ? BACK_PRESSURED : 0;
    }

    private void send(final DirectBuffer buffer, final int offset, final int length)
    {
        final byte[] bytes = new byte[length];
        buffer.getBytes(offset, bytes);
        if (tamper == null)
        {
            network.witness().onSent(this, bytes);
            transmit(bytes);
        }
        else
        {
            tamper.pass(bytes, maxMessageLength()).forEach(this::transmit);
        }
    }

    private void transmit(final byte[] bytes)
    {
        if (!peer.isLost && peer.cause == null)
        {
            peer.lastArrivalNs = Math.max(peer.lastArrivalNs, network.nowNs() + network.delayNs());
            peer.arriving.add(new Message(bytes, peer.lastArrivalNs));
            peer.queuedBytes += bytes.length;
        }
    }

    @Override
    public void close()
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
        cause = DisconnectCause.CLOSED_LOCALLY;
        endNs = 0;
        arriving.clear();
        if (peer != null && !isLost)
        {
            peer.lastArrivalNs = Math.max(peer.lastArrivalNs, network.nowNs() + network.delayNs());
            peer.endAt(peer.lastArrivalNs, DisconnectCause.CLOSED_BY_PEER);
        }
    }

    /**
     * Tells what is due.
     *
     * @param listener to tell.
     * @param limit    of messages.
     * @return what was told.
     */
    int deliver(final TransportListener listener, final int limit)
    {
        final long nowNs = network.nowNs();
        int work = 0;
        if (state == ConnectionState.CONNECTING && connectNs <= nowNs)
        {
            state = ConnectionState.CONNECTED;
            ++work;
            listener.onConnected(this);
        }
        for (int i = 0; i < limit && state == ConnectionState.CONNECTED && !arriving.isEmpty(); i++)
        {
            if (arriving.peek().arrivesNs > nowNs)
            {
                break;
            }
            ++work;
            final byte[] bytes = arriving.poll().bytes;
            queuedBytes -= bytes.length;
            if (tamper == null)
            {
                network.witness().onDelivered(this, bytes);
            }
            try
            {
                listener.onMessage(this, new UnsafeBuffer(bytes), 0, bytes.length);
            }
            finally
            {
                Arrays.fill(bytes, POISON);
            }
        }
        if (!isTold && cause != null && endNs <= nowNs && (arriving.isEmpty() || state != ConnectionState.CONNECTED))
        {
            final boolean wasMentioned = !inbound || connectNs <= nowNs;
            state = ConnectionState.CLOSED;
            isTold = true;
            if (wasMentioned)
            {
                ++work;
                network.noticed();
                listener.onDisconnected(this, cause);
            }
        }
        return work;
    }
}
