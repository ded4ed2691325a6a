/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc.trace;

import static io.verbena.rpc.RpcHarness.ECHO_METHOD_ID;
import static io.verbena.rpc.RpcHarness.SERVICE_ID;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.verbena.rpc.CallOptions;
import io.verbena.rpc.CallScope;
import io.verbena.rpc.ResponseHandler;
import io.verbena.rpc.RpcChannel;
import io.verbena.rpc.RpcHarness;
import io.verbena.rpc.ServerCall;
import io.verbena.rpc.ServiceExecution;
import io.verbena.rpc.StatusCode;
import io.verbena.rpc.test.InterruptAfter;
import io.verbena.rpc.test.RecordingHandler;
import io.verbena.rpc.test.ScriptedAdapter;
import io.verbena.rpc.transport.LoopbackTransport;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@InterruptAfter(20)
class TracePropagationTest
{
    private static final String SAMPLED = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    private static final String NOT_SAMPLED = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00";
    private static final int TRACED_METHOD_ID = 2;
    private static final int NESTED_METHOD_ID = 3;
    private static final byte[] REQUEST = new byte[32];

    private final RpcHarness rpc = new RpcHarness(LoopbackTransport::new, () -> "loopback:trace");
    private final List<String> seen = new ArrayList<>();

    @BeforeEach
    void serve()
    {
        rpc.service().on(TRACED_METHOD_ID, (call, buffer, offset, length) ->
        {
            seen.add(text(TraceContext.current()));
            ScriptedAdapter.ECHO.onRequest(call, buffer, offset, length);
        });
    }

    @AfterEach
    void closeAll()
    {
        rpc.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {SAMPLED, NOT_SAMPLED})
    void shouldBeTheHandlersContextWhenItWasTheCallers(final String traceparent)
    {
        start();
        final TraceContext context = context(traceparent, "vendor=a, other=b");

        try (CallScope _ = context.makeCurrent())
        {
            assertSame(context, TraceContext.current());
            rpc.call(TRACED_METHOD_ID, REQUEST);
        }

        assertEquals(List.of(traceparent + " vendor=a,other=b"), seen);
        assertNull(TraceContext.current());
        rpc.call(TRACED_METHOD_ID, REQUEST);
        assertEquals("none", seen.get(1), "neither was left behind, at client and server");
        rpc.assertClean();
    }

    @Test
    void shouldGoOnToNestedCallsWhenAHandlerMakesThem()
    {
        rpc.service().on(NESTED_METHOD_ID, (call, buffer, offset, length) ->
        {
            final ServerCall answered = call.detach();
            final byte[] bytes = new byte[length];
            buffer.getBytes(offset, bytes);
            assertTrue(rpc.channel().offer(SERVICE_ID, TRACED_METHOD_ID, new UnsafeBuffer(bytes), 0, length,
                RpcChannel.DEFAULT_TIMEOUT, new RecordingHandler().then(outcome ->
                ScriptedAdapter.ECHO.onRequest(answered, new UnsafeBuffer(outcome.payload()), 0, length))) > 0);
        });
        start();

        try (CallScope _ = context(SAMPLED, "a=1").makeCurrent())
        {
            assertEquals(StatusCode.OK, rpc.call(NESTED_METHOD_ID, REQUEST).code());
        }

        assertEquals(List.of(SAMPLED + " a=1"), seen);
    }

    @Test
    void shouldGoWithADetachedCallWhenItsScopeIsEnteredLater()
    {
        final List<ServerCall> detached = new ArrayList<>();
        final List<CallScope> scopes = new ArrayList<>();
        rpc.service().on(NESTED_METHOD_ID, (call, buffer, offset, length) ->
        {
            detached.add(call.detach());
            scopes.add(CallScope.current());
        });
        start();
        final RecordingHandler handler = new RecordingHandler();
        try (CallScope _ = context(SAMPLED, "").makeCurrent())
        {
            rpc.offer(NESTED_METHOD_ID, REQUEST, RpcChannel.DEFAULT_TIMEOUT, handler);
        }
        rpc.until(() -> !detached.isEmpty());

        assertNull(TraceContext.current());
        try (CallScope _ = detached.get(0).enter())
        {
            assertEquals(SAMPLED, text(TraceContext.current()));
            try (CallScope _ = CallScope.detached())
            {
                assertEquals(SAMPLED, text(TraceContext.current()), "independent in time, of the same trace");
            }
        }
        detached.get(0).fail(StatusCode.ABORTED, "done");
        rpc.until(() -> handler.count() == 1);
        try (CallScope _ = context(NOT_SAMPLED, "").makeCurrent())
        {
            rpc.call(TRACED_METHOD_ID, REQUEST);
        }
        try (CallScope _ = scopes.get(0).enter())
        {
            assertEquals(SAMPLED, text(TraceContext.current()), "kept, though its call's was used again");
        }
    }

