/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package test.trading;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.verbena.rpc.RpcChannel;
import io.verbena.rpc.ServerCall;
import io.verbena.rpc.StatusCode;
import io.verbena.rpc.StreamHandler;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;

/** Drives a generated proxy of a service that streams. */
public final class StreamProxyDriver
{
    private StreamProxyDriver()
    {
    }

    public static void shouldDeclareConstantsAndRequireItsService()
    {
        final RpcChannel channel = new RpcChannel(null);
        new FeedProxy(channel, new Listener());
        assertEquals("12 Feed 7 3", channel.required);
        assertEquals(RpcChannel.NO_TIMEOUT, FeedProxy.WATCH_TIMEOUT_NS, "a stream goes on until it ends");
        assertEquals(2_000_000_000L, FeedProxy.UPLOAD_TIMEOUT_NS);
        assertEquals(RpcChannel.DEFAULT_TIMEOUT, FeedProxy.FIND_TIMEOUT_NS);
    }

    public static void shouldBeginServerStreamAndHearItemsAndEnd()
    {
        final RpcChannel channel = new RpcChannel(null);
        final Listener listener = new Listener();
        final FeedProxy proxy = new FeedProxy(channel, listener);
        assertEquals(1, proxy.watchClaim(17));
        proxy.watchEncoder().orderId(4);
        proxy.commit();
        assertEquals(List.of("stream, automatic true", "claim 12 1 25 " + Long.MAX_VALUE, "commit 25"), channel.log);
        final StreamHandler handler = (StreamHandler)channel.handler;
        handler.onItem(1, 1, placed(8), 0, 16);
        handler.onItem(1, 1, placed(9), 0, 16);
        handler.onCompleted(1, 1);
        assertEquals(List.of("watched 1 8", "watched 1 9", "watch completed 1"), listener.heard);
        assertEquals(2, proxy.watchOffer(ServerDriver.order(), 40, 25, 7));
        assertTrue(channel.log.contains("offer 12 1 25 7"));
    }

    public static void shouldLeaveGrantsToListenerWhenItWantsThem()
    {
        final RpcChannel channel = new RpcChannel(null);
        final Listener listener = new Listener();
        listener.isAutomatic = false;
        final FeedProxy proxy = new FeedProxy(channel, listener);
        proxy.watchClaim(17);
        proxy.commit();
        assertTrue(proxy.grant(1, 16));
        proxy.tradeOpen();
        assertEquals(List.of("stream, automatic false", "claim 12 1 25 " + Long.MAX_VALUE, "commit 25", "grant 1 16",
            "open 12 3 BIDI " + Long.MAX_VALUE + " true"), channel.log);
    }

    public static void shouldHearDeclaredErrorOfStream()
    {
        final RpcChannel channel = new RpcChannel(null);
        final Listener listener = new Listener();
        final FeedProxy proxy = new FeedProxy(channel, listener);
        proxy.watchClaim(17);
        proxy.commit();
        final UnsafeBuffer detail = new UnsafeBuffer(new byte[64]);
        final RejectedEncoder encoder = new RejectedEncoder().wrapAndApplyHeader(detail, 0, new MessageHeaderEncoder());
        encoder.reason((short)3).detail("why");
        channel.handler.onError(1, 1, StatusCode.ABORTED, "no", detail, 0, 8 + encoder.encodedLength());
        channel.handler.onError(2, 3, StatusCode.CANCELLED, "yes", null, 0, 0);
        assertEquals(List.of("watch rejected 1 ABORTED no why", "error 2 3 CANCELLED yes"), listener.heard);
    }

    public static void shouldCancelAndHearInternalErrorWhenItemCannotBeRead()
    {
        final RpcChannel channel = new RpcChannel(null);
        final Listener listener = new Listener();
        final FeedProxy proxy = new FeedProxy(channel, listener);
        proxy.watchClaim(17);
        proxy.commit();
        final StreamHandler handler = (StreamHandler)channel.handler;
        handler.onItem(1, 1, placed(8), 0, 15);
        assertTrue(channel.log.contains("cancel 1"));
        assertEquals(List.of("error 1 1 INTERNAL OrderPlaced: expected a block length from 8 to the 7 bytes that " +
            "follow the header, found 8"), listener.heard);
    }

