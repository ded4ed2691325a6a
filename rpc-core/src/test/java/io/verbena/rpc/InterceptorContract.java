/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.rpc.test.InterruptAfter;
import io.verbena.rpc.test.RecordingHandler;
import io.verbena.rpc.test.RecordingStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.Test;

/**
 * Interceptors on both sides: what they are told, in which order, once; and what they may do.
 */
abstract class InterceptorContract extends MetadataContract
{
    final List<String> log = new ArrayList<>();

    /**
     * Writes down what it is told, and fails where it is told to.
     */
    final class Client implements ClientInterceptor
    {
        final String name;
        String failIn = "";
        RuntimeException failure;

        Client(final String name)
        {
            this.name = name;
        }

        private void note(final CallInfo call, final String hook, final Object what)
        {
            log.add(name + " " + hook + " " + what);
            if (hook.equals(failIn))
            {
                throw failure;
            }
            assertEquals(SERVICE_ID, call.serviceId());
            assertTrue(call.correlationId() > 0);
        }

        @Override
        public void onStart(final CallInfo call, final Metadata requestMetadata)
        {
            assertNull(call.attachment());
            call.attach(name + call.correlationId());
            requestMetadata.add("by", name);
            note(call, "start", call.kind());
        }

        @Override
        public void onRequest(final CallInfo call, final DirectBuffer buffer, final int offset, final int length)
        {
            note(call, "request", length);
        }

        @Override
        public void onItemSent(final CallInfo call, final DirectBuffer buffer, final int offset, final int length)
        {
            note(call, "sent", length);
        }

        @Override
        public void onItemReceived(final CallInfo call, final DirectBuffer buffer, final int offset, final int length)
        {
            note(call, "received", length);
        }

        @Override
        public void onResponse(final CallInfo call, final DirectBuffer buffer, final int offset, final int length)
        {
            note(call, "response", length);
        }

        @Override
        public void onEnd(final CallInfo call, final StatusCode status, final String text, final Metadata trailers)
        {
            assertEquals(name + call.correlationId(), call.attachment());
            note(call, "end", status + (trailers.isEmpty() ? "" : " " + trailers));
        }
    }

    /**
     * Writes down what it is told, and fails where it is told to.
     */
    final class Server implements ServerInterceptor
    {
        final String name;
        String failIn = "";
        RuntimeException failure;
        StatusCode refusal;

        Server(final String name)
        {
            this.name = name;
        }

        private void note(final CallInfo info, final String hook, final Object what)
        {
            log.add(name + " " + hook + " " + what);
            if (hook.equals(failIn))
            {
                throw failure;
            }
            assertTrue(info.isServerSide());
        }

        @Override
        public void onRequest(
            final ServerCall call,
            final CallInfo info,
            final Metadata metadata,
            final DirectBuffer buffer,
            final int offset,
            final int length)
        {
            assertNull(info.attachment());
            info.attach(info.correlationId());
            call.responseMetadata().add("via", name);
            note(info, "request", length + " " + metadata);
            if (refusal != null)
            {
                call.fail(refusal, "not you");
            }
        }

        @Override
        public void onItemReceived(final CallInfo info, final DirectBuffer buffer, final int offset, final int length)
        {
            note(info, "received", length);
        }

        @Override
        public void onItemSent(final CallInfo info, final DirectBuffer buffer, final int offset, final int length)
        {
            note(info, "sent", length);
        }

        @Override
        public void onResponse(final CallInfo info, final DirectBuffer buffer, final int offset, final int length)
        {
            note(info, "response", length);
        }

        @Override
        public void onEnd(final CallInfo info, final StatusCode status)
        {
            assertEquals(info.correlationId(), info.attachment());
            note(info, "end", status);
        }
    }

    final Client a = new Client("a");
    final Client b = new Client("b");
    final Server x = new Server("x");
    final Server y = new Server("y");

    private void startIntercepted()
    {
        rpc.launchServer(context -> context.interceptor(x).interceptor(y))
            .launchClient(context -> context.interceptor(a).interceptor(b)).awaitReady();
    }

