/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.samples.marketdata;

import io.verbena.auto.Transports;
import io.verbena.rpc.ChannelState;
import io.verbena.rpc.RpcChannel;
import io.verbena.rpc.RpcClient;
import io.verbena.rpc.RpcConfiguration;
import io.verbena.rpc.RpcServer;
import io.verbena.rpc.StatusCode;
import io.verbena.rpc.test.InterruptAfter;
import io.verbena.samples.marketdata.generated.MarketDataListener;
import io.verbena.samples.marketdata.generated.MarketDataProxy;
import io.verbena.samples.marketdata.generated.SummaryDecoder;
import io.verbena.samples.marketdata.generated.TickDecoder;
import io.verbena.samples.marketdata.generated.TradeEncoder;
import io.verbena.samples.marketdata.generated.WatchEncoder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * The zero-copy face of generated streams against the real core: credit that the reader grants, and items that break
 * the rules.
 */
@InterruptAfter(60)
class ZeroCopyStreamsTest
{
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(30);
    private static final int WINDOW = RpcConfiguration.STREAM_WINDOW_ITEMS_DEFAULT;

    private final InMemoryMarket service = new InMemoryMarket();
    private final Listener listener = new Listener();
    private RpcServer server;
    private RpcClient client;
    private RpcChannel channel;
    private MarketDataProxy market;

    @BeforeEach
    void connect()
    {
        server = MarketDataServer.launch("loopback:zero-copy-streams", new BackoffIdleStrategy(), service);
        client = RpcClient.launch(new RpcClient.Context()
            .transport(Transports.forAddress("loopback:zero-copy-streams"))
            .useAgentInvoker(true));
        channel = client.connect("loopback:zero-copy-streams");
        market = new MarketDataProxy(channel, listener);
        await(() -> channel.state() == ChannelState.READY);
    }

    @AfterEach
    void close()
    {
        client.close();
        server.close();
    }

    @Test
    void shouldReceiveWhatItGrantedWhenListenerGrants()
    {
        listener.isAutomatic = false;
        await(() -> market.watchClaim(WatchEncoder.BLOCK_LENGTH) > 0);
        market.watchEncoder().count(WINDOW + 100).symbol("ACME");
        market.commit();
        await(() -> listener.ticks == WINDOW);
        assertTrue(market.grant(listener.lastId, 60));
        await(() -> listener.ticks == WINDOW + 60);
        assertEquals(WINDOW + 60, service.ticksSent());
        assertTrue(market.grant(listener.lastId, 1_000));
        await(() -> !listener.ends.isEmpty());
        assertEquals(List.of("completed"), listener.ends);
        assertEquals(WINDOW + 100, listener.ticks);
    }

    @Test
    void shouldEndTheCallWhenItemIsMalformed()
    {
        final long correlationId = open();
        await(() -> market.uploadOffer(correlationId, new UnsafeBuffer(new byte[16]), 0, 16) > 0);
        await(() -> !listener.ends.isEmpty());
        assertEquals(List.of("INVALID_ARGUMENT Trade: expected schema id 101, found 0"), listener.ends);
        await(() -> service.callsEnded() == 1);
    }

    @Test
    void shouldEndTheCallAndTellTheServerWhenItemIsTooLong()
    {
        final long correlationId = open();
        await(() -> market.uploadClaim(correlationId, TradeEncoder.BLOCK_LENGTH) > 0);
        market.uploadEncoder().price(1).quantity(1);
        market.commit();
        final int limit = channel.maxMessageLength();
        final int length = limit + 1;
        assertEquals(
            RpcChannel.MESSAGE_TOO_LONG, market.uploadClaim(correlationId, length - 8));
        assertEquals(List.of("RESOURCE_EXHAUSTED the item Trade of " + length + " bytes exceeds the limit of " + limit +
            " bytes"), listener.ends);
        assertEquals(RpcChannel.CALL_ENDED, market.uploadClaim(correlationId, TradeEncoder.BLOCK_LENGTH));
        await(() -> service.callsEnded() == 1);
    }

    private long open()
    {
        final long[] correlationId = new long[1];
        await(() -> (correlationId[0] = market.uploadOpen()) > 0);
        return correlationId[0];
    }

    private void await(final BooleanSupplier condition)
    {
        final long deadlineNs = System.nanoTime() + PATIENCE_NS;
        while (!condition.getAsBoolean())
        {
            assertTrue(System.nanoTime() - deadlineNs < 0, () -> "not within 30 s: " + listener.ends);
            if (client.doWork() == 0)
            {
                Thread.yield();
            }
        }
    }

    private static final class Listener implements MarketDataListener
    {
        private final List<String> ends = new ArrayList<>();
        private boolean isAutomatic = true;
        private long ticks;
        private long lastId;

        @Override
        public void onWatchItem(final long correlationId, final TickDecoder item)
        {
            ticks++;
            lastId = correlationId;
            assertEquals(ticks, item.sequence());
        }

        @Override
        public void onWatchCompleted(final long correlationId)
        {
            ends.add("completed");
        }

        @Override
        public boolean isWatchGrantAutomatic()
        {
            return isAutomatic;
        }

        @Override
        public void onUploadResponse(final long correlationId, final SummaryDecoder response)
        {
            ends.add("uploaded " + response.trades());
        }

        @Override
        public void onSubscribeItem(final long correlationId, final TickDecoder item)
        {
            throw new AssertionError("nothing is subscribed to");
        }

        @Override
        public void onSubscribeCompleted(final long correlationId)
        {
            throw new AssertionError("nothing is subscribed to");
        }

        @Override
        public void onError(final long correlationId, final int methodId, final StatusCode code, final String text)
        {
            ends.add(code + " " + text);
        }
    }
}
