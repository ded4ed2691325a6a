/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.samples.marketdata;

import io.verbena.auto.Transports;
import io.verbena.rpc.RpcChannel;
import io.verbena.rpc.RpcClient;
import io.verbena.rpc.RpcException;
import io.verbena.rpc.StatusCode;
import io.verbena.samples.marketdata.generated.InvalidTradeException;
import io.verbena.samples.marketdata.generated.MarketDataClient;
import io.verbena.samples.marketdata.generated.SummaryDecoder;
import io.verbena.samples.marketdata.generated.TickDecoder;
import java.io.PrintStream;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.concurrent.BackoffIdleStrategy;

/**
 * Calls the market data service at the address given as argument and prints what comes back:
 * {@code MarketDataTour udp://localhost:9001}.
 */
public final class MarketDataTour
{
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(10);
    private static final long MANY = 1_000_000;

    private MarketDataTour()
    {
    }

    /**
     * Makes the calls.
     *
     * @param args the address of the server.
     */
    public static void main(final String[] args)
    {
        try
        {
            run(args.length == 0 ? "udp://localhost:9001" : args[0], System.out);
        }
        catch (final RpcException ex)
        {
            System.err.println("market data tour: " + ex.getMessage());
            System.exit(1);
        }
    }

    /**
     * Makes the calls.
     *
     * @param address of the server.
     * @param out     to print to.
     * @throws RpcException if a call fails that should not.
     */
    public static void run(final String address, final PrintStream out)
    {
        try (RpcClient client = RpcClient.launch(new RpcClient.Context()
            .transport(Transports.forAddress(address))
            .idleStrategy(new BackoffIdleStrategy())))
        {
            final RpcChannel channel = client.connect(address);
            if (!channel.awaitReady(PATIENCE_NS))
            {
                throw new RpcException(StatusCode.UNAVAILABLE, "no server answered at " + address + " within 10 s");
            }
            final MarketDataClient market = new MarketDataClient(channel);
            watch(market, out);
            upload(market, out);
            subscribe(market, out);
        }
        ZeroCopyTour.run(address, out);
    }

    private static void watch(final MarketDataClient market, final PrintStream out)
    {
        try (MarketDataClient.WatchStream ticks = market.watch(request -> request.count(3).symbol("ACME")))
        {
            for (final TickDecoder tick : ticks)
            {
                out.printf("  watch ACME      tick %d: %d at %d%n", tick.sequence(), tick.quantity(), tick.price());
            }
        }

        // pushed to the consumer on the client's thread, which hands back credit as it returns
        final AtomicLong sum = new AtomicLong();
        market.watchAsync(request -> request.count(10_000).symbol("VRB"), tick -> sum.addAndGet(tick.quantity()))
            .join();
        out.println("  watch VRB       10000 ticks pushed, " + sum + " units");

        // a reader that has enough: the server has sent no more than a window ahead, and is told to stop
        try (MarketDataClient.WatchStream ticks = market.watch(request -> request.count(MANY).symbol("ACME")))
        {
            out.printf("  watch ACME      %d of %d ticks taken, then closed%n", ticks.take().sequence(), MANY);
        }
    }

    private static void upload(final MarketDataClient market, final PrintStream out)
    {
        try (MarketDataClient.UploadStream trades = market.upload())
        {
            for (int i = 1; i <= 1_000; i++)
            {
                final long quantity = i;
                trades.send(trade -> trade.price(10_120).quantity(quantity));
            }
            final SummaryDecoder summary = trades.finish();
            out.printf("  upload          %d trades, %d units%n", summary.trades(), summary.quantity());
        }
        try (MarketDataClient.UploadStream trades = market.upload())
        {
            trades.send(trade -> trade.price(10_120).quantity(1));
            trades.send(trade -> trade.price(10_120).quantity(0));
            trades.finish();
            throw new RpcException(StatusCode.UNKNOWN, "a trade of nothing was taken");
        }
        catch (final InvalidTradeException ex)
        {
            out.printf("  upload          %s, as declared: trade %d, %s%n",
                ex.code(), ex.error().position(), ex.text());
        }
    }

    private static void subscribe(final MarketDataClient market, final PrintStream out)
    {
        try (MarketDataClient.SubscribeStream ticks = market.subscribe())
        {
            ticks.send(request -> request.count(2).symbol("ACME"));
            final StringBuilder seen = new StringBuilder();
            seen.append(' ').append(ticks.take().symbol());
            seen.append(' ').append(ticks.take().symbol());
            // the call is open still, so that one more can be added
            ticks.send(request -> request.count(1).symbol("VRB"));
            ticks.halfClose();
            for (final TickDecoder tick : ticks)
            {
                seen.append(' ').append(tick.symbol());
            }
            out.println("  subscribe      " + seen);
        }
    }
}