    @Test
    @InterruptAfter(20)
    void shouldTellInterceptorsInOrderOfRegistration()
    {
        startIntercepted();
        assertEquals(StatusCode.OK, rpc.call(METHOD, new byte[24]).code());
        final List<String> expected = List.of(
            "a start UNARY", "b start UNARY", "a request 24", "b request 24",
            "x request 24 [by=a, by=b]", "y request 24 [by=a, by=b]", "x response 24", "y response 24",
            "x end OK", "y end OK", "a response 24", "b response 24",
            "a end OK [via=x, via=y]", "b end OK [via=x, via=y]");
        assertEquals(expected, log);
        for (int i = 0; i < 3; i++)
        {
            log.clear();
            final RecordingHandler handler = new RecordingHandler();
            rpc.until(() -> rpc.channel().claim(SERVICE_ID, METHOD, 24, RpcChannel.NO_TIMEOUT, handler) > 0);
            rpc.channel().commit(24);
            rpc.until(() -> handler.count() == 1);
            assertEquals(expected, log);
        }
        log.clear();
        final CompletableFuture<DirectBuffer> future =
            rpc.channel().call(SERVICE_ID, METHOD, buffer(new byte[24]), 0, 24, RpcChannel.DEFAULT_TIMEOUT);
        rpc.until(future::isDone);
        assertEquals(expected, log);
        rpc.assertClean();
    }

    @Test
    @InterruptAfter(20)
    void shouldTellTheEndOnceHoweverTheCallEnds()
    {
        final List<ServerCall> kept = new ArrayList<>();
        rpc.service().on(METHOD, (call, buffer, offset, length) ->
        {
            if (length == 0)
            {
                call.fail(StatusCode.ABORTED, "failed");
            }
            else
            {
                kept.add(call.detach());
            }
        });
        startIntercepted();
        assertEquals(StatusCode.ABORTED, rpc.call(METHOD, new byte[0]).code());
        assertEnds("ABORTED", "ABORTED");
        final RecordingHandler handler = new RecordingHandler();
        final long cancelled = rpc.offer(METHOD, new byte[8], RpcChannel.NO_TIMEOUT, handler);
        rpc.until(() -> kept.size() == 1);
        rpc.channel().cancel(cancelled);
        rpc.until(() -> rpc.server().callsInFlight() == 0);
        assertEnds("CANCELLED", "CANCELLED");
        rpc.offer(METHOD, new byte[8], 1_000_000, handler);
        rpc.until(() -> kept.size() == 2);
        rpc.clock().advanceMs(1);
        rpc.until(() -> rpc.server().callsInFlight() == 0 && handler.count() == 2);
        assertEnds("DEADLINE_EXCEEDED", "DEADLINE_EXCEEDED");
        rpc.until(() -> rpc.channel().claim(SERVICE_ID, METHOD, 24, RpcChannel.NO_TIMEOUT, handler) > 0);
        rpc.channel().abort();
        assertEquals(List.of("a start UNARY", "b start UNARY", "a end CANCELLED", "b end CANCELLED"), log);
        log.clear();
        final CompletableFuture<DirectBuffer> future =
            rpc.channel().call(SERVICE_ID, METHOD, buffer(new byte[24]), 0, 24, RpcChannel.DEFAULT_TIMEOUT);
        rpc.until(() -> kept.size() == 3);
        future.cancel(true);
        rpc.until(() -> rpc.server().callsInFlight() == 0);
        assertEnds("CANCELLED", "CANCELLED");
        rpc.offer(METHOD, new byte[8], RpcChannel.NO_TIMEOUT, handler);
        rpc.until(() -> kept.size() == 4);
        rpc.channel().connector().link().connection().close();
        rpc.until(() -> rpc.server().callsInFlight() == 0 && handler.count() == 3);
        assertEnds("UNAVAILABLE", "UNAVAILABLE");
        rpc.assertNothingHeld();
    }

    private void assertEnds(final String client, final String server)
    {
        rpc.settle();
        assertEquals(List.of("a end " + client, "b end " + client, "x end " + server, "y end " + server),
            log.stream().filter(line -> line.contains(" end ")).map(line -> line.replaceAll(" \\[.*", "")).sorted()
                .toList());
        log.clear();
    }

    @Test
    @InterruptAfter(20)
    void shouldSendNothingWhenClientInterceptorRefuses()
    {
        startIntercepted();
        a.failIn = "start";
        a.failure = new RpcException(StatusCode.PERMISSION_DENIED, "no token");
        final RecordingHandler handler = new RecordingHandler();
        final RpcException refusal = assertThrows(RpcException.class, () ->
            rpc.channel().claim(SERVICE_ID, METHOD, 8, RpcChannel.DEFAULT_TIMEOUT, handler));
        assertEquals(StatusCode.PERMISSION_DENIED, refusal.code());
        assertEquals(List.of("a start UNARY", "a end PERMISSION_DENIED"), log);
        assertThrows(RpcException.class, () -> rpc.channel().offer(
            SERVICE_ID, METHOD, buffer(new byte[8]), 0, 8, RpcChannel.DEFAULT_TIMEOUT, handler));
        final CompletableFuture<DirectBuffer> future =
            rpc.channel().call(SERVICE_ID, METHOD, buffer(new byte[24]), 0, 24, RpcChannel.DEFAULT_TIMEOUT);
        rpc.until(future::isDone);
        final RpcException failure = (RpcException)assertThrows(CompletionException.class, future::join).getCause();
        assertEquals(StatusCode.PERMISSION_DENIED, failure.code());
        a.failIn = "request";
        final RecordingHandler told = new RecordingHandler();
        assertTrue(rpc.offer(METHOD, new byte[8], RpcChannel.DEFAULT_TIMEOUT, told) > 0);
        assertEquals(StatusCode.PERMISSION_DENIED, told.last().code());
        assertTrue(rpc.channel().claim(SERVICE_ID, METHOD, 8, RpcChannel.DEFAULT_TIMEOUT, told) > 0);
        rpc.channel().commit(8);
        assertEquals(2, told.count());
        rpc.settle();
        assertEquals(0, rpc.service().requestCount());
        assertEquals(0, handler.count());
        assertTrue(rpc.channel().requestMetadata().isEmpty());
        a.failIn = "";
        assertEchoWorks();
        rpc.assertClean();
    }

