/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.aeron;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.aeron.driver.MediaDriver;
import io.verbena.rpc.test.InterruptAfter;
import io.verbena.rpc.transport.Connection;
import io.verbena.rpc.transport.ConnectionState;
import io.verbena.rpc.transport.ContractPeer;
import io.verbena.rpc.transport.DisconnectCause;
import io.verbena.rpc.transport.TransportException;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Peers that stall, pause and linger, inside one process.
 */
class PeerFaultTest extends FaultSupport
{
    private static final int MESSAGE_LENGTH = 1_000;
    private static final int PAUSES = 10;
    private static final long HANDSHAKE_STEP_NS = 8_000_000L;

    @ParameterizedTest
    @ValueSource(strings = {"udp", "ipc"})
    @InterruptAfter(60)
    void shouldDropTheStalledReceiverAndServeItsNeighbourWhenBothShareADriver(final String scheme)
    {
        final MediaDriver driver = MediaDriver.launch(
            context().driverInvoker(false).aeronDirectory(directory.path()).newDriverContext());
        try (driver)
        {
            final ContractPeer healthy = peer("healthy", new AeronTransport(external()));
            final ContractPeer stalled = peer("stalled", new AeronTransport(external()));
            final ContractPeer sender = peer("sender", new AeronTransport(external()));
            final boolean udp = "udp".equals(scheme);
            final Connection toHealthy = sender.transport().connect(
                listen(healthy, udp ? "udp://127.0.0.1:0" : "ipc:?stream=501"));
            final Connection toStalled = sender.transport().connect(
                listen(stalled, udp ? "udp://127.0.0.1:0" : "ipc:?stream=601"));
            pumpUntil(() -> sender.record(toHealthy).connected() && sender.record(toStalled).connected() &&
                healthy.records().size() == 1 && stalled.records().size() == 1);
            // From now on it lives, but reads nothing.
            forget(stalled);

            final UnsafeBuffer message = new UnsafeBuffer(new byte[MESSAGE_LENGTH]);
            final long startNs = System.nanoTime();
            long accepted = 0;
            long refused = 0;
            long lastDeliveredNs = startNs;
            long longestGapNs = 0;
            while (sender.record(toStalled).cause() == null)
            {
                final long result = toStalled.offer(message, 0, MESSAGE_LENGTH);
                accepted += result > 0 ? 1 : 0;
                refused += result == Connection.BACK_PRESSURED ? 1 : 0;
                toHealthy.offer(message, 0, MESSAGE_LENGTH);
                final int before = healthy.messageCount();
                stalled.poll(0);
                pump();
                healthy.only();
                final long nowNs = System.nanoTime();
                if (healthy.messageCount() > before)
                {
                    longestGapNs = Math.max(longestGapNs, nowNs - lastDeliveredNs);
                    lastDeliveredNs = nowNs;
                    healthy.records().get(0).messages().clear();
                }
            }
            assertEquals(DisconnectCause.PEER_STALLED, sender.record(toStalled).cause());
            assertTrue(System.nanoTime() - startNs < 2 * LIVENESS_NS + SLACK_NS);
            assertTrue(accepted * MESSAGE_LENGTH < 3L * AeronConfiguration.IPC_TERM_LENGTH_DEFAULT, "bounded queue");
            assertTrue(refused > 0, "overload is reported");
            assertTrue(longestGapNs < LIVENESS_NS, "the neighbour waited for " + longestGapNs + " ns");
            assertEquals(ConnectionState.CONNECTED, toHealthy.state());
            assertEquals(0, stalled.messageCount());
            final int before = healthy.messageCount();
            pumpUntil(() ->
            {
                toHealthy.offer(message, 0, MESSAGE_LENGTH);
                return healthy.messageCount() > before + 100;
            });
            closeAll();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"udp", "ipc"})
    @InterruptAfter(120)
    @Tag("slow")
    void shouldRebuildEachTimeWhenThePublisherIsPausedTenTimes(final String scheme)
    {
        final ContractPeer server = echoServer("server");
        final ContractPeer client = peer("client", new AeronTransport(context()));
        final String address = listen(server, listenAddress(scheme));
        final UnsafeBuffer message = new UnsafeBuffer(new byte[16]);
        for (int i = 1; i <= PAUSES; i++)
        {
            final int round = i;
            final Connection connection = client.transport().connect(address);
            pumpUntil(() -> connection.offer(message, 0, 16) > 0);
            pumpUntil(() -> client.record(connection).messages().size() == 1 && server.records().size() == round);
            // All threads of the client stop; the server lives on.
            forget(client);
            pumpFor(LIVENESS_NS * 3 / 2);
            peer(client);
            pumpUntil(() -> client.record(connection).cause() != null &&
                server.records().get(round - 1).cause() != null);
            assertEquals(DisconnectCause.DRIVER_LOST, client.record(connection).cause());
            assertEquals(DisconnectCause.PEER_TIMEOUT, server.records().get(round - 1).cause());
        }
        assertTrue(errors.size() <= PAUSES, errors::toString);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @InterruptAfter(60)
    void shouldListenAgainOnTheSameAddressWhenTheServerWasNotPolled(final boolean driverInvoker)
    {
        final ContractPeer server = peer("server", new AeronTransport(context().driverInvoker(driverInvoker)));
        final ContractPeer client = peer("client", new AeronTransport(context()));
        final String address = listen(server, listenAddress("udp"));
        final Connection connection = client.transport().connect(address);
        pumpUntil(() -> client.record(connection).connected() && server.records().size() == 1);
        forget(server);
        pumpUntil(() -> client.record(connection).cause() != null);
        pumpFor(LIVENESS_NS);
        assertEquals(DisconnectCause.PEER_TIMEOUT, client.record(connection).cause());
        peer(server);
        pumpUntil(() -> server.records().get(0).cause() != null);
        assertEquals(DisconnectCause.DRIVER_LOST, server.records().get(0).cause());
        final Connection next = client.transport().connect(address);
        pumpUntil(() -> client.record(next).connected() && server.records().size() == 2);
        assertEquals(1, errors.size(), errors::toString);
    }

    @Test
    @InterruptAfter(120)
    @Tag("slow")
    void shouldConnectWhenTheServerLosesItsDriverBetweenAskingAndAnswering()
    {
        final ContractPeer server = peer("server", new AeronTransport(context()));
        final ContractPeer client = peer("client", new AeronTransport(context()));
        final String address = listen(server, listenAddress("udp"));
        boolean connectedBefore = false;
        for (int phase = 0; !connectedBefore; phase++)
        {
            final Connection connection = client.transport().connect(address);
            // As far as it comes in this time; and then the server starts afresh.
            pumpFor(phase * HANDSHAKE_STEP_NS);
            connectedBefore = client.record(connection).connected();
            forget(server);
            pumpFor(LIVENESS_NS * 5 / 4);
            peer(server);
            final boolean decided = connectedBefore;
            pumpUntil(() -> decided || client.record(connection).connected());
            connection.close();
        }
    }

    @Test
    @InterruptAfter(30)
    void shouldSayWhoIsThereWhenALivingDriverHasTheDirectory()
    {
        final ContractPeer server = peer("server", new AeronTransport(context()));
        listen(server, listenAddress("ipc"));
        try (AeronTransport second = new AeronTransport(context()))
        {
            final Thread lives = pumping(server);
            final TransportException refused =
                assertThrows(TransportException.class, () -> second.listen(listenAddress("ipc")));
            stop(lives);
            assertTrue(refused.getMessage().contains(directory.path()), refused::getMessage);
            assertTrue(
                refused.getMessage().contains("process " + ProcessHandle.current().pid()), refused::getMessage);
            assertFalse(refused.getMessage().contains("\n"), refused::getMessage);
        }
        final ContractPeer client = peer("client", new AeronTransport(context()));
        final Connection connection = client.transport().connect("ipc:" + directory.path());
        pumpUntil(() -> client.record(connection).connected());
        assertNull(client.record(connection).cause());
    }

    @Test
    @InterruptAfter(30)
    void shouldSayWhatIsMissingWhenThereIsNoExternalDriver()
    {
        try (AeronTransport transport = new AeronTransport(external()))
        {
            final TransportException refused =
                assertThrows(TransportException.class, () -> transport.listen("udp://127.0.0.1:0"));
            assertTrue(refused.getMessage().contains(directory.path()), refused::getMessage);
        }
    }

    @Test
    @InterruptAfter(30)
    void shouldGoOnWhenTheThreadIsInterrupted()
    {
        final ContractPeer server = echoServer("server");
        final ContractPeer client = peer("client", new AeronTransport(context()));
        final Connection connection = client.transport().connect(listen(server, listenAddress("udp")));
        pumpUntil(() -> client.record(connection).connected());
        Thread.currentThread().interrupt();
        for (int i = 0; i < 1_000; i++)
        {
            server.poll();
            client.poll();
        }
        assertTrue(Thread.interrupted(), "the interrupt is for the caller, and still there");
        pumpUntil(() -> connection.offer(new UnsafeBuffer(new byte[16]), 0, 16) > 0);
        pumpUntil(() -> client.messageCount() == 1);
        assertEquals(ConnectionState.CONNECTED, connection.state());
    }

    private AeronTransport.Context external()
    {
        return context().embedded(false).aeronDirectory(directory.path());
    }

    private Thread pumping(final ContractPeer server)
    {
        final Thread thread = new Thread(
            () ->
            {
                while (!Thread.currentThread().isInterrupted())
                {
                    server.poll();
                    Thread.yield();
                }
            },
            "lives");
        thread.start();
        return thread;
    }

    private static void stop(final Thread thread)
    {
        thread.interrupt();
        try
        {
            thread.join();
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
    }
}
