/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.rig;

import io.verbena.perf.systems.CallClient;
import io.verbena.perf.systems.Workload;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import org.HdrHistogram.Histogram;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * More calls than the server can serve. First a closed loop finds the rate at which the server is just busy, and open
 * loops around it find the peak of the goodput. Then 1, 2 and 3 times the peak are offered, in open loops. At the end
 * what an echo and what a refusal costs the server is measured, each in a closed loop of its own.
 */
final class OverloadExperiment implements Experiment
{
    static final String ECHO_START = "echo-start";
    static final String ECHO_END = "echo-end";
    static final String REFUSAL_START = "refusal-start";
    static final String REFUSAL_END = "refusal-end";
    static final int MULTIPLES = 3;
    static final int MAX_PROBES = 24;

    private static final int[] PROBE_PERCENTS = {80, 90, 100, 110, 120};
    private static final double PROBE_GROWTH = 1.2;
    private static final double GOOD_SHARE = 0.95;
    private static final long MIN_PROBE_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long PROBES_PER_DURATION = 4;
    private static final long CLOSED_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(10);
    private static final long OCCUPY_TIMEOUT_NS = TimeUnit.HOURS.toNanos(1);
    private static final int SATURATING = 32;
    private static final int COST_IN_FLIGHT = 16;
    private static final int PERCENT = 100;

    private final ClientControl control;
    private final RunSpec spec;
    private final Workload workload;
    private final CallClient client;
    private final NanoClock clock = SystemNanoClock.INSTANCE;
    private final CallLoads loads;
    private final Histogram histogram = Histograms.create();
    private long ended;

    OverloadExperiment(final ClientControl control, final RunSpec spec, final CallClient client)
    {
        this.control = control;
        this.spec = spec;
        this.client = client;
        workload = spec.workload();
        loads = new CallLoads(client, clock);
    }

    /**
     * How long the search for the peak takes at each rate.
     *
     * @param spec of the run.
     * @return nanoseconds.
     */
    static long probeNs(final RunSpec spec)
    {
        return Math.max(MIN_PROBE_NS, spec.durationNs() / PROBES_PER_DURATION);
    }

    @Override
    public JsonObject run()
    {
        final CallCounts warm = counts(CLOSED_TIMEOUT_NS);
        loads.runClosed(warm, SATURATING, spec.warmupNs(), this::tryWork);
        final CallCounts busy = counts(CLOSED_TIMEOUT_NS);
        final long busyStartNs = clock.nanoTime();
        loads.runClosed(busy, SATURATING, probeNs(spec), this::tryWork);
        final double capacityPerS = perSecond(busy.inTime(), clock.nanoTime() - busyStartNs);

        awaitLeave(ClientControl.WINDOW_START);
        final long allocatedBefore = control.allocatedBytes();
        final double peakPerS = findPeak(capacityPerS);
        final JsonArray offers = new JsonArray();
        CallCounts last = null;
        for (int multiple = 1; multiple <= MULTIPLES; multiple++)
        {
            histogram.reset();
            last = offer(Math.round(peakPerS * multiple), spec.durationNs());
            offers.add(describe(multiple, Math.round(peakPerS * multiple), last));
            ended += last.ended();
        }
        final long allocatedBytes = control.allocatedBytes() - allocatedBefore;
        awaitLeave(ClientControl.WINDOW_END);
        return measureCosts(new JsonObject()
            .put("capacity_per_s", capacityPerS)
            .put("peak_goodput_per_s", peakPerS)
            .put("offers", offers)
            .put("ended", ended)
            .put("received", last.inTime())
            .put("elapsed_ns", spec.durationNs())
            .put(ServerChild.ALLOCATED_BYTES, allocatedBytes)
            .put("warmup_ns", spec.warmupNs())
            .put("latency_ns", Histograms.toJson(histogram)));
    }

    /**
     * Tries rates around what the closed loop reached, and on from there as long as nearly all that is offered is good.
     */
    private double findPeak(final double capacityPerS)
    {
        double peakPerS = 0;
        double offeredPerS = 0;
        boolean isAllGood = true;
        for (int i = 0; i < PROBE_PERCENTS.length || isAllGood && i < MAX_PROBES; i++)
        {
            offeredPerS = i < PROBE_PERCENTS.length ?
                capacityPerS * PROBE_PERCENTS[i] / PERCENT : offeredPerS * PROBE_GROWTH;
            final CallCounts counts = offer(Math.round(offeredPerS), probeNs(spec));
            final double goodPerS = perSecond(counts.inTime(), probeNs(spec));
            isAllGood = goodPerS >= GOOD_SHARE * offeredPerS;
            peakPerS = Math.max(peakPerS, goodPerS);
            ended += counts.ended();
        }
        return peakPerS;
    }

    private JsonObject measureCosts(final JsonObject result)
    {
        final CallCounts echoes = cost(ECHO_START, ECHO_END, () ->
            client.tryWork(clock.nanoTime(), 0, CLOSED_TIMEOUT_NS));
        // The one that fills the service; it is never answered.
        final CallCounts occupying = counts(CLOSED_TIMEOUT_NS);
        while (!client.tryOccupy(OCCUPY_TIMEOUT_NS))
        {
            client.poll(occupying);
        }
        final CallCounts refusals = cost(REFUSAL_START, REFUSAL_END, () -> client.tryOccupy(CLOSED_TIMEOUT_NS));
        return result
            .put("echoes", echoes.inTime())
            .put("refusals", refusals.refused())
            .put("unrefused", refusals.ended() - refusals.refused());
    }

    private CallCounts cost(final String startMark, final String endMark, final BooleanSupplier call)
    {
        loads.runClosed(counts(CLOSED_TIMEOUT_NS), COST_IN_FLIGHT, probeNs(spec), call);
        awaitLeave(startMark);
        final CallCounts counts = counts(CLOSED_TIMEOUT_NS);
        loads.runClosed(counts, COST_IN_FLIGHT, probeNs(spec), call);
        awaitLeave(endMark);
        return counts;
    }

    private boolean tryWork()
    {
        return client.tryWork(clock.nanoTime(), workload.workNs(), CLOSED_TIMEOUT_NS);
    }

    private CallCounts offer(final long ratePerSecond, final long durationNs)
    {
        final CallCounts counts = counts(workload.deadlineNs());
        loads.runOpen(counts, Math.max(1, ratePerSecond), durationNs, workload.workNs(), workload.deadlineNs());
        return counts;
    }

    private CallCounts counts(final long deadlineNs)
    {
        return new CallCounts(clock, deadlineNs, histogram);
    }

    private JsonObject describe(final int multiple, final long ratePerSecond, final CallCounts counts)
    {
        return new JsonObject()
            .put("multiple", multiple)
            .put("offered_per_s", ratePerSecond)
            .put("goodput_per_s", perSecond(counts.inTime(), spec.durationNs()))
            .put("refused_per_s", perSecond(counts.refused(), spec.durationNs()))
            .put("expired_per_s", perSecond(counts.expired(), spec.durationNs()))
            .put("latency_ns", Histograms.toJson(histogram));
    }

    private static double perSecond(final long count, final long elapsedNs)
    {
        return count * 1e9 / Math.max(1, elapsedNs);
    }

    private void awaitLeave(final String mark)
    {
        final CallCounts late = counts(CLOSED_TIMEOUT_NS);
        control.mark(mark, null);
        while (!control.tryLeave())
        {
            client.poll(late);
        }
    }
}
