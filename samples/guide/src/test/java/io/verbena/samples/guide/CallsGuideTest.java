/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.samples.guide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.auto.Transports;
import io.verbena.rpc.CallInfo;
import io.verbena.rpc.CallOptions;
import io.verbena.rpc.ClientInterceptor;
import io.verbena.rpc.Metadata;
import io.verbena.rpc.RpcChannel;
import io.verbena.rpc.RpcClient;
import io.verbena.rpc.RpcException;
import io.verbena.rpc.RpcServer;
import io.verbena.rpc.ServerCall;
import io.verbena.rpc.ServerInterceptor;
import io.verbena.rpc.StatusCode;
import io.verbena.rpc.test.InterruptAfter;
import io.verbena.samples.guide.market.AskDecoder;
import io.verbena.samples.guide.market.MarketAdapter;
import io.verbena.samples.guide.market.MarketClient;
import io.verbena.samples.guide.market.NoSuchInstrumentException;
import io.verbena.samples.guide.market.PriceDecoder;
import io.verbena.samples.guide.market.PriceResponder;
import io.verbena.samples.guide.market.TotalDecoder;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What the guide says about calls, streams, metadata and interceptors.
 */
@InterruptAfter(60)
class CallsGuideTest
{
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(20);

    private static final long REFRESHING = 2;

    private final GuideMarket market = new GuideMarket()
    {
        @Override
        public void onPrice(final AskDecoder request, final PriceResponder responder)
        {
            if (request.instrument() == REFRESHING)
            {
                refresh();
            }
            super.onPrice(request, responder);
        }
    };
    private RpcServer server;
    private RpcClient client;
    private RpcChannel channel;

    @BeforeEach
    void start()
    {
        // region server
        final String address = "loopback:guide";    // or udp://localhost:9000, or ipc:
        server = RpcServer.launch(new RpcServer.Context()
            .listen(Transports.forAddress(address), address)
            .interceptor(new TokenCheck())
            .service(new MarketAdapter(market)));
        // endregion
        // region client
        client = RpcClient.launch(new RpcClient.Context()
            .transport(Transports.forAddress(address))
            .interceptor(new TokenSource("secret")));
        channel = client.connect(address);
        // endregion
        assertTrue(channel.awaitReady(PATIENCE_NS));
    }

    @AfterEach
    void closeAll()
    {
        client.close();
        server.close();
    }

    @Test
    void shouldAnswerWhenCalledInEachWay()
    {
        final AtomicLong shown = new AtomicLong();
        // region blocking and future
        final MarketClient calls = new MarketClient(channel);
        final PriceDecoder price = calls.price(request -> request.instrument(7));          // blocks
        final CompletableFuture<Void> later = calls.priceAsync(request -> request.instrument(8))
            .thenAccept(found -> shown.set(found.cents()));                                // on the client's thread
        // endregion
        assertEquals(7, price.cents());
        later.join();
        assertEquals(8, shown.get());
    }

    @Test
    void shouldTellTypedErrorsWhenDeclared()
    {
        final MarketClient calls = new MarketClient(channel);
        // region typed error
        long nearest = 0;
        try
        {
            calls.price(request -> request.instrument(1_000));
        }
        catch (final NoSuchInstrumentException ex)
        {
            nearest = ex.error().nearest();         // declared in the schema; ex.code() is NOT_FOUND
        }
        catch (final RpcException ex)
        {
            System.err.println(ex.code() + ": " + ex.text());
        }
        // endregion
        assertEquals(99, nearest);
        assertEquals(StatusCode.INVALID_ARGUMENT, assertThrows(
            RpcException.class, () -> calls.price(request -> request.instrument(0))).code());
    }

    @Test
    void shouldTakeItemsWhenTheServerStreams()
    {
        final MarketClient calls = new MarketClient(channel);
        long sum = 0;
        // region pull
        try (MarketClient.WatchStream prices = calls.watch(request -> request.instrument(1)))
        {
            for (final PriceDecoder price : prices)
            {
                sum += price.cents();
            }
        }
        // endregion
        assertEquals(500_500, sum);
        final AtomicLong pushed = new AtomicLong();
        // region push
        calls.watchAsync(request -> request.instrument(1), price -> pushed.addAndGet(price.cents())).join();
        // endregion
        assertEquals(500_500, pushed.get());
    }

