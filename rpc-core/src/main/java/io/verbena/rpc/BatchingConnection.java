/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import io.verbena.rpc.protocol.FrameHeader;
import io.verbena.rpc.transport.Connection;
import io.verbena.rpc.transport.ConnectionState;
import io.verbena.rpc.transport.MessageClaim;
import org.agrona.BitUtil;
import org.agrona.BufferUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A connection that gathers short items of streams: those sent within one duty cycle share a message, one frame after
 * another, up to what the transport carries in one piece. Anything else that is sent goes behind them, so order stays.
 * Belongs to its agent's thread.
 * <p>
 * Design note: a stream of 32-byte items is bound by what the transport spends on a message: its header and alignment
 * double the bytes, and over datagrams bytes are time. An item waits no longer than to the end of the duty cycle in
 * which it was sent. Requests and answers never wait: they are claimed in the transport, as ever.
 */
final class BatchingConnection implements Connection, MessageClaim.Completion
{
    /** Longer frames gain nothing from sharing a message, in bytes. */
    static final int MAX_FRAME_LENGTH = 512;

    /** A longer message would keep its first item from the peer for longer than it saves, in bytes. */
    static final int MAX_LENGTH = 2048;

    private final Connection connection;
    private final MessageClaim sending = new MessageClaim();
    private UnsafeBuffer batch;
    private int capacity;
    private int length;

    BatchingConnection(final Connection connection)
    {
        this.connection = connection;
    }

    /**
     * Whether items are waiting for {@link #flush()}.
     */
    boolean hasItems()
    {
        return length != 0;
    }

    /**
     * Claims a frame for an item. It leaves with the next flush, which may be by this method.
     *
     * @param frameLength in bytes, header included; at most {@link #maxClaimLength()}.
     * @param claim       to open.
     * @return positive, or why nothing is taken now.
     */
    long tryClaimItem(final int frameLength, final MessageClaim claim)
    {
        if (frameLength > MAX_FRAME_LENGTH)
        {
            return tryClaim(frameLength, claim);
        }
        if (length + frameLength > capacity)
        {
            final long result = makeRoom();
            if (result < 0 || frameLength > capacity)
            {
                return result < 0 ? result : tryClaim(frameLength, claim);
            }
        }
        // nothing of an earlier item may leave with this one; the length and the capacity are multiples of 8
        for (int i = length, end = length + frameLength; i < end; i += Long.BYTES)
        {
            batch.putLong(i, 0);
        }
        claim.open(batch, length, frameLength, this);
        return frameLength;
    }

    /**
     * Sends the items that have gathered.
     *
     * @return positive if none is left here; else why the transport takes nothing now.
     */
    long flush()
    {
        if (length == 0)
        {
            return 1;
        }
        final long result = connection.tryClaim(length, sending);
        if (result > 0)
        {
            sending.buffer().putBytes(sending.offset(), batch, 0, length);
            sending.commit();
            length = 0;
        }
        return result;
    }

    @Override
    public void onComplete(final MessageClaim claim, final boolean committed)
    {
        if (committed)
        {
            // the room that an item had claimed and not used is the next one's
            length = BitUtil.align(
                FrameHeader.payloadOffset(batch, claim.offset()) + FrameHeader.payloadLength(batch, claim.offset()),
                FrameHeader.ALIGNMENT);
        }
    }

    private long makeRoom()
    {
        final long result = flush();
        if (result > 0 && capacity == 0)
        {
            if (connection.state() != ConnectionState.CONNECTED)
            {
                return connection.state() == ConnectionState.CLOSED ? CLOSED : NOT_CONNECTED;
            }
            final int most = Math.min(connection.maxClaimLength(), MAX_LENGTH);
            capacity = most / FrameHeader.ALIGNMENT * FrameHeader.ALIGNMENT;
            batch = new UnsafeBuffer(BufferUtil.allocateDirectAligned(capacity, BitUtil.CACHE_LINE_LENGTH));
        }
        return result;
    }

    @Override
    public long id()
    {
        return connection.id();
    }

    @Override
    public ConnectionState state()
    {
        return connection.state();
    }

    @Override
    public boolean isInbound()
    {
        return connection.isInbound();
    }

    @Override
    public int maxClaimLength()
    {
        return connection.maxClaimLength();
    }

    @Override
    public int maxMessageLength()
    {
        return connection.maxMessageLength();
    }

    @Override
    public long tryClaim(final int claimLength, final MessageClaim claim)
    {
        if (length != 0)
        {
            final long result = flush();
            if (result < 0)
            {
                return result;
            }
        }
        return connection.tryClaim(claimLength, claim);
    }

    @Override
    public long offer(final DirectBuffer buffer, final int offset, final int messageLength)
    {
        final long result = flush();
        return result < 0 ? result : connection.offer(buffer, offset, messageLength);
    }

    @Override
    public void close()
    {
        flush();
        connection.close();
    }
}
