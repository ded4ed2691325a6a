/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.aeron;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.verbena.rpc.ChannelState;
import io.verbena.rpc.RpcChannel;
import io.verbena.rpc.RpcClient;
import io.verbena.rpc.RpcServer;
import io.verbena.rpc.test.InterruptAfter;
import io.verbena.rpc.test.ScriptedAdapter;
import io.verbena.rpc.transport.Connection;
import io.verbena.rpc.transport.ConnectionState;
import io.verbena.rpc.transport.ContractPeer;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A thousand connections of one client to one server: they connect within the default timeout, work, and cost little.
 */
@Tag("slow")
class ManyConnectionsTest extends FaultSupport
{
    private static final int CONNECTIONS = 1_000;
    private static final int SERVICE_ID = 3;
    private static final int MIB = 1024 * 1024;

    /** The defaults, but for what a busy machine does to threads. */
    private AeronTransport.Context patient()
    {
        return context()
            .livenessTimeoutNs(5 * LIVENESS_NS)
            .connectTimeoutNs(AeronConfiguration.CONNECT_TIMEOUT_DEFAULT_NS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"udp", "ipc"})
    @InterruptAfter(60)
    void shouldConnectAndEchoOnEachWhenThereAreAThousand(final String scheme)
    {
        final ContractPeer server = peer("server", new AeronTransport(patient()));
        server.onMessage((connection, buffer, offset, length) ->
            assertTrue(connection.offer(buffer, offset, length) > 0));
        final ContractPeer client = peer("client", new AeronTransport(patient()));
        final String address = listen(server, listenAddress(scheme));
        final List<Connection> connections = new ArrayList<>();
        for (int i = 0; i < CONNECTIONS; i++)
        {
            connections.add(client.transport().connect(address));
        }
        pumpUntil(() -> connections.stream().allMatch((c) -> c.state() != ConnectionState.CONNECTING));
        connections.forEach((c) -> assertEquals(ConnectionState.CONNECTED, c.state(), client::toString));
        for (int i = 0; i < CONNECTIONS; i++)
        {
            final Connection connection = connections.get(i);
            final UnsafeBuffer message = new UnsafeBuffer(new byte[16]);
            message.putLong(8, i);
            pumpUntil(() -> connection.offer(message, 0, 16) > 0);
            // Answers come in the order of the questions: the last one shows that all are here.
            if (i % 100 == 99)
            {
                pumpUntil(() -> client.record(connection).messages().size() == 1);
            }
        }
        for (int i = 0; i < CONNECTIONS; i++)
        {
            final UnsafeBuffer expected = new UnsafeBuffer(new byte[16]);
            expected.putLong(8, i);
            assertEquals(1, client.record(connections.get(i)).messages().size());
            assertArrayEquals(expected.byteArray(), client.record(connections.get(i)).messages().get(0));
        }
        assertEquals(0, errors.size(), errors::toString);
    }

    @ParameterizedTest
    @ValueSource(strings = {"udp", "ipc"})
    @InterruptAfter(120)
    void shouldServeAThousandChannelsForLessThanAMebibyteEachWhenTheyAreIdle(final String scheme) throws Exception
    {
        final long handshakeNs = TimeUnit.SECONDS.toNanos(30);
        try (RpcServer server = RpcServer.launch(new RpcServer.Context()
            .errorHandler(errors::add)
            .useAgentInvoker(true)
            .handshakeTimeoutNs(handshakeNs)
            .listen(new AeronTransport(patient().aeronDirectory(directory.path())), listenAddress(scheme))
            .service(new ScriptedAdapter(SERVICE_ID)));
            RpcClient client = RpcClient.launch(new RpcClient.Context()
                .errorHandler(errors::add)
                .useAgentInvoker(true)
                .handshakeTimeoutNs(handshakeNs)
                .transport(new AeronTransport(patient()))))
        {
            final String address = server.addresses().get(0);
            final List<RpcChannel> channels = new ArrayList<>();
            channels.add(ready(server, client, address));
            final long heapBefore = usedHeap();
            final long streamsBefore = streamCount();
            for (int i = 1; i < CONNECTIONS; i++)
            {
                channels.add(client.connect(address));
            }
            turnUntilReady(server, client, channels);

            final List<CompletableFuture<DirectBuffer>> calls = new ArrayList<>();
            for (final RpcChannel channel : channels)
            {
                calls.add(channel.call(SERVICE_ID, 1, new UnsafeBuffer(new byte[32]), 0, 32, handshakeNs));
            }
            final CompletableFuture<Void> all = CompletableFuture.allOf(calls.toArray(CompletableFuture[]::new));
            while (!all.isDone())
            {
                turn(server, client);
            }
            all.join();
            calls.clear();
            // Both ends live in this process, so this is more than the server's share.
            final long each = (usedHeap() - heapBefore) / (CONNECTIONS - 1);
            assertTrue(each < MIB, "bytes of heap for each connection: " + each);
            assertEquals(streamsBefore, streamCount(), "and no streams");
            assertEquals(0, errors.size(), errors::toString);
            turnUntilReady(server, client, channels);
        }
    }

    private static RpcChannel ready(final RpcServer server, final RpcClient client, final String address)
    {
        final RpcChannel channel = client.connect(address);
        turnUntilReady(server, client, List.of(channel));
        return channel;
    }

    private static void turnUntilReady(
        final RpcServer server, final RpcClient client, final List<RpcChannel> channels)
    {
        while (!channels.stream().allMatch((channel) -> channel.state() == ChannelState.READY))
        {
            turn(server, client);
        }
    }

    private static void turn(final RpcServer server, final RpcClient client)
    {
        if (server.doWork() + client.doWork() == 0)
        {
            Thread.yield();
        }
        if (Thread.currentThread().isInterrupted())
        {
            fail("interrupted");
        }
    }

    private static long usedHeap()
    {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
}
