/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.aeron;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.EnumSet;

import io.verbena.rpc.test.InterruptAfter;
import io.verbena.rpc.transport.Connection;
import io.verbena.rpc.transport.ConnectionState;
import io.verbena.rpc.transport.ContractPeer;
import io.verbena.rpc.transport.DisconnectCause;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Real processes that are stopped, continued and killed: what the survivor sees, and that all works again.
 */
class ProcessFaultTest extends FaultSupport
{
    @ParameterizedTest
    @ValueSource(strings = {"udp", "ipc"})
    @InterruptAfter(90)
    void shouldEndOnceAndConnectAgainWhenTheClientWasStopped(final String scheme) throws Exception
    {
        final ContractPeer server = echoServer("server");
        final ChildProcess client = child("client", listen(server, listenAddress(scheme)));
        pumpUntilSaid(client, "ECHO");
        final ContractPeer.Record first = server.records().get(0);

        client.stop();
        final long stoppedNs = System.nanoTime();
        pumpUntil(() -> first.cause() != null);
        assertEquals(DisconnectCause.PEER_TIMEOUT, first.cause());
        assertTrue(System.nanoTime() - stoppedNs < LIVENESS_NS + SLACK_NS);
        pumpFor(LIVENESS_NS);

        client.resume();
        pumpUntil(() -> client.count("ECHO") == 2);
        assertEquals(1, client.count("DISCONNECTED"), client::toString);
        assertEquals(1, client.count("ERROR"), client::toString);
        assertEquals(2, server.records().size());
        assertEquals(ConnectionState.CONNECTED, server.records().get(1).connection().state());
        assertEquals(0, errors.size(), errors::toString);
    }

    @ParameterizedTest
    @ValueSource(strings = {"udp", "ipc"})
    @InterruptAfter(90)
    void shouldEndOnceAndListenAgainWhenTheServerWasStopped(final String scheme) throws Exception
    {
        final ChildProcess server = child("server", listenAddress(scheme));
        final String address = server.await("READY").substring("READY ".length());
        final ContractPeer client = peer("client", new AeronTransport(context()));
        final Connection connection = client.transport().connect(address);
        pumpUntil(() -> client.record(connection).connected());
        // the server's end stands a moment later; stopped before that, it has no connection to tell the end of
        pumpUntilSaid(server, "CONNECTED");

        server.stop();
        callUntilEnd(client, connection);
        pumpFor(LIVENESS_NS);

        server.resume();
        final Connection next = client.transport().connect(address);
        pumpUntil(() -> next.offer(new UnsafeBuffer(new byte[16]), 0, 16) > 0);
        pumpUntil(() -> client.record(next).messages().size() == 1);
        pumpUntilSaid(server, "DISCONNECTED");
        assertEquals(1, server.count("DISCONNECTED"), server::toString);
        assertEquals(1, server.count("ERROR"), server::toString);
    }

    @ParameterizedTest
    @ValueSource(strings = {"udp", "ipc"})
    @InterruptAfter(90)
    void shouldEndWithinTheLivenessTimeAndConnectAgainWhenTheServerIsKilledAndStartedAgain(final String scheme)
        throws Exception
    {
        final ChildProcess server = child("server", listenAddress(scheme));
        final String address = server.await("READY").substring("READY ".length());
        final ContractPeer client = peer("client", new AeronTransport(context()));
        final Connection connection = client.transport().connect(address);
        pumpUntil(() -> client.record(connection).connected());

        server.kill();
        callUntilEnd(client, connection);
        assertEquals(Connection.CLOSED, connection.offer(new UnsafeBuffer(new byte[16]), 0, 16));

        final Connection next = client.transport().connect(address);
        child("server", address);
        pumpUntil(() -> next.offer(new UnsafeBuffer(new byte[16]), 0, 16) > 0);
        pumpUntil(() -> client.record(next).messages().size() == 1);
        assertTrue(errors.size() <= 1, errors::toString);
    }

