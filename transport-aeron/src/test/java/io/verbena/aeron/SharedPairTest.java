/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.aeron;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import io.verbena.rpc.test.InterruptAfter;
import io.verbena.rpc.transport.Connection;
import io.verbena.rpc.transport.ConnectionState;
import io.verbena.rpc.transport.ContractPeer;
import io.verbena.rpc.transport.DisconnectCause;
import io.verbena.rpc.transport.Listener;
import io.verbena.rpc.transport.MessageClaim;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Connections of one transport to one address: that they share streams, and what that does not change.
 */
class SharedPairTest extends FaultSupport
{
    private static final int STREAMS_PER_PAIR = 2;
    private static final long CLOSED_NS = 100_000_000L;

    private ContractPeer server;
    private ContractPeer client;
    private String address;

    private void start(final String scheme, final AeronTransport.Context clientContext)
    {
        server = echoServer("server");
        address = listen(server, listenAddress(scheme));
        client = peer("client", new AeronTransport(clientContext));
    }

    private Connection connect()
    {
        final int before = server.records().size();
        final Connection connection = connected(client, address);
        pumpUntil(() -> server.records().size() == before + 1);
        return connection;
    }

    private static StreamPair pair(final Connection connection)
    {
        return ((AeronConnection)connection).pair();
    }

    @Test
    @InterruptAfter(30)
    void shouldShareOnePairWhenConnectionsLeadToOneAddress()
    {
        start("ipc", context());
        final Connection first = connect();
        assertEquals(STREAMS_PER_PAIR, streamCount());
        final Connection second = connect();
        final Connection third = connect();
        assertEquals(STREAMS_PER_PAIR, streamCount());
        assertSame(pair(first), pair(second));
        assertSame(pair(first), pair(third));
        assertEquals(3, server.records().size());

        first.close();
        second.close();
        pumpUntil(() -> server.records().stream().filter((r) -> r.cause() != null).count() == 2);
        assertEquals(ConnectionState.CONNECTED, third.state());
        assertEcho(third, 1);
        third.close();
        pumpUntil(() -> streamCount() == 0);
        assertEcho(connect(), 2);
    }

    @Test
    @InterruptAfter(30)
    void shouldUseAnotherPairWhenTheFirstIsFull()
    {
        start("ipc", context().connectionsPerStreamPair(2));
        final Connection first = connect();
        final Connection second = connect();
        final Connection third = connect();
        assertSame(pair(first), pair(second));
        assertNotSame(pair(first), pair(third));
        assertEquals(2 * STREAMS_PER_PAIR, streamCount());
        first.close();
        pumpUntil(() -> client.record(first).cause() != null && server.records().get(0).cause() != null);
        assertSame(pair(third), pair(connect()));
        // The place that the first one left is free again.
        pumpFor(CLOSED_NS);
        assertSame(pair(second), pair(connect()));
    }

    @Test
    @InterruptAfter(30)
    void shouldGiveEachItsOwnPairWhenSharingIsOff()
    {
        start("ipc", context().connectionsPerStreamPair(1));
        final List<Connection> connections = List.of(connect(), connect(), connect());
        assertEquals(3 * STREAMS_PER_PAIR, streamCount());
        for (int i = 0; i < connections.size(); i++)
        {
            assertEcho(connections.get(i), i);
        }
        connections.get(1).close();
        pumpUntil(() -> streamCount() == 2 * STREAMS_PER_PAIR);
        assertEquals(ConnectionState.CONNECTED, connections.get(0).state());
        assertEquals(ConnectionState.CONNECTED, connections.get(2).state());
    }

    @ParameterizedTest
    @ValueSource(strings = {"udp", "ipc"})
    @InterruptAfter(60)
    void shouldKeepMessagesApartWhenConnectionsComeAndGo(final String scheme)
    {
        start(scheme, context());
        final Connection staying = connect();
        for (int round = 0; round < 50; round++)
        {
            final Connection passing = connect();
            assertSame(pair(staying), pair(passing));
            for (int i = 0; i < 5; i++)
            {
                assertTrue(passing.offer(message(round, i), 0, Long.BYTES * 2) > 0);
                assertTrue(staying.offer(message(-round, i), 0, Long.BYTES * 2) > 0);
            }
            // Half of them do not wait for what comes back.
            if ((round & 1) == 0)
            {
                pumpUntil(() -> client.record(passing).messages().size() == 5);
            }
            passing.close();
            final ContractPeer.Record inbound = server.records().get(round + 1);
            pumpUntil(() -> inbound.cause() != null);
            assertEquals(DisconnectCause.CLOSED_BY_PEER, inbound.cause());
            assertEquals(5, inbound.messages().size());
            for (int i = 0; i < 5; i++)
            {
                assertArrayEquals(message(round, i).byteArray(), inbound.messages().get(i));
            }
        }
        pumpUntil(() -> client.record(staying).messages().size() == 250);
        for (int i = 0; i < 250; i++)
        {
            assertArrayEquals(
                message(-(i / 5), i % 5).byteArray(), client.record(staying).messages().get(i));
        }
        assertEquals(0, errors.size(), errors::toString);
    }

