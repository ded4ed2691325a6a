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
final class Link extends LinkRegion
{
    private final NanoClock clock;

    Link(
        final Connection connection,
        final BufferPool pool,
        final AgentContext<?> context,
        final ExpandableArrayBuffer scratch,
        final NanoClock clock)
    {
        super(connection, pool, context, scratch);
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

    ConnectionFlow flow()
    {
        return flow;
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
            FrameType.REQUEST, 0, serviceId, methodId, correlationId, deadlineNs, timeoutNs, 0, payloadLength, null);
    }

    /**
     * Sends the item that was encoded in the open region and closes it.
     */
    void commitItem(final StreamCall stream, final int payloadLength)
    {
        if (region == CLAIMED)
        {
            counters.itemSent();
            stream.onSent(payloadLength);
            flow.onSent(payloadLength);
        }
        commit(
            FrameType.STREAM, 0, stream.serviceId(), stream.methodId(), stream.correlationId(),
            FrameHeader.NO_TIMEOUT, 0, 0, payloadLength, stream);
    }

    /**
     * Copies an item into a claim, if it fits one and the transport takes it now; else into the outbox, if that takes
     * it.
     *
     * @return positive if it is on its way; else nothing has happened.
     */
    long offerItem(final StreamCall stream, final DirectBuffer payload, final int offset, final int length)
    {
        final long result = trySend(
            FrameType.STREAM, 0, stream.serviceId(), stream.methodId(), stream.correlationId(), 0, 0, payload, offset,
            length);
        if (result > 0)
        {
            counters.itemSent();
            stream.onSent(length);
            flow.onSent(length);
            return result;
        }
        if (!mayQueue(result, length))
        {
            return result;
        }
        queue(
            FrameType.STREAM, 0, stream.serviceId(), stream.methodId(), stream.correlationId(),
            FrameHeader.NO_TIMEOUT, 0, payload, offset, length, stream);
        return 1;
    }

    /**
     * Sends the end of this side's items, behind all of them.
     */
    void sendHalfClose(final StreamCall stream)
    {
        send(
            FrameType.HALF_CLOSE, 0, stream.serviceId(), stream.methodId(), stream.correlationId(),
            FrameHeader.NO_TIMEOUT, 0, 0, scratch, 0, 0, stream);
    }

    /**
     * Sends the end of this side's items with metadata, behind all of them.
     */
    void sendHalfClose(final StreamCall stream, final Metadata metadata)
    {
        open(0, metadata, stream);
        commit(
            FrameType.HALF_CLOSE, 0, stream.serviceId(), stream.methodId(), stream.correlationId(),
            FrameHeader.NO_TIMEOUT, 0, 0, 0, stream);
    }

    /**
     * Sends what was encoded in the open region and closes it.
     *
     * @param deadlineNs of a request, by the agent's clock.
     * @param stream     of the call, or null if it does not stream.
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
        final int payloadLength,
        final StreamCall stream)
    {
        final int kind = region;
        region = CLOSED;
        if (kind == CLAIMED)
        {
            final int room = regionCapacity + regionSlack;
            if (payloadLength < room)
            {
                // what was claimed and not encoded leaves the process too: let it be nothing of an earlier message
                regionBuffer.setMemory(payloadOffset() + payloadLength, room - payloadLength, (byte)0);
            }
            FrameHeader.encode(
                regionBuffer, regionOffset, frameType, flags | FrameFlags.WHOLE, serviceId, methodId, correlationId,
                timeoutNs, status, metadataLength, payloadLength);
            claim.commit();
        }
        else if (kind == SCRATCH && metadataLength == 0 && !isCoded(payloadLength))
        {
            send(
                frameType, flags, serviceId, methodId, correlationId, deadlineNs, timeoutNs, status,
                scratch, FrameHeader.LENGTH, payloadLength, stream);
        }
        else
        {
            add(
                takePooled(kind, payloadLength), frameType, flags, serviceId, methodId, correlationId,
                frameType == FrameType.ERROR ? timeoutNs : deadlineNs, status, metadataLength, payloadLength, stream);
        }
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
        final int length,
        final StreamCall stream)
    {
        if (stream != null && stream.queued() != null ||
            trySend(
            frameType, flags, serviceId, methodId, correlationId, timeoutNs, status, payload, offset, length) < 0)
        {
            queue(
                frameType, flags, serviceId, methodId, correlationId, deadlineNs, status, payload, offset, length,
                stream);
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
        final int length,
        final StreamCall stream)
    {
        final UnsafeBuffer buffer = pool.acquire(FrameHeader.LENGTH + length);
        buffer.putBytes(FrameHeader.LENGTH, payload, offset, length);
        add(
            buffer, frameType, flags, serviceId, methodId, correlationId,
            frameType == FrameType.ERROR ? 0 : deadlineNs, status, 0, length, stream);
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
        if (region != CLOSED || frameLength > connection.maxClaimLength() || isCoded(length))
        {
            return Connection.BACK_PRESSURED;
        }
        final long result = frameType == FrameType.STREAM ?
            connection.tryClaimItem(frameLength, claim) : connection.tryClaim(frameLength, claim);
        if (result > 0)
        {
            final MutableDirectBuffer buffer = claim.buffer();
            FrameHeader.encode(
                buffer, claim.offset(), frameType, flags | FrameFlags.WHOLE, serviceId, methodId, correlationId,
                timeoutNs, status, 0, length);
            buffer.putBytes(claim.offset() + FrameHeader.LENGTH, payload, offset, length);
            claim.commit();
        }
        else
        {
            counters.claimBackPressured();
        }
        return result;
    }

    /**
     * Sends a frame that has no payload.
     */
    void sendControl(final int frameType, final int serviceId, final int methodId, final long correlationId)
    {
        sendControl(frameType, serviceId, methodId, correlationId, 0);
    }

