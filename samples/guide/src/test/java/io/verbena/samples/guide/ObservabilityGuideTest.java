/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.samples.guide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.opentelemetry.api.OpenTelemetry;
import io.verbena.rpc.CallScope;
import io.verbena.rpc.RpcClient;
import io.verbena.rpc.RpcCounter;
import io.verbena.rpc.RpcServer;
import io.verbena.rpc.metrics.CallLatency;
import io.verbena.rpc.metrics.LatencyHistograms;
import io.verbena.rpc.metrics.MethodNames;
import io.verbena.rpc.metrics.RpcMetrics;
import io.verbena.rpc.test.InterruptAfter;
import io.verbena.rpc.trace.OpenTelemetryTracing;
import io.verbena.rpc.trace.TraceContext;
import io.verbena.rpc.trace.TracePropagation;
import io.verbena.rpc.transport.LoopbackTransport;
import io.verbena.samples.guide.market.AskDecoder;
import io.verbena.samples.guide.market.MarketAdapter;
import io.verbena.samples.guide.market.MarketClient;
import io.verbena.samples.guide.market.PriceResponder;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReference;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

/**
 * What the guide says about counters, latencies and traces.
 */
@InterruptAfter(60)
class ObservabilityGuideTest
{
    private static final String ADDRESS = "loopback:guide-observed";

    @Test
    void shouldTellWhatHappenedWhenObserved()
    {
        final AtomicReference<String> seen = new AtomicReference<>();
        final GuideMarket market = new GuideMarket()
        {
            // region trace handler
            @Override
            public void onPrice(final AskDecoder request, final PriceResponder responder)
            {
                seen.set(String.valueOf(TraceContext.current()));       // the caller's, until the call is answered
                super.onPrice(request, responder);
            }
            // endregion
        };
        // region latencies
        final LatencyHistograms latencies = new LatencyHistograms();
        final RpcServer server = RpcServer.launch(new RpcServer.Context()
            .listen(new LoopbackTransport(), ADDRESS)
            .interceptor(latencies.serverInterceptor())
            .interceptor(TracePropagation.serverInterceptor())
            .service(new MarketAdapter(market)));
        // endregion
        final RpcClient.Context context = new RpcClient.Context().transport(new LoopbackTransport());
        // region trace client
        final RpcClient client = RpcClient.launch(context.interceptor(TracePropagation.clientInterceptor()));
        // endregion
        try (server; client)
        {
            final MarketClient calls = new MarketClient(client.connect(ADDRESS));
            // region trace call
            final TraceContext trace = new TraceContext().newTrace(ThreadLocalRandom.current(), true);
            try (CallScope _ = trace.makeCurrent())
            {
                calls.price(request -> request.instrument(7));
            }
            // endregion
            assertEquals(trace.toString(), seen.get());
            // the answer is there before the server has counted it
            while (server.counters().get(RpcCounter.ENDED_OK) == 0 || latencies.all().isEmpty())
            {
                Thread.onSpinWait();
            }
            // region counters
            final long inFlight = server.counters().get(RpcCounter.CALLS_IN_FLIGHT);
            final long succeeded = server.counters().get(RpcCounter.ENDED_OK);
            // endregion
            assertEquals(0, inFlight);
            assertEquals(1, succeeded);
            long p99 = -1;
            // region read latencies
            for (final CallLatency latency : latencies.all())
            {
                final Histogram histogram = latency.copy();
                p99 = histogram.getValueAtPercentile(99);
            }
            // endregion
            assertTrue(p99 >= 0);
            final SimpleMeterRegistry registry = new SimpleMeterRegistry();
            // region micrometer
            new RpcMetrics(server.counters(), latencies, MethodNames.IDS, Tags.of("zone", "a")).bindTo(registry);
            // endregion
            assertEquals(1, registry.get("verbena.rpc.calls.ended").tag("status", "OK").functionCounter().count());
        }
    }

    @Test
    void shouldRecordSpansWhenOpenTelemetryIsThere()
    {
        final OpenTelemetry openTelemetry = OpenTelemetry.noop();
        final RpcServer.Context serverContext = new RpcServer.Context();
        final RpcClient.Context clientContext = new RpcClient.Context();
        // region opentelemetry
        final OpenTelemetryTracing tracing = new OpenTelemetryTracing(openTelemetry);
        serverContext.interceptor(tracing.serverInterceptor());
        clientContext.interceptor(tracing.clientInterceptor());
        // endregion
        assertEquals(1, serverContext.interceptors().size());
    }
}
