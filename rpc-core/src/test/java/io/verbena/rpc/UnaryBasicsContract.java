/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import static io.verbena.rpc.RpcHarness.ECHO_METHOD_ID;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.rpc.test.InterruptAfter;
import io.verbena.rpc.test.RecordingHandler;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.Test;

/**
 * Calls that end as they should when nothing goes wrong at the connection.
 */
abstract class UnaryBasicsContract extends UnaryContractSupport
{
    @Test
    @InterruptAfter(20)
    void shouldAnswerWhenRequestIsClaimed()
    {
        rpc.start();
        final RecordingHandler handler = new RecordingHandler();
        final byte[] payload = bytes(40, 1);
        final long id = rpc.channel().claim(SERVICE_ID, ECHO_METHOD_ID, 64, RpcChannel.DEFAULT_TIMEOUT, handler);
        assertTrue(id > 0);
        assertEquals(0, rpc.channel().callsInFlight());
        rpc.channel().buffer().putBytes(rpc.channel().offset(), payload);
        rpc.channel().commit(payload.length);
        assertEquals(1, rpc.channel().callsInFlight());
        rpc.until(() -> handler.count() == 1);
        assertEquals(id, handler.last().correlationId());
        assertArrayEquals(payload, handler.last().payload());
        rpc.assertClean();
    }

    @Test
    @InterruptAfter(20)
    void shouldAnswerWhenRequestIsOffered()
    {
        rpc.start();
        for (int i = 0; i < 2_000; i++)
        {
            final byte[] payload = bytes(i % 300, i);
            assertArrayEquals(payload, rpc.call(ECHO_METHOD_ID, payload).payload());
        }
        rpc.assertClean();
    }

    @Test
    @InterruptAfter(20)
    void shouldMakeNoCallWhenClaimIsAborted()
    {
        rpc.start();
        final RecordingHandler handler = new RecordingHandler();
        assertTrue(rpc.channel().claim(SERVICE_ID, ECHO_METHOD_ID, 8, RpcChannel.NO_TIMEOUT, handler) > 0);
        rpc.channel().abort();
        rpc.channel().abort();
        assertThrows(IllegalStateException.class, () -> rpc.channel().commit(8));
        assertEchoWorks();
        assertEquals(0, handler.count());
        assertEquals(1, rpc.service().requestCount());
        rpc.assertClean();
    }

    @Test
    @InterruptAfter(20)
    void shouldCompleteFutureWhenCalledFromAnotherThread() throws Exception
    {
        rpc.start();
        final byte[] payload = bytes(100, 1);
        final CompletableFuture<DirectBuffer> made = new CompletableFuture<>();
        final Thread thread = new Thread(() -> rpc.channel()
            .call(SERVICE_ID, ECHO_METHOD_ID, buffer(payload), 0, payload.length, RpcChannel.DEFAULT_TIMEOUT)
            .whenComplete((response, failure) -> made.complete(response)));
        thread.start();
        rpc.until(made::isDone);
        thread.join();
        final byte[] answer = new byte[made.get().capacity()];
        made.get().getBytes(0, answer);
        assertArrayEquals(payload, answer);
        rpc.assertClean();
    }

    @Test
    @InterruptAfter(20)
    void shouldCompleteFutureWhenClientHasAThreadOfItsOwn() throws Exception
    {
        rpc.launchServer(context -> {});
        final byte[] payload = bytes(100, 1);
        try (RpcClient client = RpcClient.launch(new RpcClient.Context().transport(newTransport())))
        {
            final CompletableFuture<RpcChannel> connected =
                CompletableFuture.supplyAsync(() -> client.connect(rpc.address()));
            rpc.until(connected::isDone);
            final RpcChannel channel = connected.get();
            assertThrows(IllegalStateException.class, client::doWork);
            for (int i = 0; i < 100; i++)
            {
                final CompletableFuture<DirectBuffer> future =
                    channel.call(SERVICE_ID, ECHO_METHOD_ID, buffer(payload), 10, 90, RpcChannel.DEFAULT_TIMEOUT);
                rpc.until(future::isDone);
                assertEquals(90, future.get(10, TimeUnit.SECONDS).capacity());
                assertEquals(payload[10], future.get().getByte(0));
            }
        }
        assertEquals(java.util.List.of(), rpc.serverErrors());
    }

