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
}
