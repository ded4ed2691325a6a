/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import java.util.concurrent.CompletableFuture;
import org.agrona.DirectBuffer;

/**
 * A unary call made from another thread, which completes a future.
 */
final class FutureCall extends AsyncCall
{
    final CompletableFuture<DirectBuffer> future = new CompletableFuture<>();

    FutureCall(
        final int serviceId,
        final int methodId,
        final DirectBuffer payload,
        final int offset,
        final int length,
        final long deadlineNs,
        final CallOptions options)
    {
        super(serviceId, methodId, payload, offset, length, deadlineNs, options);
    }

    @Override
    long offer(final RpcChannel channel, final CallAttempt attempt, final long nowNs)
    {
        return channel.offer(this, null, attempt, nowNs);
    }

    @Override
    CallAttempt newAttempt(final RpcChannel channel)
    {
        return new CallAttempt(this, channel);
    }

    @Override
    boolean isAbandoned()
    {
        return future.isDone();
    }

    @Override
    void tellFailure(final RpcException failure)
    {
        future.completeExceptionally(failure);
    }

    @Override
    public void cancelNested(final long id, final String text)
    {
        // as its owner would end it: the agent hears of it and gives the call up
        future.completeExceptionally(new RpcException(StatusCode.CANCELLED, text));
    }

    void complete(final DirectBuffer response)
    {
        markEnded();
        future.complete(response);
    }
}
