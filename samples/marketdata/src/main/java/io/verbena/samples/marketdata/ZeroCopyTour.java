/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.samples.marketdata;

import io.verbena.auto.Transports;
import io.verbena.rpc.ChannelState;
import io.verbena.rpc.RpcChannel;
import io.verbena.rpc.RpcClient;
import io.verbena.rpc.RpcException;
import io.verbena.rpc.StatusCode;
import io.verbena.samples.marketdata.generated.MarketDataListener;
import io.verbena.samples.marketdata.generated.MarketDataProxy;
import io.verbena.samples.marketdata.generated.SummaryDecoder;
import io.verbena.samples.marketdata.generated.TickDecoder;
import io.verbena.samples.marketdata.generated.TradeEncoder;
import io.verbena.samples.marketdata.generated.WatchEncoder;
import java.io.PrintStream;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * The zero-copy face: a client on this thread, which polls. Nothing is allocated for an item in either direction.
 */
final class ZeroCopyTour
{
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(10);
    private static final long TICKS = 10_000;
    private static final long TRADES = 10_000;

    private final RpcClient client;
    private final MarketDataProxy market;
    private final Listener listener = new Listener();
    private long uploadId;
    private long sent;

    private ZeroCopyTour(final RpcClient client, final RpcChannel channel)
    {
        this.client = client;
        this.market = new MarketDataProxy(channel, listener);
    }

    static void run(final String address, final PrintStream out)
    {
        try (RpcClient client = RpcClient.launch(new RpcClient.Context()
            .transport(Transports.forAddress(address))
            .useAgentInvoker(true)))
        {
            final RpcChannel channel = client.connect(address);
            final ZeroCopyTour tour = new ZeroCopyTour(client, channel);
            tour.await(() -> channel.state() == ChannelState.READY);
            tour.watch();
            out.println("  zero-copy       " + tour.listener.ticks + " ticks watched");
            tour.upload();
            out.println("  zero-copy       " + tour.listener.trades + " trades uploaded");
        }
    }

    private void watch()
    {
        await(() -> market.watchClaim(WatchEncoder.BLOCK_LENGTH) > 0);
        market.watchEncoder().count(TICKS).symbol("ACME");
        market.commit();
        await(() -> listener.isDone);
    }

    private void upload()
    {
        listener.isDone = false;
        await(() -> (uploadId = market.uploadOpen()) > 0);
        sendTrades();
        await(() -> listener.isDone);
    }

    /**
     * Sends until all is sent, or the server has to read first: then the listener is told when to go on.
     */
    private void sendTrades()
    {
        while (sent < TRADES)
        {
            if (market.uploadClaim(uploadId, TradeEncoder.BLOCK_LENGTH) < 0)
            {
                return;
            }
            market.uploadEncoder().price(10_120).quantity(1);
            market.commit();
            sent++;
        }
        market.uploadHalfClose(uploadId);
    }

    private void await(final BooleanSupplier condition)
    {
        final long deadlineNs = System.nanoTime() + PATIENCE_NS;
        while (!condition.getAsBoolean())
        {
            if (System.nanoTime() - deadlineNs > 0)
            {
                throw new RpcException(StatusCode.DEADLINE_EXCEEDED, "no answer within 10 s");
            }
            if (client.doWork() == 0)
            {
                Thread.onSpinWait();
            }
        }
        if (listener.failure != null)
        {
            throw listener.failure;
        }
    }

    private final class Listener implements MarketDataListener
    {
        private boolean isDone;
        private long ticks;
        private long trades;
        private RpcException failure;

        @Override
        public void onWatchItem(final long correlationId, final TickDecoder item)
        {
            ticks++;
        }

        @Override
        public void onWatchCompleted(final long correlationId)
        {
            isDone = true;
        }

        @Override
        public void onUploadReady(final long correlationId)
        {
            sendTrades();
        }

        @Override
        public void onUploadResponse(final long correlationId, final SummaryDecoder response)
        {
            trades = response.trades();
            isDone = true;
        }

        @Override
        public void onSubscribeItem(final long correlationId, final TickDecoder item)
        {
            // this client does not subscribe
        }

        @Override
        public void onSubscribeCompleted(final long correlationId)
        {
            // this client does not subscribe
        }

        @Override
        public void onError(final long correlationId, final int methodId, final StatusCode code, final String text)
        {
            failure = new RpcException(code, text);
            isDone = true;
        }
    }
}
