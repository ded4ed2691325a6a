/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import org.agrona.DirectBuffer;

/**
 * The interceptors of a client, as told about the calls of one channel. Client's thread.
 */
final class ClientHooks extends CallHooks
{
    private final ClientCore core;
    private final ClientInterceptor[] interceptors;
    private final Metadata noTrailers = new Metadata(0);

    private ClientHooks(final ClientCore core, final ClientInterceptor[] interceptors)
    {
        super(false, core.context().maxCallsInFlight(), interceptors.length, core.counters());
        this.core = core;
        this.interceptors = interceptors;
        this.noTrailers.wrapNothing();
    }

    /**
     * Those of a client, or null if it has no interceptors.
     */
    static ClientHooks of(final ClientCore core)
    {
        final ClientInterceptor[] interceptors =
            core.context().interceptors().toArray(new ClientInterceptor[0]);
        return interceptors.length == 0 ? null : new ClientHooks(core, interceptors);
    }

    /**
     * A call begins.
     *
     * @throws RpcException if an interceptor refuses it: the others know of its end then.
     */
    void onStart(
        final long correlationId,
        final int serviceId,
        final int methodId,
        final MethodKind kind,
        final long connectionId,
        final Metadata requestMetadata)
    {
        final int slot = enter(correlationId, serviceId, methodId, kind, connectionId, core.clock().nanoTime());
        for (int i = 0; i < interceptors.length; i++)
        {
            told(slot);
            try
            {
                interceptors[i].onStart(info(slot, i), requestMetadata);
            }
            catch (final Throwable thrown)
            {
                core.counters().interceptorRefused();
                final RpcException failure = failure(thrown);
                onEnd(correlationId, failure.code(), failure.text());
                throw failure;
            }
        }
    }

    /**
     * A call has ended, without metadata of the server's.
     */
    void onEnd(final long correlationId, final StatusCode status, final String text)
    {
        onEnd(correlationId, status, text, noTrailers);
    }

    /**
     * A call has ended; does nothing if that was told before.
     */
    void onEnd(final long correlationId, final StatusCode status, final String text, final Metadata trailers)
    {
        if (isEntered(correlationId))
        {
            final int slot = CallSlots.slot(correlationId);
            final int count = leave(slot);
            for (int i = 0; i < count; i++)
            {
                try
                {
                    interceptors[i].onEnd(info(slot, i), status, text, trailers);
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
            case REQUEST -> interceptors[interceptor].onRequest(call, buffer, offset, length);
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
