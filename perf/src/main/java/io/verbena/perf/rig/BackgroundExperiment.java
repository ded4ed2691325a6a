/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.rig;

import io.verbena.perf.systems.BackgroundClient;
import io.vertx.core.json.JsonObject;
import org.HdrHistogram.Histogram;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;

/**
 * Round trips alone and beside streams of long messages, by turns: half the window alone, half beside, and both once
 * more, so that a drift of the machine hits both alike.
 */
final class BackgroundExperiment implements Experiment
{
    private static final int TURNS = 2;

    private final ClientControl control;
    private final RunSpec spec;
    private final BackgroundClient client;
    private final PolledDriver driver;
    private final NanoClock clock = SystemNanoClock.INSTANCE;
    private final Histogram idle = Histograms.create();
    private final Histogram loaded = Histograms.create();
    private final Histogram settling = Histograms.create();
    private long nextSequence;
    private long sent;
    private long received;
    private long outOfOrder;
    private boolean isOnceEach = true;
    private long backgroundBytes;
    private long backgroundNs;

    BackgroundExperiment(final ClientControl control, final RunSpec spec, final BackgroundClient client)
    {
        this.control = control;
        this.spec = spec;
        this.client = client;
        driver = new PolledDriver(client, clock);
    }

    @Override
    public JsonObject run()
    {
        final long startNs = clock.nanoTime();
        turn(spec.warmupNs() / 2);
        final long warmupNs = clock.nanoTime() - startNs;
        final AbstractLoad last = run(EchoExperiment.SETTLE_NS, settling);
        awaitLeave(ClientControl.WINDOW_START, last);
        forget();
        final long allocatedBefore = control.allocatedBytes();
        final long windowStartNs = clock.nanoTime();
        for (int i = 0; i < TURNS; i++)
        {
            turn(spec.durationNs() / TURNS);
        }
        final long elapsedNs = clock.nanoTime() - windowStartNs;
        final long allocatedBytes = control.allocatedBytes() - allocatedBefore;
        final long windowSent = sent;
        final long windowReceived = received;
        awaitLeave(ClientControl.WINDOW_END, run(0, settling));
        return new JsonObject()
            .put("expected", windowSent)
            .put("received", windowReceived)
            .put("once_each", isOnceEach)
            .put("out_of_order", outOfOrder)
            .put("elapsed_ns", elapsedNs)
            .put("ops_between_marks", windowReceived)
            .put(ServerChild.ALLOCATED_BYTES, allocatedBytes)
            .put("warmup_ns", warmupNs)
            .put("latency_ns", Histograms.toJson(loaded))
            .put("idle_latency_ns", Histograms.toJson(idle))
            .put("background_bytes", backgroundBytes)
            .put("background_ns", backgroundNs);
    }

    private void forget()
    {
        idle.reset();
        loaded.reset();
        sent = 0;
        received = 0;
        outOfOrder = 0;
        isOnceEach = true;
        backgroundBytes = 0;
        backgroundNs = 0;
    }

    /**
     * Alone, then beside the streams, each after a time to settle that is not recorded.
     */
    private void turn(final long durationNs)
    {
        run(EchoExperiment.SETTLE_NS, settling);
        run(durationNs, idle);
        while (!client.tryStartBackground())
        {
            run(0, settling);
            client.poll((stampNs, sequence) -> {});
        }
        run(EchoExperiment.SETTLE_NS, settling);
        final long bytesBefore = client.backgroundBytes();
        final long startNs = clock.nanoTime();
        run(durationNs, loaded);
        backgroundNs += clock.nanoTime() - startNs;
        backgroundBytes += client.backgroundBytes() - bytesBefore;
        client.stopBackground();
    }

    private AbstractLoad run(final long durationNs, final Histogram histogram)
    {
        final ClosedLoad load = new ClosedLoad(clock, histogram, nextSequence, durationNs);
        driver.run(load);
        nextSequence = load.nextSequence();
        sent += load.sent();
        received += load.received();
        outOfOrder += load.outOfOrder();
        isOnceEach = isOnceEach && load.isEachEchoedOnce();
        return load;
    }

    private void awaitLeave(final String mark, final AbstractLoad last)
    {
        control.mark(mark, null);
        driver.pollUntil(control::tryLeave, last);
    }
}
