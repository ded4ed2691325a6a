/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.aeron;

import java.util.ArrayList;

import io.aeron.Image;
import io.verbena.rpc.transport.DisconnectCause;

/**
 * The stream pairs of one transport and the connections on them.
 * <p>
 * <b>Design note.</b> The driver and each duty cycle scan streams, so connections to one address share a pair: a
 * thousand of them cost a poll no more than one. Those that are at rest are in no list: they are found by their slot
 * when a frame arrives for them. Only those with something left to do, opening or closing, are looked at in turns.
 */
final class Connections
{
    private final AeronLoop loop;
    private final Sessions sessions;
    private final ArrayList<StreamPair> pairs = new ArrayList<>();
    private ArrayList<AeronConnection> pending = new ArrayList<>();
    private ArrayList<AeronConnection> worked = new ArrayList<>();
    private StreamPair[] hot = new StreamPair[0];
    private long nextId = 1;
    private int startIndex;

    Connections(final AeronLoop loop, final Sessions sessions)
    {
        this.loop = loop;
        this.sessions = sessions;
    }

    /**
     * A connection that begins to connect.
     *
     * @param address where to.
     * @return the connection.
     */
    AeronConnection outbound(final AeronAddress address)
    {
        final DriverSession session = sessions.toConnect(address);
        if (session.isEmbedded())
        {
            // What keeps this side's own driver from starting is no matter of the peer's.
            session.start();
        }
        final AeronConnection connection = new AeronConnection(loop, nextId++, address, loop.nanoTime());
        attach(connection);
        pending(connection);
        return connection;
    }

    /** A connection that a peer asks for, on a pair that stands. */
    AeronConnection inbound()
    {
        return new AeronConnection(loop, nextId++, null, loop.nanoTime());
    }

    /** Finds or begins a pair for a connection that has none. */
    void attach(final AeronConnection connection)
    {
        final AeronAddress address = connection.asked();
        final DriverSession session = sessions.toConnect(address);
        for (int i = pairs.size() - 1; i >= 0; i--)
        {
            if (pairs.get(i).canTake(session, address))
            {
                pairs.get(i).add(connection);
                return;
            }
        }
        final StreamPair pair = begin(new OutboundSetup(loop, address, session), address);
        pair.add(connection);
    }

    /** A peer's stream arrived. */
    void accept(final AeronEndpoint endpoint, final Image image, final long nowNs)
    {
        endpoint.pairOpened();
        begin(new InboundSetup(loop, endpoint, image, nowNs), null);
    }

    private StreamPair begin(final ConnectionSetup setup, final AeronAddress asked)
    {
        setup.session().acquire();
        final StreamPair pair = new StreamPair(loop, setup, asked);
        pairs.add(pair);
        return pair;
    }

    /** Something is left to do for a connection: soon, and until it is at rest. */
    void pending(final AeronConnection connection)
    {
        if (!connection.isPending())
        {
            connection.isPending(true);
            pending.add(connection);
        }
        loop.eventPending();
    }

    /**
     * Delivers messages.
     *
     * @param messageLimit the most to deliver.
     * @return fragments read.
     */
    int poll(final int messageLimit)
    {
        final StreamPair[] ready = hot;
        final int count = ready.length;
        // Begin with another pair each time, so that a small limit starves none.
        int index = startIndex >= count ? 0 : startIndex;
        startIndex = index + 1;
        int fragments = 0;
        for (int i = 0; i < count && fragments < messageLimit && !loop.isClosed(); i++)
        {
            fragments += ready[index].poll(messageLimit - fragments);
            if (++index == count)
            {
                index = 0;
            }
        }
        return fragments;
    }

    /**
     * What is not done in each poll.
     *
     * @param nowNs the time.
     * @return the number of events told to the listener.
     */
    int work(final long nowNs)
    {
        workOnPairs(nowNs);
        final ArrayList<AeronConnection> list = pending;
        pending = worked;
        worked = list;
        int events = 0;
        // By index, and callbacks and ends add to the other list.
        for (int i = 0; i < list.size(); i++)
        {
            final AeronConnection connection = list.get(i);
            connection.isPending(false);
            if (loop.isClosed())
            {
                // By the callback of another one.
                connection.end(DisconnectCause.CLOSED_LOCALLY);
                continue;
            }
            events += connection.work(nowNs);
            if (!connection.isAtRest() && !connection.isPending())
            {
                connection.isPending(true);
                pending.add(connection);
            }
        }
        list.clear();
        return events;
    }

    /**
     * The part without connections: what remains to do while the transport closes.
     *
     * @param nowNs the time.
     * @return true if Aeron has back what it gave to all pairs.
     */
    boolean workOnPairs(final long nowNs)
    {
        boolean allReleased = true;
        for (int i = 0; i < pairs.size(); i++)
        {
            pairs.get(i).work(nowNs);
            allReleased &= pairs.get(i).isReleased();
        }
        return allReleased;
    }

    /** Forgets the pairs that have ended, and finds anew which to poll. */
    void tidy()
    {
        int ready = 0;
        for (int i = pairs.size() - 1; i >= 0; i--)
        {
            final StreamPair pair = pairs.get(i);
            ready += pair.isConnected() ? 1 : 0;
            if (pair.isReleased())
            {
                pairs.remove(i);
                pair.setup().session().release();
                if (pair.setup() instanceof final InboundSetup inbound)
                {
                    inbound.endpoint().pairClosed();
                }
            }
        }
        boolean changed = ready != hot.length;
        for (int i = 0; i < hot.length && !changed; i++)
        {
            changed = !hot[i].isConnected();
        }
        if (changed)
        {
            hot = pairs.stream().filter(StreamPair::isConnected).toArray(StreamPair[]::new);
        }
    }

    /**
     * A session is gone.
     *
     * @param session that was lost.
     * @return how many connections end with it.
     */
    int sessionLost(final DriverSession session)
    {
        int ended = 0;
        for (final StreamPair pair : pairs)
        {
            ended += pair.isConnected() && pair.setup().session() == session ? pair.openConnections() : 0;
            pair.sessionLost(session);
        }
        return ended;
    }

    /** The transport closes: everything ends, and goodbyes are said for all connections at once. */
    void close()
    {
        for (int i = 0; i < pending.size(); i++)
        {
            pending.get(i).end(DisconnectCause.CLOSED_LOCALLY);
        }
        for (final StreamPair pair : pairs)
        {
            pair.close();
        }
    }
}
