/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.systems.verbena;

import io.verbena.perf.systems.BackgroundClient;
import io.verbena.perf.systems.EchoHandler;
import io.verbena.perf.systems.EchoSetup;
import io.verbena.perf.systems.ManyClient;
import io.verbena.rpc.RpcClient;
import io.verbena.rpc.transport.Transport;

/**
 * Calls the generated echo service over any transport, polled by the rig. What runs in the background of the calls uses
 * the same client, and the streams the same channel.
 */
final class VerbenaClient implements ManyClient, BackgroundClient
{
    private final ClientLink link;
    private final EchoCaller caller;
    private final BackgroundStreams background;

    /**
     * Connects; returns when calls can be made.
     *
     * @param transport for the connection.
     * @param address   of the server.
     * @param setup     of the run.
     * @param meanwhile run again and again until the connection is there.
     */
    VerbenaClient(
        final Transport transport, final String address, final EchoSetup setup, final Runnable meanwhile)
    {
        link = new ClientLink(new RpcClient.Context(), transport, address, meanwhile);
        caller = new EchoCaller(link.channel(), setup.payloadLength());
        background = new BackgroundStreams(link.channel(), setup.workload().backgroundLength());
    }

    @Override
    public boolean trySend(final long stampNs, final long sequence)
    {
        return caller.tryCall(stampNs, sequence);
    }

    @Override
    public int poll(final EchoHandler handler)
    {
        caller.handler(handler);
        final int work = link.doWork();
        caller.throwFailure();
        return work;
    }

    @Override
    public void addConnections(final int count)
    {
        link.addChannels(count);
    }

    @Override
    public int connected()
    {
        return link.ready();
    }

    @Override
    public boolean tryStartBackground()
    {
        return background.tryStart();
    }

    @Override
    public void stopBackground()
    {
        background.stop();
    }

    @Override
    public long backgroundBytes()
    {
        return background.bytes();
    }

    @Override
    public void close()
    {
        link.close();
    }
}
