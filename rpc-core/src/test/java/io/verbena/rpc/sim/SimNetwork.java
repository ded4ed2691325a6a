/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc.sim;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import io.verbena.rpc.test.ManualClock;
import io.verbena.rpc.transport.DisconnectCause;

/**
 * A network on a clock that the test moves: each connection keeps order and delays by its own whim, so connections
 * overtake each other; it pushes back now and then, refuses to connect now and then, and is cut when the test says so,
 * which loses what is under way and is noticed by each side at a time of its own.
 */
final class SimNetwork
{
    static final long MAX_CONNECT_NS = 2_000_000L;
    private static final long MAX_NOTICE_NS = 3_000_000L;

    private final Random random;
    private final ManualClock clock;
    private final CreditWitness witness = new CreditWitness();
    private final Map<String, SimTransport> listeners = new HashMap<>();
    private final List<SimConnection> clientEnds = new ArrayList<>();
    private final long maxDelayNs;
    private final int capacity;
    private final int maxClaimLength;
    private final int maxMessageLength;
    private boolean healthy;
    private int cuts;
    private long lastNoticeNs = Long.MIN_VALUE;

    SimNetwork(final Random random, final ManualClock clock)
    {
        this.random = random;
        this.clock = clock;
        maxDelayNs = 1 + random.nextInt(400_000);
        maxClaimLength = 128 + 8 * random.nextInt(64);
        maxMessageLength = maxClaimLength + 8 * random.nextInt(128);
        capacity = 3 * maxMessageLength + random.nextInt(16 * 1024);
    }

    CreditWitness witness()
    {
        return witness;
    }

    SimTransport newTransport()
    {
        return new SimTransport(this, false);
    }

    /** One whose connections are tampered with, both ways. */
    SimTransport newHostileTransport()
    {
        return new SimTransport(this, true);
    }

    Tamper newTamper()
    {
        return new Tamper(random);
    }

    long nowNs()
    {
        return clock.nanoTime();
    }

    int maxClaimLength()
    {
        return maxClaimLength;
    }

    int maxMessageLength()
    {
        return maxMessageLength;
    }

    int capacity()
    {
        return capacity;
    }

    /** From now on nothing goes wrong any more. */
    void heal()
    {
        healthy = true;
    }

    boolean happens(final int oneIn)
    {
        return !healthy && random.nextInt(oneIn) == 0;
    }

    int pick(final int bound)
    {
        return random.nextInt(bound);
    }

    long delayNs()
    {
        return 1 + (long)(random.nextDouble() * maxDelayNs);
    }

    void listen(final String address, final SimTransport transport)
    {
        listeners.put(address, transport);
    }

    void unlisten(final String address)
    {
        listeners.remove(address);
    }

    /** Brings a connection about, or not. */
    void connect(final SimConnection client, final String address)
    {
        final long nowNs = nowNs();
        final SimTransport server = listeners.get(address);
        if (server == null || happens(6))
        {
            client.endAt(nowNs + random.nextInt((int)MAX_CONNECT_NS), DisconnectCause.CONNECT_TIMEOUT);
            return;
        }
        final SimConnection inbound = server.accept();
        client.pair(inbound);
        if (client.tamper() != null)
        {
            inbound.tamper(newTamper());
        }
        inbound.connectAt(nowNs + random.nextInt((int)MAX_CONNECT_NS));
        client.connectAt(nowNs + random.nextInt((int)MAX_CONNECT_NS));
        if (client.tamper() == null)
        {
            clientEnds.add(client);
        }
    }

    /** Cuts a connection that lives, if there is one. */
    void cut()
    {
        clientEnds.removeIf((end) -> !end.isAlive());
        if (!clientEnds.isEmpty())
        {
            cut(clientEnds.remove(random.nextInt(clientEnds.size())));
        }
    }

    private void cut(final SimConnection client)
    {
        ++cuts;
        for (final SimConnection end : new SimConnection[]{client, client.peer()})
        {
            end.lose(random);
            end.endAt(nowNs() + random.nextInt((int)MAX_NOTICE_NS), DisconnectCause.PEER_TIMEOUT);
        }
    }

    /** After all was quiet. */
    void assertNoCreditLost()
    {
        clientEnds.removeIf((end) -> !end.isAlive());
        for (final SimConnection end : clientEnds)
        {
            witness.assertNothingLost(end);
            witness.assertNothingLost(end.peer());
        }
    }

    /** One end of a connection that was cut hears of it. */
    void noticed()
    {
        lastNoticeNs = nowNs();
    }

    /** When the last end of a cut connection heard of it. */
    long lastNoticeNs()
    {
        return lastNoticeNs;
    }

    int cuts()
    {
        return cuts;
    }
}
