/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import io.verbena.rpc.protocol.CreditPayload;
import io.verbena.rpc.protocol.FrameType;
import io.verbena.rpc.test.InterruptAfter;
import io.verbena.rpc.test.RawPeer;
import io.verbena.rpc.transport.LoopbackTransport;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What no client of ours does to a call, and what its service is told then. Found by the simulation.
 */
class ClientBreachTest
{
    private static final AtomicInteger NAMES = new AtomicInteger();
    private static final int STREAMS = 9;

    private final List<String> told = new ArrayList<>();
    private final List<StatusCode> causes = new ArrayList<>();
    private final RpcHarness rpc =
        new RpcHarness(LoopbackTransport::new, () -> "loopback:breach-" + NAMES.incrementAndGet());

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
            causes.add(cause);
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

    @ParameterizedTest
    @ValueSource(ints = {FrameType.STREAM, FrameType.HALF_CLOSE, FrameType.CREDIT})
    @InterruptAfter(20)
    void shouldTellTheServiceWhenAFrameOfStreamsEndsItsUnaryCall(final int frameType)
    {
        rpc.launchServer((context) -> context.service(new Service()));
        final RawPeer raw = rpc.rawClient(3);
        final long id = RawPeer.id(3, 1, 0);
        raw.request(STREAMS, 2, id, Long.MAX_VALUE, new byte[0]);
        rpc.until(() -> told.size() == 1);
        final byte[] payload = new byte[CreditPayload.LENGTH];
        CreditPayload.encode(new UnsafeBuffer(payload), 0, 1, 1);
        raw.send(frameType, STREAMS, 2, id, 0, payload);
        rpc.until(() -> raw.count(FrameType.ERROR) == 1);
        rpc.settle();
        assertEquals(StatusCode.INTERNAL.value(), raw.last(FrameType.ERROR).status());
        assertEquals(List.of("request of 2", "end of 2"), told);
        assertEquals(List.of(StatusCode.INTERNAL), causes);
        assertEquals(0, rpc.callsAtServer());
    }
}
