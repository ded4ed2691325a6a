/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import io.verbena.rpc.protocol.FrameHeader;
import io.verbena.rpc.transport.Connection;
import io.verbena.rpc.transport.MessageClaim;
import org.agrona.BitUtil;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The part of a {@link Link} that opens the region in which one message is encoded: in the transport's memory, in a
 * pooled buffer, or in one that grows. A region begins with room for the frame header and with the message's metadata.
 * <p>
 * At most one region is open. Belongs to its agent's thread.
 */
abstract class LinkRegion
{
    static final int CLOSED = 0;
    static final int CLAIMED = 1;
    static final int POOLED = 2;
    static final int SCRATCH = 3;

    final BatchingConnection connection;
    final BufferPool pool;
    final ConnectionFlow flow;
    final RpcCounters counters;
    final Outbox outbox;
    final ExpandableArrayBuffer scratch;
    final MessageClaim claim = new MessageClaim();
    int region = CLOSED;
    MutableDirectBuffer regionBuffer;
    int regionOffset;
    int regionCapacity;
    /** Room behind that, which the message does not need. */
    int regionSlack;
    /** Of the open region. */
    int metadataLength;
    UnsafeBuffer pooled;
    /** Compresses and checks long messages; null where none are. */
    PayloadEncoder encoder;

    LinkRegion(
        final Connection connection,
        final BufferPool pool,
        final AgentContext<?> context,
        final ExpandableArrayBuffer scratch)
    {
        this.connection = new BatchingConnection(connection);
        this.pool = pool;
        this.flow = new ConnectionFlow(context.connectionWindowBytes());
        this.counters = context.counters();
        this.outbox = new Outbox(this.connection, pool, flow, context.maxQueuedBytes(), counters);
        this.scratch = scratch;
    }

    final boolean isRegionOpen()
    {
        return region != CLOSED;
    }

    /**
     * The buffer of the open region; the payload begins at {@link #payloadOffset()}.
     */
    final MutableDirectBuffer buffer()
    {
        return regionBuffer;
    }

    final int payloadOffset()
    {
        return regionOffset + FrameHeader.LENGTH + BitUtil.align(metadataLength, FrameHeader.ALIGNMENT);
    }

    final int payloadCapacity()
    {
        return regionCapacity;
    }

    /**
     * Whether nothing waits to be sent.
     */
    final boolean isEmpty()
    {
        return outbox.isEmpty() && !connection.hasItems();
    }

    /**
     * Whether the open region lies in the transport's memory, so that committing it publishes it at once.
     */
    final boolean isRegionClaimed()
    {
        return region == CLAIMED;
    }

    /**
     * Has long messages compressed and checked from here on.
     *
     * @param newEncoder of the connection; null for neither.
     */
    final void encoder(final PayloadEncoder newEncoder)
    {
        encoder = newEncoder;
    }

    final boolean isCoded(final int payloadLength)
    {
        return encoder != null && encoder.applies(payloadLength);
    }

    /**
     * The longest metadata that a message on this connection may have: what both sides and the transport allow.
     *
     * @param limit of both sides, in bytes.
     */
    final int metadataLimit(final int limit)
    {
        return Math.min(limit, OutboundMessage.maxFramePayload(connection.maxMessageLength()));
    }

    /**
     * Opens a region for a payload of at most the given length: a claim where it fits, else a pooled buffer.
     *
     * @return positive, or why nothing is taken now; nothing is open then.
     */
    final long tryOpen(final int payloadLength)
    {
        return tryOpen(payloadLength, null);
    }

    /**
     * Opens a region as the other method does, for a message with metadata.
     *
     * @param metadata that goes with it, within {@link #metadataLimit}; null for none.
     */
    final long tryOpen(final int payloadLength, final Metadata metadata)
    {
        return tryOpen(payloadLength, metadata, false);
    }

    /**
     * Opens a region as the other methods do, for an item of a stream: it may leave together with others.
     *
     * @param metadata that goes with it, within {@link #metadataLimit}; null for none.
     */
    final long tryOpenItem(final int payloadLength, final Metadata metadata)
    {
        return tryOpen(payloadLength, metadata, true);
    }

