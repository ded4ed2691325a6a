/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.systems.raw;

import io.verbena.perf.systems.EchoClient;
import io.verbena.perf.systems.EchoHandler;
import io.verbena.perf.systems.EchoServer;
import io.verbena.perf.systems.EchoSetup;
import io.verbena.perf.systems.IdleServer;
import io.verbena.perf.systems.PolledClient;
import io.verbena.perf.systems.RowSettings;
import io.verbena.perf.systems.SystemUnderTest;

/**
 * No transport at all: a message is its own echo at the next poll. What it shows is the cost of the rig itself, above
 * all of its two readings of the clock.
 */
public final class NoopSystem implements SystemUnderTest
{
    /**
     * The system; it holds no state.
     */
    public NoopSystem()
    {
        // Nothing to prepare.
    }

    @Override
    public String name()
    {
        return "noop";
    }

    @Override
    public String description()
    {
        return "no transport: the cost of the rig itself";
    }

    @Override
    public int maxPayloadLength()
    {
        return Integer.MAX_VALUE;
    }

    @Override
    public RowSettings settings(final boolean closedLoop)
    {
        return new RowSettings(
            "spin", "one thread in the client; the server idles", "none", 0, 0, "none", "no message leaves the client");
    }

    @Override
    public EchoServer startServer(final EchoSetup setup)
    {
        return new IdleServer("none");
    }

    @Override
    public EchoClient connect(final EchoSetup setup, final String address)
    {
        return new Client();
    }

    private static final class Client implements PolledClient
    {
        private boolean isPending;
        private long pendingStampNs;
        private long pendingSequence;

        @Override
        public boolean trySend(final long stampNs, final long sequence)
        {
            if (isPending)
            {
                return false;
            }
            isPending = true;
            pendingStampNs = stampNs;
            pendingSequence = sequence;
            return true;
        }

        @Override
        public int poll(final EchoHandler handler)
        {
            if (!isPending)
            {
                return 0;
            }
            isPending = false;
            handler.onEcho(pendingStampNs, pendingSequence);
            return 1;
        }

        @Override
        public void close()
        {
            // Nothing is held.
        }
    }
}