    @Test
    void shouldGoWithCallsOfOtherThreadsWhenItIsTheirCurrentOne() throws InterruptedException
    {
        start();
        final List<CompletableFuture<DirectBuffer>> results = new CopyOnWriteArrayList<>();
        final Thread other = Thread.ofPlatform().start(() ->
        {
            final TraceContext context = context(SAMPLED, "a=1");
            try (CallScope _ = context.makeCurrent())
            {
                results.add(rpc.channel().call(
                    SERVICE_ID, TRACED_METHOD_ID, new UnsafeBuffer(REQUEST), 0, REQUEST.length, CallOptions.DEFAULT));
            }
            context.clear();
            results.add(rpc.channel().call(
                SERVICE_ID, TRACED_METHOD_ID, new UnsafeBuffer(REQUEST), 0, REQUEST.length, CallOptions.DEFAULT));
        });
        other.join();
        rpc.until(() -> results.stream().allMatch(CompletableFuture::isDone));

        assertEquals(List.of(SAMPLED + " a=1", "none"), seen);
    }

    @Test
    void shouldBeTheHandlersContextWhenItsServiceHasOtherThreads()
    {
        final List<String> elsewhere = new CopyOnWriteArrayList<>();
        final int serviceId = SERVICE_ID + 1;
        final ScriptedAdapter adapter = new ScriptedAdapter(serviceId).on(TRACED_METHOD_ID,
            (call, buffer, offset, length) ->
            {
                elsewhere.add(text(TraceContext.current()));
                ScriptedAdapter.ECHO.onRequest(call, buffer, offset, length);
            });
        rpc.launchServer(context -> context.interceptor(TracePropagation.serverInterceptor())
            .service(() -> adapter, ServiceExecution.pool(1)))
            .launchClient(context -> context.interceptor(TracePropagation.clientInterceptor())).awaitReady();
        final RecordingHandler handler = new RecordingHandler();
        try (CallScope _ = context(SAMPLED, "a=1").makeCurrent())
        {
            assertTrue(rpc.channel().offer(serviceId, TRACED_METHOD_ID, new UnsafeBuffer(REQUEST), 0, REQUEST.length,
                RpcChannel.NO_TIMEOUT, handler) > 0);
        }
        rpc.until(() -> handler.count() == 1);
        assertEquals(StatusCode.OK, handler.last().code());
        assertEquals(List.of(SAMPLED + " a=1"), elsewhere);
    }

    @Test
    void shouldHandleWithoutAContextWhenTheHeaderIsMalformed()
    {
        start();
        for (final String traceparent : List.of("", SAMPLED.toUpperCase(Locale.ROOT), SAMPLED + "-", "ff" +
            SAMPLED.substring(2)))
        {
            rpc.channel().requestMetadata().add("traceparent", traceparent).add("tracestate", "a=1");
            assertEquals(StatusCode.OK, rpc.call(TRACED_METHOD_ID, REQUEST).code());
        }
        rpc.channel().requestMetadata().add("traceparent", SAMPLED).add("traceparent", SAMPLED);
        rpc.call(TRACED_METHOD_ID, REQUEST);
        rpc.channel().requestMetadata().addBinary("traceparent", SAMPLED.getBytes(
            StandardCharsets.US_ASCII));
        rpc.call(TRACED_METHOD_ID, REQUEST);
        rpc.channel().requestMetadata().add("tracestate", "a=1");
        rpc.call(TRACED_METHOD_ID, REQUEST);
        assertEquals(List.of("none", "none", "none", "none", "none", "none", "none"), seen);
        rpc.assertClean();
    }

    @Test
    void shouldKeepTheTraceWhenOnlyTracestateIsMalformed()
    {
        start();
        rpc.channel().requestMetadata().add("traceparent", SAMPLED).add("tracestate", "a=1").add("tracestate", "B=2");
        rpc.call(TRACED_METHOD_ID, REQUEST);
        rpc.channel().requestMetadata().add("traceparent", SAMPLED)
            .add("tracestate", "a=1" + ",a=1".repeat(30)).add("tracestate", "b=1,b=2");
        rpc.call(TRACED_METHOD_ID, REQUEST);
        assertEquals(List.of(SAMPLED, SAMPLED), seen);
    }

    @Test
    void shouldJoinTracestatesWhenThereAreSeveral()
    {
        start();
        rpc.channel().requestMetadata().add("traceparent", SAMPLED)
            .add("tracestate", "a=1,b=2").add("other", "x").add("tracestate", "").add("tracestate", "c=3");
        rpc.call(TRACED_METHOD_ID, REQUEST);
        final String longEntry = "l=" + "x".repeat(200);
        rpc.channel().requestMetadata().add("traceparent", SAMPLED)
            .add("tracestate", longEntry + ",a=1").add("tracestate", longEntry).add("tracestate", longEntry + ",z=9");
        rpc.call(TRACED_METHOD_ID, REQUEST);
        assertEquals(List.of(SAMPLED + " a=1,b=2,c=3", SAMPLED + " a=1,z=9"), seen);
    }