    private long tryOpen(final int payloadLength, final Metadata metadata, final boolean isItem)
    {
        requireClosed();
        final int length = paddedLength(metadata) + payloadLength;
        if (FrameHeader.LENGTH + length <= connection.maxClaimLength() && !isCoded(payloadLength))
        {
            final long result = isItem ?
                connection.tryClaimItem(FrameHeader.LENGTH + length, claim) :
                connection.tryClaim(FrameHeader.LENGTH + length, claim);
            if (result > 0)
            {
                region = CLAIMED;
                regionBuffer = claim.buffer();
                regionOffset = claim.offset();
                opened(payloadLength, metadata);
                return result;
            }
            counters.claimBackPressured();
            if (!mayQueue(result, length))
            {
                return result;
            }
        }
        else if (!outbox.hasRoomFor(length))
        {
            return Connection.BACK_PRESSURED;
        }
        openPooled(payloadLength, metadata);
        return 1;
    }

    /**
     * Opens a region whatever the transport says: where it takes nothing now, the message will be queued. It must not
     * pass one of its stream that is queued.
     *
     * @param metadata that goes with it, within {@link #metadataLimit}; null for none.
     * @param stream   of the call; null if it does not stream.
     */
    final void open(final int payloadLength, final Metadata metadata, final StreamCall stream)
    {
        requireClosed();
        if (stream != null && stream.queued() != null || tryOpen(payloadLength, metadata) < 0)
        {
            openPooled(payloadLength, metadata);
        }
    }

    /**
     * Opens a region of unknown length in a buffer that grows; committing copies it.
     *
     * @param metadata that goes with it, within {@link #metadataLimit}; null for none.
     */
    final void openScratch(final Metadata metadata)
    {
        requireClosed();
        region = SCRATCH;
        regionBuffer = scratch;
        regionOffset = 0;
        opened(0, metadata);
        regionCapacity = Integer.MAX_VALUE - payloadOffset();
    }

    /**
     * Makes the open region, opened without metadata, begin with it.
     *
     * @param payloadLength the most that will be encoded.
     * @param metadata      that leaves room for that.
     */
    final void placeMetadata(final int payloadLength, final Metadata metadata)
    {
        final int room = regionCapacity;
        opened(payloadLength, metadata);
        regionSlack = room - metadata.paddedLength() - payloadLength;
    }

    /**
     * Whether a message that the transport did not take should be queued: it fits no claim, or the transport pushed
     * back while it is filled by our own long messages, which a short one need not wait for.
     */
    final boolean mayQueue(final long result, final int length)
    {
        return result != Connection.CLOSED && result != Connection.NOT_CONNECTED &&
            (FrameHeader.LENGTH + length > connection.maxClaimLength() || !outbox.isEmpty() || isCoded(length)) &&
            outbox.hasRoomFor(length);
    }

    /**
     * Drops the open region; nothing is sent. Does nothing if none is open.
     */
    final void abort()
    {
        if (region == CLAIMED)
        {
            claim.abort();
        }
        else if (region == POOLED)
        {
            pool.release(pooled);
            pooled = null;
        }
        region = CLOSED;
    }

    /**
     * Takes the open region out as a pooled buffer; it must not lie in the transport's memory.
     */
    final UnsafeBuffer takePooled(final int kind, final int payloadLength)
    {
        if (kind == POOLED)
        {
            final UnsafeBuffer taken = pooled;
            pooled = null;
            return taken;
        }
        final int length = payloadOffset() + payloadLength;
        final UnsafeBuffer copy = pool.acquire(length);
        copy.putBytes(FrameHeader.LENGTH, scratch, FrameHeader.LENGTH, length - FrameHeader.LENGTH);
        return copy;
    }

    static int paddedLength(final Metadata metadata)
    {
        return metadata == null ? 0 : metadata.paddedLength();
    }

    private void openPooled(final int payloadLength, final Metadata metadata)
    {
        pooled = pool.acquire(FrameHeader.LENGTH + paddedLength(metadata) + payloadLength);
        region = POOLED;
        regionBuffer = pooled;
        regionOffset = 0;
        opened(payloadLength, metadata);
    }

    private void opened(final int payloadLength, final Metadata metadata)
    {
        regionCapacity = payloadLength;
        regionSlack = 0;
        metadataLength = 0;
        if (metadata != null)
        {
            metadataLength = metadata.length();
            metadata.encode(regionBuffer, regionOffset + FrameHeader.LENGTH);
        }
    }

    private void requireClosed()
    {
        if (region != CLOSED)
        {
            throw new IllegalStateException(
                "a message is being encoded on this connection: commit, send or abort it first");
        }
    }
}
