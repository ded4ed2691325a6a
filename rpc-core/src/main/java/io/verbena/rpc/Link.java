/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import io.verbena.rpc.protocol.ErrorPayload;
import io.verbena.rpc.protocol.FrameFlags;
import io.verbena.rpc.protocol.FrameHeader;
import io.verbena.rpc.protocol.FrameType;
import io.verbena.rpc.transport.Connection;
import io.verbena.rpc.transport.MessageClaim;
import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The sending side of one connection, the same for clients and servers: opens a region to encode one message in, sends
 * it in place where it fits a claim, and by the {@link Outbox} where it does not or the transport pushes back.
 * <p>
 * At most one region is open. Belongs to its agent's thread.
 */
final class Link
{
    private static final int CLOSED = 0;
    private static final int CLAIMED = 1;
    private static final int POOLED = 2;
    private static final int SCRATCH = 3;

    private final Connection connection;
    private final BufferPool pool;
    private final Outbox outbox;
    private final ExpandableArrayBuffer scratch;
    private final NanoClock clock;
    private final MessageClaim claim = new MessageClaim();

    private int region = CLOSED;
    private MutableDirectBuffer regionBuffer;
    private int regionOffset;
    private int regionCapacity;
    /** Room behind that, which the message does not need. */
    private int regionSlack;
    /** Of the open region, which begins with it. */
    private int metadataLength;
    private UnsafeBuffer pooled;

    Link(
        final Connection connection,
        final BufferPool pool,
        final long maxQueuedBytes,
        final ExpandableArrayBuffer scratch,
        final NanoClock clock)
    {
        this.connection = connection;
        this.pool = pool;
        this.outbox = new Outbox(connection, pool, maxQueuedBytes);
        this.scratch = scratch;
        this.clock = clock;
    }

    Connection connection()
    {
        return connection;
    }

    Outbox outbox()
    {
        return outbox;
    }

    boolean isRegionOpen()
    {
        return region != CLOSED;
    }

    /**
     * The buffer of the open region; the payload begins at {@link #payloadOffset()}.
     */
    MutableDirectBuffer buffer()
    {
        return regionBuffer;
    }

    int payloadOffset()
    {
        return regionOffset + FrameHeader.LENGTH + BitUtil.align(metadataLength, FrameHeader.ALIGNMENT);
    }

    int payloadCapacity()
    {
        return regionCapacity;
    }

    /**
     * Opens a region for a payload of at most the given length: a claim where it fits, else a pooled buffer.
     *
     * @return positive, or why nothing is taken now; nothing is open then.
     */
    long tryOpen(final int payloadLength)
    {
        return tryOpen(null, payloadLength);
    }

    /**
     * Opens a region as the other method does, for a message with metadata.
     *
     * @param metadata that goes with it, within {@link #metadataLimit}; null for none.
     */
    long tryOpen(final Metadata metadata, final int payloadLength)
    {
        requireClosed();
        final int paddedLength = metadata == null ? 0 : metadata.paddedLength();
        final int frameLength = FrameHeader.LENGTH + paddedLength + payloadLength;
        if (frameLength <= connection.maxClaimLength())
        {
            final long result = connection.tryClaim(frameLength, claim);
            if (result > 0)
            {
                region = CLAIMED;
                regionBuffer = claim.buffer();
                regionOffset = claim.offset();
                opened(metadata, payloadLength);
                return result;
            }
            if (!mayQueue(result, paddedLength + payloadLength))
            {
                return result;
            }
        }
        else if (!outbox.hasRoomFor(payloadLength))
        {
            return Connection.BACK_PRESSURED;
        }
        openPooled(metadata, payloadLength);
        return 1;
    }

    /**
     * Opens a region whatever the transport says: where it takes nothing now, the message will be queued.
     */
    void open(final int payloadLength)
    {
        open(null, payloadLength);
    }

    /**
     * Opens a region as the other method does, for a message with metadata.
     */
    void open(final Metadata metadata, final int payloadLength)
    {
        if (tryOpen(metadata, payloadLength) < 0)
        {
            openPooled(metadata, payloadLength);
        }
    }

    /**
     * Makes the open region, opened without metadata, begin with it.
     *
     * @param metadata      that leaves room for the payload.
     * @param payloadLength the most that will be encoded.
     */
    void placeMetadata(final Metadata metadata, final int payloadLength)
    {
        final int room = regionCapacity;
        opened(metadata, payloadLength);
        regionSlack = room - metadata.paddedLength() - payloadLength;
    }

    /**
     * The longest metadata that a message on this connection may have: what both sides and the transport allow.
     *
     * @param limit of both sides, in bytes.
     */
    int metadataLimit(final int limit)
    {
        return Math.min(limit, OutboundMessage.maxFramePayload(connection.maxMessageLength()) - FrameHeader.ALIGNMENT);
    }

