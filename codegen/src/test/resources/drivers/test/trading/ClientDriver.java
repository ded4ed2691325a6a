/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package test.trading;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.rpc.RpcChannel;
import io.verbena.rpc.RpcException;
import io.verbena.rpc.ServerCall;
import io.verbena.rpc.StatusCode;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.BiConsumer;
import org.agrona.concurrent.UnsafeBuffer;

/** Drives a generated proxy and client over a channel double. */
public final class ClientDriver
{
    private static final byte[] TEXT = {'a', 'b', 'c', 'd'};

    private ClientDriver()
    {
    }

    public static void shouldDeclareConstants()
    {
        assertEquals(10, OrdersProxy.SERVICE_ID);
        assertEquals(1, OrdersProxy.PLACE_METHOD_ID);
        assertEquals(2, OrdersProxy.PLACE_ALL_METHOD_ID);
        assertEquals(250_000L, OrdersProxy.PLACE_TIMEOUT_NS);
        assertEquals(RpcChannel.DEFAULT_TIMEOUT, OrdersProxy.PLACE_ALL_TIMEOUT_NS);
    }

    public static void shouldCallThroughClaimAndHearTheResponse()
    {
        final RpcChannel channel = answering((request, responder) ->
        {
            responder.claim(8).orderId(request.orderId() + 1);
            responder.send();
        });
        final Listener listener = new Listener();
        final OrdersProxy proxy = new OrdersProxy(channel, listener);
        final long correlationId = proxy.placeClaim(17);
        proxy.placeEncoder().orderId(41).side(Side.BUY).limitPrice(2);
        proxy.commit();
        assertEquals(1, correlationId);
        assertEquals(List.of("claim 10 1 25 250000", "commit 25"), channel.log);
        assertEquals(List.of("placed 1 42"), listener.heard);
    }

    public static void shouldCommitWhatWasEncodedWhenMoreWasClaimed()
    {
        final RpcChannel channel = new RpcChannel(null);
        final OrdersProxy proxy = new OrdersProxy(channel, new Listener());
        proxy.placeClaim(200, 77);
        proxy.placeEncoder();
        proxy.commit();
        assertEquals(List.of("claim 10 1 208 77", "commit 25"), channel.log);
    }

    public static void shouldThrowWhenWritingPastTheClaim()
    {
        final RpcChannel channel = new RpcChannel(null);
        final BasketsProxy proxy = new BasketsProxy(channel, new BasketListener());
        proxy.echoClaim(4 + 4 + 4 + 5);
        final BasketEncoder encoder = proxy.echoEncoder().basketId(1);
        encoder.legsCount(0);
        assertThrows(IndexOutOfBoundsException.class, () -> encoder.putNote(new byte[6], 0, 6));
        assertEquals(RpcChannel.FILLER, channel.term.getByte(RpcChannel.REGION_OFFSET + 8 + 17));
        proxy.abort();
        assertEquals(List.of("claim 11 1 25 0", "abort"), channel.log);
    }

    public static void shouldOpenNothingWhenChannelRefuses()
    {
        final RpcChannel channel = new RpcChannel(null);
        channel.refusal = -2;
        final OrdersProxy proxy = new OrdersProxy(channel, new Listener());
        assertEquals(-2, proxy.placeClaim(17));
        assertThrows(IllegalStateException.class, proxy::placeEncoder);
        assertThrows(IllegalStateException.class, proxy::commit);
        proxy.abort();
        assertEquals(List.of("claim 10 1 25 250000"), channel.log);
    }

    public static void shouldRefuseMisuseOfProxy()
    {
        final RpcChannel channel = new RpcChannel(null);
        final OrdersProxy proxy = new OrdersProxy(channel, new Listener());
        assertThrows(IllegalArgumentException.class, () -> proxy.placeClaim(16));
        assertThrows(IllegalArgumentException.class, () -> proxy.placeClaim(Integer.MAX_VALUE));
        assertThrows(NullPointerException.class, () -> new OrdersProxy(null, new Listener()));
        assertThrows(NullPointerException.class, () -> new OrdersProxy(channel, null));
        proxy.placeClaim(17);
        assertThrows(IllegalStateException.class, proxy::placeAllEncoder);
        assertThrows(IllegalStateException.class, () -> proxy.placeClaim(17));
        proxy.placeEncoder();
        proxy.commit();
        assertThrows(IllegalStateException.class, proxy::commit);
    }

