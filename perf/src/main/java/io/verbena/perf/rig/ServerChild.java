/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.rig;

import io.verbena.perf.systems.EchoServer;
import io.verbena.perf.systems.EchoSetup;
import io.verbena.perf.systems.SystemUnderTest;
import io.verbena.perf.systems.WatchedServer;
import io.vertx.core.json.JsonObject;

import java.io.InputStream;
import java.io.PrintStream;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * The server's process: it reports its address, answers each {@code mark} with the bytes allocated so far, and ends
 * with its input.
 */
final class ServerChild
{
    static final String READY = "ready";
    static final String MARK = "mark";
    static final String STOP = "stop";
    static final String DRAIN = "drain";
    static final String MEMORY = "memory";
    static final String NANO_TIME = "nano_time";
    static final String SENT = "sent";
    static final String RECEIVED = "received";
    static final String OUT_OF_ORDER = "out_of_order";
    static final String ADDRESS = "address";
    static final String ALLOCATED_BYTES = "allocated_bytes";

    private static final long QUIET_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(10);

    private final SystemUnderTest system;
    private final EchoSetup setup;
    private final ControlChannel control;
    private final AllocationMeter meter;
    private volatile EchoServer server;

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
        try (EchoServer started = system.startServer(setup))
        {
            server = started;
            // The meter allocates too, the first time most of all.
            meter.allocatedBytes();
            control.send(READY, new JsonObject().put(ADDRESS, started.address()));
            if (!started.isPolled())
            {
                new CountDownLatch(1).await();
            }
            while (true)
            {
                started.poll();
            }
        }
    }

    private void onCommand(final String command)
    {
        switch (command)
        {
            case MARK -> control.send(MARK, look());
            case MEMORY ->
            {
                final JsonObject counters = look();
                MemoryMeter.addTo(counters, setup.directory());
                control.send(MEMORY, counters);
            }
            case STOP ->
            {
                if (server instanceof WatchedServer watched)
                {
                    watched.stopSending();
                    await("an end of what the server sends", watched::hasStopped);
                }
                control.send(STOP, look());
            }
            case DRAIN ->
            {
                awaitQuiet();
                control.send(DRAIN, look());
            }
            default -> throw new IllegalArgumentException("a command expected, found " + command);
        }
    }

    private JsonObject look()
    {
        final JsonObject counters = new JsonObject()
            .put(ALLOCATED_BYTES, meter.allocatedBytes())
            .put(NANO_TIME, System.nanoTime());
        if (server instanceof WatchedServer watched)
        {
            watched.addCounters(counters);
        }
        return counters;
    }

    private void awaitQuiet()
    {
        final long[] last = {-1, System.nanoTime()};
        await("an end of what arrives at the server", () ->
        {
            final long received = look().getLong(RECEIVED, 0L);
            if (received != last[0])
            {
                last[0] = received;
                last[1] = System.nanoTime();
            }
            return System.nanoTime() - last[1] > QUIET_NS;
        });
    }

    private void await(final String what, final BooleanSupplier condition)
    {
        final long startNs = System.nanoTime();
        while (!condition.getAsBoolean())
        {
            if (System.nanoTime() - startNs > TIMEOUT_NS)
            {
                control.send("error", new JsonObject().put(
                    "message", what + " expected within " + Durations.format(TIMEOUT_NS)));
                return;
            }
            LockSupport.parkNanos(PAUSE_NS);
        }
    }
}
