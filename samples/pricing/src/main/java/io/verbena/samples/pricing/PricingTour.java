/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.samples.pricing;

import io.verbena.auto.Transports;
import io.verbena.rpc.ChannelState;
import io.verbena.rpc.RpcChannel;
import io.verbena.rpc.RpcClient;
import io.verbena.rpc.RpcException;
import io.verbena.rpc.StatusCode;
import io.verbena.samples.pricing.generated.DecimalDecoder;
import io.verbena.samples.pricing.generated.DepthDecoder;
import io.verbena.samples.pricing.generated.GetPriceEncoder;
import io.verbena.samples.pricing.generated.PriceDecoder;
import io.verbena.samples.pricing.generated.PricingClient;
import io.verbena.samples.pricing.generated.PricingListener;
import io.verbena.samples.pricing.generated.PricingProxy;
import io.verbena.samples.pricing.generated.QuoteDecoder;
import io.verbena.samples.pricing.generated.Side;
import io.verbena.samples.pricing.generated.UnknownSymbolException;
import io.verbena.samples.pricing.generated.Venue;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.BackoffIdleStrategy;

/**
 * Calls the pricing service at the address given as argument through all three faces of its stub, and prints what
 * comes back: {@code PricingTour udp://localhost:9000}.
 */
public final class PricingTour
{
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(10);

    private PricingTour()
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
            run(args.length == 0 ? "udp://localhost:9000" : args[0], System.out);
        }
        catch (final RpcException ex)
        {
            System.err.println("pricing tour: " + ex.getMessage());
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
        withFuturesAndBlocking(address, out);
        zeroCopy(address, out);
    }

    /**
     * A client with a thread of its own; calls from this thread, which may well be a virtual one.
     */
    private static void withFuturesAndBlocking(final String address, final PrintStream out)
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
            final PricingClient pricing = new PricingClient(channel);

            final PriceDecoder price = pricing.getPrice(request -> request.venue(Venue.NEW_YORK).symbol("ACME"));
            out.printf("  getPrice ACME      bid %s ask %s%n", decimal(price.bid()), decimal(price.ask()));

            final DepthDecoder depth = pricing.getDepthAsync(
                request -> request.venue(Venue.LONDON).maxLevels(3).symbol("VOD")).join();
            final StringBuilder levels = new StringBuilder();
            for (final DepthDecoder.BidsDecoder bid : depth.bids())
            {
                levels.append(' ').append(decimal(bid.price())).append('x').append(bid.quantity());
            }
            out.println("  getDepth VOD       bids" + levels);

            final QuoteDecoder quote = pricing.requestQuote(request -> request
                .quantity(250).venue(Venue.NEW_YORK).side(Side.BUY).symbol("VRB").note("a tour"));
            out.printf("  requestQuote VRB   quote %d: %d at %s%n",
                quote.quoteId(), quote.quantity(), decimal(quote.price()));

            try
            {
                pricing.getPrice(request -> request.venue(Venue.TOKYO).symbol("ACME"));
                throw new RpcException(StatusCode.UNKNOWN, "ACME was found in Tokyo");
            }
            catch (final UnknownSymbolException ex)
            {
                out.println("  getPrice in TOKYO  " + ex.code() + ", as declared: " + ex.text() + " (" +
                    ex.error().venue() + ")");
            }
        }
    }

    /**
     * A client on this thread, which polls: nothing is allocated for a call.
     */
    private static void zeroCopy(final String address, final PrintStream out)
    {
        try (RpcClient client = RpcClient.launch(new RpcClient.Context()
            .transport(Transports.forAddress(address))
            .useAgentInvoker(true)))
        {
            final RpcChannel channel = client.connect(address);
            final LastPrice listener = new LastPrice();
            final PricingProxy pricing = new PricingProxy(channel, listener);
            final byte[] symbol = "ACME".getBytes(StandardCharsets.US_ASCII);
            final long deadlineNs = System.nanoTime() + PATIENCE_NS;
            while (channel.state() != ChannelState.READY)
            {
                client.doWork();
                requireTime(deadlineNs);
            }
            while (pricing.getPriceClaim(
                GetPriceEncoder.BLOCK_LENGTH + GetPriceEncoder.symbolHeaderLength() + symbol.length) < 0)
            {
                // back pressure: let the transport move on
                client.doWork();
                requireTime(deadlineNs);
            }
            pricing.getPriceEncoder().venue(Venue.NEW_YORK).putSymbol(symbol, 0, symbol.length);
            pricing.commit();
            while (!listener.isDone)
            {
                client.doWork();
                requireTime(deadlineNs);
            }
            if (listener.failure != null)
            {
                throw listener.failure;
            }
            out.println("  zero-copy getPrice bid mantissa " + listener.bidMantissa);
        }
    }

    private static void requireTime(final long deadlineNs)
    {
        if (System.nanoTime() - deadlineNs > 0)
        {
            throw new RpcException(StatusCode.DEADLINE_EXCEEDED, "no answer within 10 s");
        }
        Thread.onSpinWait();
    }

    private static BigDecimal decimal(final DecimalDecoder decimal)
    {
        return BigDecimal.valueOf(decimal.mantissa(), -decimal.exponent());
    }

    private static final class LastPrice implements PricingListener
    {
        private boolean isDone;
        private long bidMantissa;
        private RpcException failure;

        @Override
        public void onGetPriceResponse(final long correlationId, final PriceDecoder response)
        {
            bidMantissa = response.bid().mantissa();
            isDone = true;
        }

        @Override
        public void onGetDepthResponse(final long correlationId, final DepthDecoder response)
        {
            // this client asks for prices only
        }

        @Override
        public void onRequestQuoteResponse(final long correlationId, final QuoteDecoder response)
        {
            // this client asks for prices only
        }

        @Override
        public void onError(
            final long correlationId, final int methodId, final StatusCode code, final String text)
        {
            failure = new RpcException(code, text);
            isDone = true;
        }
    }
}