    @Test
    @InterruptAfter(20)
    void shouldTellCodeTextAndDetailWhenHandlerFails()
    {
        rpc.start();
        final byte[] detail = bytes(33, 3);
        rpc.service()
            .on(10, (call, buffer, offset, length) -> call.fail(StatusCode.NOT_FOUND, "no such thing: \u20ac"))
            .on(11, (call, buffer, offset, length) ->
            {
                call.claimError(StatusCode.FAILED_PRECONDITION, "typed", detail.length);
                call.buffer().putBytes(call.offset(), detail);
                call.send(detail.length);
            })
            .on(12, (call, buffer, offset, length) ->
            {
                call.claimErrorScratch(StatusCode.DATA_LOSS, null);
                call.buffer().putBytes(call.offset(), detail);
                call.send(detail.length);
            })
            .on(13, (call, buffer, offset, length) ->
            {
                throw new RpcException(StatusCode.ABORTED, "thrown", buffer(detail));
            });
        RecordingHandler.Outcome outcome = rpc.call(10, new byte[0]);
        assertEquals(StatusCode.NOT_FOUND, outcome.code());
        assertEquals("no such thing: \u20ac", outcome.text());
        assertEquals(0, outcome.payload().length);
        outcome = rpc.call(11, new byte[0]);
        assertEquals(StatusCode.FAILED_PRECONDITION, outcome.code());
        assertEquals("typed", outcome.text());
        assertArrayEquals(detail, outcome.payload());
        outcome = rpc.call(12, new byte[0]);
        assertEquals(StatusCode.DATA_LOSS, outcome.code());
        assertEquals("", outcome.text());
        assertArrayEquals(detail, outcome.payload());
        outcome = rpc.call(13, new byte[0]);
        assertEquals(StatusCode.ABORTED, outcome.code());
        assertEquals("thrown", outcome.text());
        assertArrayEquals(detail, outcome.payload());
        rpc.assertClean();
    }

    @Test
    @InterruptAfter(20)
    void shouldFailFutureWithStatusWhenHandlerFails()
    {
        rpc.start();
        final byte[] detail = bytes(24, 3);
        rpc.service().on(METHOD, (call, buffer, offset, length) ->
        {
            throw new RpcException(StatusCode.ABORTED, "thrown", buffer(detail));
        });
        final CompletableFuture<DirectBuffer> future =
            rpc.channel().call(SERVICE_ID, METHOD, buffer(new byte[8]), 0, 8, RpcChannel.DEFAULT_TIMEOUT);
        rpc.until(future::isDone);
        final ExecutionException failure = assertThrows(ExecutionException.class, future::get);
        final RpcException status = assertInstanceOf(RpcException.class, failure.getCause());
        assertEquals(StatusCode.ABORTED, status.code());
        assertEquals("thrown", status.text());
        assertEquals(buffer(detail), status.detail());
        rpc.assertClean();
    }

    @Test
    @InterruptAfter(20)
    void shouldCutTextWhenItIsLongerThanTheLimit()
    {
        rpc.start();
        rpc.service().on(METHOD, (call, buffer, offset, length) -> call.fail(
            StatusCode.INTERNAL, "x".repeat(1024 - length) + "\u20ac".repeat(10)));
        assertEquals("x".repeat(1021) + "\u20ac [cut]", rpc.call(METHOD, new byte[3]).text());
        assertEquals("x".repeat(1022) + " [cut]", rpc.call(METHOD, new byte[2]).text());
        rpc.assertClean();
    }

    @Test
    @InterruptAfter(20)
    void shouldSayUnimplementedWhenServiceIsUnknown()
    {
        rpc.start();
        final RecordingHandler handler = new RecordingHandler();
        assertTrue(rpc.channel().offer(
            99, 1, buffer(new byte[8]), 0, 8, RpcChannel.DEFAULT_TIMEOUT, handler) > 0);
        rpc.until(() -> handler.count() == 1);
        assertEquals(StatusCode.UNIMPLEMENTED, handler.last().code());
        assertTrue(handler.last().text().contains("99"), handler.last()::toString);
        assertEchoWorks();
        rpc.assertClean();
    }

    @Test
    @InterruptAfter(20)
    void shouldRefuseArgumentsWhenTheyMakeNoSense()
    {
        rpc.start();
        final RecordingHandler handler = new RecordingHandler();
        final RpcChannel channel = rpc.channel();
        assertThrows(IllegalArgumentException.class, () -> channel.claim(SERVICE_ID, 1, -1, 0, handler));
        assertThrows(IllegalArgumentException.class, () -> channel.claim(SERVICE_ID, 1, 8, -1, handler));
        assertThrows(IllegalArgumentException.class,
            () -> channel.offer(SERVICE_ID, 1, buffer(new byte[8]), 0, 8, -1, handler));
        assertThrows(IndexOutOfBoundsException.class,
            () -> channel.offer(SERVICE_ID, 1, buffer(new byte[8]), 4, 8, 0, handler));
        assertThrows(IndexOutOfBoundsException.class,
            () -> channel.offer(SERVICE_ID, 1, buffer(new byte[8]), 0, 1 << 20, 0, handler));
        assertThrows(IndexOutOfBoundsException.class,
            () -> channel.call(SERVICE_ID, 1, buffer(new byte[8]), 4, 8, 0));
        assertTrue(channel.claim(SERVICE_ID, 1, 8, 0, handler) > 0);
        assertThrows(IllegalStateException.class, () -> channel.claim(SERVICE_ID, 1, 8, 0, handler));
        assertThrows(IllegalStateException.class,
            () -> channel.offer(SERVICE_ID, 1, buffer(new byte[8]), 0, 8, 0, handler));
        assertThrows(IllegalArgumentException.class, () -> channel.commit(9));
        assertFalse(channel.cancel(12345));
        assertEchoWorks();
        assertEquals(0, handler.count());
        rpc.assertClean();
    }
}
