/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import java.util.concurrent.CompletableFuture;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A call made from another thread: holds its own copy of the request and completes a future.
 */
final class AsyncCall implements ResponseHandler, NestedCalls.Child
{
    final CompletableFuture<DirectBuffer> future = new CompletableFuture<>();
    final int serviceId;
    final int methodId;
    final int length;
    final long deadlineNs;
    /** Until the request was sent, then null: an answer that takes long should not keep it. */
    DirectBuffer request;
    /** To go with the request; null for none. */
    Metadata metadata;
    /** Set when the call is sent: what comes with its end. */
    ResponseInfo info;
    /** Set on the agent's thread when the call is sent, read there when it is cancelled. */
    long correlationId;
    /** Set before this side completes the future; a completion that finds it unset is the caller's. */
    private volatile boolean isEnded;

    AsyncCall(
        final int serviceId,
        final int methodId,
        final DirectBuffer payload,
        final int offset,
        final int length,
        final long deadlineNs)
    {
        this.serviceId = serviceId;
        this.methodId = methodId;
        this.length = length;
        this.deadlineNs = deadlineNs;
        final byte[] copy = new byte[length];
        payload.getBytes(offset, copy);
        this.request = new UnsafeBuffer(copy);
    }

    /**
     * Whether the call has ended, or is ending, by this side.
     */
    boolean isEnded()
    {
        return isEnded;
    }

    @Override
    public void onResponse(
        final long correlationId, final int methodId, final DirectBuffer buffer, final int offset, final int length)
    {
        final DirectBuffer response;
        try
        {
            response = copy(buffer, offset, length);
        }
        catch (final OutOfMemoryError ex)
        {
            fail(StatusCode.RESOURCE_EXHAUSTED, "no memory for the response of " + length + " bytes");
            return;
        }
        isEnded = true;
        future.complete(response);
    }

    @Override
    public void onError(
        final long correlationId,
        final int methodId,
        final StatusCode code,
        final String text,
        final DirectBuffer detail,
        final int detailOffset,
        final int detailLength)
    {
        fail(new RpcException(
            code, text, detailLength > 0 ? copy(detail, detailOffset, detailLength) : null, info.pushbackNs(),
            info.isNotStarted()));
    }

    @Override
    public void cancelNested(final long id, final String text)
    {
        // as its owner would end it: the agent hears of it and gives the call up
        future.completeExceptionally(new RpcException(StatusCode.CANCELLED, text));
    }

    /**
     * Ends a call of which nothing was sent.
     */
    void failUnsent(final StatusCode code, final String text)
    {
        fail(new RpcException(code, text, null, 0, true));
    }

    void fail(final StatusCode code, final String text)
    {
        fail(new RpcException(code, text));
    }

    void fail(final RpcException failure)
    {
        isEnded = true;
        future.completeExceptionally(failure);
    }

    private static DirectBuffer copy(final DirectBuffer buffer, final int offset, final int length)
    {
        final byte[] bytes = new byte[length];
        buffer.getBytes(offset, bytes);
        return new UnsafeBuffer(bytes);
    }
}
