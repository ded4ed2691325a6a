/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.rig;

import io.verbena.perf.systems.StreamClient;
import io.verbena.perf.systems.StreamTally;
import io.vertx.core.json.JsonObject;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;

import java.util.concurrent.TimeUnit;

/**
 * Items of streams, as many as go through. The streams run from the start of the warm-up to the end without a pause;
 * the window is a stretch of time in their midst, and what is received within it counts, at the client by the client's
 * clock, at the server by the server's. After it both ends stop sending, and what was sent must have arrived, all and
 * in order.
 */
final class StreamExperiment implements Experiment
{
    static final String STOP_MARK = "stop";
    static final String END_MARK = "end";

    private static final long WARMUP_SLICE_NS = TimeUnit.MILLISECONDS.toNanos(250);
    private static final long QUIET_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long END_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(10);
    private static final int POLLS_PER_LOOK = 64;

    private final ClientControl control;
    private final RunSpec spec;
    private final StreamClient client;
    private final StreamTally tally;
    private final NanoClock clock = SystemNanoClock.INSTANCE;

    StreamExperiment(final ClientControl control, final RunSpec spec, final StreamClient client)
    {
        this.control = control;
        this.spec = spec;
        this.client = client;
        tally = client.tally();
    }

    @Override
    public JsonObject run()
    {
        final long warmupNs = warmUp();
        awaitLeave(ClientControl.WINDOW_START, null);
        final long allocatedBefore = control.allocatedBytes();
        final long receivedBefore = tally.received();
        final long sentBefore = tally.sent();
        final long startNs = clock.nanoTime();
        pollFor(spec.durationNs());
        final long elapsedNs = clock.nanoTime() - startNs;
        final long received = tally.received() - receivedBefore;
        final long sent = tally.sent() - sentBefore;
        final long allocatedBytes = control.allocatedBytes() - allocatedBefore;
        awaitLeave(ClientControl.WINDOW_END, null);
        if (client.ownServer() != null)
        {
            client.ownServer().stopSending();
        }
        awaitLeave(STOP_MARK, ServerChild.STOP);
        client.stopSending();
        awaitEnd();
        awaitLeave(END_MARK, ServerChild.DRAIN);
        return new JsonObject()
            .put("received", received)
            .put("sent", sent)
            .put("elapsed_ns", elapsedNs)
            .put(ServerChild.ALLOCATED_BYTES, allocatedBytes)
            .put("total_received", tally.received())
            .put("total_sent", tally.sent())
            .put("out_of_order", tally.outOfOrder())
            .put("warmup_ns", warmupNs)
            .put("latency_ns", Histograms.toJson(Histograms.create()));
    }

    private long warmUp()
    {
        final CompilerWatch compiler = new CompilerWatch();
        pollFor(spec.warmupNs());
        compiler.wasBusy();
        long extraNs = 0;
        while (extraNs < spec.warmupNs())
        {
            pollFor(WARMUP_SLICE_NS);
            extraNs += WARMUP_SLICE_NS;
            if (!compiler.wasBusy())
            {
                break;
            }
        }
        return spec.warmupNs() + extraNs;
    }

    private void pollFor(final long durationNs)
    {
        final long startNs = clock.nanoTime();
        while (clock.nanoTime() - startNs < durationNs)
        {
            for (int i = 0; i < POLLS_PER_LOOK; i++)
            {
                client.poll();
            }
        }
    }

    private void awaitLeave(final String mark, final String action)
    {
        final JsonObject counters = new JsonObject();
        if (client.ownServer() != null)
        {
            client.ownServer().addCounters(counters);
        }
        control.mark(mark, action, counters);
        while (!control.tryLeave())
        {
            client.poll();
        }
    }

    /**
     * Until the system says that all is over, or nothing has arrived for a while where it has no word for that.
     */
    private void awaitEnd()
    {
        final long startNs = clock.nanoTime();
        long quietSinceNs = startNs;
        long lastReceived = tally.received();
        while (client.tellsEnd() ? !client.isEnded() : clock.nanoTime() - quietSinceNs < QUIET_NS)
        {
            client.poll();
            if (tally.received() != lastReceived)
            {
                lastReceived = tally.received();
                quietSinceNs = clock.nanoTime();
            }
            if (clock.nanoTime() - startNs > END_TIMEOUT_NS)
            {
                throw new IllegalStateException(
                    "an end of the streams expected within " + Durations.format(END_TIMEOUT_NS));
            }
        }
    }
}