    public static void shouldHearInternalErrorWhenEventIsOfNoSuchMethod()
    {
        final RpcChannel channel = new RpcChannel(null);
        final Listener listener = new Listener();
        final FeedProxy proxy = new FeedProxy(channel, listener);
        proxy.watchClaim(17);
        proxy.commit();
        final StreamHandler handler = (StreamHandler)channel.handler;
        handler.onItem(1, 2, placed(8), 0, 16);
        handler.onCompleted(2, 4);
        handler.onResponse(3, 1, placed(8), 0, 16);
        handler.onReady(4, 1);
        assertEquals(3, listener.heard.size());
        listener.heard.forEach((each) -> assertTrue(each.contains("INTERNAL service Feed: expected "), each));
    }

    public static void shouldSendItemsOfClientStreamAndHearTheResponse()
    {
        final RpcChannel channel = new RpcChannel(new FeedAdapter(new StreamServerDriver.Feed()));
        final Listener listener = new Listener();
        final FeedProxy proxy = new FeedProxy(channel, listener);
        final long correlationId = proxy.uploadOpen();
        assertEquals(1, correlationId);
        for (int i = 1; i <= 2; i++)
        {
            assertEquals(1, proxy.uploadClaim(correlationId, 64));
            final BasketEncoder encoder = proxy.uploadEncoder().basketId(i);
            encoder.legsCount(0);
            encoder.putNote(new byte[0], 0, 0).tag("");
            proxy.commit();
        }
        assertTrue(proxy.isReady(correlationId));
        assertTrue(proxy.uploadHalfClose(correlationId));
        assertEquals(List.of("open 12 2 CLIENT_STREAM 2000000000 true", "claimItem 1 72", "commit 22",
            "claimItem 1 72", "commit 22", "halfClose 1"), channel.log);
        channel.handler.onResponse(1, 2, channel.call.sent, 0, channel.call.sent.capacity());
        ((StreamHandler)channel.handler).onReady(1, 2);
        assertEquals(List.of("uploaded 1 3", "upload ready 1"), listener.heard);
        assertEquals(1, proxy.uploadOffer(correlationId, StreamServerDriver.basket(1), 0, 22));
        assertEquals(2, proxy.uploadOpen(99));
    }

    public static void shouldOpenNothingWhenItemIsRefused()
    {
        final RpcChannel channel = new RpcChannel(null);
        final FeedProxy proxy = new FeedProxy(channel, new Listener());
        proxy.tradeOpen();
        channel.itemResult = RpcChannel.CREDIT_EXHAUSTED;
        assertEquals(RpcChannel.CREDIT_EXHAUSTED, proxy.tradeClaim(1, 17));
        assertEquals(RpcChannel.CREDIT_EXHAUSTED, proxy.tradeOffer(1, ServerDriver.order(), 40, 25));
        assertFalse(proxy.isReady(1));
        assertThrows(IllegalStateException.class, proxy::tradeEncoder);
        assertThrows(IllegalStateException.class, proxy::commit);
        channel.refusal = -2;
        assertEquals(-2, proxy.tradeOpen());
    }

    public static void shouldFailTheCallWhenItemIsTooLong()
    {
        final RpcChannel channel = new RpcChannel(null);
        final Listener listener = new Listener();
        final FeedProxy proxy = new FeedProxy(channel, listener);
        proxy.tradeOpen();
        channel.itemResult = RpcChannel.MESSAGE_TOO_LONG;
        assertEquals(RpcChannel.MESSAGE_TOO_LONG, proxy.tradeClaim(1, 5000));
        assertEquals(RpcChannel.MESSAGE_TOO_LONG, proxy.tradeOffer(1, ServerDriver.order(), 0, 4097));
        assertEquals(List.of(
            "error 1 3 RESOURCE_EXHAUSTED the item NewOrder of 5008 bytes exceeds the limit of 4096 bytes",
            "error 1 3 RESOURCE_EXHAUSTED the item NewOrder of 4097 bytes exceeds the limit of 4096 bytes"),
            listener.heard);
    }

    public static void shouldRefuseMisuseOfProxy()
    {
        final RpcChannel channel = new RpcChannel(null);
        final FeedProxy proxy = new FeedProxy(channel, new Listener());
        proxy.tradeOpen();
        assertThrows(IllegalArgumentException.class, () -> proxy.tradeClaim(1, 16));
        assertThrows(IllegalArgumentException.class, () -> proxy.tradeClaim(1, Integer.MAX_VALUE));
        proxy.tradeClaim(1, 17);
        assertThrows(IllegalStateException.class, proxy::uploadEncoder);
        assertThrows(IndexOutOfBoundsException.class, () -> proxy.tradeEncoder().buffer().putByte(25, (byte)1));
        proxy.abort();
        assertThrows(IllegalStateException.class, proxy::commit);
        assertThrows(NullPointerException.class, () -> new FeedProxy(channel, null));
        assertThrows(NullPointerException.class, () -> new FeedProxy(null, new Listener()));
    }

