/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.agrona.DirectBuffer;

/**
 * The any-thread face of a channel or group: checks what a caller gives, and hands calls to the agent's thread.
 */
final class AsyncCaller implements RpcCaller
{
    private final ClientCore core;
    private final CallRoute route;
    private final AsyncCalls calls;

    AsyncCaller(final ClientCore core, final CallRoute route)
    {
        this.core = core;
        this.route = route;
        this.calls = new AsyncCalls(route, core);
    }

    AsyncCalls calls()
    {
        return calls;
    }

    @Override
    public CompletableFuture<DirectBuffer> call(
        final int serviceId,
        final int methodId,
        final DirectBuffer payload,
        final int offset,
        final int length,
        final CallOptions options)
    {
        RpcChannel.requireNotNegative(length, options.timeoutNs());
        if (options.hedging() != null && !options.isIdempotent())
        {
            throw new IllegalArgumentException(
                "method " + methodId + " of service " + serviceId +
                ": expected a method that is declared idempotent, since hedging executes it more than once");
        }
        final RpcException refusal = reserve(length);
        if (refusal != null)
        {
            return CompletableFuture.failedFuture(refusal);
        }
        final FutureCall call;
        try
        {
            call = new FutureCall(
                serviceId, methodId, payload, offset, length, core.deadlineNs(options.timeoutNs()), options);
        }
        catch (final Throwable ex)
        {
            calls.limits().free(length);
            throw ex;
        }
        call.future.whenComplete((response, failure) -> onCompleted(call));
        calls.submit(call);
        return call.future;
    }

    @Override
    public ClientStream stream(
        final int serviceId,
        final int methodId,
        final MethodKind kind,
        final DirectBuffer payload,
        final int offset,
        final int length,
        final CallOptions options,
        final Consumer<DirectBuffer> consumer)
    {
        RpcChannel.requireNotNegative(length, options.timeoutNs());
        if (kind == MethodKind.UNARY || kind.isClientStreaming() && length != 0)
        {
            throw new IllegalArgumentException(
                "expected a kind that streams, and a request for a server stream alone, found " + kind + " with " +
                length + " bytes");
        }
        final RpcException refusal = reserve(length);
        final AsyncStream stream;
        try
        {
            stream = new AsyncStream(
                core, calls, serviceId, methodId, kind, payload, offset, length, options, consumer);
        }
        catch (final Throwable ex)
        {
            if (refusal == null)
            {
                calls.limits().free(length);
            }
            throw ex;
        }
        if (refusal == null)
        {
            calls.submit(stream);
        }
        else
        {
            stream.fail(refusal);
        }
        return stream;
    }

    private RpcException reserve(final int length)
    {
        if (route.isClosed())
        {
            return AsyncCalls.notSent(StatusCode.UNAVAILABLE, RpcChannel.CLOSED_TEXT);
        }
        final int maxMessageLength = core.context().maxMessageLength();
        if (length > maxMessageLength)
        {
            return AsyncCalls.notSent(
                StatusCode.RESOURCE_EXHAUSTED, RpcChannel.tooLongText(length, maxMessageLength));
        }
        final String refusal = calls.limits().reserve(length);
        return refusal == null ? null : AsyncCalls.notSent(StatusCode.RESOURCE_EXHAUSTED, refusal);
    }

    private void onCompleted(final FutureCall call)
    {
        if (!call.hasEnded())
        {
            // by its owner: cancelled, or timed out by the future's own means
            calls.notices().abandon(call);
        }
    }
}
