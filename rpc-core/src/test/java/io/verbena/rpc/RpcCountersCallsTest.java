/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import static io.verbena.rpc.RpcHarness.ECHO_METHOD_ID;
import static io.verbena.rpc.RpcHarness.SERVICE_ID;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.rpc.protocol.FrameFlags;
import io.verbena.rpc.protocol.FrameType;
import io.verbena.rpc.test.DeflateCodec;
import io.verbena.rpc.test.InterruptAfter;
import io.verbena.rpc.test.RawPeer;
import io.verbena.rpc.test.RecordingHandler;
import io.verbena.rpc.transport.LoopbackTransport;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * That what happens to unary calls is counted, at both sides.
 */
@InterruptAfter(20)
class RpcCountersCallsTest
{
    private static final AtomicInteger NAMES = new AtomicInteger();
    private static final int METHOD = 2;
    private static final int KEEP = 3;

    private final String address = "loopback:counters-calls-" + NAMES.incrementAndGet();
    private final RpcHarness rpc = new RpcHarness(LoopbackTransport::new, () -> address);
    private final List<ServerCall> kept = new ArrayList<>();

    @AfterEach
    void closeAll()
    {
        rpc.close();
    }

    private long client(final RpcCounter counter)
    {
        return rpc.client().counters().get(counter);
    }

    private long server(final RpcCounter counter)
    {
        return rpc.server().counters().get(counter);
    }

    private void assertBoth(final long expected, final RpcCounter counter)
    {
        assertEquals(expected, client(counter), counter + " at the client");
        assertEquals(expected, server(counter), counter + " at the server");
    }

    private void keepCalls()
    {
        rpc.service().on(KEEP, (call, buffer, offset, length) -> kept.add(call.detach()));
    }

    @Test
    void shouldCountStartsAndEndsByStatusWhenCallsAreMade()
    {
        keepCalls();
        rpc.service().on(METHOD, (call, buffer, offset, length) -> call.fail(StatusCode.NOT_FOUND, "no"));
        rpc.start();
        rpc.call(ECHO_METHOD_ID, new byte[8]);
        rpc.call(ECHO_METHOD_ID, new byte[100_000]);
        rpc.call(METHOD, new byte[8]);
        rpc.offer(KEEP, new byte[8], RpcChannel.NO_TIMEOUT, new RecordingHandler());
        rpc.until(() -> kept.size() == 1);

        assertBoth(4, RpcCounter.CALLS_STARTED);
        assertBoth(1, RpcCounter.CALLS_IN_FLIGHT);
        assertBoth(2, RpcCounter.ENDED_OK);
        assertBoth(1, RpcCounter.ENDED_NOT_FOUND);
        assertTrue(client(RpcCounter.MESSAGES_QUEUED) > 1, "HELLO and the long request");
        assertBoth(0, RpcCounter.BYTES_QUEUED);
        assertBoth(0, RpcCounter.STREAMS_OPEN);
        kept.get(0).fail(StatusCode.ABORTED, "enough");
        rpc.settle();
        assertBoth(0, RpcCounter.CALLS_IN_FLIGHT);
        assertBoth(1, RpcCounter.ENDED_ABORTED);
    }

    @Test
    void shouldCountDeadlinesAtBothSidesWhenTheyPass()
    {
        keepCalls();
        rpc.start();
        rpc.offer(KEEP, new byte[8], 1_000_000, new RecordingHandler());
        rpc.until(() -> kept.size() == 1);
        rpc.clock().advanceMs(2);
        for (int i = 0; i < 16; i++)
        {
            // alone, so that the server's error does not come first
            rpc.client().doWork();
        }
        assertEquals(1, client(RpcCounter.DEADLINES_EXPIRED));
        rpc.settle();
        assertBoth(1, RpcCounter.DEADLINES_EXPIRED);
        assertBoth(1, RpcCounter.ENDED_DEADLINE_EXCEEDED);
        assertBoth(0, RpcCounter.CALLS_IN_FLIGHT);
        assertEquals(1, client(RpcCounter.STALE_FRAMES), "the server's error came too late");
    }

