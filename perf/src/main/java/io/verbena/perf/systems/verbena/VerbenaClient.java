/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.systems.verbena;

import io.verbena.perf.systems.EchoHandler;
import io.verbena.perf.systems.PolledClient;
import io.verbena.rpc.ChannelState;
import io.verbena.rpc.RpcChannel;
import io.verbena.rpc.RpcClient;
import io.verbena.rpc.transport.Transport;

import java.util.concurrent.TimeUnit;

/**
 * An RPC client, run by the thread that polls.
 */
final class VerbenaClient implements PolledClient
{
    private static final long CONNECT_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(10);

    private final RpcClient client;
    private final EchoCaller caller;
    private Throwable error;

    /**
     * Connects; returns when calls can be made.
     *
     * @param transport  for the connection.
     * @param address    of the server.
     * @param bodyLength of the calls in bytes.
     * @param meanwhile  run again and again until the connection is there.
     */
    VerbenaClient(
        final Transport transport, final String address, final int bodyLength, final Runnable meanwhile)
    {
        client = RpcClient.launch(new RpcClient.Context()
            .transport(transport)
            .useAgentInvoker(true)
            .errorHandler(this::onError));
        final RpcChannel channel = client.connect(address);
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
        caller = new EchoCaller(channel, bodyLength);
    }

    private void onError(final Throwable cause)
    {
        error = error == null ? cause : error;
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
        final int work = client.doWork();
        caller.throwFailure();
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