    public static void shouldAllocateNothingOnTheZeroCopyPath()
    {
        final RpcChannel channel = new RpcChannel(new BasketsAdapter((request, responder) ->
            encode(responder.claim(128), request.basketId(), responder)));
        channel.quietCall = new ServerCall(1, 1, 1);
        channel.quietCall.isQuiet = true;
        final Counter counter = new Counter();
        final BasketsProxy proxy = new BasketsProxy(channel, counter);
        final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
        final int calls = 100_000;
        call(proxy, calls);
        final long before = threads.getCurrentThreadAllocatedBytes();
        call(proxy, calls);
        final long allocated = threads.getCurrentThreadAllocatedBytes() - before;
        assertEquals(2 * calls, counter.count);
        // Measuring itself and the JIT take a little, once; an object in each call would be 16 bytes or more.
        assertTrue(allocated < calls / 10, "bytes allocated in " + calls + " calls: " + allocated);
    }

    private static void call(final BasketsProxy proxy, final int count)
    {
        for (int i = 0; i < count; i++)
        {
            proxy.echoClaim(128);
            encode(proxy.echoEncoder(), i, null);
            proxy.commit();
        }
    }

    private static void encode(final BasketEncoder encoder, final int id, final BasketResponder responder)
    {
        final BasketEncoder.LegsEncoder legs = encoder.basketId(id).legsCount(1).next().quantity(1).venue((short)1);
        legs.fillsCount(1).next().price(2);
        legs.putSymbol(TEXT, 0, TEXT.length);
        encoder.putNote(TEXT, 0, 3).putTag(TEXT, 0, 1);
        if (null != responder)
        {
            responder.send();
        }
    }

    public static void shouldOfferEncodedMessageAndCancel()
    {
        final RpcChannel channel = answering((request, responder) -> responder.fail(StatusCode.ABORTED, "no"));
        final Listener listener = new Listener();
        final OrdersProxy proxy = new OrdersProxy(channel, listener);
        assertEquals(1, proxy.placeOffer(ServerDriver.order(), 40, 25, 9));
        assertTrue(proxy.cancel(1));
        assertFalse(proxy.cancel(2));
        assertEquals(List.of("offer 10 1 25 9", "cancel 1", "cancel 2"), channel.log);
        assertEquals(List.of("error 1 1 ABORTED no"), listener.heard);
    }

    public static void shouldHearDeclaredErrors()
    {
        final Listener listener = new Listener();
        place(listener, (request, responder) ->
        {
            responder.claimRejected(StatusCode.FAILED_PRECONDITION, "rule", 6).reason((short)2).detail("abc");
            responder.send();
        });
        place(listener, (request, responder) ->
        {
            responder.claimHalted(StatusCode.UNAVAILABLE, "closed", 8).reopens(5);
            responder.send();
        });
        assertEquals(List.of("rejected 1 FAILED_PRECONDITION rule 2 abc", "error 1 1 UNAVAILABLE closed"),
            listener.heard, "halted is not overridden, so it goes to onError");
    }

    public static void shouldHearPlainErrorWhenDetailIsNoDeclaredError()
    {
        final RpcChannel channel = new RpcChannel(null);
        final Listener listener = new Listener();
        final OrdersProxy proxy = new OrdersProxy(channel, listener);
        proxy.placeClaim(17);
        proxy.commit();
        final UnsafeBuffer detail = new UnsafeBuffer(new byte[64]);
        new OrderPlacedEncoder().wrapAndApplyHeader(detail, 8, new MessageHeaderEncoder()).orderId(3);
        channel.handler.onError(1, 1, StatusCode.ABORTED, "foreign", detail, 8, 16);
        new HaltedEncoder().wrapAndApplyHeader(detail, 8, new MessageHeaderEncoder()).reopens(3);
        channel.handler.onError(2, 1, StatusCode.ABORTED, "cut", detail, 8, 15);
        channel.handler.onError(3, 1, StatusCode.ABORTED, "none", null, 0, 0);
        channel.handler.onError(4, 99, StatusCode.ABORTED, "which", detail, 8, 16);
        assertEquals(List.of("error 1 1 ABORTED foreign", "error 2 1 ABORTED cut", "error 3 1 ABORTED none",
            "error 4 99 ABORTED which"), listener.heard);
    }

