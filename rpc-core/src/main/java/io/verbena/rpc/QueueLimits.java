/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The places of calls that wait, bounded in number and bytes. Any thread.
 */
final class QueueLimits
{
    private final int maxCalls;
    private final long maxBytes;
    private final AtomicInteger callCount = new AtomicInteger();
    private final AtomicLong byteCount = new AtomicLong();

    QueueLimits(final int maxCalls, final long maxBytes)
    {
        this.maxCalls = maxCalls;
        this.maxBytes = maxBytes;
    }

    boolean isEmpty()
    {
        return callCount.get() == 0;
    }

    /**
     * How many calls wait, as far as the calling thread can tell.
     */
    int callCount()
    {
        return callCount.get();
    }

    /**
     * Takes a place for a call, which goes with it. Any thread.
     *
     * @return null, or why there is none.
     */
    String reserve(final int length)
    {
        if (callCount.incrementAndGet() > maxCalls)
        {
            callCount.decrementAndGet();
            return "the channel's queue of " + maxCalls + " calls is full (" +
                RpcConfiguration.ASYNC_QUEUE_LENGTH_PROP_NAME + ")";
        }
        if (byteCount.addAndGet(length) > maxBytes)
        {
            free(length);
            return "the requests that wait in the channel's queue exceed " + maxBytes + " bytes (" +
                RpcConfiguration.MAX_QUEUED_BYTES_PROP_NAME + ")";
        }
        return null;
    }

    /**
     * Gives a place back.
     */
    void free(final int length)
    {
        callCount.decrementAndGet();
        byteCount.addAndGet(-length);
    }
}
