/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc.metrics;

import static io.verbena.rpc.RpcHarness.ECHO_METHOD_ID;
import static io.verbena.rpc.RpcHarness.SERVICE_ID;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.verbena.rpc.MethodKind;
import io.verbena.rpc.ResponseHandler;
import io.verbena.rpc.RpcChannel;
import io.verbena.rpc.RpcHarness;
import io.verbena.rpc.StatusCode;
import io.verbena.rpc.test.InterruptAfter;
import io.verbena.rpc.transport.LoopbackTransport;
import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import org.HdrHistogram.Histogram;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@InterruptAfter(20)
class LatencyHistogramsTest
{
    private static final int SLOW_METHOD_ID = 2;
    private static final int FAILING_METHOD_ID = 3;
    private static final byte[] REQUEST = new byte[32];

    private final RpcHarness rpc = new RpcHarness(LoopbackTransport::new, () -> "loopback:latencies");
    private final LatencyHistograms clients = new LatencyHistograms(rpc.clock(), 3);
    private final LatencyHistograms servers = new LatencyHistograms(rpc.clock(), 3);

    @AfterEach
    void closeAll()
    {
        rpc.close();
    }

    @Test
    void shouldTellHowLongCallsTookWhenTheyEnd()
    {
        rpc.service()
            .on(SLOW_METHOD_ID, (call, buffer, offset, length) ->
            {
                rpc.clock().advanceNs(1_000_000);
                call.claim(0);
                call.send(0);
            })
            .on(FAILING_METHOD_ID, (call, buffer, offset, length) ->
            {
                rpc.clock().advanceNs(5_000);
                call.fail(StatusCode.ABORTED, "no");
            });
        start();
        for (int i = 0; i < 10; i++)
        {
            rpc.call(SLOW_METHOD_ID, REQUEST);
            rpc.call(FAILING_METHOD_ID, REQUEST);
        }

        assertEquals(2, clients.all().size());
        assertEquals(2, servers.all().size());
        for (final LatencyHistograms side : new LatencyHistograms[]{clients, servers})
        {
            final CallLatency slow = side.all().get(0);
            assertEquals(SERVICE_ID, slow.serviceId());
            assertEquals(SLOW_METHOD_ID, slow.methodId());
            assertEquals(MethodKind.UNARY, slow.kind());
            assertEquals(side == servers, slow.isServerSide());
            assertTrue(slow.isOk());
            assertEquals(10, slow.count());
            assertEquals(10_000_000, slow.totalNs());
            assertEquals(1_000_000, slow.copy().getMaxValue(), 1_000);
            final CallLatency failing = side.all().get(1);
            assertFalse(failing.isOk());
            assertEquals(50_000, failing.totalNs());
            assertEquals(10, failing.copy().getTotalCount());
        }
    }

    @Test
    void shouldCountEachCallOnceWhenReadInBetween()
    {
        start();
        rpc.call(ECHO_METHOD_ID, REQUEST);
        final CallLatency latency = clients.all().get(0);
        final Histogram before = latency.copy();
        assertEquals(1, before.getTotalCount());
        rpc.call(ECHO_METHOD_ID, REQUEST);
        rpc.call(ECHO_METHOD_ID, REQUEST);
        final Histogram total = new Histogram(before);
        latency.copyInto(total);
        assertEquals(3, total.getTotalCount());
        total.subtract(before);
        assertEquals(2, total.getTotalCount());
        assertEquals(3, latency.copy().getTotalCount());
    }

    @Test
    void shouldCountAsTheHighestWhenACallTookLonger()
    {
        final CallLatency latency = new CallLatency(
            false, 1, 1, MethodKind.UNARY, true, LatencyHistograms.HIGHEST_NS, LatencyHistograms.DEFAULT_DIGITS);
        latency.record(LatencyHistograms.HIGHEST_NS);
        latency.record(LatencyHistograms.HIGHEST_NS + 1);
        latency.record(Long.MAX_VALUE / 2);
        latency.record(-1);
        final Histogram histogram = latency.copy();
        assertEquals(4, histogram.getTotalCount());
        assertEquals(0, histogram.getMinValue());
        assertTrue(histogram.valuesAreEquivalent(LatencyHistograms.HIGHEST_NS, histogram.getMaxValue()));
    }

    @Test
    void shouldTakeMethodsTogetherWhenThereAreTooMany()
    {
        final LatencyHistograms coarse = new LatencyHistograms(rpc.clock(), 1);
        rpc.launchServer(context -> {})
            .launchClient(context -> context.interceptor(coarse.clientInterceptor())).awaitReady();
        for (int methodId = 1; methodId <= LatencyHistograms.MAX_METHODS + 2; methodId++)
        {
            rpc.call(methodId, REQUEST);
        }
        assertEquals(LatencyHistograms.MAX_METHODS + 1, coarse.all().size());
        final CallLatency others = coarse.all().get(LatencyHistograms.MAX_METHODS);
        assertEquals(0, others.serviceId());
        assertEquals(0, others.methodId());
        assertEquals(2, others.count());
        rpc.call(1, REQUEST);
        assertEquals(2, coarse.all().get(0).count());
    }

    @Test
    void shouldRefuseDigitsWhenOutOfRange()
    {
        assertThrows(IllegalArgumentException.class, () -> new LatencyHistograms(rpc.clock(), 0));
        assertThrows(IllegalArgumentException.class, () -> new LatencyHistograms(rpc.clock(), 5));
        new LatencyHistograms(rpc.clock(), 1);
        new LatencyHistograms(rpc.clock(), 4);
    }

    @Test
    @InterruptAfter(60)
    void shouldNeitherLoseNorDoubleCallsWhenOthersReadAllTheTime() throws InterruptedException
    {
        final CallLatency latency = new CallLatency(
            false, 1, 1, MethodKind.UNARY, true, LatencyHistograms.HIGHEST_NS, LatencyHistograms.DEFAULT_DIGITS);
        final AtomicBoolean isDone = new AtomicBoolean();
        final AtomicBoolean isWrong = new AtomicBoolean();
        final Thread[] readers = new Thread[2];
        for (int i = 0; i < readers.length; i++)
        {
            readers[i] = Thread.ofPlatform().start(() ->
            {
                long last = 0;
                while (!isDone.get())
                {
                    final long count = latency.copy().getTotalCount();
                    isWrong.compareAndSet(false, count < last);
                    last = count;
                }
            });
        }
        for (int i = 0; i < 1_000_000; i++)
        {
            latency.record(i);
        }
        isDone.set(true);
        for (final Thread reader : readers)
        {
            reader.join();
        }
        assertFalse(isWrong.get());
        assertEquals(1_000_000, latency.copy().getTotalCount());
    }

    @Test
    @InterruptAfter(60)
    void shouldAllocateNothingWhenCallsAreMeasured()
    {
        start();
        final Counting handler = new Counting();
        offer(handler, 20_000);
        final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
        final long before = threads.getCurrentThreadAllocatedBytes();
        offer(handler, 100_000);
        final double each = (threads.getCurrentThreadAllocatedBytes() - before) / 100_000.0;
        // an object for each call would be 16 at least; what is done once is in it
        assertTrue(each < 1, () -> each + " bytes a call");
        assertEquals(120_000, clients.all().get(0).count());
        assertEquals(120_000, servers.all().get(0).count());
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
        rpc.launchServer(context -> context.interceptor(servers.serverInterceptor()))
            .launchClient(context -> context.interceptor(clients.clientInterceptor())).awaitReady();
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
