/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.agrona.DirectBuffer;

/** Test double with the signatures that generated code uses. */
public interface RpcCaller
{
    CompletableFuture<DirectBuffer> call(
        int serviceId, int methodId, DirectBuffer payload, int offset, int length, CallOptions options);

    default ClientStream stream(
        final int serviceId,
        final int methodId,
        final MethodKind kind,
        final DirectBuffer payload,
        final int offset,
        final int length,
        final CallOptions options)
    {
        return stream(serviceId, methodId, kind, payload, offset, length, options, null);
    }

    ClientStream stream(
        int serviceId,
        int methodId,
        MethodKind kind,
        DirectBuffer payload,
        int offset,
        int length,
        CallOptions options,
        Consumer<DirectBuffer> consumer);

    void require(int serviceId, String serviceName, int schemaId, int schemaVersion);
}
