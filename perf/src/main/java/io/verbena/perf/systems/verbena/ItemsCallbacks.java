/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.systems.verbena;

import io.verbena.perf.generated.FeedSummaryDecoder;
import io.verbena.perf.generated.Item32Decoder;
import io.verbena.perf.generated.ItemDecoder;
import io.verbena.perf.generated.ItemsListener;
import io.verbena.rpc.StatusCode;

/**
 * Takes every answer of the service of items for a fault; a subclass overrides what it has asked for.
 */
abstract class ItemsCallbacks implements ItemsListener
{
    /**
     * Something came that nobody had asked for, or a call ended as it should not.
     *
     * @param what it was.
     */
    protected abstract void onUnexpected(String what);

    @Override
    public void onWatchItem(final long correlationId, final ItemDecoder item)
    {
        onUnexpected("an item of watch");
    }

    @Override
    public void onWatchCompleted(final long correlationId)
    {
        onUnexpected("the end of watch");
    }

    @Override
    public void onWatch32Item(final long correlationId, final Item32Decoder item)
    {
        onUnexpected("an item of watch32");
    }

    @Override
    public void onWatch32Completed(final long correlationId)
    {
        onUnexpected("the end of watch32");
    }

    @Override
    public void onFeedResponse(final long correlationId, final FeedSummaryDecoder response)
    {
        onUnexpected("the response of feed");
    }

    @Override
    public void onFeed32Response(final long correlationId, final FeedSummaryDecoder response)
    {
        onUnexpected("the response of feed32");
    }

    @Override
    public void onChatItem(final long correlationId, final ItemDecoder item)
    {
        onUnexpected("an item of chat");
    }

    @Override
    public void onChatCompleted(final long correlationId)
    {
        onUnexpected("the end of chat");
    }

    @Override
    public void onChat32Item(final long correlationId, final Item32Decoder item)
    {
        onUnexpected("an item of chat32");
    }

    @Override
    public void onChat32Completed(final long correlationId)
    {
        onUnexpected("the end of chat32");
    }

    @Override
    public void onError(final long correlationId, final int methodId, final StatusCode code, final String text)
    {
        onUnexpected(code + ": " + text);
    }
}
