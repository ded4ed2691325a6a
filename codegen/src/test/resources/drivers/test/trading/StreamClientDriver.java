/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package test.trading;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.rpc.CallOptions;
import io.verbena.rpc.HedgingPolicy;
import io.verbena.rpc.RetryPolicy;
import io.verbena.rpc.RpcChannel;
import io.verbena.rpc.RpcException;
import io.verbena.rpc.StatusCode;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Drives a generated client, for any thread, of a service that streams. */
public final class StreamClientDriver
{
    private StreamClientDriver()
    {
    }

    public static void shouldDeclareOptions()
    {
        assertEquals(CallOptions.DEFAULT.timeoutNs(2_000_000_000L), FeedClient.UPLOAD_OPTIONS);
        assertEquals(CallOptions.DEFAULT.timeoutNs(Long.MAX_VALUE), FeedClient.WATCH_OPTIONS);
        assertEquals(CallOptions.DEFAULT.idempotent(true).retry(new RetryPolicy(
            3, 200_000_000L, 200_000_000L, StatusCode.UNAVAILABLE, StatusCode.ABORTED)), FeedClient.FIND_OPTIONS);
        assertEquals(CallOptions.DEFAULT.timeoutNs(1_000_000L).idempotent(true)
            .hedging(new HedgingPolicy(2, 50_000L)), FeedClient.PEEK_OPTIONS);
    }

    public static void shouldPassOptionsOn()
    {
        final RpcChannel channel = new RpcChannel(null);
        final FeedClient client = new FeedClient(channel);
        assertEquals("12 Feed 7 3", channel.required);
        final CallOptions options = CallOptions.DEFAULT.timeoutNs(5);
        client.findAsync((request) -> request.orderId(1));
        assertSame(FeedClient.FIND_OPTIONS, channel.options);
        client.findAsync((request) -> request.orderId(1), 77);
        assertEquals(FeedClient.FIND_OPTIONS.timeoutNs(77), channel.options);
        client.findAsync((request) -> request.orderId(1), options);
        assertSame(options, channel.options);
        client.watch((request) -> request.orderId(1), options);
        client.upload(options);
        client.trade();
        assertSame(FeedClient.TRADE_OPTIONS, channel.options);
        assertEquals(List.of("call 12 4 25 0", "call 12 4 25 77", "call 12 4 25 5", "stream 12 1 SERVER_STREAM 25 5",
            "stream 12 2 CLIENT_STREAM 0 5", "stream 12 3 BIDI 0 " + Long.MAX_VALUE), channel.log);
    }

    public static void shouldTakeItemsUntilTheEnd()
    {
        final RpcChannel channel = new RpcChannel(null);
        channel.stream.items.add(StreamProxyDriver.placed(1));
        channel.stream.items.add(StreamProxyDriver.placed(2));
        channel.stream.items.add(StreamProxyDriver.placed(3));
        try (FeedClient.WatchStream stream = new FeedClient(channel).watch((request) -> request.orderId(8)))
        {
            assertEquals(8,
                new NewOrderDecoder().wrapAndApplyHeader(channel.request, 0, new MessageHeaderDecoder()).orderId());
            final OrderPlacedDecoder first = stream.take();
            final OrderPlacedDecoder second = stream.poll();
            assertNotSame(first, second);
            assertEquals(1, first.orderId());
            assertEquals(2, second.orderId());
            assertFalse(stream.isEnded());
            final List<Long> rest = new ArrayList<>();
            for (final OrderPlacedDecoder item : stream)
            {
                rest.add(item.orderId());
            }
            assertEquals(List.of(3L), rest);
            assertNull(stream.take());
            assertNull(stream.poll());
            channel.stream.isEnded = true;
            assertTrue(stream.isEnded());
            final Iterator<OrderPlacedDecoder> iterator = stream.iterator();
            assertFalse(iterator.hasNext());
            assertThrows(NoSuchElementException.class, iterator::next);
        }
        assertTrue(channel.stream.log.contains("close"));
    }

    public static void shouldThrowTypedExceptionWhenStreamFails()
    {
        final RpcChannel channel = new RpcChannel(null);
        final FeedClient.WatchStream stream = new FeedClient(channel).watch((request) -> {});
        channel.stream.failure = rejected();
        assertEquals("why", assertThrows(RejectedException.class, stream::take).error().detail());
        assertThrows(RejectedException.class, stream::poll);
        final FeedClient.UploadStream upload = new FeedClient(channel).upload();
        assertThrows(RejectedException.class, () -> upload.offer(StreamClientDriver::fill));
        assertThrows(RejectedException.class, () -> upload.send(StreamClientDriver::fill));
    }

    public static void shouldCancelWhenItemCannotBeRead()
    {
        final RpcChannel channel = new RpcChannel(null);
        channel.stream.items.add(new UnsafeBuffer(new byte[4]));
        final FeedClient.TradeStream stream = new FeedClient(channel).trade();
        assertEquals(StatusCode.INTERNAL, assertThrows(RpcException.class, stream::take).code());
        assertEquals(List.of("take", "cancel"), channel.stream.log);
    }

    public static void shouldPushItemsAndCompleteAtTheEnd() throws Exception
    {
        final RpcChannel channel = new RpcChannel(null);
        final List<Long> items = new ArrayList<>();
        final CompletableFuture<Void> end = new FeedClient(channel)
            .watchAsync((request) -> request.orderId(8), (item) -> items.add(item.orderId()));
        channel.consumer.accept(StreamProxyDriver.placed(1));
        channel.consumer.accept(StreamProxyDriver.placed(2));
        assertFalse(end.isDone());
        channel.stream.result.complete(null);
        assertNull(end.get());
        assertEquals(List.of(1L, 2L), items);
    }

