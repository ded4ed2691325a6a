/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import io.verbena.rpc.protocol.FrameType;
import io.verbena.rpc.test.InterruptAfter;
import io.verbena.rpc.test.RawPeer;
import io.verbena.rpc.transport.LoopbackTransport;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * A peer that uses a correlation id again at once, which no client of ours does. Found by the simulation.
 */
class ReusedIdTest
{
    private static final AtomicInteger NAMES = new AtomicInteger();
    private static final int STREAMS = 9;

    private final List<String> told = new ArrayList<>();
    private final RpcHarness rpc =
        new RpcHarness(LoopbackTransport::new, () -> "loopback:reused-" + NAMES.incrementAndGet());

    private final class Service implements ServiceAdapter
    {
        @Override
        public int serviceId()
        {
            return STREAMS;
        }

        @Override
        public String serviceName()
        {
            return "Streams";
        }

        @Override
        public int schemaId()
        {
            return 1;
        }

        @Override
        public int schemaVersion()
        {
            return 1;
        }

        @Override
        public MethodKind methodKind(final int methodId)
        {
            return methodId == 1 ? MethodKind.BIDI : MethodKind.UNARY;
        }

        @Override
        public void onRequest(
            final ServerCall call, final int methodId, final DirectBuffer buffer, final int offset, final int length)
        {
            told.add("request of " + methodId);
        }

        @Override
        public void onCancelled(
            final long connectionId, final long correlationId, final int methodId, final StatusCode cause)
        {
            told.add("end of " + methodId);
        }

        @Override
        public void onEnded(
            final long connectionId,
            final long correlationId,
            final int methodId,
            final Object attachment,
            final StatusCode status)
        {
            told.add("end of " + methodId);
        }
    }

    @AfterEach
    void close()
    {
        rpc.close();
    }

    @Test
    @InterruptAfter(20)
    void shouldTellOfTheEndFirstWhenTheIdOfACancelledStreamComesAgain()
    {
        rpc.launchServer((context) -> context.service(new Service()));
        final RawPeer raw = rpc.rawClient(3);
        final long id = RawPeer.id(3, 1, 0);
        for (final int methodId : new int[]{1, 2, 1})
        {
            raw.request(STREAMS, methodId, id, Long.MAX_VALUE, new byte[0]);
            raw.send(FrameType.CANCEL, STREAMS, methodId, id, 0, new byte[0]);
        }
        rpc.until(() -> told.size() >= 6);
        rpc.settle();
        assertEquals(
            List.of("request of 1", "end of 1", "request of 2", "end of 2", "request of 1", "end of 1"), told);
        assertEquals(0, rpc.callsAtServer());
    }
}