    /**
     * Whether a message that {@link #trySend} did not take should be queued: it fits no claim, or the transport pushed
     * back while it is filled by our own long messages, which a short one need not wait for.
     */
    boolean mayQueue(final long result, final int payloadLength)
    {
        return result != Connection.CLOSED && result != Connection.NOT_CONNECTED &&
            (FrameHeader.LENGTH + payloadLength > connection.maxClaimLength() || !outbox.isEmpty()) &&
            outbox.hasRoomFor(payloadLength);
    }

    /**
     * Opens a region of unknown length in a buffer that grows; committing copies it.
     */
    void openScratch()
    {
        openScratch(null);
    }

    /**
     * Opens a region as the other method does, for a message with metadata.
     */
    void openScratch(final Metadata metadata)
    {
        requireClosed();
        region = SCRATCH;
        regionBuffer = scratch;
        regionOffset = 0;
        opened(metadata, 0);
        regionCapacity = Integer.MAX_VALUE - payloadOffset();
    }

    /**
     * Whether the open region lies in the transport's memory, so that committing it publishes it at once.
     */
    boolean isRegionClaimed()
    {
        return region == CLAIMED;
    }

    void commitRequest(
        final int serviceId,
        final int methodId,
        final long correlationId,
        final long deadlineNs,
        final long timeoutNs,
        final int payloadLength)
    {
        commit(
            FrameType.REQUEST, 0, serviceId, methodId, correlationId, deadlineNs, timeoutNs, 0, payloadLength);
    }

    /**
     * Sends what was encoded in the open region and closes it.
     *
     * @param deadlineNs of a request, by the agent's clock.
     */
    void commit(
        final int frameType,
        final int flags,
        final int serviceId,
        final int methodId,
        final long correlationId,
        final long deadlineNs,
        final long timeoutNs,
        final int status,
        final int payloadLength)
    {
        final int kind = region;
        region = CLOSED;
        if (kind == CLAIMED)
        {
            if (payloadLength < regionCapacity + regionSlack)
            {
                // what was claimed and not encoded leaves the process too: let it be nothing of an earlier message
                regionBuffer.setMemory(
                    payloadOffset() + payloadLength, regionCapacity + regionSlack - payloadLength, (byte)0);
            }
            FrameHeader.encode(
                regionBuffer, regionOffset, frameType, flags | FrameFlags.WHOLE, serviceId, methodId, correlationId,
                timeoutNs, status, metadataLength, payloadLength);
            claim.commit();
            return;
        }
        if (kind == SCRATCH && metadataLength == 0)
        {
            send(
                frameType, flags, serviceId, methodId, correlationId, deadlineNs, timeoutNs, status,
                scratch, FrameHeader.LENGTH, payloadLength);
            return;
        }
        final UnsafeBuffer buffer = kind == SCRATCH ? copyOfScratch(payloadLength) : pooled;
        pooled = null;
        outbox.add(
            buffer, frameType, flags, serviceId, methodId, correlationId,
            frameType == FrameType.ERROR ? timeoutNs : deadlineNs, status, metadataLength, payloadLength);
        drain();
    }

    /**
     * Drops the open region; nothing is sent. Does nothing if none is open.
     */
    void abort()
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
     * Copies a message out: in one frame if the transport takes it now, by the outbox if not.
     */
    void send(
        final int frameType,
        final int flags,
        final int serviceId,
        final int methodId,
        final long correlationId,
        final long deadlineNs,
        final long timeoutNs,
        final int status,
        final DirectBuffer payload,
        final int offset,
        final int length)
    {
        if (trySend(
            frameType, flags, serviceId, methodId, correlationId, timeoutNs, status, payload, offset, length) < 0)
        {
            queue(frameType, flags, serviceId, methodId, correlationId, deadlineNs, status, payload, offset, length);
        }
    }

    /**
     * Copies a message into the outbox.
     */
    void queue(
        final int frameType,
        final int flags,
        final int serviceId,
        final int methodId,
        final long correlationId,
        final long deadlineNs,
        final int status,
        final DirectBuffer payload,
        final int offset,
        final int length)
    {
        final UnsafeBuffer buffer = pool.acquire(FrameHeader.LENGTH + length);
        buffer.putBytes(FrameHeader.LENGTH, payload, offset, length);
        outbox.add(
            buffer, frameType, flags, serviceId, methodId, correlationId,
            frameType == FrameType.ERROR ? 0 : deadlineNs, status, length);
        drain();
    }

