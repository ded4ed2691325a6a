/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanId;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.verbena.rpc.CallScope;
import io.verbena.rpc.RpcChannel;
import io.verbena.rpc.RpcHarness;
import io.verbena.rpc.ServerCall;
import io.verbena.rpc.StatusCode;
import io.verbena.rpc.test.InterruptAfter;
import io.verbena.rpc.test.RecordingHandler;
import io.verbena.rpc.test.ScriptedAdapter;
import io.verbena.rpc.transport.LoopbackTransport;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@InterruptAfter(20)
class OpenTelemetryTracingTest
{
    private static final int FAILING_METHOD_ID = 2;
    private static final int NESTED_METHOD_ID = 3;
    private static final AttributeKey<String> STATUS = AttributeKey.stringKey("rpc.response.status_code");

    private final InMemorySpanExporter exporter = InMemorySpanExporter.create();
    private final OpenTelemetrySdk sdk = OpenTelemetrySdk.builder()
        .setTracerProvider(SdkTracerProvider.builder().addSpanProcessor(SimpleSpanProcessor.create(exporter)).build())
        .setPropagators(ContextPropagators.create(W3CTraceContextPropagator.getInstance()))
        .build();
    private final OpenTelemetryTracing tracing = new OpenTelemetryTracing(sdk);
    private final RpcHarness rpc = new RpcHarness(LoopbackTransport::new, () -> "loopback:opentelemetry");

    @BeforeEach
    void start()
    {
        rpc.launchServer(context -> context.interceptor(tracing.serverInterceptor()))
            .launchClient(context -> context.interceptor(tracing.clientInterceptor())).awaitReady();
    }

    @AfterEach
    void closeAll()
    {
        rpc.close();
        sdk.close();
    }

    @Test
    void shouldConnectSpansWhenACallIsMadeWithinOne()
    {
        final List<String> handlers = new ArrayList<>();
        rpc.service().on(1, (call, buffer, offset, length) ->
        {
            handlers.add(Span.fromContext(OpenTelemetryTracing.current()).getSpanContext().getSpanId());
            ScriptedAdapter.ECHO.onRequest(call, buffer, offset, length);
        });
        final Span parent = sdk.getTracer("test").spanBuilder("parent").startSpan();
        final RecordingHandler handler = new RecordingHandler();
        try (Scope _ = parent.makeCurrent())
        {
            rpc.offer(1, new byte[8], RpcChannel.DEFAULT_TIMEOUT, handler);
        }
        rpc.until(() -> handler.count() == 1);
        assertEquals(StatusCode.OK, handler.last().code());

        final SpanData server = span(SpanKind.SERVER, "7/1");
        final SpanData client = span(SpanKind.CLIENT, "7/1");
        assertEquals(parent.getSpanContext().getSpanId(), client.getParentSpanId());
        assertEquals(client.getSpanId(), server.getParentSpanId());
        assertEquals(client.getTraceId(), server.getTraceId());
        assertTrue(server.getParentSpanContext().isRemote());
        assertEquals(List.of(server.getSpanId()), handlers);
        assertEquals("OK", server.getAttributes().get(STATUS));
        assertEquals(io.opentelemetry.api.trace.StatusCode.UNSET, client.getStatus().getStatusCode());
        assertEquals(Context.root(), OpenTelemetryTracing.current(), "nothing is left behind");
    }

    @Test
    void shouldEndSpansAsErrorsWhenTheCallFails()
    {
        rpc.service().on(FAILING_METHOD_ID, (call, buffer, offset, length) -> call.fail(StatusCode.ABORTED, "no"));
        rpc.call(FAILING_METHOD_ID, new byte[8]);

        final SpanData client = span(SpanKind.CLIENT, "7/2");
        assertEquals(SpanId.getInvalid(), client.getParentSpanId());
        assertEquals("ABORTED", client.getAttributes().get(STATUS));
        assertEquals("no", client.getStatus().getDescription());
        assertEquals(
            io.opentelemetry.api.trace.StatusCode.ERROR, span(SpanKind.SERVER, "7/2").getStatus().getStatusCode());
    }

    @Test
    void shouldHangNestedCallsUnderTheServersSpanWhenAHandlerMakesThem()
    {
        rpc.service().on(NESTED_METHOD_ID, (call, buffer, offset, length) ->
        {
            final ServerCall answered = call.detach();
            assertTrue(rpc.channel().offer(RpcHarness.SERVICE_ID, 1, new UnsafeBuffer(new byte[8]), 0, 8,
                RpcChannel.DEFAULT_TIMEOUT, new RecordingHandler().then(outcome ->
                ScriptedAdapter.ECHO.onRequest(answered, new UnsafeBuffer(outcome.payload()), 0, 8))) > 0);
        });
        final Span parent = sdk.getTracer("test").spanBuilder("parent").startSpan();
        try (CallScope _ = OpenTelemetryTracing.enter(Context.root().with(parent)))
        {
            rpc.call(NESTED_METHOD_ID, new byte[8]);
        }

        assertEquals(parent.getSpanContext().getSpanId(), span(SpanKind.CLIENT, "7/3").getParentSpanId());
        assertEquals(span(SpanKind.SERVER, "7/3").getSpanId(), span(SpanKind.CLIENT, "7/1").getParentSpanId());
        assertEquals(span(SpanKind.CLIENT, "7/1").getSpanId(), span(SpanKind.SERVER, "7/1").getParentSpanId());
        assertEquals(4, exporter.getFinishedSpanItems().size());
    }

    private SpanData span(final SpanKind kind, final String name)
    {
        final List<SpanData> spans = exporter.getFinishedSpanItems().stream()
            .filter(span -> span.getKind() == kind && span.getName().equals(name)).toList();
        assertEquals(1, spans.size(), kind + " " + name);
        return spans.get(0);
    }
}
