/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package test.trading;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.rpc.MethodDescriptor;
import io.verbena.rpc.MethodKind;
import io.verbena.rpc.RpcChannel;
import io.verbena.rpc.ServerCall;
import io.verbena.rpc.ServiceDescriptor;
import io.verbena.rpc.StatusCode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.agrona.concurrent.UnsafeBuffer;

/** Drives a generated adapter of a service that streams. */
public final class StreamServerDriver
{
    private static final int WATCH = 1;
    private static final int UPLOAD = 2;
    private static final int TRADE = 3;
    private static final int OFFSET = 40;

    private StreamServerDriver()
    {
    }

    public static void shouldTellKinds()
    {
        final FeedAdapter adapter = new FeedAdapter(new Feed());
        assertEquals(MethodKind.SERVER_STREAM, adapter.methodKind(WATCH));
        assertEquals(MethodKind.CLIENT_STREAM, adapter.methodKind(UPLOAD));
        assertEquals(MethodKind.BIDI, adapter.methodKind(TRADE));
        assertEquals(MethodKind.UNARY, adapter.methodKind(4));
        assertEquals(MethodKind.UNARY, adapter.methodKind(99));
        assertEquals(MethodKind.UNARY, new OrdersAdapter(new ServerDriver.Service((a, b) -> {})).methodKind(1));
    }

    public static void shouldDescribeItsService()
    {
        final ServiceDescriptor descriptor = new FeedAdapter(new Feed()).descriptor();
        assertEquals("Feed 12 7 3", descriptor.name() + " " + descriptor.id() + " " + descriptor.schemaId() + " " +
            descriptor.schemaVersion());
        assertEquals(5, descriptor.methods().size());
        assertEquals(new MethodDescriptor("watch", 1, MethodKind.SERVER_STREAM, false, "NewOrder", "OrderPlaced",
            List.of("Rejected", "Halted")), descriptor.methods().get(0));
        assertEquals(new MethodDescriptor("find", 4, MethodKind.UNARY, true, "NewOrder", "OrderPlaced", List.of()),
            descriptor.methods().get(3));
        assertTrue(descriptor.schemaIr().length > 1000);
        assertArrayEquals(Schema7Ir.bytes(), descriptor.schemaIr());
    }

    public static void shouldSendItemsAndComplete()
    {
        final ServerCall call = watch((request, stream) ->
        {
            assertEquals(99, request.orderId());
            assertEquals(5, stream.connectionId());
            assertEquals(6, stream.correlationId());
            assertEquals(12_345L, stream.remainingNs());
            assertTrue(stream.isReady());
            for (int i = 0; i < 2; i++)
            {
                assertEquals(1, stream.tryClaim(8));
                stream.encoder().orderId(request.orderId() + i);
                stream.send();
            }
            stream.complete();
        });
        assertEquals(List.of("claim 16", "send 16", "claim 16", "send 16", "complete"), call.log);
        assertEquals(100,
            new OrderPlacedDecoder().wrapAndApplyHeader(call.sent, 0, new MessageHeaderDecoder()).orderId());
        assertEquals(ServerCall.FILLER, call.term.getByte(ServerCall.REGION_OFFSET + 16));
    }

    public static void shouldOpenNothingWhenItemIsRefused()
    {
        final ServerCall call = call(WATCH);
        call.itemResult = RpcChannel.CREDIT_EXHAUSTED;
        watch(call, (request, stream) ->
        {
            assertEquals(RpcChannel.CREDIT_EXHAUSTED, stream.tryClaim(8));
            assertFalse(stream.isReady());
            assertThrows(IllegalStateException.class, stream::encoder);
            assertThrows(IllegalStateException.class, stream::send);
            assertEquals(RpcChannel.CREDIT_EXHAUSTED, stream.offer(ServerDriver.order(), OFFSET, 25));
        });
        assertEquals(List.of("offerItem 25"), call.log);
        assertEquals(StatusCode.OK, call.code);
    }

    public static void shouldFailTheCallWhenItemIsTooLong()
    {
        final ServerCall call = call(WATCH);
        call.itemResult = RpcChannel.MESSAGE_TOO_LONG;
        watch(call, (request, stream) -> assertEquals(RpcChannel.MESSAGE_TOO_LONG, stream.tryClaim(5000)));
        assertEquals(StatusCode.RESOURCE_EXHAUSTED, call.code);
        assertEquals("the item OrderPlaced of 5008 bytes exceeds the limit of 4096 bytes", call.text);
    }

    public static void shouldThrowWhenWritingPastTheClaim()
    {
        trade(call(TRADE), (item, stream) ->
        {
            stream.tryClaim(4 + 4 + 4 + 5);
            final BasketEncoder encoder = stream.encoder().basketId(1);
            encoder.legsCount(0);
            assertThrows(IndexOutOfBoundsException.class, () -> encoder.putNote(new byte[6], 0, 6));
            stream.abort();
        });
    }

