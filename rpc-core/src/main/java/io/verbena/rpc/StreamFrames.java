/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import io.verbena.rpc.protocol.CreditPayload;
import io.verbena.rpc.protocol.FrameHeader;
import io.verbena.rpc.protocol.FrameType;
import org.agrona.BitUtil;
import org.agrona.DirectBuffer;

/**
 * What both ends say of frames of streams that break the protocol.
 */
final class StreamFrames
{
    static final String NO_GRANT =
        "a CREDIT for the connection: expected a grant of 1 or more bytes and of no items";

    private StreamFrames()
    {
    }

    /**
     * Finds the frame after one in the same message. Only an item of a stream is followed by another frame; zeros after
     * it are room that its sender had claimed and not used.
     *
     * @param frameOffset of the frame, whose bytes need not be well-formed.
     * @param end         of the message.
     * @return where the next frame begins, or the end where there is none.
     */
    static int next(final DirectBuffer buffer, final int frameOffset, final int end)
    {
        if (end - frameOffset <= FrameHeader.LENGTH ||
            FrameHeader.frameType(buffer, frameOffset) != FrameType.STREAM)
        {
            return end;
        }
        final long payloadEnd = FrameHeader.payloadOffset(buffer, frameOffset) +
            (long)FrameHeader.payloadLength(buffer, frameOffset);
        final long next = frameOffset + BitUtil.align(payloadEnd - frameOffset, FrameHeader.ALIGNMENT);
        return next <= frameOffset || next >= end || FrameHeader.version(buffer, (int)next) == 0 ? end : (int)next;
    }

    /**
     * Says what is wrong with the length of a CREDIT.
     *
     * @return null if nothing.
     */
    static String malformedCredit(final DirectBuffer buffer, final int frameOffset)
    {
        final int length = FrameHeader.payloadLength(buffer, frameOffset);
        return length >= CreditPayload.LENGTH ? null :
            "a CREDIT: expected a payload of " + CreditPayload.LENGTH + " bytes, found " + length;
    }

    /**
     * Words for an item that came without credit.
     */
    static String flowControlText(final StreamCall stream, final boolean isConnectionCovered)
    {
        return "flow-control error: an item came without credit of " +
            (isConnectionCovered ? "its stream: " + stream.receiveItems() + " items and " + stream.receiveBytes() +
            " bytes are left of what was granted" : "the connection");
    }

    static void requireGrant(final int items)
    {
        if (items < 1)
        {
            throw new IllegalArgumentException("expected a grant of 1 or more items, found " + items);
        }
    }

    static void requireManual(final StreamCall stream, final boolean isReceiving)
    {
        if (!isReceiving)
        {
            throw new IllegalStateException("no items come in on call " + stream.correlationId());
        }
        if (stream.isGrantAutomatic())
        {
            throw new IllegalStateException(
                "credit of call " + stream.correlationId() + " goes back by itself: see isGrantAutomatic");
        }
    }
}