    public static void shouldHearInternalErrorWhenResponseCannotBeRead()
    {
        final RpcChannel channel = new RpcChannel(null);
        final Listener listener = new Listener();
        final OrdersProxy proxy = new OrdersProxy(channel, listener);
        proxy.placeClaim(17);
        proxy.commit();
        final UnsafeBuffer payload = new UnsafeBuffer(new byte[64]);
        new HaltedEncoder().wrapAndApplyHeader(payload, 8, new MessageHeaderEncoder()).reopens(3);
        channel.handler.onResponse(1, 1, payload, 8, 16);
        channel.handler.onResponse(2, 1, payload, 8, 3);
        channel.handler.onResponse(3, 9, payload, 8, 16);
        assertEquals(List.of(
            "error 1 1 INTERNAL OrderPlaced: expected template id 2, found 5",
            "error 2 1 INTERNAL OrderPlaced: expected at least the 8 bytes of a message header, found 3",
            "error 3 9 INTERNAL service Orders: expected a response to one of its methods, found one to method 9"),
            listener.heard);
    }

    public static void shouldCallBlockingAndWithFuture() throws Exception
    {
        final RpcChannel channel = answering((request, responder) ->
        {
            responder.encoder().orderId(request.orderId() * 2);
            responder.send();
        });
        final OrdersClient client = new OrdersClient(channel);
        assertEquals(14, client.place((request) -> request.orderId(7).side(Side.BUY)).orderId());
        assertEquals(16, client.place((request) -> request.orderId(8), 99).orderId());
        assertEquals(18, client.placeAsync((request) -> request.orderId(9)).get().orderId());
        assertEquals(20, client.placeAsync((request) -> request.orderId(10), RpcChannel.NO_TIMEOUT).get().orderId());
        assertEquals(List.of("call 10 1 25 250000", "call 10 1 25 99", "call 10 1 25 250000",
            "call 10 1 25 " + Long.MAX_VALUE), channel.log);
    }

    public static void shouldSendEntriesThatWereNotWritten()
    {
        final RpcChannel channel = new RpcChannel(new BasketsAdapter((request, responder) ->
        {
            responder.encoder().basketId(request.legs().count()).legsCount(0);
            responder.send();
        }));
        // 200 legs of which nothing is written, so that the buffer never grew for them.
        assertThrows(RpcException.class, () -> new BasketsClient(channel).echo((request) ->
        {
            final BasketEncoder.LegsEncoder legs = request.basketId(1).legsCount(200);
            for (int i = 0; i < 200; i++)
            {
                legs.next();
            }
        }), "legs without their nested groups are no whole message");
        assertEquals(StatusCode.INVALID_ARGUMENT, channel.call.code);
    }

    public static void shouldGrowScratchForEntriesThatWereNotWritten()
    {
        final RpcChannel channel = new RpcChannel(new BasketsAdapter((request, responder) ->
        {
            final BasketEncoder.LegsEncoder legs = responder.encoder().basketId(1).legsCount(200);
            for (int i = 0; i < 200; i++)
            {
                legs.next();
            }
            responder.send();
        }));
        assertThrows(RpcException.class, () -> new BasketsClient(channel).echo((request) ->
        {
            request.basketId(1).legsCount(0);
            request.putNote(new byte[0], 0, 0).tag("");
        }));
        assertEquals(8 + 4 + 4 + 200 * 5, channel.call.sent.capacity());
    }

    public static void shouldThrowTypedExceptionForDeclaredError() throws Exception
    {
        final OrdersClient client = new OrdersClient(answering((request, responder) ->
        {
            responder.rejectedEncoder(StatusCode.FAILED_PRECONDITION, "rule").reason((short)3).detail("why");
            responder.send();
        }));
        final RejectedException blocking =
            assertThrows(RejectedException.class, () -> client.place((request) -> request.orderId(1)));
        assertEquals(StatusCode.FAILED_PRECONDITION, blocking.code());
        assertEquals("rule", blocking.text());
        assertEquals(3, blocking.error().reason());
        assertEquals("why", blocking.error().detail());

        final CompletableFuture<OrderPlacedDecoder> future = client.placeAsync((request) -> request.orderId(1));
        final ExecutionException wrapped = assertThrows(ExecutionException.class, future::get);
        assertInstanceOf(RejectedException.class, wrapped.getCause());
    }

    public static void shouldThrowPlainExceptionForStatus()
    {
        final OrdersClient client = new OrdersClient(answering((request, responder) ->
            responder.fail(StatusCode.RESOURCE_EXHAUSTED, "busy")));
        final RpcException failure = assertThrows(RpcException.class, () -> client.place((request) -> {}));
        assertEquals(StatusCode.RESOURCE_EXHAUSTED, failure.code());
        assertSame(RpcException.class, failure.getClass());
    }

