/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc.transport;

import org.agrona.DirectBuffer;

/**
 * One end of a reliable, ordered, bidirectional connection that keeps message boundaries.
 * <p>
 * <b>Threading:</b> used by its transport's thread alone, inside and outside of callbacks.
 * <p>
 * <b>Results</b> of sending are positive, or one of {@link #NOT_CONNECTED}, {@link #BACK_PRESSURED},
 * {@link #ADMIN_ACTION}, {@link #CLOSED}. Back pressure is no exception. A positive result means "accepted", never
 * "delivered": after a disconnect the outcome of what was accepted is unknown.
 */
public interface Connection
{
    /** Not connected yet: try again later. */
    long NOT_CONNECTED = -1;

    /** The peer or the way to it is slower than this side: nothing was accepted, try again after a poll. */
    long BACK_PRESSURED = -2;

    /** A passing internal action, such as a log rotation: nothing was accepted, try again at once. */
    long ADMIN_ACTION = -3;

    /** Ended: nothing will be accepted any more. */
    long CLOSED = -4;

    /**
     * A number unique within the transport instance and never reused.
     *
     * @return the connection's id, positive.
     */
    long id();

    /**
     * The connection's state.
     *
     * @return the state.
     */
    ConnectionState state();

    /**
     * Whether the peer opened the connection.
     *
     * @return true if it came in through a {@link Listener}.
     */
    boolean isInbound();

    /**
     * The longest message that {@link #tryClaim(int, MessageClaim)} takes. Valid once connected.
     *
     * @return length in bytes, at most {@link #maxMessageLength()}.
     */
    int maxClaimLength();

    /**
     * The longest message that {@link #offer(DirectBuffer, int, int)} takes. Valid once connected.
     *
     * @return length in bytes.
     */
    int maxMessageLength();

    /**
     * Claims space for one message in the transport's own memory, to be encoded in place. A positive result obliges
     * the caller to {@link MessageClaim#commit()} or {@link MessageClaim#abort()} before anything else is sent on this
     * connection, and before the next poll.
     *
     * @param length of the message in bytes, from 1 to {@link #maxClaimLength()}.
     * @param claim  set to the claimed region on success, untouched otherwise.
     * @return positive, or one of the negative codes above.
     * @throws IllegalArgumentException if the length is out of range.
     * @throws IllegalStateException    if a claim is open on this connection.
     */
    long tryClaim(int length, MessageClaim claim);

    /**
     * Copies one message into the transport.
     *
     * @param buffer that holds the message; free for reuse on return.
     * @param offset of the message in the buffer, in bytes.
     * @param length of the message in bytes, from 1 to {@link #maxMessageLength()}.
     * @return positive, or one of the negative codes above.
     * @throws IllegalArgumentException if the length is out of range.
     * @throws IllegalStateException    if a claim is open on this connection.
     */
    long offer(DirectBuffer buffer, int offset, int length);

    /**
     * Ends the connection in order: what was accepted before still reaches a peer that reads. Returns at once, the
     * state is {@link ConnectionState#CLOSED}, and {@link TransportListener#onDisconnected} follows from a later poll.
     * Idempotent. An open claim is aborted.
     */
    void close();
}