    /**
     * Copies a message into a claim, if it fits one and the transport takes it now.
     *
     * @return positive if it is on its way; else nothing has happened.
     */
    long trySend(
        final int frameType,
        final int flags,
        final int serviceId,
        final int methodId,
        final long correlationId,
        final long timeoutNs,
        final int status,
        final DirectBuffer payload,
        final int offset,
        final int length)
    {
        final int frameLength = FrameHeader.LENGTH + length;
        if (region != CLOSED || frameLength > connection.maxClaimLength())
        {
            return Connection.BACK_PRESSURED;
        }
        final long result = connection.tryClaim(frameLength, claim);
        if (result > 0)
        {
            final MutableDirectBuffer buffer = claim.buffer();
            FrameHeader.encode(
                buffer, claim.offset(), frameType, flags | FrameFlags.WHOLE, serviceId, methodId, correlationId,
                timeoutNs, status, 0, length);
            buffer.putBytes(claim.offset() + FrameHeader.LENGTH, payload, offset, length);
            claim.commit();
        }
        return result;
    }

    /**
     * Sends a frame that has no payload.
     */
    void sendControl(final int frameType, final int serviceId, final int methodId, final long correlationId)
    {
        send(frameType, 0, serviceId, methodId, correlationId, FrameHeader.NO_TIMEOUT, 0, 0, scratch, 0, 0);
    }

    /**
     * Answers a PING.
     *
     * @return false if the peer asks and asks and reads no answers: it is not worth the memory.
     */
    boolean sendPong(final long correlationId)
    {
        if (!outbox.hasRoomFor(0))
        {
            return false;
        }
        sendControl(FrameType.PONG, 0, 0, correlationId);
        return true;
    }

    /**
     * Sends an ERROR frame. A detail that does not fit the limit is left out and the frame says that it was cut.
     *
     * @param metadata   that goes with it, within {@link #metadataLimit}; null for none.
     * @param pushbackNs what to tell about calling again; 0 for nothing.
     */
    void sendError(
        final int serviceId,
        final int methodId,
        final long correlationId,
        final StatusCode code,
        final String text,
        final DirectBuffer detail,
        final int detailLength,
        final int maxMessageLength,
        final int flags,
        final Metadata metadata,
        final long pushbackNs)
    {
        final byte[] textBytes = ErrorPayload.textBytes(text);
        final int start = ErrorPayload.detailOffset(textBytes.length);
        final boolean fits = detailLength <= maxMessageLength - start;
        final int sentDetailLength = fits ? detailLength : 0;
        final boolean cut = !fits || ErrorPayload.isCut(text, textBytes);
        final int payloadOffset = FrameHeader.LENGTH + (metadata == null ? 0 : metadata.paddedLength());
        final UnsafeBuffer buffer = pool.acquire(payloadOffset + start + sentDetailLength);
        if (metadata != null)
        {
            metadata.encode(buffer, FrameHeader.LENGTH);
        }
        ErrorPayload.encode(buffer, payloadOffset, textBytes, sentDetailLength);
        if (sentDetailLength > 0)
        {
            buffer.putBytes(payloadOffset + start, detail, 0, sentDetailLength);
        }
        outbox.add(
            buffer, FrameType.ERROR, cut ? flags | FrameFlags.CUT : flags, serviceId, methodId,
            correlationId, pushbackNs, code.value(), metadata == null ? 0 : metadata.length(),
            start + sentDetailLength);
        drain();
    }

    /**
     * Sends on what is queued, by a time read anew: whoever ran since the cycle began may have taken long, and an
     * expired request must not be sent. Sends nothing while a claim is open.
     *
     * @return a count of work done.
     */
    int drain()
    {
        return region == CLAIMED || outbox.isEmpty() ? 0 : outbox.drain(clock.nanoTime());
    }

    /**
     * Frees everything. The connection itself is its owner's to close.
     */
    void dispose()
    {
        abort();
        outbox.clear();
    }

    private void openPooled(final Metadata metadata, final int payloadLength)
    {
        pooled = pool.acquire(
            FrameHeader.LENGTH + (metadata == null ? 0 : metadata.paddedLength()) + payloadLength);
        region = POOLED;
        regionBuffer = pooled;
        regionOffset = 0;
        opened(metadata, payloadLength);
    }

    private void opened(final Metadata metadata, final int payloadLength)
    {
        regionCapacity = payloadLength;
        regionSlack = 0;
        if (metadata == null)
        {
            metadataLength = 0;
        }
        else
        {
            metadataLength = metadata.length();
            metadata.encode(regionBuffer, regionOffset + FrameHeader.LENGTH);
        }
    }

    private UnsafeBuffer copyOfScratch(final int payloadLength)
    {
        final int length = payloadOffset() + payloadLength;
        final UnsafeBuffer copy = pool.acquire(length);
        copy.putBytes(FrameHeader.LENGTH, scratch, FrameHeader.LENGTH, length - FrameHeader.LENGTH);
        return copy;
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
