/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import io.verbena.rpc.transport.DisconnectCause;

/**
 * What a disconnect means, for people.
 */
final class Causes
{
    private Causes()
    {
    }

    /**
     * Whether neither side has closed the connection in order.
     */
    static boolean isLoss(final DisconnectCause cause)
    {
        return cause != DisconnectCause.CLOSED_LOCALLY && cause != DisconnectCause.CLOSED_BY_PEER;
    }

    /**
     * Words for a cause.
     *
     * @param cause  of the disconnect.
     * @param reason that this side closed the connection for, where it did.
     */
    static String inWords(final DisconnectCause cause, final String reason)
    {
        return switch (cause)
        {
            case CLOSED_LOCALLY -> reason;
            case CLOSED_BY_PEER -> "the peer closed the connection";
            case CONNECT_TIMEOUT -> "nobody answered there within the connect timeout";
            case REJECTED -> "the peer rejected the connection";
            case PEER_TIMEOUT -> "the peer was silent for longer than the liveness timeout";
            case PEER_STALLED -> "the peer took nothing off the connection for longer than the stall timeout";
            case DRIVER_LOST -> "the media driver or device went away";
            case PROTOCOL_ERROR -> "the peer broke the protocol";
            case TRANSPORT_ERROR -> "the transport failed";
        };
    }
}