    public static void shouldAllocateNothingForItems()
    {
        final StreamServerDriver.Feed feed = new StreamServerDriver.Feed();
        final long[] sum = new long[1];
        feed.trader = (item, stream) ->
        {
            if (stream.tryClaim(64) > 0)
            {
                final BasketEncoder encoder = stream.encoder().basketId((int)item.orderId());
                encoder.legsCount(0);
                encoder.putNote(NOTHING, 0, 0).putTag(NOTHING, 0, 0);
                stream.send();
                sum[0]++;
            }
        };
        final RpcChannel channel = new RpcChannel(new FeedAdapter(feed));
        final Listener listener = new Listener();
        final FeedProxy proxy = new FeedProxy(channel, listener);
        proxy.tradeOpen();
        channel.quietCall = new ServerCall(1, 1, 3);
        channel.quietCall.isQuiet = true;
        final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
        final int items = 100_000;
        send(proxy, channel, items);
        final long before = threads.getCurrentThreadAllocatedBytes();
        send(proxy, channel, items);
        final long allocated = threads.getCurrentThreadAllocatedBytes() - before;
        assertEquals(2 * items, sum[0]);
        assertEquals(2 * items, listener.traded);
        // Measuring itself and the JIT take a little, once; an object for each item would be 16 bytes or more.
        assertTrue(allocated < items / 10, "bytes allocated for " + items + " items: " + allocated);
    }

    private static final byte[] NOTHING = {};

    private static void send(final FeedProxy proxy, final RpcChannel channel, final int count)
    {
        final StreamHandler handler = (StreamHandler)channel.handler;
        for (int i = 0; i < count; i++)
        {
            proxy.tradeClaim(1, 17);
            proxy.tradeEncoder().orderId(i).side(Side.BUY).limitPrice(1);
            proxy.commit();
            handler.onItem(
                1, 3, channel.quietCall.term, ServerCall.REGION_OFFSET, channel.quietCall.sentLength);
        }
    }

    static UnsafeBuffer placed(final long orderId)
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[16]);
        new OrderPlacedEncoder().wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder()).orderId(orderId);
        return buffer;
    }

    /** Writes down what it hears. */
    static final class Listener implements FeedListener
    {
        final List<String> heard = new ArrayList<>();
        boolean isAutomatic = true;
        int traded;

        @Override
        public void onWatchItem(final long correlationId, final OrderPlacedDecoder item)
        {
            heard.add("watched " + correlationId + " " + item.orderId());
        }

        @Override
        public void onWatchCompleted(final long correlationId)
        {
            heard.add("watch completed " + correlationId);
        }

        @Override
        public void onWatchRejected(
            final long correlationId, final StatusCode code, final String text, final RejectedDecoder error)
        {
            heard.add("watch rejected " + correlationId + " " + code + " " + text + " " + error.detail());
        }

        @Override
        public boolean isWatchGrantAutomatic()
        {
            return isAutomatic;
        }

        @Override
        public void onUploadReady(final long correlationId)
        {
            heard.add("upload ready " + correlationId);
        }

        @Override
        public void onUploadResponse(final long correlationId, final OrderPlacedDecoder response)
        {
            heard.add("uploaded " + correlationId + " " + response.orderId());
        }

        @Override
        public void onTradeItem(final long correlationId, final BasketDecoder item)
        {
            item.sbeSkip();
            traded++;
        }

        @Override
        public void onTradeCompleted(final long correlationId)
        {
            heard.add("trade completed " + correlationId);
        }

        @Override
        public void onFindResponse(final long correlationId, final OrderPlacedDecoder response)
        {
            heard.add("found " + correlationId + " " + response.orderId());
        }

        @Override
        public void onPeekResponse(final long correlationId, final OrderPlacedDecoder response)
        {
            heard.add("peeked " + correlationId + " " + response.orderId());
        }

        @Override
        public void onError(final long correlationId, final int methodId, final StatusCode code, final String text)
        {
            heard.add("error " + correlationId + " " + methodId + " " + code + " " + text);
        }
    }
}
