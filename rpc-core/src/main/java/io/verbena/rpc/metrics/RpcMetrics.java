/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.verbena.rpc.RpcCounter;
import io.verbena.rpc.RpcCounters;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * Shows the counters of a client or server, and its latency histograms if there are any, as meters of Micrometer. They
 * are read when the registry reads its meters; nothing is added to the way of a call.
 * <p>
 * Meters, all with the tags {@code side} ({@code client} or {@code server}) and {@code agent} (the name of the agent):
 * <ul>
 * <li>{@code verbena.rpc.calls.ended}, a count with the tag {@code status};</li>
 * <li>{@code verbena.rpc.} and the name of another {@link RpcCounter} with dots, such as
 * {@code verbena.rpc.calls.in.flight}: a gauge, or a count, as that is;</li>
 * <li>{@code verbena.rpc.call.duration}: a timer with the count and the total time of calls, tags {@code method},
 * {@code kind} and {@code outcome} ({@code ok} or {@code failed});</li>
 * <li>{@code verbena.rpc.call.duration.quantile}: with the same tags and {@code quantile} (0.5, 0.9, 0.99, 0.999, 1),
 * of the calls of the last whole interval, {@value RecentQuantiles#INTERVAL_S} s unless nobody read for longer.</li>
 * </ul>
 * <b>Threading:</b> any. Meters keep the counters and histograms alive; remove them from the registry when the client
 * or server is gone for good.
 */
public final class RpcMetrics implements MeterBinder
{
    private static final String PREFIX = "verbena.rpc.";

    private final RpcCounters counters;
    private final LatencyHistograms latencies;
    private final MethodNames names;
    private final Tags tags;

    /**
     * Of counters alone.
     *
     * @param counters of the client or server.
     */
    public RpcMetrics(final RpcCounters counters)
    {
        this(counters, null, MethodNames.IDS, Tags.empty());
    }

    /**
     * Of counters and latencies.
     *
     * @param counters  of the client or server.
     * @param latencies of the same; null for none.
     * @param names     of methods.
     * @param tags      of all meters, besides those above.
     */
    public RpcMetrics(
        final RpcCounters counters,
        final LatencyHistograms latencies,
        final MethodNames names,
        final Iterable<Tag> tags)
    {
        this.counters = Objects.requireNonNull(counters, "counters");
        this.latencies = latencies;
        this.names = Objects.requireNonNull(names, "names");
        this.tags = Tags.of(tags).and(
            "side", counters.isServers() ? "server" : "client", "agent", counters.agentName());
    }

    @Override
    public void bindTo(final MeterRegistry registry)
    {
        for (final RpcCounter counter : RpcCounter.values())
        {
            if (counters.isOfThisSide(counter))
            {
                bind(registry, counter);
            }
        }
        if (latencies != null)
        {
            latencies.onAdded(latency -> bind(registry, latency));
        }
    }

    private void bind(final MeterRegistry registry, final RpcCounter counter)
    {
        if (counter.isGauge())
        {
            Gauge.builder(name(counter), counters, source -> source.get(counter))
                .tags(tags).strongReference(true).register(registry);
        }
        else if (counter.status() != null)
        {
            FunctionCounter.builder(PREFIX + "calls.ended", counters, source -> source.get(counter))
                .tags(tags.and("status", counter.status().name())).register(registry);
        }
        else
        {
            FunctionCounter.builder(name(counter), counters, source -> source.get(counter))
                .tags(tags).register(registry);
        }
    }

    private void bind(final MeterRegistry registry, final CallLatency latency)
    {
        final Tags methodTags = tags.and(
            "method", names.name(latency.serviceId(), latency.methodId()),
            "kind", latency.kind().name().toLowerCase(Locale.ROOT),
            "outcome", latency.isOk() ? "ok" : "failed");
        FunctionTimer.builder(
            PREFIX + "call.duration", latency, CallLatency::count, CallLatency::totalNs, TimeUnit.NANOSECONDS)
            .tags(methodTags).register(registry);
        final RecentQuantiles quantiles = new RecentQuantiles(latency, System::nanoTime);
        for (final double quantile : RecentQuantiles.ALL)
        {
            TimeGauge.builder(
                PREFIX + "call.duration.quantile", quantiles, TimeUnit.NANOSECONDS, source -> source.get(quantile))
                .tags(methodTags.and("quantile", text(quantile))).strongReference(true).register(registry);
        }
    }

    private static String name(final RpcCounter counter)
    {
        return PREFIX + counter.name().toLowerCase(Locale.ROOT).replace('_', '.');
    }

    private static String text(final double quantile)
    {
        return quantile == 1 ? "1" : Double.toString(quantile);
    }
}
