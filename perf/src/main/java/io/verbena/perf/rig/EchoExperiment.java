/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.rig;

import io.verbena.perf.systems.EventClient;
import io.verbena.perf.systems.PolledClient;
import io.vertx.core.json.JsonObject;
import org.HdrHistogram.Histogram;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;

import java.util.concurrent.TimeUnit;

/**
 * Round trips: warm-up, a pause for the coordinator to look at the server, 100 ms to get back into stride, the window.
 */
final class EchoExperiment implements Experiment
{
    /**
     * Load after the pause for leave that is not recorded, since caches and branch predictors have to recover.
     */
    static final long SETTLE_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final long WARMUP_SLICE_NS = TimeUnit.MILLISECONDS.toNanos(250);

    private final ClientControl control;
    private final RunSpec spec;
    private final PolledDriver polledDriver;
    private final EventClient eventClient;
    private final NanoClock clock = SystemNanoClock.INSTANCE;
    private long warmupNs;
    private long nextSequence;

    EchoExperiment(final ClientControl control, final RunSpec spec, final PolledClient client)
    {
        this.control = control;
        this.spec = spec;
        polledDriver = new PolledDriver(client, clock);
        eventClient = null;
    }

    EchoExperiment(final ClientControl control, final RunSpec spec, final EventClient client)
    {
        this.control = control;
        this.spec = spec;
        polledDriver = null;
        eventClient = client;
    }

    @Override
    public JsonObject run() throws InterruptedException
    {
        // The warm-up is recorded too, and forgotten: the window must run no code for the first time.
        final Histogram histogram = Histograms.create();
        awaitLeave(ClientControl.WINDOW_START, warmUp(histogram));
        final long allocatedBefore = control.allocatedBytes();
        final AbstractLoad settle = runLoad(SETTLE_NS, histogram);
        histogram.reset();
        final AbstractLoad window = runLoad(spec.durationNs(), histogram);
        final long allocatedBytes = control.allocatedBytes() - allocatedBefore;
        awaitLeave(ClientControl.WINDOW_END, window);
        return new JsonObject()
            .put("expected", window instanceof RateLoad rate ? rate.total() : window.sent())
            .put("received", window.received())
            .put("once_each", window.isEachEchoedOnce())
            .put("out_of_order", window.outOfOrder())
            .put("elapsed_ns", window.elapsedNs())
            .put("ops_between_marks", settle.received() + window.received())
            .put(ServerChild.ALLOCATED_BYTES, allocatedBytes)
            .put("warmup_ns", warmupNs)
            .put("latency_ns", Histograms.toJson(histogram));
    }

    /**
     * The warm-up that was asked for, and slices more, up to as long again, while this process's compiler is busy.
     *
     * @param histogram that code is warmed up with.
     * @return the last load.
     */
    private AbstractLoad warmUp(final Histogram histogram) throws InterruptedException
    {
        final CompilerWatch compiler = new CompilerWatch();
        AbstractLoad load = runLoad(spec.warmupNs(), histogram);
        compiler.wasBusy();
        long extraNs = 0;
        while (extraNs < spec.warmupNs())
        {
            load = runLoad(WARMUP_SLICE_NS, histogram);
            extraNs += WARMUP_SLICE_NS;
            if (!compiler.wasBusy())
            {
                break;
            }
        }
        warmupNs = spec.warmupNs() + extraNs;
        return load;
    }

    private AbstractLoad runLoad(final long durationNs, final Histogram histogram) throws InterruptedException
    {
        final AbstractLoad load;
        if (spec.isClosedLoop())
        {
            final ClosedLoad closed = new ClosedLoad(clock, histogram, nextSequence, durationNs);
            load = closed;
            if (polledDriver != null)
            {
                polledDriver.run(closed);
            }
        }
        else
        {
            final RateLoad rate =
                new RateLoad(clock, histogram, nextSequence, durationNs, spec.ratePerSecond());
            load = rate;
            if (polledDriver != null)
            {
                polledDriver.run(rate);
            }
        }
        if (eventClient != null)
        {
            eventClient.run(load);
        }
        nextSequence = load.nextSequence();
        return load;
    }

    private void awaitLeave(final String mark, final AbstractLoad last) throws InterruptedException
    {
        control.mark(mark, null);
        if (polledDriver != null)
        {
            polledDriver.pollUntil(control::tryLeave, last);
        }
        else
        {
            control.awaitLeave();
        }
    }
}
