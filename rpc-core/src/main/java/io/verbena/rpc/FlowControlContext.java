/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

/**
 * The settings of flow control, which clients and servers have in common: how far the peer may be ahead of this side.
 *
 * @param <C> the context itself, so that setters chain.
 */
abstract class FlowControlContext<C extends FlowControlContext<C>> extends PayloadContext<C>
{
    private int streamWindowItems = RpcConfiguration.count(
        RpcConfiguration.STREAM_WINDOW_ITEMS_PROP_NAME, RpcConfiguration.STREAM_WINDOW_ITEMS_DEFAULT);
    private int streamWindowBytes = RpcConfiguration.size(
        RpcConfiguration.STREAM_WINDOW_BYTES_PROP_NAME, RpcConfiguration.STREAM_WINDOW_BYTES_DEFAULT);
    private long connectionWindowBytes = RpcConfiguration.longSize(
        RpcConfiguration.CONNECTION_WINDOW_BYTES_PROP_NAME, RpcConfiguration.CONNECTION_WINDOW_BYTES_DEFAULT);

    /**
     * Sets how many items of one stream the peer may send before they are granted anew.
     *
     * @param streamWindowItems items, from 1.
     * @return this.
     */
    public C streamWindowItems(final int streamWindowItems)
    {
        this.streamWindowItems = streamWindowItems;
        return self();
    }

    /**
     * Tells how many items of one stream the peer may send before they are granted anew.
     *
     * @return items, from 1.
     */
    public int streamWindowItems()
    {
        return streamWindowItems;
    }

    /**
     * Sets how many bytes of one stream the peer may send before they are granted anew. An item may begin while there
     * is any credit left, so that a longer one than the window passes too: a reader that stops holds at most the window
     * and one item.
     *
     * @param streamWindowBytes bytes, from 1.
     * @return this.
     */
    public C streamWindowBytes(final int streamWindowBytes)
    {
        this.streamWindowBytes = streamWindowBytes;
        return self();
    }

    /**
     * Tells how many bytes of one stream the peer may send before they are granted anew.
     *
     * @return bytes, from 1.
     */
    public int streamWindowBytes()
    {
        return streamWindowBytes;
    }

    /**
     * Sets how many bytes of all streams of one connection may be on their way to this side. They count until this
     * side has taken them from the transport: a short call never waits for more of other calls' items than that.
     *
     * @param connectionWindowBytes bytes, from 1.
     * @return this.
     */
    public C connectionWindowBytes(final long connectionWindowBytes)
    {
        this.connectionWindowBytes = connectionWindowBytes;
        return self();
    }

    /**
     * Tells how many bytes of all streams of one connection may be on their way to this side.
     *
     * @return bytes, from 1.
     */
    public long connectionWindowBytes()
    {
        return connectionWindowBytes;
    }

    void concludeFlowControl()
    {
        Limits.require("streamWindowItems", streamWindowItems, 1, Integer.MAX_VALUE);
        Limits.require("streamWindowBytes", streamWindowBytes, 1, Integer.MAX_VALUE);
        Limits.require("connectionWindowBytes", connectionWindowBytes, 1, Long.MAX_VALUE);
    }
}
