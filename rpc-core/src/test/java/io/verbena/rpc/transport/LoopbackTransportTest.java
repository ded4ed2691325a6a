/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicInteger;

import io.verbena.rpc.test.InterruptAfter;
import org.junit.jupiter.api.Test;

class LoopbackTransportTest extends TransportContractTest
{
    private static final AtomicInteger NAMES = new AtomicInteger();

    private final String name = "loopback:contract-" + NAMES.incrementAndGet();
    private long nowNs;

    @Override
    protected Transport createServer()
    {
        return new LoopbackTransport();
    }

    @Override
    protected Transport createClient(final long connectTimeoutNs)
    {
        return new LoopbackTransport(new LoopbackTransport.Context().connectTimeoutNs(connectTimeoutNs));
    }

    @Override
    protected String listenAddress()
    {
        return name;
    }

    @Override
    protected String addressOfNobody()
    {
        return name + "-nobody";
    }

    @Test
    @InterruptAfter(10)
    void shouldConnectWhenTheListenerComesLater()
    {
        final Connection connection = client.transport().connect(name + "-later");
        client.poll();
        assertEquals(ConnectionState.CONNECTING, connection.state());
        server.transport().listen(name + "-later");
        pumpUntil(() -> client.record(connection).connected() && server.records().size() == 1);
    }

    @Test
    @InterruptAfter(10)
    void shouldConnectToItselfWhenListenerAndConnectionShareATransport()
    {
        final Connection connection = server.transport().connect(name);
        pollUntil(server, () -> server.records().size() == 2);
        assertTrue(tryOffer(connection, pattern(1, 1, 8)));
        pollUntil(server, () -> server.messageCount() == 1);
    }

    @Test
    @InterruptAfter(10)
    void shouldEndWithPeerTimeoutWhenThePeerIsNoLongerPolled()
    {
        try (ContractPeer one = peer("one"); ContractPeer two = peer("two"))
        {
            final Listener at = one.transport().listen(name + "-silent");
            final Connection connection = two.transport().connect(at.address());
            two.poll();
            one.poll();
            two.poll();
            assertTrue(two.record(connection).connected());
            for (int step = 0; step < 4; step++)
            {
                nowNs += 500_000_000;
                two.poll();
                assertEquals(ConnectionState.CONNECTED, connection.state());
            }
            nowNs += 1;
            two.poll();
            assertEquals(DisconnectCause.PEER_TIMEOUT, two.record(connection).cause());
            one.poll();
            one.poll();
            assertEquals(DisconnectCause.CLOSED_BY_PEER, one.records().get(0).cause());
        }
    }

    @Test
    @InterruptAfter(10)
    void shouldBlameNobodyWhenThisTransportWasPausedItself()
    {
        try (ContractPeer one = peer("one"); ContractPeer two = peer("two"))
        {
            final Listener at = one.transport().listen(name + "-paused");
            final Connection connection = two.transport().connect(at.address());
            two.poll();
            one.poll();
            two.poll();
            nowNs += 60_000_000_000L;
            two.poll();
            one.poll();
            assertEquals(ConnectionState.CONNECTED, connection.state());
            assertEquals(ConnectionState.CONNECTED, one.only().state());
        }
    }

    @Test
    void shouldRefuseOptionsWhenOutOfRange()
    {
        refused(new LoopbackTransport.Context().ringCapacity(1000), "1000");
        refused(new LoopbackTransport.Context().ringCapacity(512), "512");
        refused(new LoopbackTransport.Context().maxClaimLength(0), "found 0");
        refused(new LoopbackTransport.Context().ringCapacity(8192).maxClaimLength(1025), "1025");
        refused(new LoopbackTransport.Context().connectTimeoutNs(0), "connectTimeoutNs");
        refused(new LoopbackTransport.Context().livenessTimeoutNs(-1), "livenessTimeoutNs");
        new LoopbackTransport.Context().ringCapacity(1024).maxClaimLength(128).conclude();
        final LoopbackTransport.Context once = new LoopbackTransport.Context().conclude();
        assertThrows(IllegalStateException.class, once::conclude);
    }

    private static void refused(final LoopbackTransport.Context ctx, final String named)
    {
        final IllegalArgumentException e = assertThrows(IllegalArgumentException.class, ctx::conclude);
        assertTrue(e.getMessage().contains(named), e::getMessage);
    }

    private ContractPeer peer(final String peerName)
    {
        return new ContractPeer(
            peerName, new LoopbackTransport(new LoopbackTransport.Context().nanoClock(() -> nowNs)));
    }
}
