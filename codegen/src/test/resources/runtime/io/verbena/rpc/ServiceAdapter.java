/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import org.agrona.DirectBuffer;

/** Test double with the signatures that generated code uses. */
public interface ServiceAdapter
{
    int serviceId();

    String serviceName();

    int schemaId();

    int schemaVersion();

    void onRequest(ServerCall call, int methodId, DirectBuffer buffer, int offset, int length);

    void onCancelled(long connectionId, long correlationId, int methodId, StatusCode cause);

    default MethodKind methodKind(final int methodId)
    {
        return MethodKind.UNARY;
    }

    default void onItem(
        final ServerCall call, final int methodId, final DirectBuffer buffer, final int offset, final int length)
    {
        throw new UnsupportedOperationException();
    }

    default void onHalfClosed(final ServerCall call, final int methodId)
    {
    }

    default void onReady(final ServerCall call, final int methodId)
    {
    }

    default void onEnded(
        final long connectionId,
        final long correlationId,
        final int methodId,
        final Object attachment,
        final StatusCode status)
    {
    }

    default boolean isGrantAutomatic(final int methodId)
    {
        return true;
    }

    default ServiceDescriptor descriptor()
    {
        return null;
    }
}
