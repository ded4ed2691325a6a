/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc.transport;

import org.agrona.DirectBuffer;

/**
 * Called back by {@link Transport#poll(TransportListener, int)}, on the polling thread. Sending and closing inside
 * callbacks is allowed; polling is not. For each connection {@link #onConnected} comes first (unless it never
 * connects), then messages in the order they were sent, then {@link #onDisconnected} once and last.
 * <p>
 * An exception that a callback throws leaves the poll; its message or event counts as delivered, and the next poll goes
 * on behind it.
 */
public interface TransportListener
{
    /**
     * A connection is usable: one that this side asked for, or one that came in.
     *
     * @param connection in state {@link ConnectionState#CONNECTED}.
     */
    void onConnected(Connection connection);

    /**
     * A message arrived.
     *
     * @param connection it arrived on.
     * @param buffer     that holds it, valid until this method returns, and not to be written.
     * @param offset     of the message in the buffer, in bytes; its address is 8-byte aligned.
     * @param length     of the message in bytes.
     */
    void onMessage(Connection connection, DirectBuffer buffer, int offset, int length);

    /**
     * A connection ended, or an asked-for one did not come about. Called once for each connection.
     *
     * @param connection in state {@link ConnectionState#CLOSED}.
     * @param cause      why, as far as this side can tell.
     */
    void onDisconnected(Connection connection, DisconnectCause cause);
}