    void sendControl(
        final int frameType, final int serviceId, final int methodId, final long correlationId, final int status)
    {
        send(frameType, 0, serviceId, methodId, correlationId, FrameHeader.NO_TIMEOUT, 0, status, scratch, 0, 0, null);
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
        final StreamCall stream,
        final Metadata metadata,
        final long pushbackNs)
    {
        final byte[] textBytes = ErrorPayload.textBytes(text);
        final int start = ErrorPayload.detailOffset(textBytes.length);
        final boolean fits = detailLength <= maxMessageLength - start;
        final int sentDetailLength = fits ? detailLength : 0;
        final boolean cut = !fits || ErrorPayload.isCut(text, textBytes);
        final int payloadOffset = FrameHeader.LENGTH + paddedLength(metadata);
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
            buffer, FrameType.ERROR, cut ? flags | FrameFlags.CUT : flags, serviceId, methodId, correlationId,
            pushbackNs, code.value(), metadata == null ? 0 : metadata.length(), start + sentDetailLength, stream);
        drain();
    }

    /**
     * Sends the items that have gathered, then what is queued, by a time read anew: whoever ran since the cycle began
     * may have taken long, and an expired request must not be sent. Sends nothing while a claim is open.
     *
     * @return a count of work done.
     */
    int drain()
    {
        if (region == CLAIMED)
        {
            return 0;
        }
        final int flushed = connection.hasItems() && connection.flush() > 0 ? 1 : 0;
        return outbox.isEmpty() ? flushed : flushed + outbox.drain(clock.nanoTime());
    }

    /**
     * Frees everything. The connection itself is its owner's to close.
     */
    void dispose()
    {
        abort();
        outbox.clear();
    }

    /**
     * Queues a message, compressed and checked where that applies.
     */
    private void add(
        final UnsafeBuffer buffer,
        final int frameType,
        final int flags,
        final int serviceId,
        final int methodId,
        final long correlationId,
        final long deadlineNs,
        final int status,
        final int sentMetadataLength,
        final int payloadLength,
        final StreamCall stream)
    {
        UnsafeBuffer sent = buffer;
        int sentFlags = flags;
        int sentLength = payloadLength;
        if (isCoded(payloadLength) && FrameType.isMessage(frameType))
        {
            final int start = FrameHeader.LENGTH + BitUtil.align(sentMetadataLength, FrameHeader.ALIGNMENT);
            sent = encoder.encode(buffer, start, payloadLength);
            sentFlags |= encoder.flags();
            sentLength = encoder.length();
        }
        if (frameType == FrameType.STREAM)
        {
            counters.itemSent();
            stream.onSent(sentLength);
        }
        outbox.add(
            sent, frameType, sentFlags, serviceId, methodId, correlationId, deadlineNs, status, sentMetadataLength,
            sentLength, stream);
        drain();
    }
}