    @ParameterizedTest
    @ValueSource(strings = {"udp", "ipc"})
    @InterruptAfter(60)
    void shouldDeliverBothWhenClaimsAreOpenOnTwoConnections(final String scheme)
    {
        start(scheme, context());
        final Connection first = connect();
        final Connection second = connect();
        for (final int length : new int[]{16, StagedClaim.MAX_LENGTH, StagedClaim.MAX_LENGTH + 1})
        {
            final MessageClaim one = new MessageClaim();
            final MessageClaim two = new MessageClaim();
            final int before = client.messageCount();
            assertTrue(first.tryClaim(length, one) > 0);
            assertTrue(second.tryClaim(length, two) > 0);
            one.buffer().setMemory(one.offset(), length, (byte)1);
            two.buffer().setMemory(two.offset(), length, (byte)2);
            two.commit();
            one.commit();
            pumpUntil(() -> client.messageCount() == before + 2);
            assertArrayEquals(filled(length, 1), newest(first));
            assertArrayEquals(filled(length, 2), newest(second));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"udp", "ipc"})
    @InterruptAfter(60)
    void shouldKeepRoomForAnOpenClaimWhenANeighbourFillsTheLog(final String scheme)
    {
        start(scheme, context());
        final Connection first = connect();
        final Connection second = connect();
        server.onMessage((connection, buffer, offset, length) -> {});
        for (final int filling : new int[]{1, 200, 1_000, 8_000})
        {
            final MessageClaim claim = new MessageClaim();
            assertTrue(first.tryClaim(100, claim) > 0);
            int accepted = 0;
            final UnsafeBuffer filler = new UnsafeBuffer(new byte[filling]);
            while (second.offer(filler, 0, filling) > 0)
            {
                ++accepted;
            }
            while (second.offer(filler, 0, 1) > 0)
            {
                ++accepted;
            }
            assertEquals(Connection.BACK_PRESSURED, second.tryClaim(1, new MessageClaim()));
            // It cannot say that it opens either, before there is room for it.
            final Connection third = client.transport().connect(address);
            claim.buffer().setMemory(claim.offset(), 100, (byte)filling);
            claim.commit();
            final int expected = accepted;
            final ContractPeer.Record to = server.records().get(0);
            pumpUntil(() -> to.messages().size() > 0 && server.records().get(1).messages().size() == expected);
            assertArrayEquals(filled(100, filling), to.messages().get(0));
            to.messages().clear();
            server.records().get(1).messages().clear();
            pumpUntil(() -> client.record(third).connected());
            third.close();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"udp", "ipc"})
    @InterruptAfter(60)
    void shouldDeliverEverythingThenTheEndWhenOneClosesWhileTheLogIsFull(final String scheme)
    {
        start(scheme, context().closeTimeoutNs(20 * LIVENESS_NS));
        server.onMessage((connection, buffer, offset, length) -> {});
        final Connection closing = connect();
        final Connection staying = connect();
        final UnsafeBuffer message = new UnsafeBuffer(new byte[500]);
        int sent = 0;
        while (closing.offer(message, 0, 500) > 0)
        {
            ++sent;
        }
        assertEquals(Connection.BACK_PRESSURED, staying.offer(message, 0, 500));
        closing.close();
        for (int i = 0; i < 100; i++)
        {
            client.poll();
        }
        assertEquals(DisconnectCause.CLOSED_LOCALLY, client.record(closing).cause());
        final ContractPeer.Record inbound = server.records().get(0);
        pumpUntil(() -> inbound.cause() != null);
        assertEquals(DisconnectCause.CLOSED_BY_PEER, inbound.cause());
        assertEquals(sent, inbound.messages().size());
        pumpUntil(() -> staying.offer(message, 0, 500) > 0);
        pumpUntil(() -> server.records().get(1).messages().size() == 1);
        assertNull(client.record(staying).cause());
    }

