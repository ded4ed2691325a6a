/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.samples.marketdata;

import io.verbena.rpc.StatusCode;
import io.verbena.samples.marketdata.generated.InvalidTradeEncoder;
import io.verbena.samples.marketdata.generated.MarketDataService;
import io.verbena.samples.marketdata.generated.SummaryEncoder;
import io.verbena.samples.marketdata.generated.SummaryResponder;
import io.verbena.samples.marketdata.generated.TickEncoder;
import io.verbena.samples.marketdata.generated.TickStream;
import io.verbena.samples.marketdata.generated.TradeDecoder;
import io.verbena.samples.marketdata.generated.UnknownSymbolEncoder;
import io.verbena.samples.marketdata.generated.WatchDecoder;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The market data service from memory. Runs on the server's duty cycle. Each call carries its state as its attachment;
 * what is sent is encoded in the transport's memory, and nothing is allocated for a tick or a trade.
 */
final class InMemoryMarket implements MarketDataService
{
    private static final Map<String, Instrument> INSTRUMENTS = Map.of(
        "ACME", new Instrument("ACME", 10_120),
        "VRB", new Instrument("VRB", 4_210));

    private final AtomicLong ticksSent = new AtomicLong();
    private final AtomicLong callsEnded = new AtomicLong();

    /**
     * Ticks sent so far, to all readers. Any thread.
     */
    long ticksSent()
    {
        return ticksSent.get();
    }

    /**
     * Calls that have ended so far. Any thread.
     */
    long callsEnded()
    {
        return callsEnded.get();
    }

    @Override
    public void onWatch(final WatchDecoder request, final TickStream stream)
    {
        final Instrument instrument = find(request, stream);
        if (instrument != null)
        {
            final Cursor cursor = new Cursor(instrument, request.count());
            stream.attach(cursor);
            send(cursor, stream);
        }
    }

    @Override
    public void onWatchReady(final TickStream stream)
    {
        send((Cursor)stream.attachment(), stream);
    }

    @Override
    public void onWatchEnded(
        final long connectionId, final long correlationId, final Object attachment, final StatusCode status)
    {
        callsEnded.incrementAndGet();
    }

    @Override
    public void onUpload(final SummaryResponder responder)
    {
        responder.attach(new Totals());
    }

    @Override
    public void onUploadItem(final TradeDecoder item, final SummaryResponder responder)
    {
        final Totals totals = (Totals)responder.attachment();
        totals.trades++;
        if (item.quantity() < 1)
        {
            // the upload ends here: trades that are still on their way are dropped
            responder.claimInvalidTrade(
                StatusCode.INVALID_ARGUMENT, "a trade has a quantity from 1", InvalidTradeEncoder.BLOCK_LENGTH)
                .position(totals.trades).quantity(item.quantity());
            responder.send();
            return;
        }
        totals.quantity += item.quantity();
        totals.value += item.quantity() * item.price();
    }

    @Override
    public void onUploadHalfClosed(final SummaryResponder responder)
    {
        final Totals totals = (Totals)responder.attachment();
        responder.claim(SummaryEncoder.BLOCK_LENGTH)
            .trades(totals.trades).quantity(totals.quantity).value(totals.value);
        responder.send();
    }

    @Override
    public void onUploadEnded(
        final long connectionId, final long correlationId, final Object attachment, final StatusCode status)
    {
        callsEnded.incrementAndGet();
    }

    @Override
    public void onSubscribe(final TickStream stream)
    {
        stream.attach(new Subscriptions());
    }

    @Override
    public void onSubscribeItem(final WatchDecoder item, final TickStream stream)
    {
        final Instrument instrument = find(item, stream);
        if (instrument != null)
        {
            final Subscriptions subscriptions = (Subscriptions)stream.attachment();
            subscriptions.cursors.add(new Cursor(instrument, item.count()));
            send(subscriptions, stream);
        }
    }

    @Override
    public void onSubscribeHalfClosed(final TickStream stream)
    {
        final Subscriptions subscriptions = (Subscriptions)stream.attachment();
        subscriptions.isComplete = true;
        send(subscriptions, stream);
    }

    @Override
    public void onSubscribeReady(final TickStream stream)
    {
        send((Subscriptions)stream.attachment(), stream);
    }

    @Override
    public void onSubscribeEnded(
        final long connectionId, final long correlationId, final Object attachment, final StatusCode status)
    {
        callsEnded.incrementAndGet();
    }

    /**
     * Sends until all is told, or the reader has to read first: then this is called again when it has.
     */
    private void send(final Cursor cursor, final TickStream stream)
    {
        while (!cursor.isAtEnd())
        {
            if (!tell(cursor, stream))
            {
                return;
            }
        }
        stream.complete();
    }

    private void send(final Subscriptions subscriptions, final TickStream stream)
    {
        Cursor cursor;
        while ((cursor = subscriptions.cursors.peek()) != null)
        {
            if (!cursor.isAtEnd() && !tell(cursor, stream))
            {
                return;
            }
            subscriptions.cursors.remove();
            if (!cursor.isAtEnd())
            {
                // one tick of each in turn
                subscriptions.cursors.add(cursor);
            }
        }
        if (subscriptions.isComplete)
        {
            stream.complete();
        }
    }

    private boolean tell(final Cursor cursor, final TickStream stream)
    {
        if (stream.tryClaim(TickEncoder.BLOCK_LENGTH) < 0)
        {
            return false;
        }
        cursor.tell(stream.encoder());
        stream.send();
        ticksSent.lazySet(ticksSent.get() + 1);
        return true;
    }

    private static Instrument find(final WatchDecoder request, final TickStream stream)
    {
        final String symbol = request.symbol();
        final Instrument instrument = INSTRUMENTS.get(symbol);
        if (instrument == null)
        {
            stream.claimUnknownSymbol(StatusCode.NOT_FOUND, "no such symbol", UnknownSymbolEncoder.BLOCK_LENGTH)
                .symbol(symbol);
            stream.send();
        }
        return instrument;
    }

    /**
     * What has been uploaded so far.
     */
    private static final class Totals
    {
        private long trades;
        private long quantity;
        private long value;
    }

    /**
     * What one call has subscribed to.
     */
    private static final class Subscriptions
    {
        private final ArrayDeque<Cursor> cursors = new ArrayDeque<>();
        private boolean isComplete;
    }
}