    public static void shouldEndStreamWithDeclaredErrorOrStatus()
    {
        final ServerCall typed = watch((request, stream) ->
        {
            stream.claimRejected(StatusCode.ABORTED, "no", 1 + 2 + 3).reason((short)4).detail("abc");
            stream.send();
        });
        assertEquals(StatusCode.ABORTED, typed.code);
        assertEquals("abc",
            new RejectedDecoder().wrapAndApplyHeader(typed.sent, 0, new MessageHeaderDecoder()).detail());
        final ServerCall growing = watch((request, stream) ->
        {
            stream.haltedEncoder(StatusCode.UNAVAILABLE, "later").reopens(17);
            stream.send();
        });
        assertEquals(List.of("scratch", "send 16"), growing.log);
        final ServerCall plain = watch((request, stream) ->
        {
            stream.tryClaim(8);
            stream.fail(StatusCode.NOT_FOUND, "gone");
        });
        assertEquals(List.of("claim 16", "abort", "fail"), plain.log);
        assertEquals("gone", plain.text);
    }

    public static void shouldRefuseMisuseOfStream()
    {
        final OrderPlacedStream[] kept = new OrderPlacedStream[2];
        watch((request, stream) ->
        {
            assertThrows(IllegalArgumentException.class, () -> stream.tryClaim(7));
            assertThrows(IllegalArgumentException.class, () -> stream.tryClaim(Integer.MAX_VALUE));
            stream.tryClaim(8);
            assertThrows(IllegalStateException.class, () -> stream.tryClaim(8));
            assertThrows(IllegalStateException.class, stream::complete);
            assertThrows(IllegalStateException.class, stream::detach);
            assertThrows(IllegalStateException.class, () -> stream.offer(ServerDriver.order(), OFFSET, 25));
            stream.abort();
            kept[0] = stream;
            kept[1] = stream.detach();
        });
        assertFalse(kept[0].isOpen());
        assertThrows(IllegalStateException.class, () -> kept[0].tryClaim(8));
        assertThrows(IllegalStateException.class, kept[0]::call);
        assertEquals(1, kept[1].tryClaim(8));
        kept[1].encoder().orderId(1);
        kept[1].send();
        assertTrue(kept[1].call().log.contains("send 16"));
    }

    public static void shouldFailTheCallWhenHandlerLeavesItsItemOpen()
    {
        final ServerCall call = watch((request, stream) -> stream.tryClaim(8));
        assertEquals(StatusCode.INTERNAL, call.code);
    }

    public static void shouldTellItemsHalfCloseReadyAndEndInOrder()
    {
        final Feed feed = new Feed();
        final FeedAdapter adapter = new FeedAdapter(feed);
        final ServerCall call = call(TRADE);
        adapter.onRequest(call, TRADE, new UnsafeBuffer(new byte[0]), 0, 0);
        adapter.onItem(call, TRADE, ServerDriver.order(), OFFSET, 25);
        adapter.onReady(call, TRADE);
        adapter.onHalfClosed(call, TRADE);
        adapter.onEnded(5, 6, TRADE, call.attachment, StatusCode.CANCELLED);
        assertEquals(List.of("trade", "trade item 99", "trade ready", "trade half-closed",
            "trade ended 5 6 mine CANCELLED"), feed.heard);
    }

    public static void shouldAnswerClientStreamOnceItIsHalfClosed()
    {
        final Feed feed = new Feed();
        final FeedAdapter adapter = new FeedAdapter(feed);
        final ServerCall call = call(UPLOAD);
        adapter.onRequest(call, UPLOAD, new UnsafeBuffer(new byte[0]), 0, 0);
        final UnsafeBuffer basket = basket(3);
        adapter.onItem(call, UPLOAD, basket, 0, basket.capacity());
        adapter.onItem(call, UPLOAD, basket, 0, basket.capacity());
        adapter.onHalfClosed(call, UPLOAD);
        assertEquals(List.of("grant 1", "grant 1", "claim 16", "send 16"), call.log);
        assertEquals(6,
            new OrderPlacedDecoder().wrapAndApplyHeader(call.sent, 0, new MessageHeaderDecoder()).orderId());
        assertFalse(adapter.isGrantAutomatic(UPLOAD));
        assertTrue(adapter.isGrantAutomatic(TRADE) && adapter.isGrantAutomatic(WATCH));
    }

    public static void shouldFailTheCallWhenItemIsMalformed()
    {
        final Feed feed = new Feed();
        final FeedAdapter adapter = new FeedAdapter(feed);
        final ServerCall call = call(TRADE);
        adapter.onItem(call, TRADE, ServerDriver.order(), OFFSET, 7);
        assertEquals(StatusCode.INVALID_ARGUMENT, call.code);
        assertEquals("NewOrder: expected at least the 8 bytes of a message header, found 7", call.text);
        final ServerCall foreign = call(UPLOAD);
        adapter.onItem(foreign, UPLOAD, ServerDriver.order(), OFFSET, 25);
        assertEquals("Basket: expected template id 3, found 1", foreign.text);
        final ServerCall unknown = call(9);
        adapter.onItem(unknown, 9, ServerDriver.order(), OFFSET, 25);
        assertEquals(StatusCode.UNIMPLEMENTED, unknown.code);
        assertEquals(List.of(), feed.heard);
    }

