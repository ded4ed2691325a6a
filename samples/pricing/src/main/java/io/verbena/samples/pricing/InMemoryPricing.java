/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.samples.pricing;

import io.verbena.rpc.StatusCode;
import io.verbena.samples.pricing.generated.DepthEncoder;
import io.verbena.samples.pricing.generated.DepthResponder;
import io.verbena.samples.pricing.generated.GetDepthDecoder;
import io.verbena.samples.pricing.generated.GetPriceDecoder;
import io.verbena.samples.pricing.generated.InvalidQuantityEncoder;
import io.verbena.samples.pricing.generated.PriceEncoder;
import io.verbena.samples.pricing.generated.PriceResponder;
import io.verbena.samples.pricing.generated.PricingService;
import io.verbena.samples.pricing.generated.QuoteEncoder;
import io.verbena.samples.pricing.generated.QuoteResponder;
import io.verbena.samples.pricing.generated.RequestQuoteDecoder;
import io.verbena.samples.pricing.generated.Side;
import io.verbena.samples.pricing.generated.UnknownSymbolEncoder;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.EpochNanoClock;

/**
 * The pricing service from memory. Runs on the server's duty cycle: reads the request where it lies, encodes the
 * response in the transport's memory, allocates nothing for a price, a depth or a quote.
 */
final class InMemoryPricing implements PricingService
{
    /** The most levels that are told on each side. */
    static final int MAX_LEVELS = 10;

    /** How long a quote holds, in nanoseconds. */
    static final long QUOTE_LIFETIME_NS = 5_000_000_000L;

    private final PriceBook book;
    private final EpochNanoClock clock;
    private long nextQuoteId = 1;

    /**
     * With its prices and its clock.
     *
     * @param book  of instruments.
     * @param clock for time stamps.
     */
    InMemoryPricing(final PriceBook book, final EpochNanoClock clock)
    {
        this.book = book;
        this.clock = clock;
    }

    @Override
    public void onGetPrice(final GetPriceDecoder request, final PriceResponder responder)
    {
        final DirectBuffer buffer = request.buffer();
        final int length = request.symbolLength();
        final int offset = request.limit() + GetPriceDecoder.symbolHeaderLength();
        final Instrument instrument = book.find(request.venue(), buffer, offset, length);
        if (instrument == null)
        {
            final UnknownSymbolEncoder error = responder.claimUnknownSymbol(
                StatusCode.NOT_FOUND, "no such symbol there",
                UnknownSymbolEncoder.BLOCK_LENGTH + UnknownSymbolEncoder.symbolHeaderLength() + length);
            error.venue(request.venue()).putSymbol(buffer, offset, length);
            responder.send();
            return;
        }
        final PriceEncoder price = responder.claim(
            PriceEncoder.BLOCK_LENGTH + PriceEncoder.symbolHeaderLength() + length);
        price.timestamp(clock.nanoTime()).venue(request.venue());
        price.bid().mantissa(instrument.bid(0)).exponent(instrument.exponent());
        price.ask().mantissa(instrument.ask(0)).exponent(instrument.exponent());
        price.putSymbol(buffer, offset, length);
        responder.send();
    }

    @Override
    public void onGetDepth(final GetDepthDecoder request, final DepthResponder responder)
    {
        final DirectBuffer buffer = request.buffer();
        final int length = request.symbolLength();
        final int offset = request.limit() + GetDepthDecoder.symbolHeaderLength();
        final Instrument instrument = book.find(request.venue(), buffer, offset, length);
        if (instrument == null)
        {
            final UnknownSymbolEncoder error = responder.claimUnknownSymbol(
                StatusCode.NOT_FOUND, "no such symbol there",
                UnknownSymbolEncoder.BLOCK_LENGTH + UnknownSymbolEncoder.symbolHeaderLength() + length);
            error.venue(request.venue()).putSymbol(buffer, offset, length);
            responder.send();
            return;
        }
        final int levels = Math.min(request.maxLevels(), MAX_LEVELS);
        final DepthEncoder depth = responder.claim(
            DepthEncoder.BLOCK_LENGTH +
            DepthEncoder.BidsEncoder.sbeHeaderSize() + levels * DepthEncoder.BidsEncoder.sbeBlockLength() +
            DepthEncoder.AsksEncoder.sbeHeaderSize() + levels * DepthEncoder.AsksEncoder.sbeBlockLength() +
            DepthEncoder.symbolHeaderLength() + length);
        depth.timestamp(clock.nanoTime()).venue(request.venue());
        final DepthEncoder.BidsEncoder bids = depth.bidsCount(levels);
        for (int level = 0; level < levels; level++)
        {
            bids.next().quantity(instrument.quantity(level)).price()
                .mantissa(instrument.bid(level)).exponent(instrument.exponent());
        }
        final DepthEncoder.AsksEncoder asks = depth.asksCount(levels);
        for (int level = 0; level < levels; level++)
        {
            asks.next().quantity(instrument.quantity(level)).price()
                .mantissa(instrument.ask(level)).exponent(instrument.exponent());
        }
        depth.putSymbol(buffer, offset, length);
        responder.send();
    }

    @Override
    public void onRequestQuote(final RequestQuoteDecoder request, final QuoteResponder responder)
    {
        final DirectBuffer buffer = request.buffer();
        final long quantity = request.quantity();
        final Side side = request.side();
        final int length = request.symbolLength();
        final int offset = request.limit() + RequestQuoteDecoder.symbolHeaderLength();
        final Instrument instrument = book.find(request.venue(), buffer, offset, length);
        if (instrument == null)
        {
            final UnknownSymbolEncoder error = responder.claimUnknownSymbol(
                StatusCode.NOT_FOUND, "no such symbol there",
                UnknownSymbolEncoder.BLOCK_LENGTH + UnknownSymbolEncoder.symbolHeaderLength() + length);
            error.venue(request.venue()).putSymbol(buffer, offset, length);
            responder.send();
        }
        else if (quantity < 1 || quantity > instrument.maxQuantity())
        {
            responder.claimInvalidQuantity(
                StatusCode.OUT_OF_RANGE, "the quantity is outside what is quoted", InvalidQuantityEncoder.BLOCK_LENGTH)
                .minimum(1).maximum(instrument.maxQuantity()).requested(quantity);
            responder.send();
        }
        else if (side != Side.BUY && side != Side.SELL)
        {
            responder.fail(StatusCode.INVALID_ARGUMENT, "side: expected BUY or SELL");
        }
        else
        {
            final QuoteEncoder quote = responder.claim(
                QuoteEncoder.BLOCK_LENGTH + QuoteEncoder.symbolHeaderLength() + length);
            quote.quoteId(nextQuoteId++).expires(clock.nanoTime() + QUOTE_LIFETIME_NS).quantity(quantity);
            quote.price()
                .mantissa(side == Side.BUY ? instrument.ask(0) : instrument.bid(0)).exponent(instrument.exponent());
            quote.putSymbol(buffer, offset, length);
            responder.send();
        }
    }
}
