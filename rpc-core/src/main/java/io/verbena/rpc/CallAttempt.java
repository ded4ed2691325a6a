/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import org.agrona.DirectBuffer;

/**
 * One attempt at a unary call of another thread, on one channel.
 */
class CallAttempt implements ResponseHandler
{
    final AsyncCall call;
    final RpcChannel channel;
    /** Set when the attempt is sent. */
    long correlationId;
    AsyncCalls calls;
    /** Set if it ends before it is known to have been sent. */
    RpcException earlyFailure;

    CallAttempt(final AsyncCall call, final RpcChannel channel)
    {
        this.call = call;
        this.channel = channel;
    }

    @Override
    public void onResponse(
        final long correlationId, final int methodId, final DirectBuffer buffer, final int offset, final int length)
    {
        calls.onResponse(this, buffer, offset, length);
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
        final ResponseInfo info = channel.responseInfo();
        calls.onFailure(this, new RpcException(
            code, text, detailLength > 0 ? AsyncCall.copy(detail, detailOffset, detailLength) : null,
            info.pushbackNs(), info.isNotStarted()));
    }
}
