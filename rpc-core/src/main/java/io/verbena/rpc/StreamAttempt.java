/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import org.agrona.DirectBuffer;

/**
 * One attempt at a stream of another thread, on one channel: tells the stream what happens on the agent's thread.
 */
final class StreamAttempt extends CallAttempt implements StreamHandler
{
    private final AsyncStream stream;

    StreamAttempt(final AsyncStream stream, final RpcChannel channel)
    {
        super(stream, channel);
        this.stream = stream;
    }

    @Override
    public void onItem(
        final long correlationId, final int methodId, final DirectBuffer buffer, final int offset, final int length)
    {
        // what has begun for certain is never sent again
        calls.commit(stream);
        stream.onItem(buffer, offset, length);
    }

    @Override
    public void onReady(final long correlationId, final int methodId)
    {
        stream.serve();
    }

    @Override
    public void onCompleted(final long correlationId, final int methodId)
    {
        calls.onStreamEnd(this, null);
    }

    @Override
    public void onResponse(
        final long correlationId, final int methodId, final DirectBuffer buffer, final int offset, final int length)
    {
        calls.onStreamEnd(this, AsyncCall.copy(buffer, offset, length));
    }

    @Override
    public boolean isGrantAutomatic()
    {
        return stream.isPushed();
    }
}
