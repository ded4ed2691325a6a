/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc.metrics;

import io.verbena.rpc.CallInfo;
import io.verbena.rpc.ClientInterceptor;
import io.verbena.rpc.Metadata;
import io.verbena.rpc.ServerInterceptor;
import io.verbena.rpc.StatusCode;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.agrona.collections.Int2ObjectHashMap;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;

/**
 * Measures the latency of each method, by an interceptor of one client or one server. Recording allocates nothing but
 * at the first call of a method that ends well, and the first that does not.
 * <pre>
 *     final LatencyHistograms latencies = new LatencyHistograms();
 *     context.interceptor(latencies.serverInterceptor());
 *     ...
 *     for (CallLatency latency : latencies.all())
 *     {
 *         latency.copy().getValueAtPercentile(99);
 *     }
 * </pre>
 * The cost is that of an interceptor (two readings of the clock for each call) and of a few stores. Each method and
 * outcome takes about 90 KiB with the default of 2 digits, 640 KiB with 3.
 * <p>
 * <b>Threading:</b> of one client or server alone, whose thread records; any thread reads.
 */
public final class LatencyHistograms
{
    /** The longest latency that is told apart: 1 minute. Longer ones count as that. */
    public static final long HIGHEST_NS = TimeUnit.MINUTES.toNanos(1);

    /** Default precision: 2 decimal digits, that is within 1 %. */
    public static final int DEFAULT_DIGITS = 2;

    /** The most methods that are told apart; further ones are taken together as service 0, method 0. */
    public static final int MAX_METHODS = 256;

    private static final int MAX_DIGITS = 4;

    private final NanoClock clock;
    private final int digits;
    private final Int2ObjectHashMap<CallLatency> endedWell = new Int2ObjectHashMap<>();
    private final Int2ObjectHashMap<CallLatency> failed = new Int2ObjectHashMap<>();
    /** So that a binding is told once of each. */
    private final Object lock = new Object();
    private final CopyOnWriteArrayList<CallLatency> all = new CopyOnWriteArrayList<>();
    private volatile Consumer<CallLatency> listener = latency -> {};

    /**
     * By the system's clock, with 2 digits.
     */
    public LatencyHistograms()
    {
        this(SystemNanoClock.INSTANCE, DEFAULT_DIGITS);
    }

    /**
     * By a given clock.
     *
     * @param clock  that of the client or server.
     * @param digits of precision, 1 to 4.
     * @throws IllegalArgumentException if the digits are out of their range.
     */
    public LatencyHistograms(final NanoClock clock, final int digits)
    {
        if (digits < 1 || digits > MAX_DIGITS)
        {
            throw new IllegalArgumentException("digits of a latency histogram: expected 1 to 4, found " + digits);
        }
        this.clock = Objects.requireNonNull(clock, "clock");
        this.digits = digits;
    }

    /**
     * What was measured. Any thread.
     *
     * @return one for each method and outcome that has occurred, in the order of their first calls; grows by itself and
     *     can't be changed.
     */
    public List<CallLatency> all()
    {
        return Collections.unmodifiableList(all);
    }

    /**
     * What measures at a client.
     *
     * @return an interceptor, for one client.
     */
    public ClientInterceptor clientInterceptor()
    {
        return new ClientInterceptor()
        {
            @Override
            public void onEnd(
                final CallInfo call, final StatusCode status, final String text, final Metadata trailers)
            {
                record(call, status);
            }
        };
    }

    /**
     * What measures at a server.
     *
     * @return an interceptor, for one server.
     */
    public ServerInterceptor serverInterceptor()
    {
        return new ServerInterceptor()
        {
            @Override
            public void onEnd(final CallInfo call, final StatusCode status)
            {
                record(call, status);
            }
        };
    }

    /**
     * Has a binding told of what there is and of what is added, on the thread of the client or server.
     */
    void onAdded(final Consumer<CallLatency> newListener)
    {
        final List<CallLatency> present;
        synchronized (lock)
        {
            listener = listener.andThen(newListener);
            present = List.copyOf(all);
        }
        present.forEach(newListener);
    }

    private void record(final CallInfo call, final StatusCode status)
    {
        final boolean isOk = status == StatusCode.OK;
        final Int2ObjectHashMap<CallLatency> latencies = isOk ? endedWell : failed;
        final CallLatency latency = latencies.get(call.serviceId() << 16 | call.methodId());
        (latency != null ? latency : add(latencies, call, isOk)).record(clock.nanoTime() - call.startNs());
    }

    private CallLatency add(final Int2ObjectHashMap<CallLatency> latencies, final CallInfo call, final boolean isOk)
    {
        final boolean isToldApart = latencies.size() < MAX_METHODS;
        final int serviceId = isToldApart ? call.serviceId() : 0;
        final int methodId = isToldApart ? call.methodId() : 0;
        final int key = serviceId << 16 | methodId;
        final CallLatency present = latencies.get(key);
        if (present != null)
        {
            return present;
        }
        final CallLatency latency =
            new CallLatency(call.isServerSide(), serviceId, methodId, call.kind(), isOk, HIGHEST_NS, digits);
        latencies.put(key, latency);
        final Consumer<CallLatency> told;
        synchronized (lock)
        {
            all.add(latency);
            told = listener;
        }
        told.accept(latency);
        return latency;
    }
}
