/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc.transport;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.verbena.rpc.test.InterruptAfter;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/**
 * The part of the contract about how connections begin and end.
 */
abstract class TransportLifecycleContract extends TransportContractSupport
{
    private static final long SHORT_CONNECT_TIMEOUT_NS = 300_000_000L;
    private static final int MANY = 20;

    @Test
    @InterruptAfter(30)
    void shouldConnectBothEndsOnceWhenSomebodyListens()
    {
        final Connection connection = connect();
        for (int i = 0; i < 100; i++)
        {
            pump();
        }
        assertFalse(connection.isInbound());
        assertTrue(server.only().isInbound());
        assertEquals(ConnectionState.CONNECTED, connection.state());
        assertEquals(ConnectionState.CONNECTED, server.only().state());
        assertNull(client.record(connection).cause());
    }

    @Test
    @InterruptAfter(30)
    void shouldAnswerNotConnectedAndCallNobodyBackWhenConnectingIsNotPolled()
    {
        final Connection connection = client.transport().connect(listener.address());
        assertEquals(ConnectionState.CONNECTING, connection.state());
        assertTrue(client.records().isEmpty());
        assertEquals(Connection.NOT_CONNECTED, connection.tryClaim(8, new MessageClaim()));
        assertEquals(Connection.NOT_CONNECTED, connection.offer(new UnsafeBuffer(new byte[8]), 0, 8));
    }

    @Test
    @InterruptAfter(30)
    void shouldEndOnceWithConnectTimeoutWhenNobodyListens()
    {
        try (ContractPeer lonely = new ContractPeer("lonely", createClient(SHORT_CONNECT_TIMEOUT_NS)))
        {
            final long startNs = System.nanoTime();
            final Connection connection = lonely.transport().connect(addressOfNobody());
            pollUntil(lonely, () -> lonely.record(connection).cause() != null);
            assertTrue(System.nanoTime() - startNs >= SHORT_CONNECT_TIMEOUT_NS);
            assertEquals(DisconnectCause.CONNECT_TIMEOUT, lonely.record(connection).cause());
            assertFalse(lonely.record(connection).connected());
            assertEquals(Connection.CLOSED, connection.tryClaim(8, new MessageClaim()));
            for (int i = 0; i < 100; i++)
            {
                lonely.poll();
            }
        }
    }

    @Test
    @InterruptAfter(30)
    void shouldDeliverAllThenDisconnectOnceWhenClosedRightAfterSending()
    {
        final Connection connection = connect();
        for (int i = 0; i < 3; i++)
        {
            assertTrue(tryOffer(connection, pattern(i, 1, 100)));
        }
        connection.close();
        connection.close();
        assertEquals(ConnectionState.CLOSED, connection.state());
        assertEquals(Connection.CLOSED, connection.offer(new UnsafeBuffer(new byte[8]), 0, 8));
        assertNull(client.record(connection).cause(), "callbacks come from poll alone");
        pollUntil(client, () -> client.record(connection).cause() != null);
        final ContractPeer.Record inbound = server.records().get(0);
        pumpUntil(() -> inbound.cause() != null);

        assertEquals(DisconnectCause.CLOSED_LOCALLY, client.record(connection).cause());
        assertEquals(DisconnectCause.CLOSED_BY_PEER, inbound.cause());
        assertEquals(3, inbound.messages().size());
        for (int i = 0; i < 3; i++)
        {
            assertArrayEquals(pattern(i, 1, 100), inbound.messages().get(i));
        }
        assertEquals(Connection.CLOSED, inbound.connection().tryClaim(8, new MessageClaim()));
    }

    @Test
    @InterruptAfter(30)
    void shouldDeliverAllThatWasAcceptedWhenClosedUnderBackPressure()
    {
        final Connection connection = connect();
        int accepted = 0;
        while (tryOffer(connection, pattern(accepted, 2, 500)))
        {
            ++accepted;
        }
        connection.close();
        final ContractPeer.Record inbound = server.records().get(0);
        pumpUntil(() -> inbound.cause() != null);
        assertEquals(DisconnectCause.CLOSED_BY_PEER, inbound.cause());
        assertEquals(accepted, inbound.messages().size());
        for (int i = 0; i < accepted; i++)
        {
            assertArrayEquals(pattern(i, 2, 500), inbound.messages().get(i));
        }
    }

