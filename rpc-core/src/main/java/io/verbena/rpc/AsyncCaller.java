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
final class AsyncCaller
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

    CompletableFuture<DirectBuffer> call(
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
        final NestedCalls nested = options.isDeadlineInherited() ? CallScope.currentNested() : null;
        final FutureCall call;
        try
        {
            final long deadlineNs = core.deadlineNs(
                CallStart.inherit(nested, core.effectiveTimeoutNs(options.timeoutNs())));
            reserve(length);
            call = newCall(serviceId, methodId, payload, offset, length, deadlineNs, options);
        }
        catch (final RpcException refusal)
        {
            return CompletableFuture.failedFuture(refusal);
        }
        call.future.whenComplete((response, failure) ->
        {
            if (nested != null)
            {
                nested.remove(call, 0);
            }
            if (!call.hasEnded())
            {
                // by its owner: cancelled, or timed out by the future's own means
                calls.notices().abandon(call);
            }
        });
        start(call, nested);
        return call.future;
    }

    ClientStream stream(
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
        final NestedCalls nested = options.isDeadlineInherited() ? CallScope.currentNested() : null;
        RpcException refusal = null;
        long deadlineNs = RpcChannel.NO_TIMEOUT;
        try
        {
            deadlineNs = core.deadlineNs(
                CallStart.inherit(nested, core.effectiveTimeoutNs(options.timeoutNs())));
            reserve(length);
        }
        catch (final RpcException ex)
        {
            refusal = ex;
        }
        final AsyncStream stream;
        try
        {
            stream = new AsyncStream(
                core, calls, serviceId, methodId, kind, payload, offset, length, deadlineNs, options, consumer);
        }
        catch (final Throwable ex)
        {
            if (refusal == null)
            {
                calls.limits().free(length);
            }
            throw ex;
        }
        if (refusal != null)
        {
            stream.fail(refusal);
            return stream;
        }
        if (nested != null)
        {
            stream.result().whenComplete((response, failure) -> nested.remove(stream, 0));
        }
        start(stream, nested);
        return stream;
    }

    private FutureCall newCall(
        final int serviceId,
        final int methodId,
        final DirectBuffer payload,
        final int offset,
        final int length,
        final long deadlineNs,
        final CallOptions options)
    {
        try
        {
            return new FutureCall(serviceId, methodId, payload, offset, length, deadlineNs, options);
        }
        catch (final Throwable ex)
        {
            calls.limits().free(length);
            throw ex;
        }
    }

    /**
     * Hands over a call that has a place, unless the one that it is made for has ended.
     */
    private void start(final AsyncCall call, final NestedCalls nested)
    {
        if (nested == null || nested.add(call, 0))
        {
            calls.submit(call);
        }
        else
        {
            calls.limits().free(call.length);
            call.fail(AsyncCalls.notSent(StatusCode.CANCELLED, NestedCalls.endedText(nested.cause())));
        }
    }

    /**
     * Takes a place for a call.
     *
     * @throws RpcException if there is none, or nothing can be called any more.
     */
    private void reserve(final int length)
    {
        if (route.isClosed())
        {
            throw AsyncCalls.notSent(StatusCode.UNAVAILABLE, RpcChannel.CLOSED_TEXT);
        }
        final int maxMessageLength = core.context().maxMessageLength();
        if (length > maxMessageLength)
        {
            throw AsyncCalls.notSent(
                StatusCode.RESOURCE_EXHAUSTED, RpcChannel.tooLongText(length, maxMessageLength));
        }
        final String refusal = calls.limits().reserve(length);
        if (refusal != null)
        {
            throw AsyncCalls.notSent(StatusCode.RESOURCE_EXHAUSTED, refusal);
        }
    }
}
