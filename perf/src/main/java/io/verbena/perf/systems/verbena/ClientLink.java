/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.systems.verbena;

import io.verbena.rpc.ChannelState;
import io.verbena.rpc.RpcChannel;
import io.verbena.rpc.RpcClient;
import io.verbena.rpc.transport.Transport;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A client of Verbena's and its channels to the server, all run by the caller's thread.
 */
final class ClientLink implements AutoCloseable
{
    private static final long CONNECT_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(10);

    private final String address;
    private final RpcClient client;
    private final RpcChannel channel;
    private final List<RpcChannel> others = new ArrayList<>();
    private Throwable error;

    /**
     * Connects; returns when calls can be made.
     *
     * @param context   with what differs from the defaults.
     * @param transport for the connection.
     * @param address   of the server.
     * @param meanwhile run again and again until the connection is there.
     */
    ClientLink(
        final RpcClient.Context context, final Transport transport, final String address, final Runnable meanwhile)
    {
        this.address = address;
        client = RpcClient.launch(context
            .transport(transport)
            .useAgentInvoker(true)
            .errorHandler(this::onError));
        channel = client.connect(address);
        final long startNs = System.nanoTime();
        while (channel.state() != ChannelState.READY)
        {
            client.doWork();
            meanwhile.run();
            if (System.nanoTime() - startNs > CONNECT_TIMEOUT_NS)
            {
                throw new IllegalStateException(
                    "a connection to " + address + " expected within 10 s, found state " + channel.state());
            }
        }
    }

    private void onError(final Throwable cause)
    {
        error = error == null ? cause : error;
    }

    RpcChannel channel()
    {
        return channel;
    }

    /**
     * Begins to connect more channels.
     *
     * @param count of them.
     */
    void addChannels(final int count)
    {
        for (int i = 0; i < count; i++)
        {
            others.add(client.connect(address));
        }
    }

    /**
     * How many channels can carry calls.
     *
     * @return the number.
     */
    int ready()
    {
        int ready = channel.state() == ChannelState.READY ? 1 : 0;
        for (final RpcChannel other : others)
        {
            ready += other.state() == ChannelState.READY ? 1 : 0;
        }
        return ready;
    }

    /**
     * One duty cycle.
     *
     * @return the work done.
     * @throws IllegalStateException when the client reported an error.
     */
    int doWork()
    {
        final int work = client.doWork();
        if (error != null)
        {
            throw new IllegalStateException(error);
        }
        return work;
    }

    @Override
    public void close()
    {
        client.close();
    }
}