    @Test
    @InterruptAfter(30)
    void shouldReachTheClientWhenTheServerCloses()
    {
        final Connection connection = connect();
        final Connection inbound = server.only();
        assertTrue(tryOffer(inbound, pattern(7, 3, 64)));
        inbound.close();
        pumpUntil(() -> client.record(connection).cause() != null);
        assertEquals(DisconnectCause.CLOSED_BY_PEER, client.record(connection).cause());
        assertEquals(1, client.record(connection).messages().size());
        assertEquals(DisconnectCause.CLOSED_LOCALLY, server.record(inbound).cause());
    }

    @Test
    @InterruptAfter(30)
    void shouldEndBothWhenBothClose()
    {
        final Connection connection = connect();
        final Connection inbound = server.only();
        connection.close();
        inbound.close();
        pumpUntil(() -> client.record(connection).cause() != null && server.record(inbound).cause() != null);
        assertEquals(DisconnectCause.CLOSED_LOCALLY, client.record(connection).cause());
        assertEquals(DisconnectCause.CLOSED_LOCALLY, server.record(inbound).cause());
    }

    @Test
    @InterruptAfter(30)
    void shouldEndOnceWhenClosedWhileConnecting()
    {
        final Connection connection = client.transport().connect(listener.address());
        client.poll();
        connection.close();
        pollUntil(client, () -> client.record(connection).cause() != null);
        assertEquals(DisconnectCause.CLOSED_LOCALLY, client.record(connection).cause());
        final Connection next = connect();
        assertEquals(ConnectionState.CONNECTED, next.state());
    }

    @Test
    @InterruptAfter(30)
    void shouldDeliverNothingMoreWhenClosedInsideOnMessage()
    {
        final Connection connection = connect();
        server.onMessage((inbound, buffer, offset, length) -> inbound.close());
        for (int i = 0; i < 10; i++)
        {
            assertTrue(tryOffer(connection, pattern(i, 4, 32)));
        }
        final ContractPeer.Record inbound = server.records().get(0);
        pumpUntil(() -> inbound.cause() != null && client.record(connection).cause() != null);
        assertEquals(1, inbound.messages().size());
        assertEquals(DisconnectCause.CLOSED_LOCALLY, inbound.cause());
        assertEquals(DisconnectCause.CLOSED_BY_PEER, client.record(connection).cause());
    }

    @Test
    @InterruptAfter(30)
    void shouldDeliverNothingMoreWhenTheTransportClosesInsideOnMessage()
    {
        final Connection connection = connect();
        final Connection inbound = server.only();
        client.onMessage((from, buffer, offset, length) -> client.transport().close());
        for (int i = 0; i < 10; i++)
        {
            assertTrue(tryOffer(inbound, pattern(i, 4, 32)));
        }
        pumpUntil(() -> client.messageCount() > 0);
        assertEquals(1, client.messageCount());
        assertEquals(ConnectionState.CLOSED, connection.state());
        pollUntil(server, () -> server.record(inbound).cause() != null);
        assertEquals(1, client.messageCount());
        assertEquals(0, client.poll());
    }

    @Test
    @InterruptAfter(30)
    void shouldEndBothWhenClosedInsideOnConnected()
    {
        server.onConnected(Connection::close);
        final Connection connection = client.transport().connect(listener.address());
        pumpUntil(() -> client.record(connection).cause() != null);
        pumpUntil(() -> !server.records().isEmpty() && server.records().get(0).cause() != null);
        assertEquals(DisconnectCause.CLOSED_LOCALLY, server.records().get(0).cause());
    }

    @Test
    @InterruptAfter(30)
    void shouldTakeMessagesWhenSentInsideOnConnected()
    {
        server.onConnected((connection) -> assertTrue(tryOffer(connection, pattern(1, 1, 40))));
        client.onConnected((connection) -> assertTrue(tryClaim(connection, pattern(2, 2, 40))));
        final Connection connection = client.transport().connect(listener.address());
        pumpUntil(() -> client.messageCount() == 1 && server.messageCount() == 1);
        assertArrayEquals(pattern(1, 1, 40), client.record(connection).messages().get(0));
        assertArrayEquals(pattern(2, 2, 40), server.records().get(0).messages().get(0));
    }

