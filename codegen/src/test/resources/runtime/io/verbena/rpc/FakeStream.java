/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.agrona.DirectBuffer;

/** Test double: a stream whose other end is the test. */
public final class FakeStream implements ClientStream
{
    public final List<String> log = new ArrayList<>();
    public final Queue<DirectBuffer> items = new ArrayDeque<>();
    public final List<DirectBuffer> sent = new ArrayList<>();
    public final CompletableFuture<DirectBuffer> result = new CompletableFuture<>();
    public final CompletableFuture<Void> ready = new CompletableFuture<>();
    public RpcException failure;
    public boolean isFull;
    public boolean isEnded;

    @Override
    public DirectBuffer take()
    {
        log.add("take");
        return poll();
    }

    @Override
    public DirectBuffer poll()
    {
        if (items.isEmpty() && null != failure)
        {
            throw failure;
        }
        return items.poll();
    }

    @Override
    public boolean offer(final DirectBuffer buffer, final int offset, final int length)
    {
        if (null != failure)
        {
            throw failure;
        }
        if (!isFull)
        {
            sent.add(RpcChannel.copy(buffer, offset, length));
        }
        return !isFull;
    }

    @Override
    public boolean send(final DirectBuffer buffer, final int offset, final int length)
    {
        log.add("send " + length);
        return offer(buffer, offset, length);
    }

    @Override
    public CompletableFuture<Void> whenReady()
    {
        return ready;
    }

    @Override
    public void halfClose()
    {
        log.add("halfClose");
    }

    @Override
    public void cancel()
    {
        log.add("cancel");
    }

    @Override
    public boolean isEnded()
    {
        return isEnded;
    }

    @Override
    public CompletableFuture<DirectBuffer> result()
    {
        return result;
    }

    @Override
    public void close()
    {
        log.add("close");
    }
}