    public static void shouldFailPushWithTypedExceptionWhenStreamFails()
    {
        final RpcChannel channel = new RpcChannel(null);
        final CompletableFuture<Void> end = new FeedClient(channel).watchAsync((request) -> {}, (item) -> {});
        channel.stream.result.completeExceptionally(rejected());
        assertInstanceOf(RejectedException.class, assertThrows(ExecutionException.class, end::get).getCause());
    }

    public static void shouldFailPushWithWhatTheConsumerThrew()
    {
        final RpcChannel channel = new RpcChannel(null);
        final CompletableFuture<Void> end = new FeedClient(channel).watchAsync((request) -> {}, (item) ->
        {
            throw new ArithmeticException("mine");
        });
        assertThrows(ArithmeticException.class, () -> channel.consumer.accept(StreamProxyDriver.placed(1)));
        channel.stream.result.completeExceptionally(new RpcException(StatusCode.CANCELLED, "because of it"));
        final RpcException failure = (RpcException)assertThrows(ExecutionException.class, end::get).getCause();
        assertEquals(StatusCode.INTERNAL, failure.code());
        assertTrue(failure.text().contains("mine"));

        final CompletableFuture<Void> unreadable = new FeedClient(channel).watchAsync((request) -> {}, (item) -> {});
        assertThrows(RpcException.class, () -> channel.consumer.accept(new UnsafeBuffer(new byte[3])));
        assertTrue(unreadable.isCompletedExceptionally());
    }

    public static void shouldCancelTheCallWhenPushIsCancelled()
    {
        final RpcChannel channel = new RpcChannel(null);
        new FeedClient(channel).watchAsync((request) -> {}, (item) -> {}).cancel(true);
        assertEquals(List.of("cancel"), channel.stream.log);
    }

    public static void shouldSendItemsAndTakeTheResponse() throws Exception
    {
        final RpcChannel channel = new RpcChannel(null);
        final FeedClient.UploadStream stream = new FeedClient(channel).upload();
        assertTrue(stream.send(StreamClientDriver::fill));
        assertTrue(stream.offer(StreamClientDriver::fill));
        channel.stream.isFull = true;
        assertFalse(stream.offer(StreamClientDriver::fill));
        assertSame(channel.stream.ready, stream.whenReady());
        assertEquals(2, channel.stream.sent.size());
        final DirectBuffer sent = channel.stream.sent.get(1);
        assertEquals(22, sent.capacity());
        assertEquals(4, new BasketDecoder().wrapAndApplyHeader(sent, 0, new MessageHeaderDecoder()).basketId());
        channel.stream.result.complete(StreamProxyDriver.placed(5));
        assertEquals(5, stream.finish().orderId());
        assertEquals(5, stream.response().get().orderId());
        assertEquals(List.of("send 22", "halfClose"), channel.stream.log);
    }

    public static void shouldCancelTheCallWhenResponseIsCancelled()
    {
        final RpcChannel channel = new RpcChannel(null);
        final FeedClient.UploadStream stream = new FeedClient(channel).upload();
        stream.response().cancel(true);
        stream.cancel();
        stream.close();
        assertEquals(List.of("cancel", "cancel", "close"), channel.stream.log);
    }

    public static void shouldThrowTypedExceptionWhenResponseIsDeclaredError()
    {
        final RpcChannel channel = new RpcChannel(null);
        final FeedClient.UploadStream stream = new FeedClient(channel).upload();
        channel.stream.result.completeExceptionally(rejected());
        assertThrows(RejectedException.class, stream::finish);
    }

    public static void shouldCancelAndStayMarkedWhenInterruptedAtTheResponse()
    {
        final RpcChannel channel = new RpcChannel(null);
        final FeedClient.UploadStream stream = new FeedClient(channel).upload();
        Thread.currentThread().interrupt();
        assertEquals(StatusCode.CANCELLED, assertThrows(RpcException.class, stream::finish).code());
        assertTrue(Thread.interrupted());
        assertEquals(List.of("halfClose", "cancel"), channel.stream.log);
    }

    public static void shouldSendAndTakeOnOneCall()
    {
        final RpcChannel channel = new RpcChannel(null);
        final UnsafeBuffer basket = StreamServerDriver.basket(6);
        channel.stream.items.add(basket);
        final FeedClient.TradeStream stream = new FeedClient(channel).trade();
        assertTrue(stream.send((item) -> item.orderId(3)));
        assertEquals(6, stream.take().basketId());
        stream.halfClose();
        assertNull(stream.take());
        assertEquals(List.of("send 25", "take", "halfClose", "take"), channel.stream.log);
    }

    private static void fill(final BasketEncoder item)
    {
        item.basketId(4).legsCount(0);
        item.putNote(new byte[0], 0, 0).tag("");
    }

    private static RpcException rejected()
    {
        final UnsafeBuffer detail = new UnsafeBuffer(new byte[64]);
        final RejectedEncoder encoder = new RejectedEncoder().wrapAndApplyHeader(detail, 0, new MessageHeaderEncoder());
        encoder.reason((short)3).detail("why");
        return new RpcException(
            StatusCode.ABORTED, "no", new UnsafeBuffer(detail, 0, 8 + encoder.encodedLength()));
    }
}
