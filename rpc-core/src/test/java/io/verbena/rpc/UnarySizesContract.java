/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.rpc.protocol.FrameFlags;
import io.verbena.rpc.protocol.FrameHeader;
import io.verbena.rpc.protocol.FrameType;
import io.verbena.rpc.test.InterruptAfter;
import io.verbena.rpc.test.RawPeer;
import io.verbena.rpc.test.RecordingHandler;
import io.verbena.rpc.transport.Connection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/**
 * Lengths around the limits of the transport and of the configuration.
 */
abstract class UnarySizesContract extends UnaryEndingsContract
{
    static final int MIB = 1024 * 1024;
    static final int LIMIT = RpcConfiguration.MAX_MESSAGE_LENGTH_DEFAULT;

    /** Answers with the length and a hash of the request. */
    private static final int MEASURE = 20;

    /** Answers with as many bytes as the request says. */
    private static final int PRODUCE_CLAIMED = 21;
    private static final int PRODUCE_SCRATCH = 22;

    /**
     * Makes a long request from within the callback before it looks at what it was given: the request takes a buffer
     * from the pool, and not the one that the callback's argument lies in.
     */
    private record CallingFirst(RecordingHandler handler, Runnable call) implements ResponseHandler
    {
        @Override
        public void onResponse(
            final long correlationId, final int methodId, final DirectBuffer buffer, final int offset, final int length)
        {
            call.run();
            handler.onResponse(correlationId, methodId, buffer, offset, length);
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
            call.run();
            handler.onError(correlationId, methodId, code, text, detail, detailOffset, detailLength);
        }
    }

    private void scriptSizes()
    {
        rpc.service()
            .on(MEASURE, (call, buffer, offset, length) ->
            {
                call.claim(8);
                call.buffer().putInt(call.offset(), length);
                call.buffer().putInt(call.offset() + 4, hash(buffer, offset, length));
                call.send(8);
            })
            .on(PRODUCE_CLAIMED, (call, buffer, offset, length) ->
            {
                final byte[] response = bytes(buffer.getInt(offset), 11);
                call.claim(response.length);
                call.buffer().putBytes(call.offset(), response);
                call.send(response.length);
            })
            .on(PRODUCE_SCRATCH, (call, buffer, offset, length) ->
            {
                final byte[] response = bytes(buffer.getInt(offset), 11);
                call.claimScratch();
                call.buffer().putBytes(call.offset(), response);
                call.send(response.length);
            });
    }

    private int[] interestingLengths()
    {
        final Connection connection = rpc.channel().connector().link().connection();
        final int claim = connection.maxClaimLength() - FrameHeader.LENGTH;
        final int message = connection.maxMessageLength() - FrameHeader.LENGTH;
        return new int[]{0, 1, 7, 8, claim - 1, claim, claim + 1, message - 1, message, message + 1, 2 * message + 3,
            3 * MIB + 1, LIMIT - 1, LIMIT};
    }

    @Test
    @InterruptAfter(120)
    void shouldCarryRequestsWhenLengthsAreAroundTheLimits()
    {
        rpc.start();
        scriptSizes();
        for (final int length : interestingLengths())
        {
            final byte[] payload = bytes(length, length);
            assertMeasured(payload, rpc.call(MEASURE, payload));

            final RecordingHandler handler = new RecordingHandler();
            long id;
            while ((id = rpc.channel().claim(SERVICE_ID, MEASURE, length, RpcChannel.NO_TIMEOUT, handler)) < 0)
            {
                rpc.pump();
            }
            rpc.channel().buffer().putBytes(rpc.channel().offset(), payload);
            rpc.channel().commit(length);
            rpc.until(() -> handler.count() == 1);
            assertEquals(id, handler.last().correlationId());
            assertMeasured(payload, handler.last());
        }
        rpc.assertClean();
    }

    @Test
    @InterruptAfter(120)
    void shouldCarryResponsesWhenLengthsAreAroundTheLimits()
    {
        rpc.start();
        scriptSizes();
        for (final int length : interestingLengths())
        {
            for (final int method : new int[]{PRODUCE_CLAIMED, PRODUCE_SCRATCH})
            {
                final RecordingHandler.Outcome outcome = rpc.call(method, intBytes(length));
                assertEquals(StatusCode.OK, outcome.code(), outcome::toString);
                assertArrayEquals(bytes(length, 11), outcome.payload());
            }
        }
        rpc.assertClean();
    }