    @Test
    void shouldLeaveMetadataAloneWhenItNamesATrace()
    {
        start();
        try (CallScope _ = context(SAMPLED, "a=1").makeCurrent())
        {
            rpc.channel().requestMetadata().add("traceparent", NOT_SAMPLED);
            rpc.call(TRACED_METHOD_ID, REQUEST);
        }
        assertEquals(List.of(NOT_SAMPLED), seen);
    }

    @Test
    void shouldMakeTheCallWithoutATraceWhenThereIsNoRoomForIt()
    {
        rpc.launchServer(context -> context.interceptor(TracePropagation.serverInterceptor()))
            .launchClient(context -> context.maxMetadataLength(40).interceptor(TracePropagation.clientInterceptor()))
            .awaitReady();
        try (CallScope _ = context(SAMPLED, "a=1").makeCurrent())
        {
            assertEquals(StatusCode.OK, rpc.call(TRACED_METHOD_ID, REQUEST).code());
        }
        assertEquals(List.of("none"), seen);
        rpc.assertClean();
    }

    @Test
    void shouldSendNothingWhenTheCurrentContextIsOfNoTrace()
    {
        start();
        try (CallScope _ = new TraceContext().makeCurrent())
        {
            rpc.call(TRACED_METHOD_ID, REQUEST);
        }
        try (CallScope _ = CallScope.with(null))
        {
            rpc.call(TRACED_METHOD_ID, REQUEST);
        }
        assertEquals(List.of("none", "none"), seen);
    }

    @Test
    void shouldRetainACopyWhenAsked()
    {
        final TraceContext context = context(SAMPLED, "a=1");
        final TraceContext copy = context.retain();
        assertNotSame(context, copy);
        context.clear();
        assertEquals(SAMPLED + " a=1", text(copy));
    }

    @Test
    @InterruptAfter(60)
    void shouldAllocateNothingWhenTracedCallsAreOffered()
    {
        start();
        final TraceContext context = context(SAMPLED, "vendor=a");
        final Counting handler = new Counting();
        try (CallScope _ = context.makeCurrent())
        {
            offer(handler, 20_000);
            final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
            final long before = threads.getCurrentThreadAllocatedBytes();
            offer(handler, 100_000);
            final double each = (threads.getCurrentThreadAllocatedBytes() - before) / 100_000.0;
            // an object for each call would be 16 at least; what is done once is in it
            assertTrue(each < 1, () -> each + " bytes a call");
        }
        assertEquals(120_000, handler.count);
    }

    private void offer(final Counting handler, final int calls)
    {
        final UnsafeBuffer request = new UnsafeBuffer(REQUEST);
        for (int i = 0; i < calls; i++)
        {
            final long expected = handler.count + 1;
            assertTrue(rpc.channel().offer(
                SERVICE_ID, ECHO_METHOD_ID, request, 0, 32, RpcChannel.DEFAULT_TIMEOUT, handler) > 0);
            while (handler.count < expected)
            {
                rpc.server().doWork();
                rpc.client().doWork();
            }
        }
    }

    private void start()
    {
        rpc.launchServer(context -> context.interceptor(TracePropagation.serverInterceptor()))
            .launchClient(context -> context.interceptor(TracePropagation.clientInterceptor())).awaitReady();
    }

    private static TraceContext context(final String traceparent, final String tracestate)
    {
        final TraceContext context = new TraceContext();
        assertTrue(context.parseTraceparent(ascii(traceparent), 0, traceparent.length()));
        assertTrue(context.parseTracestate(ascii(tracestate), 0, tracestate.length()));
        return context;
    }

    private static UnsafeBuffer ascii(final String text)
    {
        return new UnsafeBuffer(text.getBytes(StandardCharsets.US_ASCII));
    }

    private static String text(final TraceContext context)
    {
        if (context == null)
        {
            return "none";
        }
        final String state = context.tracestate().getStringWithoutLengthAscii(0, context.tracestateLength());
        return state.isEmpty() ? context.toString() : context + " " + state;
    }

    private static final class Counting implements ResponseHandler
    {
        private long count;

        @Override
        public void onResponse(
            final long correlationId, final int methodId, final DirectBuffer buffer, final int offset, final int length)
        {
            count++;
        }

        @Override
        public void onError(
            final long correlationId,
            final int methodId,
            final StatusCode code,
            final String text,
            final DirectBuffer detail,
            final int detailOffset,
            final int detailLength)
        {
            throw new AssertionError(code + " " + text);
        }
    }
}