    @Test
    void shouldSendItemsWhenTheClientStreams()
    {
        final MarketClient calls = new MarketClient(channel);
        // region send
        final TotalDecoder total;
        try (MarketClient.ReportStream trades = calls.report())
        {
            for (int i = 0; i < 10_000; i++)
            {
                trades.send(trade -> trade.instrument(1).quantity(3));      // waits for credit
            }
            total = trades.finish();                                        // half-closes, waits for the response
        }
        // endregion
        assertEquals(10_000, total.trades());
        assertEquals(30_000, total.quantity());
    }

    @Test
    void shouldGoBothWaysWhenBidirectional()
    {
        final MarketClient calls = new MarketClient(channel);
        // region both ways
        try (MarketClient.FollowStream prices = calls.follow())
        {
            prices.send(request -> request.instrument(5));
            final PriceDecoder first = prices.take();
            prices.send(request -> request.instrument(first.cents() + 1));
            prices.halfClose();
            final PriceDecoder second = prices.take();
            final PriceDecoder end = prices.take();                         // null: the stream has ended well
            // endregion
            assertEquals(6, second.cents());
            assertEquals(null, end);
        }
    }

    @Test
    void shouldEndInTimeWhenADeadlineIsGiven()
    {
        final MarketClient calls = new MarketClient(channel);
        // region deadline
        final long timeoutNs = TimeUnit.SECONDS.toNanos(5);
        final PriceDecoder price = calls.price(request -> request.instrument(7), timeoutNs);
        final CallOptions hurried = MarketClient.PRICE_OPTIONS.timeoutNs(timeoutNs);
        final CompletableFuture<PriceDecoder> cancelled = calls.priceAsync(request -> request.instrument(7), hurried);
        cancelled.cancel(true);     // ends the call at both sides
        // endregion
        assertEquals(7, price.cents());
        assertTrue(cancelled.isCancelled() || cancelled.isDone());
    }

    @Test
    void shouldAskElsewhereWhenAHandlerMakesACall()
    {
        market.askElsewhere(channel, server::execute);
        assertEquals(51, new MarketClient(channel).price(request -> request.instrument(50)).cents());
        assertEquals(2, new MarketClient(channel).price(request -> request.instrument(REFRESHING)).cents());
    }

    @Test
    void shouldCarryMetadataWhenGiven()
    {
        // region metadata
        final Metadata metadata = new Metadata()
            .add("tenant", "blue")
            .addBinary("digest", new byte[]{1, 2, 3});
        final CallOptions options = MarketClient.PRICE_OPTIONS.metadata(metadata);
        final PriceDecoder price = new MarketClient(channel).price(request -> request.instrument(7), options);
        // endregion
        assertEquals(7, price.cents());
        assertEquals("blue", TokenCheck.lastTenant);
    }

    @Test
    void shouldRefuseWhenAnInterceptorDoes()
    {
        try (RpcClient stranger = RpcClient.launch(new RpcClient.Context()
            .transport(Transports.forAddress("loopback:guide"))))
        {
            final MarketClient calls = new MarketClient(stranger.connect("loopback:guide"));
            assertEquals(StatusCode.UNAUTHENTICATED, assertThrows(
                RpcException.class, () -> calls.price(request -> request.instrument(7))).code());
        }
        assertFalse(server.addresses().isEmpty());
    }

    // region client interceptor
    static final class TokenSource implements ClientInterceptor
    {
        private final String token;

        TokenSource(final String token)
        {
            this.token = token;
        }

        @Override
        public void onStart(final CallInfo call, final Metadata requestMetadata)
        {
            requestMetadata.add("token", token);
        }
    }
    // endregion

    // region server interceptor
    static final class TokenCheck implements ServerInterceptor
    {
        static volatile String lastTenant;

        @Override
        public void onRequest(
            final ServerCall call,
            final CallInfo info,
            final Metadata metadata,
            final DirectBuffer buffer,
            final int offset,
            final int length)
        {
            if (!"secret".equals(metadata.get("token")))
            {
                // the handler never sees the call
                throw new RpcException(StatusCode.UNAUTHENTICATED, "expected a token");
            }
            lastTenant = metadata.get("tenant");
        }
    }
    // endregion
}
