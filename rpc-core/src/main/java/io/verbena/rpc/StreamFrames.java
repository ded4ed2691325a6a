/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import io.verbena.rpc.protocol.CreditPayload;
import io.verbena.rpc.protocol.FrameHeader;
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
