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
    private static final int WARM_UP = 100_000;
    private static final int MEASURED = 1_000_000;
    private static final double MAX_BYTES_PER_CALL = 0.01;

    private final RpcHarness rpc = new RpcHarness(LoopbackTransport::new, () -> "loopback:steady-state");
    private final UnsafeBuffer request = new UnsafeBuffer(new byte[32]);
    private final Counting handler = new Counting();

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
