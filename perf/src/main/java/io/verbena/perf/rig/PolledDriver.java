/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.rig;

import io.verbena.perf.systems.PolledClient;
import org.agrona.concurrent.NanoClock;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Runs a load over a polled client in the calling thread, without a pause and without allocating.
 */
final class PolledDriver
{
    private static final long STALL_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(5);
    private static final int POLLS_BETWEEN_CHECKS = 1 << 14;

    private final PolledClient client;
    private final NanoClock clock;

    PolledDriver(final PolledClient client, final NanoClock clock)
    {
        this.client = client;
        this.clock = clock;
    }

    /**
     * A closed loop. The clock is read at sending and at receiving, and while waiting only now and then, to see
     * whether the system has died.
     *
     * @param load to run.
     */
    void run(final ClosedLoad load)
    {
        long nowNs = clock.nanoTime();
        while (!load.isDone(nowNs))
        {
            int polls = 0;
            while (!client.trySend(nowNs, load.nextSequence()))
            {
                client.poll(load);
                polls = checkStall(polls, nowNs, "message not taken");
            }
            load.onSent();
            while (load.isOutstanding())
            {
                client.poll(load);
                polls = checkStall(polls, nowNs, "no echo");
            }
            nowNs = clock.nanoTime();
        }
    }

    private int checkStall(final int polls, final long sinceNs, final String what)
    {
        if (polls % POLLS_BETWEEN_CHECKS == POLLS_BETWEEN_CHECKS - 1 && clock.nanoTime() - sinceNs > STALL_TIMEOUT_NS)
        {
            throw new IllegalStateException(what + " within " + Durations.format(STALL_TIMEOUT_NS));
        }
        return polls + 1;
    }

    /**
     * A fixed rate.
     *
     * @param load to run.
     */
    void run(final RateLoad load)
    {
        long nowNs = clock.nanoTime();
        while (!load.isDone(nowNs))
        {
            final long stampNs = load.dueStampNs(nowNs);
            if (stampNs != RateLoad.NOT_DUE && client.trySend(stampNs, load.nextSequence()))
            {
                load.onSent();
            }
            client.poll(load);
            nowNs = clock.nanoTime();
        }
    }

    /**
     * Keeps the client's duties going while something else is awaited.
     *
     * @param condition to wait for.
     * @param last      load, whose late echoes are taken.
     */
    void pollUntil(final BooleanSupplier condition, final AbstractLoad last)
    {
        while (!condition.getAsBoolean())
        {
            client.poll(last);
        }
    }
}
