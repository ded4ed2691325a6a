/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc.transport;

import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;

/**
 * A name that loopback connections are made to, and the queue of links that ask to be accepted. Names are known across
 * the process; the queue is filled by any thread and emptied by the owner's.
 */
final class LoopbackListener implements Listener
{
    private static final ConcurrentMap<String, LoopbackListener> NAMES = new ConcurrentHashMap<>();

    private final String address;
    private final Queue<LoopbackLink> offered = new ConcurrentLinkedQueue<>();
    private volatile boolean closed;

    private LoopbackListener(final String address)
    {
        this.address = address;
    }

    static LoopbackListener open(final String address)
    {
        final LoopbackListener listener = new LoopbackListener(address);
        if (NAMES.putIfAbsent(address, listener) != null)
        {
            throw new TransportException(
                "cannot listen on " + address + ": another transport of this process listens there already");
        }
        return listener;
    }

    /**
     * Who listens at an address now.
     *
     * @return the listener or null.
     */
    static LoopbackListener find(final String address)
    {
        return NAMES.get(address);
    }

    @Override
    public String address()
    {
        return address;
    }

    boolean isClosed()
    {
        return closed;
    }

    /** A link offered to a listener that closes at that moment is withdrawn by one of the two sides. */
    void offer(final LoopbackLink link)
    {
        offered.add(link);
        if (closed)
        {
            link.withdraw();
        }
    }

    LoopbackLink poll()
    {
        return offered.poll();
    }

    @Override
    public void close()
    {
        if (!closed)
        {
            closed = true;
            NAMES.remove(address, this);
            LoopbackLink link;
            while ((link = offered.poll()) != null)
            {
                link.withdraw();
            }
        }
    }
}
