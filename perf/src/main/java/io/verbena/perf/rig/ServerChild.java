/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.rig;

import io.verbena.perf.systems.EchoServer;
import io.verbena.perf.systems.EchoSetup;
import io.verbena.perf.systems.SystemUnderTest;
import io.vertx.core.json.JsonObject;

import java.io.InputStream;
import java.io.PrintStream;
import java.util.concurrent.CountDownLatch;

/**
 * The server's process: it reports its address, answers each {@code mark} with the bytes allocated so far, and ends
 * with its input.
 */
final class ServerChild
{
    static final String READY = "ready";
    static final String MARK = "mark";
    static final String ADDRESS = "address";
    static final String ALLOCATED_BYTES = "allocated_bytes";

    private final SystemUnderTest system;
    private final EchoSetup setup;
    private final ControlChannel control;
    private final AllocationMeter meter;

    ServerChild(
        final SystemUnderTest system,
        final EchoSetup setup,
        final InputStream input,
        final PrintStream output,
        final Runnable onEnd)
    {
        this.system = system;
        this.setup = setup;
        control = new ControlChannel(input, output, this::onCommand, onEnd);
        meter = new AllocationMeter(control.thread());
    }

    void run() throws Exception
    {
        control.start();
        try (EchoServer server = system.startServer(setup))
        {
            // The meter allocates too, the first time most of all.
            meter.allocatedBytes();
            control.send(READY, new JsonObject().put(ADDRESS, server.address()));
            if (!server.isPolled())
            {
                new CountDownLatch(1).await();
            }
            while (true)
            {
                server.poll();
            }
        }
    }

    private void onCommand(final String command)
    {
        if (MARK.equals(command))
        {
            control.send(MARK, new JsonObject().put(ALLOCATED_BYTES, meter.allocatedBytes()));
        }
    }
}