    public static void shouldThrowInternalWhenResponseCannotBeRead()
    {
        final RpcChannel channel = new RpcChannel(null);
        final CompletableFuture<OrderPlacedDecoder> future = new OrdersClient(channel).placeAsync((request) -> {});
        channel.pending.complete(new UnsafeBuffer(new byte[4]));
        final ExecutionException failure = assertThrows(ExecutionException.class, future::get);
        assertEquals(StatusCode.INTERNAL, ((RpcException)failure.getCause()).code());
    }

    public static void shouldWrapForeignFailureAsInternal()
    {
        final RpcChannel channel = new RpcChannel(null);
        final CompletableFuture<OrderPlacedDecoder> future = new OrdersClient(channel).placeAsync((request) -> {});
        channel.pending.completeExceptionally(new ArithmeticException("odd"));
        final RpcException failure =
            (RpcException)assertThrows(ExecutionException.class, future::get).getCause();
        assertEquals(StatusCode.INTERNAL, failure.code());
        assertTrue(failure.text().contains("odd"));
    }

    public static void shouldCancelTheCallWhenFutureIsCancelled()
    {
        final RpcChannel channel = new RpcChannel(null);
        final CompletableFuture<OrderPlacedDecoder> future = new OrdersClient(channel).placeAsync((request) -> {});
        assertFalse(channel.pending.isCancelled());
        assertTrue(future.cancel(true));
        assertTrue(channel.pending.isCancelled());
    }

    public static void shouldThrowCancelledWhenChannelsFutureIsCancelled()
    {
        final RpcChannel channel = new RpcChannel(null);
        final CompletableFuture<OrderPlacedDecoder> future = new OrdersClient(channel).placeAsync((request) -> {});
        channel.pending.cancel(true);
        final RpcException failure =
            (RpcException)assertThrows(ExecutionException.class, future::get).getCause();
        assertEquals(StatusCode.CANCELLED, failure.code());
    }

    public static void shouldCancelAndStayMarkedWhenInterrupted()
    {
        final RpcChannel channel = new RpcChannel(null);
        Thread.currentThread().interrupt();
        final RpcException failure =
            assertThrows(RpcException.class, () -> new OrdersClient(channel).place((request) -> {}));
        assertTrue(Thread.interrupted());
        assertEquals(StatusCode.CANCELLED, failure.code());
        assertTrue(channel.pending.isCancelled());
    }

    private static void place(final Listener listener, final BiConsumer<NewOrderDecoder, OrderPlacedResponder> handler)
    {
        final OrdersProxy proxy = new OrdersProxy(answering(handler), listener);
        proxy.placeClaim(17);
        proxy.placeEncoder().orderId(1);
        proxy.commit();
    }

    private static RpcChannel answering(final BiConsumer<NewOrderDecoder, OrderPlacedResponder> handler)
    {
        return new RpcChannel(new OrdersAdapter(new ServerDriver.Service(handler)));
    }

    /** Writes down what it hears. */
    private static final class Listener implements OrdersListener
    {
        private final List<String> heard = new ArrayList<>();

        @Override
        public void onPlaceResponse(final long correlationId, final OrderPlacedDecoder response)
        {
            heard.add("placed " + correlationId + " " + response.orderId());
        }

        @Override
        public void onPlaceRejected(
            final long correlationId, final StatusCode code, final String text, final RejectedDecoder error)
        {
            heard.add("rejected " + correlationId + " " + code + " " + text + " " + error.reason() + " " +
                error.detail());
        }

        @Override
        public void onPlaceAllResponse(final long correlationId, final OrderPlacedDecoder response)
        {
            heard.add("all placed " + correlationId + " " + response.orderId());
        }

        @Override
        public void onError(final long correlationId, final int methodId, final StatusCode code, final String text)
        {
            heard.add("error " + correlationId + " " + methodId + " " + code + " " + text);
        }
    }

    /** Reads and counts responses. */
    private static final class Counter implements BasketsListener
    {
        private int count;

        @Override
        public void onEchoResponse(final long correlationId, final BasketDecoder response)
        {
            response.sbeSkip();
            count++;
        }

        @Override
        public void onError(final long correlationId, final int methodId, final StatusCode code, final String text)
        {
            throw new AssertionError(text);
        }
    }

    /** Hears nothing. */
    private static final class BasketListener implements BasketsListener
    {
        @Override
        public void onEchoResponse(final long correlationId, final BasketDecoder response)
        {
            throw new AssertionError("no response is due");
        }

        @Override
        public void onError(final long correlationId, final int methodId, final StatusCode code, final String text)
        {
            throw new AssertionError("no error is due");
        }
    }
}
