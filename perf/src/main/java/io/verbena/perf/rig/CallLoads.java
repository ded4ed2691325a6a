/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.rig;

import io.verbena.perf.systems.CallClient;
import org.agrona.concurrent.NanoClock;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Loads of calls that may overlap: an open loop, which sends what is due whatever became of the calls before, and a
 * closed one with a fixed number in flight.
 */
final class CallLoads
{
    private static final long DRAIN_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(15);
    private static final int SENDS_PER_POLL = 16;

    private final CallClient client;
    private final NanoClock clock;

    CallLoads(final CallClient client, final NanoClock clock)
    {
        this.client = client;
        this.clock = clock;
    }

    /**
     * Calls at a fixed rate, each stamped with the time at which it was due. One that cannot be sent before its
     * deadline is given up. Returns when all have ended.
     *
     * @param counts        of the calls.
     * @param ratePerSecond calls a second.
     * @param durationNs    of the load.
     * @param workNs        that each keeps the server busy.
     * @param deadlineNs    of each.
     */
    void runOpen(
        final CallCounts counts,
        final long ratePerSecond,
        final long durationNs,
        final long workNs,
        final long deadlineNs)
    {
        final long total = RateLoad.total(durationNs, ratePerSecond);
        final long startNs = clock.nanoTime();
        long index = 0;
        long dueNs = startNs;
        while (index < total)
        {
            final long nowNs = clock.nanoTime();
            for (int i = 0; i < SENDS_PER_POLL && index < total && nowNs - dueNs >= 0; i++)
            {
                final long leftNs = deadlineNs - (nowNs - dueNs);
                if (leftNs <= 0)
                {
                    counts.onNotSent();
                }
                else if (client.tryWork(dueNs, workNs, leftNs))
                {
                    counts.onStarted();
                }
                else
                {
                    break;
                }
                index++;
                dueNs = startNs + RateLoad.dueOffsetNs(index, ratePerSecond);
            }
            client.poll(counts);
        }
        drain(counts);
    }

    /**
     * Calls one after another, so many in flight. Returns when all have ended.
     *
     * @param counts     of the calls.
     * @param inFlight   number of calls in flight.
     * @param durationNs of the load.
     * @param call       makes one, if it can be sent now.
     */
    void runClosed(
        final CallCounts counts, final int inFlight, final long durationNs, final BooleanSupplier call)
    {
        final long startNs = clock.nanoTime();
        while (clock.nanoTime() - startNs < durationNs)
        {
            while (counts.outstanding() < inFlight && call.getAsBoolean())
            {
                counts.onStarted();
            }
            client.poll(counts);
        }
        drain(counts);
    }

    private void drain(final CallCounts counts)
    {
        final long startNs = clock.nanoTime();
        while (counts.outstanding() > 0)
        {
            client.poll(counts);
            if (clock.nanoTime() - startNs > DRAIN_TIMEOUT_NS)
            {
                throw new IllegalStateException("an end of each call expected within " +
                    Durations.format(DRAIN_TIMEOUT_NS) + ", found " + counts.outstanding() + " without one");
            }
        }
    }
}
