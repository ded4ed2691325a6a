/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.rpc.test.InterruptAfter;
import io.verbena.rpc.test.RecordingStream;
import io.verbena.rpc.transport.LoopbackTransport;
import io.verbena.rpc.transport.Transport;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * What generated stubs need of the core beside calls: ends of their own, limits, descriptors.
 */
@InterruptAfter(30)
class StubSupportTest extends StreamContractSupport
{
    private static final AtomicInteger NAMES = new AtomicInteger();

    @Override
    protected Transport newTransport()
    {
        return new LoopbackTransport();
    }

    @Override
    protected String listenAddress()
    {
        return "loopback:stub-" + NAMES.incrementAndGet();
    }

    @Test
    void shouldTellHandlerTheGivenStatusWhenStubGivesCallUp()
    {
        serveNumbers(new Numbers(1_000_000, 32));
        rpc.start();
        final RecordingStream stream = new RecordingStream();
        final long correlationId = openDown(stream, RpcChannel.NO_TIMEOUT);
        rpc.until(() -> !stream.items().isEmpty());
        assertThrows(
            IllegalArgumentException.class, () -> rpc.channel().cancel(correlationId, StatusCode.OK, "not an end"));
        assertTrue(rpc.channel().cancel(correlationId, StatusCode.INTERNAL, "cannot be read"));
        assertEquals(StatusCode.INTERNAL, stream.status());
        assertEquals("cannot be read", stream.text());
        assertFalse(rpc.channel().cancel(correlationId, StatusCode.INTERNAL, "again"));
        assertServerEnded(StatusCode.CANCELLED);
        rpc.assertClean();
    }

    @Test
    void shouldTellTheLesserLimitWhenSidesDiffer()
    {
        final int[] limits = new int[1];
        rpc.service().on(DOWN, MethodKind.SERVER_STREAM, (call, buffer, offset, length) ->
        {
            limits[0] = call.maxMessageLength();
            call.complete();
        });
        rpc.launchServer(context -> context.maxMessageLength(64 * 1024));
        rpc.launchClient(context -> context.maxMessageLength(16 * 1024));
        rpc.awaitReady();
        final RecordingStream stream = new RecordingStream();
        openDown(stream, RpcChannel.NO_TIMEOUT);
        assertEnded(stream, StatusCode.OK);
        assertEquals(16 * 1024, limits[0]);
        assertEquals(16 * 1024, rpc.channel().maxMessageLength());
    }

    @Test
    void shouldKeepItsOwnCopiesWhenDescribed()
    {
        final byte[] schemaIr = {1, 2, 3};
        final List<String> errors = new ArrayList<>(List.of("Fault"));
        final List<MethodDescriptor> methods = new ArrayList<>();
        methods.add(new MethodDescriptor("get", 1, MethodKind.UNARY, true, "Ask", "Answer", errors));
        final ServiceDescriptor descriptor = new ServiceDescriptor("Lookup", 7, 8, 9, methods, schemaIr);
        schemaIr[0] = 9;
        errors.clear();
        methods.clear();
        descriptor.schemaIr()[1] = 9;
        assertArrayEquals(new byte[]{1, 2, 3}, descriptor.schemaIr());
        assertEquals(List.of("Fault"), descriptor.methods().get(0).errors());
        assertThrows(UnsupportedOperationException.class, () -> descriptor.methods().clear());
        assertEquals("Lookup (id 7, schema 8 version 9)", descriptor.toString());
        assertThrows(NullPointerException.class, () -> new ServiceDescriptor(null, 7, 8, 9, methods, schemaIr));
    }
}