    @Test
    @InterruptAfter(60)
    void shouldFailThatCallAloneWhenRequestIsTooLong() throws Exception
    {
        rpc.start();
        scriptSizes();
        for (final int length : new int[]{LIMIT + 1, 17 * MIB})
        {
            final RecordingHandler handler = new RecordingHandler();
            final byte[] payload = new byte[length];
            assertEquals(RpcChannel.MESSAGE_TOO_LONG, rpc.offer(MEASURE, payload, 0, handler));
            assertEquals(RpcChannel.MESSAGE_TOO_LONG,
                rpc.channel().claim(SERVICE_ID, MEASURE, length, 0, handler));
            final CompletableFuture<DirectBuffer> future =
                rpc.channel().call(SERVICE_ID, MEASURE, buffer(payload), 0, length, 0);
            rpc.until(future::isDone);
            assertEquals(0, handler.count());
            assertTooLong(length, LIMIT, (RpcException)failureOf(future));
            assertMeasured(new byte[9], rpc.call(MEASURE, new byte[9]));
        }
        rpc.assertClean();
    }

    @Test
    @InterruptAfter(60)
    void shouldKeepToThePeersLimitWhenItIsLower() throws Exception
    {
        rpc.launchServer(context -> context.maxMessageLength(MIB)).launchClient(context -> {}).awaitReady();
        scriptSizes();
        final RecordingHandler handler = new RecordingHandler();
        assertEquals(RpcChannel.MESSAGE_TOO_LONG, rpc.offer(MEASURE, new byte[MIB + 1], 0, handler));
        final CompletableFuture<DirectBuffer> future =
            rpc.channel().call(SERVICE_ID, MEASURE, buffer(new byte[MIB + 1]), 0, MIB + 1, 0);
        rpc.until(future::isDone);
        assertTooLong(MIB + 1, MIB, (RpcException)failureOf(future));
        assertMeasured(new byte[MIB], rpc.call(MEASURE, new byte[MIB]));
        rpc.assertClean();
    }

    @Test
    @InterruptAfter(60)
    void shouldFailThatCallAloneWhenRawRequestIsTooLong()
    {
        rpc.launchServer(context -> context.maxMessageLength(10_000));
        scriptSizes();
        final RawPeer raw = rpc.rawClient(3);
        final int half = Math.min(5_001, raw.connection().maxMessageLength() - FrameHeader.LENGTH);
        final int parts = 10_000 / half + 1;
        for (int i = 0; i <= parts; i++)
        {
            final int flags = i == 0 ? FrameFlags.FIRST : i == parts ? FrameFlags.LAST : 0;
            raw.send(FrameType.REQUEST, flags, SERVICE_ID, MEASURE, RawPeer.id(3, 0, 0), Long.MAX_VALUE, 0,
                new byte[half]);
        }
        raw.request(SERVICE_ID, MEASURE, RawPeer.id(3, 0, 1), Long.MAX_VALUE, new byte[3]);
        rpc.until(() -> raw.count(FrameType.RESPONSE) == 1);
        assertEquals(1, raw.count(FrameType.ERROR));
        assertEquals(StatusCode.RESOURCE_EXHAUSTED.value(), raw.last(FrameType.ERROR).status());
        assertTrue((raw.last(FrameType.ERROR).flags() & FrameFlags.NOT_STARTED) != 0);
        assertEquals(1, rpc.service().requestCount());
        assertEquals(java.util.List.of(), rpc.service().cancelled());
        rpc.assertClean();
    }

    @Test
    @InterruptAfter(60)
    void shouldFailThatCallAloneWhenResponseIsTooLong()
    {
        rpc.start();
        scriptSizes();
        for (final int length : new int[]{LIMIT + 1, 17 * MIB})
        {
            for (final int method : new int[]{PRODUCE_CLAIMED, PRODUCE_SCRATCH, PRODUCE_CLAIMED, PRODUCE_SCRATCH})
            {
                final RecordingHandler.Outcome outcome = rpc.call(method, intBytes(length));
                assertEquals(StatusCode.RESOURCE_EXHAUSTED, outcome.code());
                assertTrue(outcome.text().contains(length + " bytes"), outcome::text);
                assertTrue(outcome.text().contains(LIMIT + " bytes"), outcome::text);
                assertEquals(StatusCode.OK, rpc.call(method, intBytes(9)).code());
            }
        }
        rpc.assertClean();
    }

