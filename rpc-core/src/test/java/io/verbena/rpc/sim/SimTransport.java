/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc.sim;

import java.util.ArrayList;
import java.util.List;

import io.verbena.rpc.transport.Connection;
import io.verbena.rpc.transport.Listener;
import io.verbena.rpc.transport.Transport;
import io.verbena.rpc.transport.TransportListener;

/**
 * One side's way into the {@link SimNetwork}.
 */
final class SimTransport implements Transport
{
    private final SimNetwork network;
    private final List<SimConnection> connections = new ArrayList<>();
    private final boolean isHostile;
    private long nextId = 1;

    SimTransport(final SimNetwork network, final boolean isHostile)
    {
        this.network = network;
        this.isHostile = isHostile;
    }

    @Override
    public Listener listen(final String address)
    {
        network.listen(address, this);
        return new Listener()
        {
            @Override
            public String address()
            {
                return address;
            }

            @Override
            public void close()
            {
                network.unlisten(address);
            }
        };
    }

    @Override
    public Connection connect(final String address)
    {
        final SimConnection connection = new SimConnection(network, nextId++, false);
        connections.add(connection);
        if (isHostile)
        {
            connection.tamper(network.newTamper());
        }
        network.connect(connection, address);
        return connection;
    }

    SimConnection accept()
    {
        final SimConnection connection = new SimConnection(network, nextId++, true);
        connections.add(connection);
        return connection;
    }

    @Override
    public int poll(final TransportListener listener, final int messageLimit)
    {
        int work = 0;
        final int count = connections.size();
        final int first = count == 0 ? 0 : network.pick(count);
        for (int i = 0; i < count && work < messageLimit; i++)
        {
            work += connections.get((first + i) % count).deliver(listener, messageLimit - work);
        }
        connections.removeIf(SimConnection::isOver);
        return work;
    }

    @Override
    public void close()
    {
        connections.forEach(SimConnection::close);
    }
}