    @Test
    void shouldCountCancelsAtBothSidesWhenTheCallerGivesUp()
    {
        keepCalls();
        rpc.start();
        final long id = rpc.offer(KEEP, new byte[8], RpcChannel.NO_TIMEOUT, new RecordingHandler());
        rpc.until(() -> kept.size() == 1);
        rpc.channel().cancel(id);
        rpc.settle();
        assertBoth(1, RpcCounter.CANCELS);
        assertBoth(1, RpcCounter.ENDED_CANCELLED);
    }

    @Test
    void shouldCountRefusalsAtTheDoorWhenRequestsMakeNoSense()
    {
        rpc.launchServer(context -> {});
        final RawPeer raw = rpc.rawClient(5);
        raw.request(SERVICE_ID, METHOD, RawPeer.id(5, 0, 0), 0, new byte[8]);
        raw.request(SERVICE_ID + 1, METHOD, RawPeer.id(5, 0, 1), RpcChannel.NO_TIMEOUT, new byte[8]);
        rpc.until(() -> raw.count(FrameType.ERROR) == 2);
        assertEquals(1, server(RpcCounter.DEADLINES_EXPIRED));
        assertEquals(1, server(RpcCounter.ENDED_UNIMPLEMENTED));
        assertEquals(1, server(RpcCounter.ENDED_DEADLINE_EXCEEDED));
        assertEquals(0, server(RpcCounter.CALLS_IN_FLIGHT));
        raw.request(SERVICE_ID, METHOD, RawPeer.id(6, 0, 0), 1, new byte[8]);
        rpc.until(() -> !raw.isConnected());
        rpc.settle();
        assertEquals(1, server(RpcCounter.PROTOCOL_ERRORS));
        assertEquals(1, server(RpcCounter.CONNECTIONS_LOST));
    }

    @Test
    void shouldCountMessagesTooLongWhenSentAndReceived()
    {
        rpc.service().on(METHOD, (call, buffer, offset, length) -> call.claim(5_000));
        rpc.launchServer(context -> context.maxMessageLength(4_096)).launchClient(context -> {}).awaitReady();
        assertEquals(RpcChannel.MESSAGE_TOO_LONG, rpc.channel().offer(
            SERVICE_ID, ECHO_METHOD_ID, new UnsafeBuffer(new byte[4_097]), 0, 4_097, RpcChannel.NO_TIMEOUT,
            new RecordingHandler()));
        assertEquals(1, client(RpcCounter.MESSAGES_TOO_LONG));
        assertEquals(StatusCode.RESOURCE_EXHAUSTED, rpc.call(METHOD, new byte[8]).code());
        assertEquals(1, server(RpcCounter.MESSAGES_TOO_LONG));
    }

    @Test
    void shouldCountRequestsTooLongWhenTheyArriveWholeAndInParts()
    {
        rpc.launchServer(context -> context.maxMessageLength(4_096));
        final RawPeer raw = rpc.rawClient(5);
        raw.request(SERVICE_ID, METHOD, RawPeer.id(5, 0, 0), RpcChannel.NO_TIMEOUT, new byte[4_097]);
        raw.send(FrameType.REQUEST, FrameFlags.FIRST, SERVICE_ID, METHOD, RawPeer.id(5, 0, 1), RpcChannel.NO_TIMEOUT,
            0, new byte[4_000]);
        raw.send(FrameType.REQUEST, FrameFlags.LAST, SERVICE_ID, METHOD, RawPeer.id(5, 0, 1), RpcChannel.NO_TIMEOUT,
            0, new byte[4_000]);
        rpc.until(() -> raw.count(FrameType.ERROR) == 2);
        assertEquals(2, server(RpcCounter.MESSAGES_TOO_LONG));
        assertEquals(2, server(RpcCounter.ENDED_RESOURCE_EXHAUSTED));
    }

