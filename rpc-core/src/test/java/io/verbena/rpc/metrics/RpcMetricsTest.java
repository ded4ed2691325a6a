/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc.metrics;

import static io.verbena.rpc.RpcHarness.ECHO_METHOD_ID;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.verbena.rpc.MethodKind;
import io.verbena.rpc.RpcCounter;
import io.verbena.rpc.RpcHarness;
import io.verbena.rpc.StatusCode;
import io.verbena.rpc.test.InterruptAfter;
import io.verbena.rpc.test.ManualClock;
import io.verbena.rpc.transport.LoopbackTransport;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@InterruptAfter(20)
class RpcMetricsTest
{
    private static final int SLOW_METHOD_ID = 2;
    private static final int FAILING_METHOD_ID = 3;

    private final RpcHarness rpc = new RpcHarness(LoopbackTransport::new, () -> "loopback:metrics");
    private final LatencyHistograms latencies = new LatencyHistograms(rpc.clock(), 2);
    private final MeterRegistry registry = new SimpleMeterRegistry();

    @AfterEach
    void closeAll()
    {
        rpc.close();
        registry.close();
    }

    @Test
    void shouldShowEachCounterOfItsSideWhenBound()
    {
        rpc.start();
        new RpcMetrics(rpc.client().counters()).bindTo(registry);
        new RpcMetrics(rpc.server().counters()).bindTo(registry);

        for (final RpcCounter counter : RpcCounter.values())
        {
            assertEquals(counter.isClients(), isShown(counter, "client"), counter + " at the client");
            assertEquals(counter.isServers(), isShown(counter, "server"), counter + " at the server");
        }
    }

    @Test
    void shouldShowLatenciesOfAMethodWhenItsFirstCallCameAfterTheBinding()
    {
        rpc.service()
            .on(SLOW_METHOD_ID, (call, buffer, offset, length) ->
            {
                rpc.clock().advanceNs(2_000_000);
                call.claim(0);
                call.send(0);
            })
            .on(FAILING_METHOD_ID, (call, buffer, offset, length) -> call.fail(StatusCode.ABORTED, "no"));
        rpc.launchServer(context -> {})
            .launchClient(context -> context.interceptor(latencies.clientInterceptor())).awaitReady();
        rpc.call(ECHO_METHOD_ID, new byte[8]);
        new RpcMetrics(
            rpc.client().counters(), latencies, (serviceId, methodId) -> "m" + methodId, Tags.of("host", "here"))
            .bindTo(registry);
        rpc.call(SLOW_METHOD_ID, new byte[8]);
        rpc.call(SLOW_METHOD_ID, new byte[8]);
        rpc.call(FAILING_METHOD_ID, new byte[8]);

        final var slow = registry.get("verbena.rpc.call.duration")
            .tags("side", "client", "agent", "verbena-client", "method", "m2", "kind", "unary", "outcome", "ok",
                "host", "here").functionTimer();
        assertEquals(2, slow.count());
        assertEquals(4, slow.totalTime(TimeUnit.MILLISECONDS));
        assertEquals(1, registry.get("verbena.rpc.call.duration")
            .tags("method", "m1", "outcome", "ok").functionTimer().count());
        assertEquals(1, registry.get("verbena.rpc.call.duration")
            .tags("method", "m3", "outcome", "failed").functionTimer().count());
        assertEquals(2, registry.get("verbena.rpc.call.duration.quantile")
            .tags("method", "m2", "quantile", "0.99").timeGauge().value(TimeUnit.MILLISECONDS), 0.02);
    }

    @Test
    void shouldTellQuantilesOfTheLastIntervalWhenItHasPassed()
    {
        final ManualClock clock = new ManualClock();
        final CallLatency latency = new CallLatency(
            false, 1, 1, MethodKind.UNARY, true, LatencyHistograms.HIGHEST_NS, 3);
        final RecentQuantiles quantiles = new RecentQuantiles(latency, clock);
        latency.record(1_000);
        assertEquals(1_000, quantiles.get(0.5));
        latency.record(5_000);
        clock.advanceNs(TimeUnit.SECONDS.toNanos(RecentQuantiles.INTERVAL_S) - 1);
        assertEquals(1_000, quantiles.get(1), "the interval has not ended");

        clock.advanceNs(1);

        assertEquals(5_000, quantiles.get(0.5), 5);
        assertEquals(5_000, quantiles.get(1), 5);
        clock.advanceNs(TimeUnit.SECONDS.toNanos(RecentQuantiles.INTERVAL_S));
        assertTrue(Double.isNaN(quantiles.get(0.5)), "no calls in the interval");
    }

    private boolean isShown(final RpcCounter counter, final String side)
    {
        if (counter.status() != null)
        {
            return registry.find("verbena.rpc.calls.ended")
                .tags("side", side, "status", counter.status().name()).functionCounter() != null;
        }
        final String name = "verbena.rpc." + counter.name().toLowerCase(Locale.ROOT).replace('_', '.');
        if (counter.isGauge())
        {
            assertNull(registry.find(name).tags("side", side).functionCounter());
            return registry.find(name).tags("side", side).gauge() != null;
        }
        return registry.find(name).tags("side", side).functionCounter() != null;
    }
}
