/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc.test;

import io.verbena.rpc.transport.Connection;
import io.verbena.rpc.transport.DisconnectCause;
import io.verbena.rpc.transport.Listener;
import io.verbena.rpc.transport.Transport;
import io.verbena.rpc.transport.TransportListener;
import java.util.HashSet;
import java.util.Set;
import org.agrona.DirectBuffer;

/**
 * A transport that can fall silent: what arrives on the connections that it has then is dropped, without a word to
 * either end, as when packets are lost on the way. Connections made later work.
 */
public final class SilentTransport implements Transport
{
    private final Transport transport;
    private final Set<Connection> connections = new HashSet<>();
    private final Set<Connection> silent = new HashSet<>();
    private int dropped;

    /**
     * Over another transport.
     *
     * @param transport owned by this one.
     */
    public SilentTransport(final Transport transport)
    {
        this.transport = transport;
    }

    /**
     * Drops from now on what arrives on the connections that there are.
     */
    public void fallSilent()
    {
        silent.addAll(connections);
    }

    /**
     * How many messages were dropped.
     *
     * @return a count.
     */
    public int dropped()
    {
        return dropped;
    }

    @Override
    public Listener listen(final String address)
    {
        return transport.listen(address);
    }

    @Override
    public Connection connect(final String address)
    {
        return transport.connect(address);
    }

    @Override
    public int poll(final TransportListener listener, final int messageLimit)
    {
        return transport.poll(new Filter(listener), messageLimit);
    }

    @Override
    public void close()
    {
        transport.close();
    }

    /**
     * Passes on what is not dropped.
     */
    private final class Filter implements TransportListener
    {
        private final TransportListener listener;

        Filter(final TransportListener listener)
        {
            this.listener = listener;
        }

        @Override
        public void onConnected(final Connection connection)
        {
            connections.add(connection);
            listener.onConnected(connection);
        }

        @Override
        public void onMessage(
            final Connection connection, final DirectBuffer buffer, final int offset, final int length)
        {
            if (silent.contains(connection))
            {
                dropped++;
            }
            else
            {
                listener.onMessage(connection, buffer, offset, length);
            }
        }

        @Override
        public void onDisconnected(final Connection connection, final DisconnectCause cause)
        {
            connections.remove(connection);
            silent.remove(connection);
            listener.onDisconnected(connection, cause);
        }
    }
}
