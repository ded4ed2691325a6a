/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import io.verbena.rpc.protocol.FrameFlags;
import io.verbena.rpc.protocol.FrameHeader;
import io.verbena.rpc.protocol.FrameType;
import io.verbena.rpc.transport.Connection;
import org.agrona.BitUtil;
import org.agrona.collections.LongHashSet;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A message on its way out that could not be written in one claim at once: it is longer than a claim, or the transport
 * pushed back. Sent frame by frame, each at most the transport's message length.
 * <p>
 * Design note: the payload lies in a pooled buffer behind room for one frame header. Each further frame's header is
 * written over the end of the part that has been sent, so that every frame is contiguous without a copy.
 */
final class OutboundMessage
{
    private UnsafeBuffer buffer;
    private int frameType;
    private int flags;
    private int serviceId;
    private int methodId;
    private long correlationId;
    private long deadlineNs;
    private int status;
    private int metadataLength;
    private int payloadLength;
    private int sent;
    private boolean isStarted;
    private int lastLength;
    private boolean done;
    private StreamCall stream;
    private OutboundMessage next;

    /**
     * Sets a message over a pooled buffer that holds metadata, padded, and payload from {@link FrameHeader#LENGTH} on.
     *
     * @param deadlineNs of a request; of an ERROR its push-back.
     */
    OutboundMessage set(
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
        this.buffer = buffer;
        this.frameType = frameType;
        this.flags = flags;
        this.serviceId = serviceId;
        this.methodId = methodId;
        this.correlationId = correlationId;
        this.deadlineNs = deadlineNs;
        this.status = status;
        this.metadataLength = metadataLength;
        this.payloadLength = payloadLength;
        this.sent = 0;
        this.isStarted = false;
        this.done = false;
        this.stream = stream;
        this.next = null;
        return this;
    }

    /**
     * The stream whose message it is; null for calls that do not stream.
     */
    StreamCall stream()
    {
        return stream;
    }

    /**
     * Sets the message of the same call that is to be sent after this one.
     */
    void next(final OutboundMessage follower)
    {
        next = follower;
    }

    OutboundMessage next()
    {
        return next;
    }

    /**
     * Forgets what it belongs to.
     */
    void unlink()
    {
        stream = null;
        next = null;
    }

    /**
     * Whether it is an item of a stream, which the connection's window counts.
     */
    boolean isItem()
    {
        return frameType == FrameType.STREAM;
    }

    /**
     * Whether it comes after another message of its call.
     */
    boolean isFollowUp()
    {
        return frameType == FrameType.STREAM || frameType == FrameType.HALF_CLOSE;
    }

    UnsafeBuffer takeBuffer()
    {
        final UnsafeBuffer taken = buffer;
        buffer = null;
        return taken;
    }

    int remaining()
    {
        return payloadLength - sent;
    }

    /**
     * What it takes beside a header to be sent in one frame, in bytes.
     */
    int frameLength()
    {
        return BitUtil.align(metadataLength, FrameHeader.ALIGNMENT) + payloadLength;
    }

    int queuedLength()
    {
        return metadataLength + payloadLength;
    }

    /**
     * Whether it is part of a call's request or answer, not a CANCEL.
     */
    boolean isPayloadOf(final long callId)
    {
        return correlationId == callId && switch (frameType)
        {
            case FrameType.REQUEST, FrameType.RESPONSE, FrameType.STREAM, FrameType.HALF_CLOSE, FrameType.ERROR -> true;
            default -> false;
        };
    }

    void collectRequest(final LongHashSet correlationIds)
    {
        if (frameType == FrameType.REQUEST)
        {
            correlationIds.add(correlationId);
        }
    }

    boolean isStarted()
    {
        return isStarted;
    }

    /**
     * Whether a request has run out of time before any of it was sent.
     */
    boolean isExpired(final long nowNs)
    {
        return frameType == FrameType.REQUEST && !isStarted &&
            deadlineNs != FrameHeader.NO_TIMEOUT && nowNs - deadlineNs >= 0;
    }

    /**
     * Sends the next frame.
     *
     * @param mostPayload of one frame in bytes, a multiple of 8; the metadata of the first counts too, and goes into it
     *                    even where it leaves no room for any payload.
     * @return positive if it was accepted, then {@link #isDone()} tells whether it was the last; or a negative code.
     */
    long sendFrame(final Connection connection, final int mostPayload, final long nowNs)
    {
        final int remaining = payloadLength - sent;
        final int paddedLength = BitUtil.align(metadataLength, FrameHeader.ALIGNMENT);
        int room = mostPayload;
        int frameFlags = flags & ~FrameFlags.WHOLE;
        int frameMetadataLength = 0;
        int position = paddedLength + sent;
        if (!isStarted)
        {
            frameFlags |= FrameFlags.FIRST;
            room = Math.max(0, room - paddedLength);
            frameMetadataLength = metadataLength;
            position = 0;
        }
        final int length = Math.min(remaining, room);
        if (length == remaining)
        {
            frameFlags |= FrameFlags.LAST;
        }
        long timeoutNs = 0;
        if (frameType == FrameType.REQUEST)
        {
            timeoutNs = deadlineNs == FrameHeader.NO_TIMEOUT ? FrameHeader.NO_TIMEOUT :
                Math.max(1, deadlineNs - nowNs);
        }
        else if (frameType == FrameType.ERROR)
        {
            timeoutNs = deadlineNs;
        }
        FrameHeader.encode(
            buffer, position, frameType, frameFlags, serviceId, methodId, correlationId, timeoutNs, status,
            frameMetadataLength, length);
        final int end = paddedLength + sent + length;
        final long result = connection.offer(buffer, position, FrameHeader.LENGTH + end - position);
        if (result > 0)
        {
            isStarted = true;
            sent += length;
            lastLength = length;
            done = length == remaining;
        }
        return result;
    }

    /**
     * The payload of the frame that was sent last, in bytes.
     */
    int lastLength()
    {
        return lastLength;
    }

    boolean isDone()
    {
        return done;
    }

    /**
     * The most payload that goes into one frame: a multiple of 8, so that each part stays aligned.
     */
    static int maxFramePayload(final int maxMessageLength)
    {
        return (maxMessageLength - FrameHeader.LENGTH) & -FrameHeader.ALIGNMENT;
    }
}
