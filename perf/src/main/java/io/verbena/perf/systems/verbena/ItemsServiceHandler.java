/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.systems.verbena;

import io.verbena.perf.generated.FeedSummaryEncoder;
import io.verbena.perf.generated.FeedSummaryResponder;
import io.verbena.perf.generated.Item32Decoder;
import io.verbena.perf.generated.Item32Encoder;
import io.verbena.perf.generated.Item32Stream;
import io.verbena.perf.generated.ItemDecoder;
import io.verbena.perf.generated.ItemStream;
import io.verbena.perf.generated.ItemsService;
import io.verbena.perf.generated.WatchRequestDecoder;
import io.verbena.perf.systems.StreamTally;

/**
 * Sends items until one is refused, and goes on when it is told to; takes and counts the client's. What it counts and
 * sends is meant for one call at a time; streams in the background of calls share the counts, which then say nothing.
 */
final class ItemsServiceHandler implements ItemsService
{
    private final StreamTally tally;
    private ItemFiller filler;
    private volatile boolean isStopped;
    private volatile boolean hasStopped;

    /**
     * For one server.
     *
     * @param tally      to count in.
     * @param bodyLength of the items that it sends without having been asked for another length, in bytes.
     */
    ItemsServiceHandler(final StreamTally tally, final int bodyLength)
    {
        this.tally = tally;
        filler = new ItemFiller(bodyLength);
    }

    /**
     * Any thread.
     */
    void stopSending()
    {
        isStopped = true;
    }

    /**
     * Any thread.
     *
     * @param isSending whether there is anything to stop.
     * @return whether no item follows.
     */
    boolean hasStopped(final boolean isSending)
    {
        return !isSending || hasStopped;
    }

    @Override
    public void onWatch(final WatchRequestDecoder request, final ItemStream stream)
    {
        filler = ItemFiller.ofData(request.itemLength());
        onWatchReady(stream);
    }

    @Override
    public void onWatchReady(final ItemStream stream)
    {
        if (send(stream))
        {
            stream.complete();
        }
    }

    @Override
    public void onWatch32(final WatchRequestDecoder request, final Item32Stream stream)
    {
        onWatch32Ready(stream);
    }

    @Override
    public void onWatch32Ready(final Item32Stream stream)
    {
        if (send(stream))
        {
            stream.complete();
        }
    }

    @Override
    public void onChat(final ItemStream stream)
    {
        onChatReady(stream);
    }

    @Override
    public void onChatReady(final ItemStream stream)
    {
        send(stream);
    }

    @Override
    public void onChatItem(final ItemDecoder item, final ItemStream stream)
    {
        tally.onReceived(item.sequence());
    }

    @Override
    public void onChatHalfClosed(final ItemStream stream)
    {
        stream.complete();
    }

    @Override
    public void onChat32(final Item32Stream stream)
    {
        onChat32Ready(stream);
    }

    @Override
    public void onChat32Ready(final Item32Stream stream)
    {
        send(stream);
    }

    @Override
    public void onChat32Item(final Item32Decoder item, final Item32Stream stream)
    {
        onItem(item);
    }

    @Override
    public void onChat32HalfClosed(final Item32Stream stream)
    {
        stream.complete();
    }

    @Override
    public void onFeed(final FeedSummaryResponder responder)
    {
        // Items follow.
    }

    @Override
    public void onFeedItem(final ItemDecoder item, final FeedSummaryResponder responder)
    {
        tally.onReceived(item.sequence());
    }

    @Override
    public void onFeedHalfClosed(final FeedSummaryResponder responder)
    {
        onFeed32HalfClosed(responder);
    }

    @Override
    public void onFeed32(final FeedSummaryResponder responder)
    {
        // Items follow.
    }

    @Override
    public void onFeed32Item(final Item32Decoder item, final FeedSummaryResponder responder)
    {
        onItem(item);
    }

    @Override
    public void onFeed32HalfClosed(final FeedSummaryResponder responder)
    {
        responder.claim(FeedSummaryEncoder.BLOCK_LENGTH).received(tally.nowReceived());
        responder.send();
    }

    private void onItem(final Item32Decoder item)
    {
        if (item.filler(Item32Decoder.fillerLength() - 1) != ItemFiller.FILLER)
        {
            throw new IllegalStateException("an item with another last byte");
        }
        tally.onReceived(item.sequence());
    }

    /**
     * Sends items until one is refused.
     *
     * @return whether all is sent, since the rig has said so.
     */
    private boolean send(final Item32Stream stream)
    {
        while (!isStopped)
        {
            if (stream.tryClaim(Item32Encoder.BLOCK_LENGTH) <= 0)
            {
                return false;
            }
            filler.fill(stream.encoder(), tally.nextSequence());
            stream.send();
            tally.onSent();
        }
        return stop();
    }

    private boolean send(final ItemStream stream)
    {
        final int bodyLength = filler.bodyLength();
        while (!isStopped)
        {
            if (stream.tryClaim(bodyLength) <= 0)
            {
                return false;
            }
            filler.fill(stream.encoder(), tally.nextSequence());
            stream.send();
            tally.onSent();
        }
        return stop();
    }

    private boolean stop()
    {
        tally.publish();
        hasStopped = true;
        return true;
    }
}
