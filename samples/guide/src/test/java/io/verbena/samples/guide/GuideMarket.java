/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.samples.guide;

import io.verbena.rpc.CallScope;
import io.verbena.rpc.RpcChannel;
import io.verbena.rpc.StatusCode;
import io.verbena.samples.guide.market.AskDecoder;
import io.verbena.samples.guide.market.MarketClient;
import io.verbena.samples.guide.market.MarketService;
import io.verbena.samples.guide.market.PriceDecoder;
import io.verbena.samples.guide.market.PriceEncoder;
import io.verbena.samples.guide.market.PriceResponder;
import io.verbena.samples.guide.market.PriceStream;
import io.verbena.samples.guide.market.TotalResponder;
import io.verbena.samples.guide.market.TradeDecoder;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * The service of the guide. Prices of instrument n are n, n + 1, n + 2 and so on; there are none of 0, and 99 is the
 * last instrument. Instrument 50 is priced by asking another server, if there is one.
 */
class GuideMarket implements MarketService
{
    private static final int PRICES = 1_000;
    private static final long LAST = 99;
    private static final long ELSEWHERE = 50;

    private MarketClient other;
    private Executor serverThread;

    final void askElsewhere(final RpcChannel channel, final Executor newServerThread)
    {
        other = new MarketClient(channel);
        serverThread = newServerThread;
    }

    // region answer
    @Override
    public void onPrice(final AskDecoder request, final PriceResponder responder)
    {
        final long instrument = request.instrument();
        if (instrument == 0)
        {
            responder.fail(StatusCode.INVALID_ARGUMENT, "expected an instrument from 1, found 0");
        }
        else if (instrument > LAST)
        {
            responder.noSuchInstrumentEncoder(StatusCode.NOT_FOUND, "no instrument " + instrument)
                .instrument(instrument).nearest(LAST);
            responder.send();
        }
        else if (instrument == ELSEWHERE && other != null)
        {
            askElsewhere(instrument, responder.detach());
        }
        else
        {
            responder.claim(PriceEncoder.BLOCK_LENGTH).instrument(instrument).cents(instrument);
            responder.send();
        }
    }
    // endregion

    // region nested call
    private void askElsewhere(final long instrument, final PriceResponder responder)
    {
        // has no more time than the call that is handled here, and is cancelled with it
        final CompletableFuture<PriceDecoder> price = other.priceAsync(request -> request.instrument(instrument + 1));
        price.whenCompleteAsync((found, failure) ->
        {
            if (failure == null)
            {
                responder.encoder().instrument(instrument).cents(found.cents());
                responder.send();
            }
            else
            {
                responder.fail(StatusCode.UNAVAILABLE, "the other market does not answer");
            }
        }, serverThread);       // RpcServer.execute: calls are answered on the server's thread
    }
    // endregion

    // region detached scope
    final void refresh()
    {
        try (CallScope _ = CallScope.detached())
        {
            // goes on when the call that is being handled has ended
            other.priceAsync(request -> request.instrument(1)).thenAccept(this::keep);
        }
    }
    // endregion

    private void keep(final PriceDecoder price)
    {
    }

    // region server stream
    @Override
    public void onWatch(final AskDecoder request, final PriceStream stream)
    {
        stream.attach(new Cursor(request.instrument()));
        onWatchReady(stream);
    }

    @Override
    public void onWatchReady(final PriceStream stream)
    {
        final Cursor cursor = (Cursor)stream.attachment();
        while (cursor.sent < PRICES)
        {
            if (stream.tryClaim(PriceEncoder.BLOCK_LENGTH) < 0)
            {
                // no credit, or the transport pushes back: onWatchReady is called again when to go on
                return;
            }
            stream.encoder().instrument(cursor.instrument).cents(cursor.instrument + cursor.sent++);
            stream.send();
        }
        stream.complete();
    }
    // endregion

    // region client stream
    @Override
    public void onReport(final TotalResponder responder)
    {
        responder.attach(new Sum());
    }

    @Override
    public void onReportItem(final TradeDecoder item, final TotalResponder responder)
    {
        final Sum sum = (Sum)responder.attachment();
        sum.trades++;
        sum.quantity += item.quantity();
    }

    @Override
    public void onReportHalfClosed(final TotalResponder responder)
    {
        final Sum sum = (Sum)responder.attachment();
        responder.encoder().trades(sum.trades).quantity(sum.quantity);
        responder.send();
    }
    // endregion

    @Override
    public void onFollow(final PriceStream stream)
    {
    }

    @Override
    public void onFollowItem(final AskDecoder item, final PriceStream stream)
    {
        if (stream.tryClaim(PriceEncoder.BLOCK_LENGTH) > 0)
        {
            stream.encoder().instrument(item.instrument()).cents(item.instrument());
            stream.send();
        }
    }

    @Override
    public void onFollowHalfClosed(final PriceStream stream)
    {
        stream.complete();
    }

    private static final class Cursor
    {
        private final long instrument;
        private long sent;

        private Cursor(final long instrument)
        {
            this.instrument = instrument;
        }
    }

    private static final class Sum
    {
        private long trades;
        private long quantity;
    }
}
