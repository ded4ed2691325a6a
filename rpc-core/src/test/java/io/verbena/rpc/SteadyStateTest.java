/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import static io.verbena.rpc.RpcHarness.ECHO_METHOD_ID;
import static io.verbena.rpc.RpcHarness.SERVICE_ID;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.verbena.rpc.test.InterruptAfter;
import io.verbena.rpc.transport.LoopbackTransport;
import java.lang.management.ManagementFactory;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * What steady state must not do: allocate, and read the clock for nothing.
 */
class SteadyStateTest
{
    private static final int STREAM_METHOD_ID = 2;
    private static final int WARM_UP = 100_000;
    private static final int MEASURED = 1_000_000;
    private static final double MAX_BYTES_PER_CALL = 0.01;

    private final RpcHarness rpc = new RpcHarness(LoopbackTransport::new, () -> "loopback:steady-state");
    private final UnsafeBuffer request = new UnsafeBuffer(new byte[32]);
    private final Counting handler = new Counting();
    private final Streamed streamed = new Streamed();

    private static final class Counting implements ResponseHandler
    {
        private long responses;

        @Override
        public void onResponse(
            final long correlationId, final int methodId, final DirectBuffer buffer, final int offset, final int length)
        {
            responses += length == 32 ? 1 : 0;
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

    private static final class Streamed implements StreamHandler
    {
        private long id;
        private long items;
        private long ends;

        @Override
        public void onItem(
            final long correlationId, final int methodId, final DirectBuffer buffer, final int offset, final int length)
        {
            id = correlationId;
            items++;
        }

        @Override
        public void onCompleted(final long correlationId, final int methodId)
        {
            ends++;
        }

        @Override
        public void onResponse(
            final long correlationId, final int methodId, final DirectBuffer buffer, final int offset, final int length)
        {
            throw new AssertionError("a response");
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
            ends++;
        }
    }

    @AfterEach
    void closeAll()
    {
        rpc.close();
    }

    @Test
    @InterruptAfter(60)
    void shouldAllocateNothingWhenCallsAreClaimed()
    {
        rpc.start();
        claims(WARM_UP, RpcChannel.DEFAULT_TIMEOUT);
        assertAllocatesNothing(() -> claims(MEASURED, RpcChannel.DEFAULT_TIMEOUT));
        rpc.assertClean();
    }

    @Test
    @InterruptAfter(60)
    void shouldAllocateNothingWhenCallsAreOfferedInBatches()
    {
        rpc.start();
        offers(WARM_UP);
        assertAllocatesNothing(() -> offers(MEASURED));
        rpc.assertClean();
    }

    @Test
    @InterruptAfter(60)
    void shouldAllocateNothingWhenDeadlinesAreScanned()
    {
        rpc.start();
        rpc.clock().stepOnReadNs(1_000);
        claims(WARM_UP, 1_000_000);
        assertAllocatesNothing(() -> claims(MEASURED, 1_000_000));
        rpc.assertClean();
    }

    @Test
    @InterruptAfter(20)
    void shouldReadNoClockWhenIdle()
    {
        rpc.start();
        rpc.settle();
        final long reads = rpc.clock().reads();
        final int cycles = 8_000;
        for (int i = 0; i < cycles; i++)
        {
            assertEquals(0, rpc.server().doWork() + rpc.client().doWork());
        }
        // timers of both in every eighth cycle, the server's keep-alive in every 64th
        final long more = rpc.clock().reads() - reads;
        assertTrue(more <= 2 * cycles / 8 + cycles / 64, "reads " + more);
    }

    @Test
    @InterruptAfter(60)
    void shouldAllocateNothingWhenServerStreams()
    {
        rpc.service().on(STREAM_METHOD_ID, MethodKind.SERVER_STREAM, (call, buffer, offset, length) -> fill(call))
            .onReady(STREAM_METHOD_ID, SteadyStateTest::fill);
        rpc.start();
        rpc.channel().offerStream(
            SERVICE_ID, STREAM_METHOD_ID, request, 0, 32, RpcChannel.NO_TIMEOUT, streamed);
        await(WARM_UP);
        assertAllocatesNothing(() -> await(MEASURED));
        rpc.channel().cancel(streamed.id);
    }

    @Test
    @InterruptAfter(60)
    void shouldAllocateNothingWhenBothStream()
    {
        rpc.service().on(STREAM_METHOD_ID, MethodKind.BIDI, (call, buffer, offset, length) -> {})
            .onItem(STREAM_METHOD_ID, (call, buffer, offset, length) -> call.offerItem(buffer, offset, length));
        rpc.start();
        final long id = rpc.channel().openStream(
            SERVICE_ID, STREAM_METHOD_ID, MethodKind.BIDI, RpcChannel.NO_TIMEOUT, streamed);
        sendItems(id, WARM_UP);
        assertAllocatesNothing(() -> sendItems(id, MEASURED));
    }

    @Test
    @InterruptAfter(60)
    void shouldAllocateNothingWhenStreamsOpenAndEnd()
    {
        rpc.service().on(STREAM_METHOD_ID, MethodKind.BIDI, (call, buffer, offset, length) -> {})
            .onItem(STREAM_METHOD_ID, (call, buffer, offset, length) -> call.offerItem(buffer, offset, length))
            .onHalfClosed(STREAM_METHOD_ID, ServerCall::complete);
        rpc.service().recordsEnds(false);
        rpc.start();
        openAndEnd(WARM_UP / 4);
        assertAllocatesNothing(() -> openAndEnd(MEASURED / 4));
        rpc.assertClean();
    }

    private void openAndEnd(final int count)
    {
        for (int i = 0; i < count; i++)
        {
            final long ends = streamed.ends;
            long id;
            while ((id = rpc.channel().openStream(
                SERVICE_ID, STREAM_METHOD_ID, MethodKind.BIDI, RpcChannel.DEFAULT_TIMEOUT, streamed)) < 0)
            {
                cycle();
            }
            while (rpc.channel().offerItem(id, request, 0, 32) < 0)
            {
                cycle();
            }
            rpc.channel().halfClose(id);
            while (streamed.ends == ends)
            {
                cycle();
            }
        }
    }

    private void sendItems(final long id, final int count)
    {
        final RpcChannel channel = rpc.channel();
        final long before = streamed.items;
        for (int i = 0; i < count; i++)
        {
            // few under way, so that the service is never refused
            while (i - (streamed.items - before) >= 8 || channel.claimItem(id, 32) < 0)
            {
                cycle();
            }
            channel.buffer().putLong(channel.offset(), i);
            channel.commit(32);
        }
        while (streamed.items - before < count)
        {
            cycle();
        }
    }

    private void await(final int count)
    {
        final long before = streamed.items;
        while (streamed.items - before < count)
        {
            cycle();
        }
    }

    private static void fill(final ServerCall call)
    {
        while (call.claimItem(32) > 0)
        {
            call.buffer().putLong(call.offset(), 1);
            call.send(32);
        }
    }

    private void claims(final int count, final long timeoutNs)
    {
        final RpcChannel channel = rpc.channel();
        final long before = handler.responses;
        for (int i = 1; i <= count; i++)
        {
            while (channel.claim(SERVICE_ID, ECHO_METHOD_ID, 32, timeoutNs, handler) < 0)
            {
                cycle();
            }
            channel.buffer().putLong(channel.offset(), i);
            channel.commit(32);
            while (handler.responses - before < i)
            {
                cycle();
            }
        }
    }

    private void offers(final int count)
    {
        final long before = handler.responses;
        for (int i = 1; i <= count; i++)
        {
            while (rpc.channel().offer(
                SERVICE_ID, ECHO_METHOD_ID, request, 0, 32, RpcChannel.DEFAULT_TIMEOUT, handler) < 0)
            {
                cycle();
            }
        }
        while (handler.responses - before < count)
        {
            cycle();
        }
    }

    private void cycle()
    {
        rpc.server().doWork();
        rpc.client().doWork();
        if (Thread.currentThread().isInterrupted())
        {
            throw new AssertionError("interrupted");
        }
    }

    private static void assertAllocatesNothing(final Runnable calls)
    {
        final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
        final long before = threads.getCurrentThreadAllocatedBytes();
        calls.run();
        final double perCall = (threads.getCurrentThreadAllocatedBytes() - before) / (double)MEASURED;
        assertTrue(perCall < MAX_BYTES_PER_CALL, () -> perCall + " bytes a call");
    }
}
