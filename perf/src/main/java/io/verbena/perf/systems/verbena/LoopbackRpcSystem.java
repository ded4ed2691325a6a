/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.systems.verbena;

import io.verbena.perf.systems.BackgroundClient;
import io.verbena.perf.systems.EchoClient;
import io.verbena.perf.systems.EchoHandler;
import io.verbena.perf.systems.EchoServer;
import io.verbena.perf.systems.EchoSetup;
import io.verbena.perf.systems.IdleServer;
import io.verbena.perf.systems.RowSettings;
import io.verbena.perf.systems.Scenario;
import io.verbena.perf.systems.StreamClient;
import io.verbena.perf.systems.StreamTally;
import io.verbena.perf.systems.SystemUnderTest;
import io.verbena.perf.systems.WatchedServer;
import io.verbena.rpc.transport.LoopbackTransport;

import java.util.EnumSet;
import java.util.Set;

/**
 * Verbena's unary calls with no wire at all: client and server take turns in one thread of one process. What it shows
 * is the CPU that a call costs, both sides together.
 */
public final class LoopbackRpcSystem implements SystemUnderTest
{
    private static final String ADDRESS = "loopback:perf";
    private static final int MAX_BODY_LENGTH = 1024 * 1024;

    /**
     * The system; it holds no state.
     */
    public LoopbackRpcSystem()
    {
        // Nothing to prepare.
    }

    @Override
    public String name()
    {
        return "loopback";
    }

    @Override
    public String description()
    {
        return "Verbena's generated echo service, client and server in one thread";
    }

    @Override
    public int minPayloadLength()
    {
        return EchoCaller.MIN_DATA_BODY_LENGTH;
    }

    @Override
    public int maxPayloadLength()
    {
        return MAX_BODY_LENGTH;
    }

    @Override
    public RowSettings settings(final boolean closedLoop)
    {
        return new RowSettings(
            "spin",
            "one thread in the client's process runs client and server by turns; the server's process idles",
            "none",
            0,
            0,
            "none",
            "zero-copy stub; each call has the default deadline");
    }

    @Override
    public Set<Scenario> scenarios()
    {
        return EnumSet.of(Scenario.ECHO, Scenario.STREAM, Scenario.BACKGROUND);
    }

    @Override
    public EchoServer startServer(final EchoSetup setup)
    {
        return new IdleServer(ADDRESS);
    }

    @Override
    public EchoClient connect(final EchoSetup setup, final String address)
    {
        final VerbenaServer server = new VerbenaServer(new LoopbackTransport(), address, setup);
        final LoopbackTransport transport = new LoopbackTransport();
        return setup.workload().scenario() == Scenario.STREAM ?
            new StreamPair(server, new VerbenaStreamClient(transport, address, setup, server::poll)) :
            new Pair(server, new VerbenaClient(transport, address, setup, server::poll));
    }

    private record Pair(VerbenaServer server, VerbenaClient client) implements BackgroundClient
    {
        @Override
        public boolean trySend(final long stampNs, final long sequence)
        {
            return client.trySend(stampNs, sequence);
        }

        @Override
        public int poll(final EchoHandler handler)
        {
            return server.poll() + client.poll(handler);
        }

        @Override
        public boolean tryStartBackground()
        {
            return client.tryStartBackground();
        }

        @Override
        public void stopBackground()
        {
            client.stopBackground();
        }

        @Override
        public long backgroundBytes()
        {
            return client.backgroundBytes();
        }

        @Override
        public void close()
        {
            client.close();
            server.close();
        }
    }

    private record StreamPair(VerbenaServer server, VerbenaStreamClient client) implements StreamClient
    {
        @Override
        public int poll()
        {
            return server.poll() + client.poll();
        }

        @Override
        public void stopSending()
        {
            client.stopSending();
        }

        @Override
        public boolean isEnded()
        {
            return client.isEnded();
        }

        @Override
        public boolean tellsEnd()
        {
            return client.tellsEnd();
        }

        @Override
        public WatchedServer ownServer()
        {
            return server;
        }

        @Override
        public StreamTally tally()
        {
            return client.tally();
        }

        @Override
        public void close()
        {
            client.close();
            server.close();
        }
    }
}