    @Test
    void shouldCountHandlerFailuresWhenHandlersThrow()
    {
        rpc.service().on(METHOD, (call, buffer, offset, length) ->
        {
            throw new IllegalStateException("the handler");
        });
        rpc.start();
        rpc.offer(METHOD, new byte[8], RpcChannel.NO_TIMEOUT, new RecordingHandler().then(outcome ->
        {
            throw new IllegalStateException("the client's handler");
        }));
        rpc.until(() -> rpc.clientErrors().size() == 1);
        assertBoth(1, RpcCounter.HANDLER_FAILURES);
        assertBoth(1, RpcCounter.ENDED_INTERNAL);
    }

    @Test
    void shouldCountInterceptorRefusalsWhenTheyRefuse()
    {
        rpc.launchServer(context -> context.interceptor(new ServerInterceptor()
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
                if (info.methodId() == METHOD)
                {
                    throw new RpcException(StatusCode.PERMISSION_DENIED, "not you");
                }
                if (info.methodId() == KEEP)
                {
                    call.fail(StatusCode.UNAUTHENTICATED, "who are you");
                }
            }
        })).launchClient(context -> context.interceptor(new ClientInterceptor()
        {
            @Override
            public void onResponse(
                final CallInfo call, final DirectBuffer buffer, final int offset, final int length)
            {
                throw new RpcException(StatusCode.FAILED_PRECONDITION, "not this");
            }
        })).awaitReady();
        assertEquals(StatusCode.PERMISSION_DENIED, rpc.call(METHOD, new byte[8]).code());
        assertEquals(StatusCode.UNAUTHENTICATED, rpc.call(KEEP, new byte[8]).code());
        assertEquals(StatusCode.FAILED_PRECONDITION, rpc.call(ECHO_METHOD_ID, new byte[8]).code());
        assertEquals(2, server(RpcCounter.INTERCEPTOR_REFUSALS));
        assertEquals(1, client(RpcCounter.INTERCEPTOR_REFUSALS));
        assertBoth(3, RpcCounter.CALLS_STARTED);
        assertBoth(0, RpcCounter.CALLS_IN_FLIGHT);
    }

    @Test
    void shouldCountBytesWhenPayloadsAreCompressed()
    {
        rpc.launchServer(context -> context.compression(new DeflateCodec(9), 100_000))
            .launchClient(context -> context.compression(new DeflateCodec(9), 1_000)).awaitReady();
        rpc.call(ECHO_METHOD_ID, new byte[10_000]);
        assertEquals(10_000, client(RpcCounter.COMPRESSION_BYTES_IN));
        final long sent = client(RpcCounter.COMPRESSION_BYTES_OUT);
        assertTrue(sent > 0 && sent < 1_000, () -> sent + " bytes");
        assertEquals(sent, server(RpcCounter.DECOMPRESSION_BYTES_IN));
        assertEquals(10_000, server(RpcCounter.DECOMPRESSION_BYTES_OUT));
        assertEquals(0, server(RpcCounter.COMPRESSION_BYTES_IN));
    }

    @Test
    void shouldCountDamagedPayloadsWhenChecksumOrCompressionIsWrong()
    {
        rpc.launchServer(context -> context.compression(new DeflateCodec(9), 1));
        final RawPeer raw = rpc.rawClient(5);
        raw.send(FrameType.REQUEST, FrameFlags.WHOLE | FrameFlags.CHECKSUM, SERVICE_ID, METHOD, RawPeer.id(5, 0, 0),
            RpcChannel.NO_TIMEOUT, 0, new byte[32]);
        raw.send(FrameType.REQUEST, FrameFlags.WHOLE | FrameFlags.COMPRESSED, SERVICE_ID, METHOD,
            RawPeer.id(5, 0, 1), RpcChannel.NO_TIMEOUT, 0, new byte[32]);
        rpc.until(() -> raw.count(FrameType.ERROR) == 2);
        assertEquals(1, server(RpcCounter.CHECKSUM_FAILURES));
        assertEquals(1, server(RpcCounter.DECOMPRESSION_FAILURES));
    }
}
