/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.agrona.DirectBuffer;

/**
 * One transport and a listener that records what it is told and checks the rules that hold always: callbacks on the
 * polling thread inside poll alone, and for each connection connected once, then messages, then disconnected once.
 */
public final class ContractPeer implements TransportListener, AutoCloseable
{
    /**
     * What a test adds to the recording, inside the callback.
     */
    public interface OnMessage
    {
        /**
         * Called after a message was recorded.
         *
         * @param connection it came on.
         * @param buffer     that holds it.
         * @param offset     of it.
         * @param length     of it.
         */
        void onMessage(Connection connection, DirectBuffer buffer, int offset, int length);
    }

    /**
     * What a test adds to the recording of a connection event.
     */
    public interface OnConnected
    {
        /**
         * Called after the event was recorded.
         *
         * @param connection that connected.
         */
        void onConnected(Connection connection);
    }

    /**
     * All that was told about one connection.
     */
    public static final class Record
    {
        private final Connection connection;
        private final List<byte[]> messages = new ArrayList<>();
        private boolean connected;
        private DisconnectCause cause;

        Record(final Connection connection)
        {
            this.connection = connection;
        }

        /**
         * The messages in order.
         *
         * @return copies.
         */
        public List<byte[]> messages()
        {
            return messages;
        }

        /**
         * Whether onConnected came.
         *
         * @return true if so.
         */
        public boolean connected()
        {
            return connected;
        }

        /**
         * Why it ended.
         *
         * @return the cause, or null before onDisconnected.
         */
        public DisconnectCause cause()
        {
            return cause;
        }

        /**
         * What it is about.
         *
         * @return the connection.
         */
        public Connection connection()
        {
            return connection;
        }
    }

    private final String name;
    private final Transport transport;
    private final Map<Long, Record> records = new LinkedHashMap<>();
    private OnMessage onMessage = (connection, buffer, offset, length) -> {};
    private OnConnected onConnected = (connection) -> {};
    private Thread polling;
    private int inMessages;

    /**
     * Around a transport.
     *
     * @param name      for messages about failures.
     * @param transport owned by this.
     */
    public ContractPeer(final String name, final Transport transport)
    {
        this.name = name;
        this.transport = transport;
    }

    /**
     * The transport.
     *
     * @return it.
     */
    public Transport transport()
    {
        return transport;
    }

    /**
     * Adds to what happens on a message.
     *
     * @param action done inside the callback.
     */
    public void onMessage(final OnMessage action)
    {
        onMessage = action;
    }

    /**
     * Adds to what happens when a connection opens.
     *
     * @param action done inside the callback.
     */
    public void onConnected(final OnConnected action)
    {
        onConnected = action;
    }

    /**
     * Polls once.
     *
     * @return the transport's result.
     */
    public int poll()
    {
        return poll(64);
    }

    /**
     * Polls once and checks that the limit was kept.
     *
     * @param limit of messages.
     * @return the transport's result.
     */
    public int poll(final int limit)
    {
        polling = Thread.currentThread();
        inMessages = 0;
        try
        {
            final int workCount = transport.poll(this, limit);
            assertTrue(inMessages <= limit, () -> name + ": " + inMessages + " messages in poll(" + limit + ")");
            assertTrue(workCount >= inMessages, () -> name + ": poll counts " + workCount + " of " + inMessages);
            return workCount;
        }
        finally
        {
            polling = null;
        }
    }

    /**
     * Everything told so far.
     *
     * @return a record for each connection, the oldest first.
     */
    public List<Record> records()
    {
        return new ArrayList<>(records.values());
    }

    /**
     * What was told about a connection of this peer.
     *
     * @param connection of this peer.
     * @return its record, an empty one if nothing was told.
     */
    public Record record(final Connection connection)
    {
        final Record record = records.get(connection.id());
        return record == null ? new Record(connection) : record;
    }

    /**
     * How many messages arrived on all connections.
     *
     * @return a count.
     */
    public int messageCount()
    {
        return records.values().stream().mapToInt((record) -> record.messages.size()).sum();
    }

    /**
     * The one connection that this peer has had.
     *
     * @return the connection.
     */
    public Connection only()
    {
        assertEquals(1, records.size(), this::toString);
        return records.values().iterator().next().connection;
    }

    @Override
    public void onConnected(final Connection connection)
    {
        assertPolling();
        assertNull(records.get(connection.id()), () -> "connected twice, or an id used again: " + this);
        assertEquals(ConnectionState.CONNECTED, connection.state());
        assertTrue(connection.id() > 0);
        assertTrue(connection.maxClaimLength() <= connection.maxMessageLength());
        final Record record = new Record(connection);
        record.connected = true;
        records.put(connection.id(), record);
        onConnected.onConnected(connection);
    }

    @Override
    public void onMessage(final Connection connection, final DirectBuffer buffer, final int offset, final int length)
    {
        assertPolling();
        ++inMessages;
        final Record record = records.get(connection.id());
        assertNotNull(record, () -> "message before onConnected: " + this);
        assertSame(record.connection, connection);
        assertNull(record.cause, () -> "message after onDisconnected: " + this);
        assertEquals(ConnectionState.CONNECTED, connection.state(), () -> "message after close: " + this);
        assertEquals(0, (buffer.addressOffset() + offset) & 7, "messages lie 8-byte aligned");
        final byte[] copy = new byte[length];
        buffer.getBytes(offset, copy);
        record.messages.add(copy);
        onMessage.onMessage(connection, buffer, offset, length);
    }

    @Override
    public void onDisconnected(final Connection connection, final DisconnectCause cause)
    {
        assertPolling();
        assertNotNull(cause);
        assertEquals(ConnectionState.CLOSED, connection.state());
        final Record record = records.computeIfAbsent(connection.id(), (id) -> new Record(connection));
        assertNull(record.cause, () -> "disconnected twice: " + this);
        record.cause = cause;
        if (!record.connected)
        {
            assertFalse(connection.isInbound(), "an inbound connection begins with onConnected");
        }
    }

    @Override
    public void close()
    {
        transport.close();
    }

    private void assertPolling()
    {
        assertSame(Thread.currentThread(), polling, () -> "callback outside of poll: " + this);
    }

    @Override
    public String toString()
    {
        final StringBuilder text = new StringBuilder(name);
        for (final Record record : records.values())
        {
            text.append(" [id=").append(record.connection.id())
                .append(" state=").append(record.connection.state())
                .append(" connected=").append(record.connected)
                .append(" messages=").append(record.messages.size())
                .append(" cause=").append(record.cause).append(']');
        }
        return text.toString();
    }
}
