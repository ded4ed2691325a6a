/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.samples.guide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.rpc.ChannelState;
import io.verbena.rpc.RpcChannel;
import io.verbena.rpc.RpcClient;
import io.verbena.rpc.RpcServer;
import io.verbena.rpc.StatusCode;
import io.verbena.rpc.codec.ZstdCodec;
import io.verbena.rpc.test.InterruptAfter;
import io.verbena.rpc.transport.LoopbackTransport;
import io.verbena.samples.guide.market.AskEncoder;
import io.verbena.samples.guide.market.MarketAdapter;
import io.verbena.samples.guide.market.MarketListener;
import io.verbena.samples.guide.market.MarketProxy;
import io.verbena.samples.guide.market.PriceDecoder;
import io.verbena.samples.guide.market.TotalDecoder;
import org.junit.jupiter.api.Test;

/**
 * What the guide says about the zero-copy face, flow control, and the coding of payloads: all on one thread.
 */
@InterruptAfter(60)
class ZeroCopyGuideTest
{
    private static final String ADDRESS = "loopback:guide-zero-copy";
    private static final int BATCH = 10;

    private long sum;
    private boolean isDone;
    private long watchId;
    private int held;
    private RpcChannel channel;

    @Test
    void shouldCallWithoutCopiesWhenOnOneThread()
    {
        final RpcServer.Context serverContext = new RpcServer.Context()
            .useAgentInvoker(true)
            .listen(new LoopbackTransport(), ADDRESS)
            .service(new MarketAdapter(new GuideMarket()));
        // region compression
        serverContext.compression(new ZstdCodec(), 4_096).checksum(16_384);
        // endregion
        // region windows
        final RpcClient.Context clientContext = new RpcClient.Context()
            .useAgentInvoker(true)
            .transport(new LoopbackTransport())
            .streamWindowItems(100)
            .streamWindowBytes(64 * 1024);
        // endregion
        try (RpcServer server = RpcServer.launch(serverContext);
            RpcClient client = RpcClient.launch(clientContext))
        {
            channel = client.connect(ADDRESS);
            while (channel.state() != ChannelState.READY)
            {
                server.doWork();
                client.doWork();
            }
            // region zero copy
            final MarketProxy proxy = new MarketProxy(channel, new Listener());
            final long correlationId = proxy.priceClaim(AskEncoder.BLOCK_LENGTH);
            if (correlationId > 0)
            {
                proxy.priceEncoder().instrument(7);     // encodes in the transport's own memory
                proxy.commit();
            }
            // endregion
            assertTrue(correlationId > 0);
            while (!isDone)
            {
                server.doWork();
                client.doWork();
            }
            assertEquals(7, sum);
            isDone = false;
            watchId = proxy.watchClaim(AskEncoder.BLOCK_LENGTH);
            proxy.watchEncoder().instrument(1);
            proxy.commit();
            while (!isDone)
            {
                server.doWork();
                client.doWork();
            }
            assertEquals(7 + 500_500, sum);
        }
    }

    private final class Listener implements MarketListener
    {
        // region listener
        @Override
        public void onPriceResponse(final long correlationId, final PriceDecoder response)
        {
            sum += response.cents();
            isDone = true;
        }

        @Override
        public void onError(final long correlationId, final int methodId, final StatusCode code, final String text)
        {
            throw new IllegalStateException(code + ": " + text);
        }
        // endregion

        // region manual grants
        @Override
        public boolean isWatchGrantAutomatic()
        {
            return false;
        }

        @Override
        public void onWatchItem(final long correlationId, final PriceDecoder item)
        {
            sum += item.cents();
            if (++held == BATCH)
            {
                held = 0;
                channel.grant(correlationId, BATCH);
            }
        }
        // endregion

        @Override
        public void onWatchCompleted(final long correlationId)
        {
            assertEquals(watchId, correlationId);
            isDone = true;
        }

        @Override
        public void onReportResponse(final long correlationId, final TotalDecoder response)
        {
        }

        @Override
        public void onFollowItem(final long correlationId, final PriceDecoder item)
        {
        }

        @Override
        public void onFollowCompleted(final long correlationId)
        {
        }
    }
}