    @Test
    @InterruptAfter(20)
    void shouldNeverReachHandlerWhenServerInterceptorRefuses()
    {
        startIntercepted();
        x.refusal = StatusCode.UNAUTHENTICATED;
        final RecordingHandler handler = infoHandler();
        rpc.offer(METHOD, new byte[8], RpcChannel.DEFAULT_TIMEOUT, handler);
        rpc.until(() -> handler.count() == 1);
        assertEquals(List.of("UNAUTHENTICATED [via=x] 0 new"), toldInfos);
        assertEquals("not you", handler.last().text());
        x.refusal = null;
        y.failIn = "request";
        y.failure = new RpcException(StatusCode.PERMISSION_DENIED, "nor you", null, 77, false);
        rpc.offer(METHOD, new byte[8], RpcChannel.DEFAULT_TIMEOUT, handler);
        rpc.until(() -> handler.count() == 2);
        assertEquals("PERMISSION_DENIED [via=x, via=y] 77 new", toldInfos.get(1));
        assertEquals(0, rpc.service().requestCount());
        assertEquals(List.of(), rpc.service().cancelled());
        assertEquals(List.of("x end UNAUTHENTICATED", "x end PERMISSION_DENIED", "y end PERMISSION_DENIED"),
            log.stream().filter(line -> line.matches("[xy] end .*")).toList());
        rpc.assertClean();
    }

    @Test
    @InterruptAfter(20)
    void shouldFailCallAndTellErrorHandlerWhenInterceptorThrows()
    {
        startIntercepted();
        final IllegalStateException broken = new IllegalStateException("broken");
        a.failure = broken;
        x.failure = broken;
        for (final String hook : List.of("request", "response"))
        {
            a.failIn = hook;
            final RecordingHandler.Outcome outcome = rpc.call(METHOD, new byte[8]);
            assertEquals(StatusCode.INTERNAL, outcome.code());
            assertTrue(outcome.text().contains("broken"), outcome::text);
            assertEquals(List.of(broken), rpc.clientErrors());
            rpc.clientErrors().clear();
        }
        a.failIn = "";
        for (final String hook : List.of("request", "response"))
        {
            x.failIn = hook;
            final RecordingHandler.Outcome outcome = rpc.call(METHOD, new byte[8]);
            assertEquals(StatusCode.INTERNAL, outcome.code());
            assertEquals(List.of(broken), rpc.serverErrors());
            rpc.serverErrors().clear();
        }
        a.failIn = "end";
        x.failIn = "end";
        assertEquals(StatusCode.OK, rpc.call(METHOD, new byte[8]).code());
        assertEquals(List.of(broken), rpc.serverErrors());
        assertEquals(List.of(broken), rpc.clientErrors());
        a.failIn = "start";
        x.failIn = "";
        final RpcException refusal = assertThrows(RpcException.class, () ->
            rpc.channel().claim(SERVICE_ID, METHOD, 8, RpcChannel.DEFAULT_TIMEOUT, new RecordingHandler()));
        assertEquals(StatusCode.INTERNAL, refusal.code());
        assertEquals(List.of(broken, broken), rpc.clientErrors());
        a.failIn = "";
        assertEchoWorks();
        rpc.assertNothingHeld();
        log.clear();
    }

