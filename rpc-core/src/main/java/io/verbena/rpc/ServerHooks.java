/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import org.agrona.DirectBuffer;

/**
 * The interceptors of a server, as told about the calls of one connection. Server's thread.
 */
final class ServerHooks extends CallHooks
{
    private final ServerCore core;
    private final ServerInterceptor[] interceptors;

    private ServerHooks(final ServerCore core, final ServerInterceptor[] interceptors)
    {
        super(true, core.context().maxCallsInFlight(), interceptors.length);
        this.core = core;
        this.interceptors = interceptors;
    }

    /**
     * Those of a server, or null if it has no interceptors.
     */
    static ServerHooks of(final ServerCore core)
    {
        final ServerInterceptor[] interceptors =
            core.context().interceptors().toArray(new ServerInterceptor[0]);
        return interceptors.length == 0 ? null : new ServerHooks(core, interceptors);
    }

    /**
     * A request has arrived.
     *
     * @return false if an interceptor has refused it: the call has ended.
     */
    boolean onRequest(
        final ServerCall call,
        final MethodKind kind,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        final int slot = enter(
            call.correlationId(), call.serviceId(), call.methodId(), kind, call.connectionId(),
            core.clock().nanoTime());
        for (int i = 0; i < interceptors.length; i++)
        {
            told(slot);
            try
            {
                interceptors[i].onRequest(call, info(slot, i), call.metadata(), buffer, offset, length);
            }
            catch (final Throwable thrown)
            {
                call.fail(failure(thrown));
            }
            core.closeOpenCall();
            if (!call.isOpen())
            {
                core.counters().interceptorRefused();
                return false;
            }
        }
        return true;
    }

    /**
     * An item has arrived.
     *
     * @return null, or what the call has to end with instead.
     */
    RpcException onItemReceived(
        final long correlationId, final DirectBuffer buffer, final int offset, final int length)
    {
        final int slot = CallSlots.slot(correlationId);
        try
        {
            for (int i = 0; i < interceptors.length; i++)
            {
                interceptors[i].onItemReceived(info(slot, i), buffer, offset, length);
            }
            return null;
        }
        catch (final Throwable thrown)
        {
            core.counters().interceptorRefused();
            return failure(thrown);
        }
    }

    /**
     * An item is about to be sent.
     *
     * @return null, or what the call has to end with instead.
     */
    RpcException onItemSent(final long correlationId, final DirectBuffer buffer, final int offset, final int length)
    {
        final int slot = CallSlots.slot(correlationId);
        try
        {
            for (int i = 0; i < interceptors.length; i++)
            {
                interceptors[i].onItemSent(info(slot, i), buffer, offset, length);
            }
            return null;
        }
        catch (final Throwable thrown)
        {
            core.counters().interceptorRefused();
            return failure(thrown);
        }
    }

    /**
     * The response is about to be sent.
     *
     * @return null, or what the call has to end with instead.
     */
    RpcException onResponse(final long correlationId, final DirectBuffer buffer, final int offset, final int length)
    {
        final int slot = CallSlots.slot(correlationId);
        try
        {
            for (int i = 0; i < interceptors.length; i++)
            {
                interceptors[i].onResponse(info(slot, i), buffer, offset, length);
            }
            return null;
        }
        catch (final Throwable thrown)
        {
            core.counters().interceptorRefused();
            return failure(thrown);
        }
    }

    /**
     * A call has ended; does nothing if that was told before or nobody knew of the call.
     */
    void onEnd(final long correlationId, final StatusCode status)
    {
        if (isEntered(correlationId))
        {
            final int slot = CallSlots.slot(correlationId);
            final int count = leave(slot);
            for (int i = 0; i < count; i++)
            {
                try
                {
                    interceptors[i].onEnd(info(slot, i), status);
                }
                catch (final Throwable thrown)
                {
                    core.onError(thrown);
                }
            }
            forget(slot, count);
        }
    }

    @Override
    void onError(final Throwable failure)
    {
        core.onError(failure);
    }
}
