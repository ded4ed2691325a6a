/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.systems.verbena;

import io.verbena.perf.generated.ItemDecoder;
import io.verbena.perf.generated.ItemsProxy;
import io.verbena.perf.generated.WatchRequestEncoder;
import io.verbena.rpc.RpcChannel;
import io.verbena.rpc.StatusCode;

/**
 * Streams of long messages from the server, read as they come. There are two, so that while one waits for its credit
 * the other can send.
 */
final class BackgroundStreams extends ItemsCallbacks
{
    private static final int STREAMS = 2;
    private static final long NONE = 0;

    private final ItemsProxy proxy;
    private final int itemLength;
    private final long[] calls = new long[STREAMS];
    private long bytes;
    private boolean isStopping;
    private String failure;

    BackgroundStreams(final RpcChannel channel, final int itemLength)
    {
        proxy = new ItemsProxy(channel, this);
        this.itemLength = itemLength;
    }

    boolean tryStart()
    {
        isStopping = false;
        for (int i = 0; i < STREAMS; i++)
        {
            if (calls[i] == NONE)
            {
                final long result = proxy.watchClaim(WatchRequestEncoder.BLOCK_LENGTH, RpcChannel.NO_TIMEOUT);
                if (result <= 0)
                {
                    return false;
                }
                proxy.watchEncoder().itemLength(itemLength);
                proxy.commit();
                calls[i] = result;
            }
        }
        return true;
    }

    void stop()
    {
        isStopping = true;
        for (int i = 0; i < STREAMS; i++)
        {
            proxy.cancel(calls[i]);
            calls[i] = NONE;
        }
    }

    long bytes()
    {
        if (failure != null)
        {
            throw new IllegalStateException("a stream in the background ended: " + failure);
        }
        return bytes;
    }

    @Override
    public void onWatchItem(final long correlationId, final ItemDecoder item)
    {
        bytes += item.payloadLength();
    }

    @Override
    protected void onUnexpected(final String what)
    {
        if (failure == null)
        {
            failure = what;
        }
    }

    @Override
    public void onError(final long correlationId, final int methodId, final StatusCode code, final String text)
    {
        if (!isStopping || code != StatusCode.CANCELLED)
        {
            onUnexpected(code + ": " + text);
        }
    }
}