    @Test
    @InterruptAfter(20)
    void shouldTellInterceptorsOfItems()
    {
        rpc.service().on(STREAM_METHOD, MethodKind.BIDI, (call, buffer, offset, length) -> {});
        rpc.service().onItem(STREAM_METHOD, (call, buffer, offset, length) ->
        {
            assertTrue(call.claimItem(length) > 0);
            call.send(length);
            assertTrue(call.offerItem(buffer(new byte[70_000]), 0, 70_000) > 0);
        });
        rpc.service().onHalfClosed(STREAM_METHOD, ServerCall::complete);
        startIntercepted();
        final RecordingStream stream = new RecordingStream();
        final long[] id = new long[1];
        rpc.until(() -> (id[0] = rpc.channel().openStream(
            SERVICE_ID, STREAM_METHOD, MethodKind.BIDI, RpcChannel.DEFAULT_TIMEOUT, stream)) > 0);
        rpc.until(() -> rpc.channel().claimItem(id[0], 16) > 0);
        rpc.channel().commit(16);
        rpc.until(() -> stream.items().size() == 2);
        rpc.channel().halfClose(id[0]);
        rpc.until(stream::hasEnded);
        assertEquals(StatusCode.OK, stream.status(), stream::toString);
        assertEquals(List.of("start BIDI", "sent 16", "received 16", "received 70000", "end OK"), linesOf("a"));
        assertEquals(linesOf("a"), linesOf("b"));
        assertEquals(List.of(
            "request 0 [by=a, by=b]", "received 16", "sent 16", "sent 70000", "end OK"), linesOf("x"));
        assertEquals(linesOf("x"), linesOf("y"));
        rpc.assertClean();
    }

    @Test
    @InterruptAfter(20)
    void shouldTellClientInterceptorOfItemOnceWhenTransportPushesBack()
    {
        rpc.service().on(STREAM_METHOD, MethodKind.BIDI, (call, buffer, offset, length) -> {});
        rpc.service().onItem(STREAM_METHOD, (call, buffer, offset, length) -> {});
        rpc.launchServer(context -> context.connectionWindowBytes(1L << 30).streamWindowBytes(1 << 30))
            .launchClient(context -> context.interceptor(a)).awaitReady();
        final long[] id = new long[1];
        rpc.until(() -> (id[0] = rpc.channel().openStream(
            SERVICE_ID, STREAM_METHOD, MethodKind.BIDI, RpcChannel.DEFAULT_TIMEOUT, new RecordingStream())) > 0);
        final DirectBuffer item = buffer(new byte[4_000]);
        int accepted = 0;
        while (rpc.channel().offerItem(id[0], item, 0, 4_000) > 0)
        {
            accepted++;
        }
        for (int i = 0; i < 3; i++)
        {
            assertTrue(rpc.channel().offerItem(id[0], item, 0, 4_000) < 0);
        }
        assertTrue(accepted > 0);
        assertEquals(accepted, linesOf("a").stream().filter(line -> line.startsWith("sent")).count());
        assertTrue(rpc.channel().cancel(id[0]));
        rpc.until(() -> rpc.server().callsInFlight() == 0);
    }

    private List<String> linesOf(final String name)
    {
        return log.stream().filter(line -> line.startsWith(name)).map(line -> line.substring(2)).toList();
    }

    @Test
    @InterruptAfter(20)
    void shouldEndStreamWhenInterceptorRefusesItem()
    {
        rpc.service().on(STREAM_METHOD, MethodKind.BIDI, (call, buffer, offset, length) -> {});
        rpc.service().onItem(STREAM_METHOD, InterceptorContract::offerBack);
        startIntercepted();
        final RpcException refusal = new RpcException(StatusCode.OUT_OF_RANGE, "too much");
        a.failure = refusal;
        x.failure = refusal;
        for (int i = 0; i < 4; i++)
        {
            a.failIn = i == 0 ? "sent" : i == 3 ? "received" : "";
            x.failIn = i == 1 ? "received" : i == 2 ? "sent" : "";
            final RecordingStream stream = new RecordingStream();
            final long[] id = new long[1];
            rpc.until(() -> (id[0] = rpc.channel().openStream(
                SERVICE_ID, STREAM_METHOD, MethodKind.BIDI, RpcChannel.DEFAULT_TIMEOUT, stream)) > 0);
            rpc.until(() ->
            {
                final long result = rpc.channel().offerItem(id[0], buffer(new byte[16]), 0, 16);
                return result > 0 || result == RpcChannel.CALL_ENDED;
            });
            rpc.until(stream::hasEnded);
            assertEquals(StatusCode.OUT_OF_RANGE, stream.status(), stream::toString);
            assertEquals("too much", stream.text());
            assertEquals(List.of(), stream.items());
            rpc.until(() -> rpc.server().callsInFlight() == 0);
            rpc.settle();
        }
        assertEquals(4, log.stream().filter(line -> line.startsWith("a end")).count());
        assertEquals(4, log.stream().filter(line -> line.startsWith("x end")).count());
        assertEquals(4, rpc.service().ended().size());
        rpc.assertClean();
    }

    private static void offerBack(
        final ServerCall call, final DirectBuffer buffer, final int offset, final int length)
    {
        call.offerItem(buffer, offset, length);
    }
}
