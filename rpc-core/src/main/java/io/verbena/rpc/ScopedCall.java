/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import org.agrona.DirectBuffer;

/**
 * The part of a call at the server that is about what goes with it: metadata in both directions, and the scope of the
 * calls that are made on its behalf. See {@link ServerCall}.
 */
abstract class ScopedCall
{
    private static final Metadata NO_METADATA = new Metadata(0);

    static
    {
        NO_METADATA.wrapNothing();
    }

    final ServerCore core;
    ServerSession session;
    long correlationId;
    int serviceId;
    int methodId;
    private Metadata metadata;
    private Metadata responseMetadata;
    /** Of a detached call; else it is found by way of the session. */
    private NestedCalls nested;
    /** Of a detached call; null for the flyweight's, which is asked for. */
    private ScopeContext scopeContext;

    ScopedCall(final ServerCore core)
    {
        this.core = core;
    }

    /**
     * The metadata that came with the request.
     *
     * @return the metadata, empty if there is none; not to be changed, valid until the adapter returns; of a detached
     *     call a copy, valid as long as that.
     */
    public Metadata metadata()
    {
        return metadata == null ? NO_METADATA : metadata;
    }

    /**
     * Metadata to send with the next frame of this call: an item, or its response, error or end. It is empty again when
     * that is claimed, offered or sent.
     *
     * @return the metadata, to be added to before the frame is claimed.
     * @throws IllegalStateException if the response or error is claimed already: nothing will be sent after it.
     */
    public Metadata responseMetadata()
    {
        if (isLastOpen())
        {
            throw new IllegalStateException(
                "the response is claimed already: add its metadata before it is claimed");
        }
        if (responseMetadata == null)
        {
            responseMetadata = new Metadata(core.context().maxMetadataLength());
        }
        return responseMetadata;
    }

    /**
     * Makes the calling thread make calls on behalf of this one until the scope is closed: see {@link CallScope}. While
     * a handler runs on the server's thread this is so by itself. Of a detached call any thread may enter the scope,
     * else the server's.
     *
     * @return the scope, to be closed by the calling thread.
     */
    public CallScope enter()
    {
        return CallScope.open(nested(), scopeContext());
    }

    /**
     * Whether a response or error is open, after which nothing is sent.
     */
    abstract boolean isLastOpen();

    /**
     * Ends the call with an error of this side's.
     */
    abstract RpcException endWith(StatusCode code, String text);

    /**
     * What is made on behalf of this call; null if it has ended.
     */
    final NestedCalls nested()
    {
        return nested == null ? session.calls().nested(correlationId) : nested;
    }

    /**
     * What goes with the calls that are made on behalf of this one; null for nothing.
     */
    final ScopeContext scopeContext()
    {
        // a detached call may be asked from any thread
        final ServerHooks hooks = nested == null ? session.calls().hooks() : null;
        return hooks == null ? scopeContext : hooks.scopeContext(correlationId);
    }

    /**
     * Begins anew, for another call.
     */
    final void reset(final Metadata requestMetadata)
    {
        metadata = requestMetadata;
        clearMetadata();
    }

    /**
     * Takes over what goes with a call that this one is to outlive.
     */
    final void detachFrom(final ScopedCall call)
    {
        metadata = call.metadata == null ? null : call.metadata.copy();
        keepScopeContext(call);
        nested = call.nested();
        if (call.hasMetadata())
        {
            responseMetadata().addAll(call.responseMetadata);
        }
    }

    /**
     * Takes over the context of a call that this one is to outlive.
     */
    final void keepScopeContext(final ScopedCall call)
    {
        final ScopeContext context = call.scopeContext();
        scopeContext = context == null ? null : context.retain();
    }

    final boolean hasMetadata()
    {
        return responseMetadata != null && !responseMetadata.isEmpty();
    }

    /**
     * The metadata of the frame that is sent next; null for none. It is the caller's to clear once that is so.
     */
    final Metadata nextMetadata()
    {
        return hasMetadata() ? responseMetadata : null;
    }

    final void clearMetadata()
    {
        if (responseMetadata != null)
        {
            responseMetadata.clear();
        }
    }

    /**
     * The metadata of the frame that is sent next; null for none.
     *
     * @throws RpcException if it is longer than may be sent; the call has ended with that then.
     */
    final Metadata fittingMetadata()
    {
        final Metadata sent = nextMetadata();
        if (sent != null && sent.length() > session.metadataLimit())
        {
            final String text = Metadata.tooLongText(sent.length(), session.metadataLimit());
            sent.clear();
            throw endWith(StatusCode.RESOURCE_EXHAUSTED, text);
        }
        return sent;
    }

    /**
     * Asks the interceptors about the response or item that is in the open region; ends the call, with nothing sent of
     * that, if they don't let it through.
     */
    final boolean isLetThrough(final boolean isItem, final int length)
    {
        final ServerHooks hooks = session.calls().hooks();
        if (hooks == null)
        {
            return true;
        }
        final Link link = session.link();
        final DirectBuffer buffer = link.buffer();
        final RpcException failure = hooks.tell(
            isItem ? CallHooks.Event.ITEM_SENT : CallHooks.Event.RESPONSE, correlationId,
            buffer, link.payloadOffset(), length);
        if (failure == null)
        {
            return true;
        }
        link.abort();
        session.calls().fail(correlationId, failure.code(), failure.text(), null, 0, null, failure.pushbackNs());
        return false;
    }
}
