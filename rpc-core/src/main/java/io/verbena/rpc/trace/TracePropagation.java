/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc.trace;

import io.verbena.rpc.CallInfo;
import io.verbena.rpc.ClientInterceptor;
import io.verbena.rpc.Metadata;
import io.verbena.rpc.ServerCall;
import io.verbena.rpc.ServerInterceptor;
import io.verbena.rpc.StatusCode;
import java.util.ArrayDeque;
import org.agrona.DirectBuffer;

/**
 * Interceptors that pass trace contexts on: at the server, that of a request becomes {@link TraceContext#current()} for
 * its handler and for what is done on the call's behalf; at the client, the current one goes with each call. They
 * record nothing themselves, so they change neither ids nor the sampled flag; who records a span makes a context of its
 * own current ({@link TraceContext#newSpan}, {@link TraceContext#makeCurrent()}).
 * <p>
 * A request without a context, or with a malformed one, is handled without one. Metadata that names a trace already is
 * left alone, and a context that has no room in the metadata is left out.
 * <p>
 * <b>Steady state:</b> allocates nothing, on either side, for calls that are answered before their handler returns.
 */
public final class TracePropagation
{
    private TracePropagation()
    {
    }

    /**
     * What sends the current context with each call.
     *
     * @return an interceptor, for one client.
     */
    public static ClientInterceptor clientInterceptor()
    {
        return new Injector();
    }

    /**
     * What makes the context of each request the current one.
     *
     * @return an interceptor, for one server.
     */
    public static ServerInterceptor serverInterceptor()
    {
        return new Extractor();
    }

    private static final class Injector implements ClientInterceptor
    {
        private final TraceMetadata writer = new TraceMetadata();

        @Override
        public void onStart(final CallInfo call, final Metadata requestMetadata)
        {
            final TraceContext context = TraceContext.current();
            if (context != null && context.isValid())
            {
                writer.write(context, requestMetadata);
            }
        }
    }

    private static final class Extractor implements ServerInterceptor
    {
        private final ArrayDeque<TraceContext> free = new ArrayDeque<>();

        @Override
        public void onRequest(
            final ServerCall call,
            final CallInfo info,
            final Metadata metadata,
            final DirectBuffer buffer,
            final int offset,
            final int length)
        {
            if (!metadata.isEmpty())
            {
                final TraceContext pooled = free.poll();
                final TraceContext context = pooled != null ? pooled : new TraceContext();
                if (TraceMetadata.read(metadata, context))
                {
                    info.attach(context);
                    info.scopeContext(context);
                }
                else
                {
                    free.push(context);
                }
            }
        }

        @Override
        public void onEnd(final CallInfo info, final StatusCode status)
        {
            if (info.attachment() instanceof final TraceContext context)
            {
                free.push(context);
            }
        }
    }
}
