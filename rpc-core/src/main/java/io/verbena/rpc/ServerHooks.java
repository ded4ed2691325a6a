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
        super(true, core.context().maxCallsInFlight(), interceptors.length, core.counters());
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
    void tell(
        final Event event,
        final int interceptor,
        final CallInfo call,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        switch (event)
        {
            case ITEM_SENT -> interceptors[interceptor].onItemSent(call, buffer, offset, length);
            case ITEM_RECEIVED -> interceptors[interceptor].onItemReceived(call, buffer, offset, length);
            default -> interceptors[interceptor].onResponse(call, buffer, offset, length);
        }
    }

    @Override
    void onError(final Throwable failure)
    {
        core.onError(failure);
    }
}
