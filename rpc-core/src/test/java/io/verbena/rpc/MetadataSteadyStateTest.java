/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import static io.verbena.rpc.RpcHarness.SERVICE_ID;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.verbena.rpc.test.InterruptAfter;
import io.verbena.rpc.transport.LoopbackTransport;
import java.lang.management.ManagementFactory;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * What calls with metadata, past interceptors, must not do in steady state: allocate.
 */
class MetadataSteadyStateTest
{
    private static final int METHOD = 2;
    private static final int WARM_UP = 100_000;
    private static final int MEASURED = 400_000;
    private static final double MAX_BYTES_PER_CALL = 0.02;

    private final RpcHarness rpc = new RpcHarness(LoopbackTransport::new, () -> "loopback:metadata-steady-state");
    private final Object attachment = new Object();
    private final Counting handler = new Counting();
    private long hooks;

    private final class Client implements ClientInterceptor
    {
        @Override
        public void onStart(final CallInfo call, final Metadata requestMetadata)
        {
            call.attach(attachment);
            requestMetadata.add("traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");
            hooks++;
        }

        @Override
        public void onRequest(final CallInfo call, final DirectBuffer buffer, final int offset, final int length)
        {
            hooks++;
        }

        @Override
        public void onEnd(final CallInfo call, final StatusCode status, final String text, final Metadata trailers)
        {
            hooks += call.attachment() == attachment && trailers.find("took") >= 0 ? 1 : 0;
        }
    }

    private final class Server implements ServerInterceptor
    {
        @Override
        public void onRequest(
            final ServerCall call,
            final CallInfo info,
            final Metadata metadata,
            final DirectBuffer buffer,
            final int offset,
            final int length)
        {
            hooks += metadata.find("traceparent") >= 0 ? 1 : 0;
        }

        @Override
        public void onEnd(final CallInfo info, final StatusCode status)
        {
            hooks++;
        }
    }

    private final class Counting implements ResponseHandler
    {
        private long responses;

        @Override
        public void onResponse(
            final long correlationId, final int methodId, final DirectBuffer buffer, final int offset, final int length)
        {
            responses += rpc.channel().responseInfo().metadata().size();
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
    void shouldAllocateNothingWhenCallsHaveMetadataAndInterceptors()
    {
        rpc.service().on(METHOD, (call, buffer, offset, length) ->
        {
            call.responseMetadata().add("took", "1");
            call.claim(length);
            call.buffer().putBytes(call.offset(), buffer, offset, length);
            call.send(length);
        });
        rpc.launchServer(context -> context.interceptor(new Server()))
            .launchClient(context -> context.interceptor(new Client())).awaitReady();
        calls(WARM_UP);
        final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
        hooks = 0;
        final long before = threads.getCurrentThreadAllocatedBytes();
        calls(MEASURED);
        final double perCall = (threads.getCurrentThreadAllocatedBytes() - before) / (double)MEASURED;
        assertTrue(perCall < MAX_BYTES_PER_CALL, () -> perCall + " bytes a call");
        assertEquals(5L * MEASURED, hooks);
        rpc.assertClean();
    }

    private void calls(final int count)
    {
        final RpcChannel channel = rpc.channel();
        final long before = handler.responses;
        for (int i = 1; i <= count; i++)
        {
            channel.requestMetadata().add("user", "ann");
            while (channel.claim(SERVICE_ID, METHOD, 32, RpcChannel.DEFAULT_TIMEOUT, handler) < 0)
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

    private void cycle()
    {
        rpc.server().doWork();
        rpc.client().doWork();
        if (Thread.currentThread().isInterrupted())
        {
            throw new AssertionError("interrupted");
        }
    }
}