    public static void shouldReuseDecoderAndStream()
    {
        final List<Object> seen = new ArrayList<>();
        final Feed feed = new Feed();
        feed.trader = (item, stream) ->
        {
            seen.add(item);
            seen.add(stream);
        };
        final FeedAdapter adapter = new FeedAdapter(feed);
        adapter.onItem(call(TRADE), TRADE, ServerDriver.order(), OFFSET, 25);
        adapter.onItem(call(TRADE), TRADE, ServerDriver.order(), OFFSET, 25);
        assertSame(seen.get(0), seen.get(2));
        assertSame(seen.get(1), seen.get(3));
    }

    static UnsafeBuffer basket(final int id)
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[64]);
        final BasketEncoder encoder =
            new BasketEncoder().wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder()).basketId(id);
        encoder.legsCount(0);
        encoder.putNote(new byte[0], 0, 0).tag("");
        return new UnsafeBuffer(buffer, 0, 8 + encoder.encodedLength());
    }

    private static ServerCall watch(final BiConsumer<NewOrderDecoder, OrderPlacedStream> handler)
    {
        return watch(call(WATCH), handler);
    }

    private static ServerCall watch(
        final ServerCall call, final BiConsumer<NewOrderDecoder, OrderPlacedStream> handler)
    {
        final Feed feed = new Feed();
        feed.watcher = handler;
        new FeedAdapter(feed).onRequest(call, WATCH, ServerDriver.order(), OFFSET, 25);
        return call;
    }

    private static void trade(final ServerCall call, final BiConsumer<NewOrderDecoder, BasketStream> handler)
    {
        final Feed feed = new Feed();
        feed.trader = handler;
        new FeedAdapter(feed).onItem(call, TRADE, ServerDriver.order(), OFFSET, 25);
    }

    private static ServerCall call(final int methodId)
    {
        return new ServerCall(5, 6, methodId);
    }

    /** A service that writes down what it hears. */
    static final class Feed implements FeedService
    {
        final List<String> heard = new ArrayList<>();
        BiConsumer<NewOrderDecoder, OrderPlacedStream> watcher = (request, stream) -> {};
        BiConsumer<NewOrderDecoder, BasketStream> trader = (item, stream) -> heard.add("trade item " + item.orderId());
        Consumer<BasketStream> opener = (stream) -> {};

        @Override
        public void onWatch(final NewOrderDecoder request, final OrderPlacedStream stream)
        {
            watcher.accept(request, stream);
        }

        @Override
        public void onWatchReady(final OrderPlacedStream stream)
        {
            heard.add("watch ready");
        }

        @Override
        public void onWatchEnded(
            final long connectionId, final long correlationId, final Object attachment, final StatusCode status)
        {
            heard.add("watch ended " + connectionId + " " + correlationId + " " + attachment + " " + status);
        }

        @Override
        public void onUpload(final OrderPlacedResponder responder)
        {
            responder.attach(new int[1]);
        }

        @Override
        public void onUploadItem(final BasketDecoder item, final OrderPlacedResponder responder)
        {
            ((int[])responder.attachment())[0] += item.basketId();
            assertTrue(responder.grant(1));
        }

        @Override
        public void onUploadHalfClosed(final OrderPlacedResponder responder)
        {
            responder.claim(8).orderId(((int[])responder.attachment())[0]);
            responder.send();
        }

        @Override
        public boolean isUploadGrantAutomatic()
        {
            return false;
        }

        @Override
        public void onTrade(final BasketStream stream)
        {
            heard.add("trade");
            stream.attach("mine");
            opener.accept(stream);
        }

        @Override
        public void onTradeItem(final NewOrderDecoder item, final BasketStream stream)
        {
            trader.accept(item, stream);
        }

        @Override
        public void onTradeHalfClosed(final BasketStream stream)
        {
            heard.add("trade half-closed");
        }

        @Override
        public void onTradeReady(final BasketStream stream)
        {
            heard.add("trade ready");
        }

        @Override
        public void onTradeEnded(
            final long connectionId, final long correlationId, final Object attachment, final StatusCode status)
        {
            heard.add("trade ended " + connectionId + " " + correlationId + " " + attachment + " " + status);
        }

        @Override
        public void onFind(final NewOrderDecoder request, final OrderPlacedResponder responder)
        {
            responder.fail(StatusCode.UNIMPLEMENTED, "not here");
        }

        @Override
        public void onPeek(final NewOrderDecoder request, final OrderPlacedResponder responder)
        {
            responder.fail(StatusCode.UNIMPLEMENTED, "not here");
        }
    }
}
