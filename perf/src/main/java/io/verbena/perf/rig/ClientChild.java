/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.rig;

import io.verbena.perf.systems.EchoClient;
import io.verbena.perf.systems.EchoSetup;
import io.verbena.perf.systems.EventClient;
import io.verbena.perf.systems.PolledClient;
import io.verbena.perf.systems.SystemUnderTest;
import io.vertx.core.json.JsonObject;
import org.HdrHistogram.Histogram;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;

import java.io.InputStream;
import java.io.PrintStream;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * The client's process: warms up, asks for leave, runs the window, asks for leave again, and reports. While it waits
 * for leave the coordinator takes the server's marks and looks at the CPU, so that the window has the machine to
 * itself.
 */
final class ClientChild
{
    static final String WINDOW_START = "window-start";
    static final String WINDOW_END = "window-end";
    static final String GO = "go";
    static final String RESULT = "result";

    /**
     * Load after the pause for leave that is not recorded, since caches and branch predictors have to recover.
     */
    private static final long SETTLE_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final long WARMUP_SLICE_NS = TimeUnit.MILLISECONDS.toNanos(250);

    private final SystemUnderTest system;
    private final EchoSetup setup;
    private final RunSpec spec;
    private final String address;
    private final ControlChannel control;
    private final AllocationMeter meter;
    private final NanoClock clock = SystemNanoClock.INSTANCE;
    private final Semaphore leaves = new Semaphore(0);
    private long warmupNs;
    private PolledDriver polledDriver;
    private EventClient eventClient;
    private long nextSequence;

    ClientChild(
        final SystemUnderTest system,
        final EchoSetup setup,
        final RunSpec spec,
        final String address,
        final InputStream input,
        final PrintStream output,
        final Runnable onEnd)
    {
        this.system = system;
        this.setup = setup;
        this.spec = spec;
        this.address = address;
        control = new ControlChannel(input, output, this::onCommand, onEnd);
        meter = new AllocationMeter(control.thread());
    }

    private void onCommand(final String command)
    {
        if (GO.equals(command))
        {
            leaves.release();
        }
    }

    void run() throws Exception
    {
        control.start();
        try (EchoClient client = system.connect(setup, address))
        {
            switch (client)
            {
                case PolledClient polled -> polledDriver = new PolledDriver(polled, clock);
                case EventClient event -> eventClient = event;
            }
            // The meter allocates too, the first time most of all.
            meter.allocatedBytes();
            // The warm-up is recorded too, and forgotten: the window must run no code for the first time.
            final Histogram histogram = Histograms.create();
            awaitLeave(WINDOW_START, warmUp(histogram));
            final long allocatedBefore = meter.allocatedBytes();
            final AbstractLoad settle = runLoad(SETTLE_NS, histogram);
            histogram.reset();
            final AbstractLoad window = runLoad(spec.durationNs(), histogram);
            final long allocatedBytes = meter.allocatedBytes() - allocatedBefore;
            awaitLeave(WINDOW_END, window);
            control.send(RESULT, new JsonObject()
                .put("expected", window instanceof RateLoad rate ? rate.total() : window.sent())
                .put("received", window.received())
                .put("once_each", window.isEachEchoedOnce())
                .put("out_of_order", window.outOfOrder())
                .put("elapsed_ns", window.elapsedNs())
                .put("ops_between_marks", settle.received() + window.received())
                .put(ServerChild.ALLOCATED_BYTES, allocatedBytes)
                .put("warmup_ns", warmupNs)
                .put("settings", system.settings(spec.isClosedLoop()).toJson())
                .put("latency_ns", Histograms.toJson(histogram)));
        }
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

    private void awaitLeave(final String event, final AbstractLoad last) throws InterruptedException
    {
        control.send(event, new JsonObject());
        if (polledDriver != null)
        {
            polledDriver.pollUntil(leaves::tryAcquire, last);
        }
        else
        {
            leaves.acquire();
        }
    }
}