    /** Calls go on as if nothing had happened: the end must come from liveness, whatever the offers answer. */
    private void callUntilEnd(final ContractPeer client, final Connection connection)
    {
        final long startNs = System.nanoTime();
        final UnsafeBuffer message = new UnsafeBuffer(new byte[100]);
        pumpUntil(() ->
        {
            connection.offer(message, 0, message.capacity());
            return client.record(connection).cause() != null;
        });
        assertTrue(System.nanoTime() - startNs < LIVENESS_NS + SLACK_NS, "after " + (System.nanoTime() - startNs));
        assertTrue(
            EnumSet.of(DisconnectCause.PEER_TIMEOUT, DisconnectCause.DRIVER_LOST)
                .contains(client.record(connection).cause()),
            client::toString);
    }

    @ParameterizedTest
    @ValueSource(strings = {"udp", "ipc"})
    @InterruptAfter(60)
    void shouldKeepIncarnationsApartWhenAClientIsKilledInABurst(final String scheme) throws Exception
    {
        final ContractPeer server = echoServer("server");
        final String address = listen(server, listenAddress(scheme));
        final ChildProcess flood = child("flood", address);
        pumpUntil(() -> server.messageCount() > 1_000);
        flood.kill();

        // A new incarnation, while the server still answers the old one.
        final ContractPeer client = peer("client", new AeronTransport(context()));
        final Connection connection = client.transport().connect(address);
        final UnsafeBuffer message = new UnsafeBuffer(new byte[Long.BYTES * 2]);
        message.putLong(0, 2);
        for (long i = 0; i < 100; i++)
        {
            message.putLong(Long.BYTES, i);
            pumpUntil(() -> connection.offer(message, 0, message.capacity()) > 0);
        }
        pumpUntil(() -> client.messageCount() == 100);
        pumpUntil(() -> server.records().get(0).cause() != null);
        assertEquals(DisconnectCause.PEER_TIMEOUT, server.records().get(0).cause());
        assertEquals(2, server.records().size());
        for (int i = 0; i < 100; i++)
        {
            for (final ContractPeer peer : new ContractPeer[]{server, client})
            {
                final ContractPeer.Record record = peer.records().get(peer.records().size() - 1);
                final UnsafeBuffer received = new UnsafeBuffer(record.messages().get(i));
                assertEquals(2, received.getLong(0), "of this incarnation");
                assertEquals(i, received.getLong(Long.BYTES), "without a gap");
                assertNull(record.cause());
            }
        }
        assertEquals(100, server.records().get(1).messages().size());
    }

    @ParameterizedTest
    @ValueSource(strings = {"udp", "ipc"})
    @InterruptAfter(90)
    void shouldEndOnceAndComeBackWhenAnExternalDriverIsKilledAndStartedAgain(final String scheme) throws Exception
    {
        final ChildProcess driver = child("driver", directory.path());
        driver.await("READY");
        final ContractPeer server = peer("server", new AeronTransport(external()));
        final ContractPeer client = peer("client", new AeronTransport(external()));
        server.onMessage((connection, buffer, offset, length) -> connection.offer(buffer, offset, length));
        final String address = listen(server, listenAddress(scheme));
        final Connection connection = client.transport().connect(address);
        pumpUntil(() -> client.record(connection).connected() && server.records().size() == 1);

        driver.kill();
        pumpUntil(() -> client.record(connection).cause() != null && server.records().get(0).cause() != null);
        assertEquals(DisconnectCause.DRIVER_LOST, client.record(connection).cause());
        assertEquals(DisconnectCause.DRIVER_LOST, server.records().get(0).cause());
        pumpFor(LIVENESS_NS);
        assertEquals(2, errors.size(), "one for each transport: " + errors);

        final Connection next = client.transport().connect(address);
        child("driver", directory.path());
        pumpUntil(() -> next.offer(new UnsafeBuffer(new byte[16]), 0, 16) > 0);
        pumpUntil(() -> client.record(next).messages().size() == 1);
        assertEquals(2, server.records().size());
    }

    private AeronTransport.Context external()
    {
        return context().embedded(false).aeronDirectory(directory.path());
    }
}