    @Test
    @InterruptAfter(60)
    void shouldAnswerShortCallWhenLongRequestIsStillOnItsWay()
    {
        rpc.start();
        scriptSizes();
        final RecordingHandler longHandler = new RecordingHandler();
        final RecordingHandler shortHandler = new RecordingHandler();
        final byte[] payload = bytes(LIMIT, 1);
        assertTrue(rpc.offer(MEASURE, payload, RpcChannel.NO_TIMEOUT, longHandler) > 0);
        for (int i = 1; i <= 20; i++)
        {
            final int expected = i;
            // at once, also where the transport is full of the long one
            assertTrue(rpc.channel().offer(
                SERVICE_ID, MEASURE, buffer(new byte[8]), 0, 8, RpcChannel.NO_TIMEOUT, shortHandler) > 0);
            rpc.until(() -> shortHandler.count() == expected);
            assertEquals(0, longHandler.count());
        }
        rpc.until(() -> longHandler.count() == 1);
        assertMeasured(payload, longHandler.last());
        rpc.assertClean();
    }

    @Test
    @InterruptAfter(60)
    void shouldCarryLongErrorDetailWhenItNeedsSeveralFrames()
    {
        rpc.start();
        final byte[] detail = bytes(MIB, 6);
        rpc.service().on(METHOD, (call, buffer, offset, length) ->
        {
            throw new RpcException(StatusCode.DATA_LOSS, "long", buffer(detail));
        });
        final RecordingHandler handler = new RecordingHandler();
        final byte[][] seen = new byte[1][];
        rpc.offer(METHOD, new byte[8], RpcChannel.NO_TIMEOUT, new CallingFirst(handler,
            () -> rpc.channel().offer(
                SERVICE_ID, RpcHarness.ECHO_METHOD_ID, buffer(new byte[MIB]), 0, MIB, RpcChannel.NO_TIMEOUT,
                new RecordingHandler().then(echo -> seen[0] = echo.payload()))));
        rpc.until(() -> seen[0] != null);
        assertArrayEquals(detail, handler.last().payload());
        assertArrayEquals(new byte[MIB], seen[0]);
        assertEquals(StatusCode.DATA_LOSS, handler.last().code());
        rpc.assertClean();
    }

    @Test
    @InterruptAfter(60)
    void shouldKeepLongResponseWhenItsHandlerMakesALongCallFirst()
    {
        rpc.start();
        final RecordingHandler handler = new RecordingHandler();
        final byte[][] seen = new byte[1][];
        final byte[] payload = bytes(MIB, 7);
        rpc.offer(RpcHarness.ECHO_METHOD_ID, payload, RpcChannel.NO_TIMEOUT, new CallingFirst(handler,
            () -> rpc.channel().offer(
                SERVICE_ID, RpcHarness.ECHO_METHOD_ID, buffer(new byte[MIB]), 0, MIB, RpcChannel.NO_TIMEOUT,
                new RecordingHandler().then(echo -> seen[0] = echo.payload()))));
        rpc.until(() -> seen[0] != null);
        assertArrayEquals(payload, handler.last().payload());
        assertArrayEquals(new byte[MIB], seen[0]);
        rpc.assertClean();
    }

    private static void assertMeasured(final byte[] payload, final RecordingHandler.Outcome outcome)
    {
        assertEquals(StatusCode.OK, outcome.code(), outcome::toString);
        final UnsafeBuffer answer = buffer(outcome.payload());
        assertEquals(payload.length, answer.getInt(0));
        assertEquals(hash(buffer(payload), 0, payload.length), answer.getInt(4), "payload of " + payload.length);
    }

    private static void assertTooLong(final int length, final int limit, final RpcException failure)
    {
        assertEquals(StatusCode.RESOURCE_EXHAUSTED, failure.code());
        assertTrue(failure.text().contains(length + " bytes"), failure::text);
        assertTrue(failure.text().contains(limit + " bytes"), failure::text);
    }

    static Throwable failureOf(final CompletableFuture<DirectBuffer> future) throws InterruptedException
    {
        try
        {
            future.get();
            throw new AssertionError("no failure");
        }
        catch (final ExecutionException ex)
        {
            return ex.getCause();
        }
    }

    static int hash(final DirectBuffer buffer, final int offset, final int length)
    {
        int hash = 1;
        for (int i = 0; i < length; i++)
        {
            hash = 31 * hash + buffer.getByte(offset + i);
        }
        return hash;
    }

    static byte[] intBytes(final int value)
    {
        final byte[] bytes = new byte[4];
        new UnsafeBuffer(bytes).putInt(0, value);
        return bytes;
    }
}
