/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

/**
 * What happens where a call begins at the client besides its request: metadata, interceptors, and the scope that the
 * call is made in. For calls that have none of these, {@link #isPlain} is the whole cost. Client's thread.
 */
final class CallStart
{
    private final ChannelConnector connector;
    private final ClientHooks hooks;
    private final Metadata requestMetadata;
    /** Of calls from other threads: what the client's thread has filled in for its own must not go with them. */
    private final Metadata asyncMetadata;
    /** The most that interceptors have added so far: room that is claimed before they are asked. */
    private int reserve;

    CallStart(final ChannelConnector connector, final int maxMetadataLength)
    {
        this.connector = connector;
        this.hooks = connector.calls().hooks();
        this.requestMetadata = new Metadata(maxMetadataLength);
        this.asyncMetadata = new Metadata(maxMetadataLength);
    }

    /**
     * The interceptors, or null if there are none.
     */
    ClientHooks hooks()
    {
        return hooks;
    }

    /**
     * The metadata of the next call that is made on the client's thread.
     */
    Metadata requestMetadata()
    {
        return requestMetadata;
    }

    /**
     * The metadata of a call that comes from another thread.
     *
     * @param own what was given with it, or null.
     */
    Metadata asyncMetadata(final Metadata own)
    {
        asyncMetadata.clear();
        if (own != null)
        {
            asyncMetadata.addAll(own);
        }
        return asyncMetadata;
    }

    /**
     * Whether a call has neither metadata nor interceptors.
     */
    boolean isPlain(final Metadata metadata)
    {
        return hooks == null && metadata.isEmpty();
    }

    /**
     * Opens the region of a request, as {@link Link#tryOpen(int)} does, with its metadata and after the interceptors
     * were told. They are told only once the transport has given room, so that a call that has to be tried again is
     * not told twice.
     *
     * @param kind of the call if it streams, else null.
     * @return positive, or why nothing is taken now; the metadata is then kept for the next attempt.
     * @throws RpcException if the metadata is too long or an interceptor refuses the call; nothing is open then.
     */
    long open(
        final int serviceId,
        final int methodId,
        final MethodKind kind,
        final long correlationId,
        final Metadata metadata,
        final int payloadLength)
    {
        final Link link = connector.link();
        requireWithinLimit(link, metadata);
        if (hooks == null)
        {
            final long result = link.tryOpen(payloadLength, metadata);
            if (result > 0)
            {
                metadata.clear();
            }
            return result;
        }
        final int room = metadata.paddedLength() + reserve;
        final long result = link.tryOpen(payloadLength + room);
        if (result > 0)
        {
            intercept(link, serviceId, methodId, kind, correlationId, metadata, payloadLength, room);
        }
        return result;
    }

    private void intercept(
        final Link link,
        final int serviceId,
        final int methodId,
        final MethodKind kind,
        final long correlationId,
        final Metadata metadata,
        final int payloadLength,
        final int room)
    {
        final int ownLength = metadata.paddedLength();
        boolean isDone = false;
        try
        {
            hooks.onStart(
                correlationId, serviceId, methodId, kind == null ? MethodKind.UNARY : kind,
                link.connection().id(), metadata);
            requireWithinLimit(link, metadata);
            if (metadata.paddedLength() <= room)
            {
                link.placeMetadata(payloadLength, metadata);
            }
            else
            {
                // interceptors have added more than ever before
                reserve = Math.max(reserve, metadata.paddedLength() - ownLength);
                link.abort();
                link.open(payloadLength, metadata, null);
            }
            isDone = true;
        }
        catch (final RpcException refusal)
        {
            hooks.onEnd(correlationId, refusal.code(), refusal.text());
            throw refusal;
        }
        finally
        {
            metadata.clear();
            if (!isDone)
            {
                link.abort();
            }
        }
    }

    private void requireWithinLimit(final Link link, final Metadata metadata)
    {
        final int length = metadata.length();
        final int limit = link.metadataLimit(connector.maxMetadataLength());
        if (length > limit)
        {
            metadata.clear();
            throw Metadata.tooLong(length, limit);
        }
    }

    /**
     * The timeout of a call that is made in a scope.
     *
     * @param nested    the scope's; null for none.
     * @param timeoutNs of the call's own.
     * @return the lower of that and what is left to the call at the server.
     * @throws RpcException if that call has ended or has no time left.
     */
    static long inherit(final NestedCalls nested, final long timeoutNs)
    {
        if (nested == null)
        {
            return timeoutNs;
        }
        final StatusCode cause = nested.cause();
        if (cause != null)
        {
            throw new RpcException(StatusCode.CANCELLED, NestedCalls.endedText(cause), null, 0, true);
        }
        final long remainingNs = nested.remainingNs();
        if (remainingNs <= 0)
        {
            throw new RpcException(
                StatusCode.DEADLINE_EXCEEDED, "the call that it was to be made for has no time left", null, 0, true);
        }
        return Math.min(timeoutNs, remainingNs);
    }
}
