/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc.trace;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.opentelemetry.context.propagation.TextMapPropagator;
import io.opentelemetry.context.propagation.TextMapSetter;
import io.verbena.rpc.CallInfo;
import io.verbena.rpc.CallScope;
import io.verbena.rpc.ClientInterceptor;
import io.verbena.rpc.Metadata;
import io.verbena.rpc.ScopeContext;
import io.verbena.rpc.ServerCall;
import io.verbena.rpc.ServerInterceptor;
import io.verbena.rpc.StatusCode;
import java.util.Locale;
import java.util.Objects;
import org.agrona.DirectBuffer;

/**
 * Records spans of calls with OpenTelemetry: one at the client and one at the server for each call, connected by
 * whatever propagator the {@link OpenTelemetry} instance has. Takes the place of {@link TracePropagation}.
 * <p>
 * A span's parent at the client is the span that is current where the call is made: OpenTelemetry's own current one if
 * there is one on that thread, else that of the call that is being handled or that {@link #enter(Context)} has set.
 * Calls from other threads than the client's are recorded on the client's thread, so there only the latter two count.
 * Within a handler {@link #current()} is the context with the server's span.
 * <p>
 * Recording allocates, as OpenTelemetry's interfaces do.
 */
public final class OpenTelemetryTracing
{
    private static final String INSTRUMENTATION = "io.verbena.rpc";

    private final Tracer tracer;
    private final TextMapPropagator propagator;

    /**
     * With the tracer and propagator of an instance.
     *
     * @param openTelemetry the instance.
     */
    public OpenTelemetryTracing(final OpenTelemetry openTelemetry)
    {
        Objects.requireNonNull(openTelemetry, "openTelemetry");
        this.tracer = openTelemetry.getTracer(INSTRUMENTATION);
        this.propagator = openTelemetry.getPropagators().getTextMapPropagator();
    }

    /**
     * What records the calls of a client.
     *
     * @return an interceptor, for one client.
     */
    public ClientInterceptor clientInterceptor()
    {
        return new ClientSpans();
    }

    /**
     * What records the calls of a server.
     *
     * @return an interceptor, for one server.
     */
    public ServerInterceptor serverInterceptor()
    {
        return new ServerSpans();
    }

    /**
     * The context of what this thread is doing: OpenTelemetry's own current one if that has a span, else that of the
     * call that is being handled or that {@link #enter(Context)} has set.
     *
     * @return the context; the root where there is none of these.
     */
    public static Context current()
    {
        final Context current = Context.current();
        if (!Span.fromContext(current).getSpanContext().isValid() &&
            CallScope.currentContext() instanceof final Scoped scoped)
        {
            return scoped.context;
        }
        return current;
    }

    /**
     * Has the calls that this thread makes recorded with a context until the scope is closed, also those that are made
     * on the client's thread on behalf of this one.
     *
     * @param context to go with the calls.
     * @return the scope, to be closed by this thread.
     */
    public static CallScope enter(final Context context)
    {
        return CallScope.with(new Scoped(context));
    }

    private Span start(final CallInfo call, final SpanKind kind, final Context parent)
    {
        return tracer.spanBuilder(call.serviceId() + "/" + call.methodId())
            .setSpanKind(kind)
            .setParent(parent)
            .setAttribute("rpc.system", "verbena")
            .setAttribute("rpc.service", Integer.toString(call.serviceId()))
            .setAttribute("rpc.method", Integer.toString(call.methodId()))
            .setAttribute("rpc.verbena.kind", call.kind().name().toLowerCase(Locale.ROOT))
            .startSpan();
    }

    private static void end(final CallInfo call, final StatusCode status, final String text)
    {
        if (call.attachment() instanceof final Span span)
        {
            span.setAttribute("rpc.response.status_code", status.name());
            if (status != StatusCode.OK)
            {
                span.setStatus(io.opentelemetry.api.trace.StatusCode.ERROR, text);
            }
            span.end();
        }
    }

    private final class ClientSpans implements ClientInterceptor
    {
        @Override
        public void onStart(final CallInfo call, final Metadata requestMetadata)
        {
            final Context parent = current();
            final Span span = start(call, SpanKind.CLIENT, parent);
            call.attach(span);
            propagator.inject(parent.with(span), requestMetadata, MetadataSetter.INSTANCE);
        }

        @Override
        public void onEnd(final CallInfo call, final StatusCode status, final String text, final Metadata trailers)
        {
            end(call, status, text);
        }
    }

    private final class ServerSpans implements ServerInterceptor
    {
        @Override
        public void onRequest(
            final ServerCall call,
            final CallInfo info,
            final Metadata metadata,
            final DirectBuffer buffer,
            final int offset,
            final int length)
        {
            final Context received = propagator.extract(Context.root(), metadata, MetadataGetter.INSTANCE);
            final Span span = start(info, SpanKind.SERVER, received);
            info.attach(span);
            info.scopeContext(new Scoped(received.with(span)));
        }

        @Override
        public void onEnd(final CallInfo info, final StatusCode status)
        {
            end(info, status, "");
        }
    }

    /**
     * A context of OpenTelemetry, which nothing changes.
     */
    private record Scoped(Context context) implements ScopeContext
    {
        @Override
        public ScopeContext retain()
        {
            return this;
        }
    }

    private enum MetadataSetter implements TextMapSetter<Metadata>
    {
        INSTANCE;

        @Override
        public void set(final Metadata carrier, final String key, final String value)
        {
            if (carrier != null && value.chars().allMatch(character -> character >= ' ' && character <= '~'))
            {
                carrier.set(key.toLowerCase(Locale.ROOT), value);
            }
        }
    }

    private enum MetadataGetter implements TextMapGetter<Metadata>
    {
        INSTANCE;

        @Override
        public String get(final Metadata carrier, final String key)
        {
            return carrier == null ? null : carrier.get(key.toLowerCase(Locale.ROOT));
        }
    }
}