    @Test
    @InterruptAfter(60)
    void shouldEndAllOnceAndConnectAgainWhenThePeerDies()
    {
        start("udp", context());
        final List<Connection> connections = List.of(connect(), connect(), connect());
        final MessageClaim claim = new MessageClaim();
        forget(server);
        pumpUntil(() -> connections.stream().allMatch((c) -> client.record(c).cause() != null));
        connections.forEach((c) -> assertEquals(DisconnectCause.PEER_TIMEOUT, client.record(c).cause()));
        connections.forEach((c) -> assertEquals(Connection.CLOSED, c.tryClaim(8, claim)));
        peer(server);
        pumpUntil(() -> server.records().stream().allMatch((r) -> r.cause() != null));
        server.records().forEach((r) -> assertEquals(DisconnectCause.DRIVER_LOST, r.cause()));
        assertEquals(1, errors.size(), errors::toString);
        assertTrue(errors.get(0).getMessage().contains("3 connections end"), errors::toString);
        assertEcho(connect(), 1);
    }

    @Test
    @InterruptAfter(60)
    void shouldEndAllAsStalledWhenThePeerReadsNothing()
    {
        start("ipc", context());
        final Connection flooding = connect();
        final Connection idle = connect();
        final UnsafeBuffer message = new UnsafeBuffer(new byte[1_000]);
        forget(server);
        pumpUntil(() ->
        {
            flooding.offer(message, 0, 1_000);
            // It lives, but reads nothing.
            server.poll(0);
            return client.record(flooding).cause() != null && client.record(idle).cause() != null;
        });
        assertEquals(DisconnectCause.PEER_STALLED, client.record(flooding).cause());
        assertEquals(DisconnectCause.PEER_STALLED, client.record(idle).cause());
    }

    @Test
    @InterruptAfter(60)
    void shouldConnectOnANewPairWhenTheSharedOneDiesBeforeTheAnswer()
    {
        start("udp", context());
        final Connection before = connect();
        // The server dies unnoticed; who connects now is put on a pair that will never answer.
        forget(server);
        client.poll();
        final Connection connecting = client.transport().connect(address);
        client.poll();
        assertSame(pair(before), pair(connecting));
        pumpUntil(() -> client.record(before).cause() != null);
        assertEquals(DisconnectCause.PEER_TIMEOUT, client.record(before).cause());
        assertEquals(ConnectionState.CONNECTING, connecting.state());
        peer(server);
        pumpUntil(() -> client.record(connecting).connected());
        assertEcho(connecting, 1);
    }

    @Test
    @InterruptAfter(30)
    void shouldTimeOutAloneWhenNobodyAcceptsOnAStandingPair()
    {
        server = echoServer("server");
        final Listener listener = server.transport().listen(listenAddress("ipc"));
        address = listener.address();
        client = peer("client", new AeronTransport(context().connectTimeoutNs(LIVENESS_NS / 4)));
        final Connection standing = connect();
        listener.close();
        final Connection refused = client.transport().connect(address);
        pumpUntil(() -> client.record(refused).cause() != null);
        assertEquals(DisconnectCause.CONNECT_TIMEOUT, client.record(refused).cause());
        assertFalse(client.record(refused).connected());
        assertEcho(standing, 1);
        assertEquals(1, server.records().size());
        // What has given up is not accepted later.
        address = listen(server, listenAddress("ipc"));
        connect();
        assertEquals(2, server.records().size());
        assertEquals(0, errors.size(), errors::toString);
    }

    @Test
    @InterruptAfter(30)
    void shouldEndAllOnceWhenTheTransportClosesUnderManyConnections()
    {
        start("ipc", context());
        final List<Connection> connections = new ArrayList<>();
        for (int i = 0; i < 20; i++)
        {
            connections.add(connect());
        }
        final Connection connecting = client.transport().connect(address);
        forget(client);
        client.close();
        connections.add(connecting);
        connections.forEach((c) -> assertEquals(ConnectionState.CLOSED, c.state()));
        pumpUntil(() -> server.records().stream().allMatch((r) -> r.cause() != null));
        server.records().forEach((r) -> assertEquals(DisconnectCause.CLOSED_BY_PEER, r.cause()));
        assertEquals(20, server.records().size());
    }

    private void assertEcho(final Connection connection, final int number)
    {
        final int before = client.record(connection).messages().size();
        pumpUntil(() -> connection.offer(message(number, number), 0, Long.BYTES * 2) > 0);
        pumpUntil(() -> client.record(connection).messages().size() == before + 1);
        assertArrayEquals(message(number, number).byteArray(), newest(connection));
    }

    private byte[] newest(final Connection connection)
    {
        final List<byte[]> messages = client.record(connection).messages();
        return messages.get(messages.size() - 1);
    }

    private static UnsafeBuffer message(final long first, final long second)
    {
        final UnsafeBuffer message = new UnsafeBuffer(new byte[Long.BYTES * 2]);
        message.putLong(0, first);
        message.putLong(Long.BYTES, second);
        return message;
    }

    private static byte[] filled(final int length, final int value)
    {
        final byte[] bytes = new byte[length];
        Arrays.fill(bytes, (byte)value);
        return bytes;
    }
}