    @Test
    @InterruptAfter(60)
    void shouldKeepConnectionsApartWhenThereAreMany()
    {
        final List<Connection> connections = new ArrayList<>();
        for (int i = 0; i < MANY; i++)
        {
            connections.add(client.transport().connect(listener.address()));
        }
        pumpUntil(() -> server.records().size() == MANY &&
            connections.stream().allMatch((c) -> client.record(c).connected()));
        final Set<Long> ids = new HashSet<>();
        for (int i = 0; i < MANY; i++)
        {
            assertTrue(ids.add(connections.get(i).id()), "ids are unique");
            for (int j = 0; j <= i; j++)
            {
                offer(connections.get(i), pattern(j, i, 48));
            }
        }
        pumpUntil(() -> server.messageCount() == MANY * (MANY + 1) / 2);
        final Set<Integer> seen = new HashSet<>();
        for (final ContractPeer.Record inbound : server.records())
        {
            final int sender = inbound.messages().size() - 1;
            assertTrue(seen.add(sender));
            for (int j = 0; j <= sender; j++)
            {
                assertArrayEquals(pattern(j, sender, 48), inbound.messages().get(j));
            }
        }
        connections.get(3).close();
        pumpUntil(() -> server.records().stream().filter((r) -> r.cause() != null).count() == 1);
        final Connection fresh = connect();
        assertTrue(ids.add(fresh.id()), "ids are never used again");
        connections.remove(3);
        connections.forEach((connection) -> assertEquals(ConnectionState.CONNECTED, connection.state()));
    }

    @Test
    @InterruptAfter(60)
    void shouldDeliverWhatWasAcceptedWhenTheTransportCloses() throws InterruptedException
    {
        final Connection connection = connect();
        int sent = 0;
        while (sent < 50 && tryOffer(connection, pattern(sent, 5, 200)))
        {
            ++sent;
        }
        whileServerPolls(client::close);
        assertEquals(ConnectionState.CLOSED, connection.state());
        assertNull(client.record(connection).cause(), "close makes no callbacks");
        assertEquals(0, client.poll());
        client.close();
        assertThrows(TransportException.class, () -> client.transport().connect(listener.address()));

        final ContractPeer.Record inbound = server.records().get(0);
        pollUntil(server, () -> inbound.cause() != null);
        assertEquals(DisconnectCause.CLOSED_BY_PEER, inbound.cause());
        assertEquals(sent, inbound.messages().size());
    }

    @Test
    @InterruptAfter(30)
    void shouldRefuseAddressesWhenTheyAreForeignMalformedOrTaken()
    {
        for (final String address : new String[]{"foreign://host:1", "", "loopback", listenAddress().split(":")[0]})
        {
            assertThrows(TransportException.class, () -> client.transport().connect(address), address);
            assertThrows(TransportException.class, () -> server.transport().listen(address), address);
        }
        final TransportException taken =
            assertThrows(TransportException.class, () -> server.transport().listen(listener.address()));
        assertTrue(taken.getMessage().contains(listener.address()), taken::getMessage);
    }

    @Test
    @InterruptAfter(30)
    void shouldKeepConnectionsAndFreeTheAddressWhenTheListenerCloses()
    {
        final Connection connection = connect();
        final Connection inbound = server.only();
        listener.close();
        listener.close();
        assertTrue(tryOffer(connection, pattern(1, 1, 16)));
        assertTrue(tryOffer(inbound, pattern(2, 2, 16)));
        pumpUntil(() -> client.messageCount() == 1 && server.messageCount() == 1);

        final Connection refused = client.transport().connect(listener.address());
        for (int i = 0; i < 1000; i++)
        {
            pump();
        }
        assertEquals(1, server.records().size(), "a closed listener accepts nothing");
        refused.close();

        listener = server.transport().listen(listener.address());
        final Connection fresh = connect();
        assertNotEquals(connection.id(), fresh.id());
        assertEquals(ConnectionState.CONNECTED, connection.state());
    }
}
