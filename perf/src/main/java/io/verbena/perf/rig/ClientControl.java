/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.rig;

import io.vertx.core.json.JsonObject;

import java.io.InputStream;
import java.io.PrintStream;
import java.util.concurrent.Semaphore;

/**
 * The client process's talk with the coordinator: at each mark the coordinator looks at the server, and gives leave to
 * go on.
 */
final class ClientControl
{
    static final String MARK = "mark";
    static final String NAME = "name";
    static final String ACTION = "action";
    static final String COUNTERS = "counters";
    static final String GO = "go";
    static final String RESULT = "result";
    static final String WINDOW_START = "window-start";
    static final String WINDOW_END = "window-end";

    private final ControlChannel channel;
    private final AllocationMeter meter;
    private final Semaphore leaves = new Semaphore(0);

    ClientControl(final InputStream input, final PrintStream output, final Runnable onEnd)
    {
        channel = new ControlChannel(input, output, this::onCommand, onEnd);
        meter = new AllocationMeter(channel.thread());
    }

    private void onCommand(final String command)
    {
        if (GO.equals(command))
        {
            leaves.release();
        }
    }

    void start()
    {
        channel.start();
        // The meter allocates too, the first time most of all.
        meter.allocatedBytes();
    }

    /**
     * Bytes that all threads of this process but the control thread have allocated.
     *
     * @return the number of bytes since the start.
     */
    long allocatedBytes()
    {
        return meter.allocatedBytes();
    }

    /**
     * Asks for a look at the server; {@link #tryLeave()} tells when it is over.
     *
     * @param name   of the mark.
     * @param action what the server is to do before, one of its commands, or null.
     */
    void mark(final String name, final String action)
    {
        mark(name, action, new JsonObject());
    }

    /**
     * As {@link #mark(String, String)}, for a server that runs in this process.
     *
     * @param name     of the mark.
     * @param action   what the server is to do before, or null.
     * @param counters of this process that count as the server's.
     */
    void mark(final String name, final String action, final JsonObject counters)
    {
        channel.send(MARK, new JsonObject().put(NAME, name).put(ACTION, action).put(COUNTERS, counters));
    }

    boolean tryLeave()
    {
        return leaves.tryAcquire();
    }

    void awaitLeave() throws InterruptedException
    {
        leaves.acquire();
    }

    void sendResult(final JsonObject result)
    {
        channel.send(RESULT, result);
    }
}
