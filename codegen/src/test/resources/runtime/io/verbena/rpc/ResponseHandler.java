/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import org.agrona.DirectBuffer;

/** Test double with the signatures that generated code uses. */
public interface ResponseHandler
{
    void onResponse(long correlationId, int methodId, DirectBuffer buffer, int offset, int length);

    void onError(
        long correlationId,
        int methodId,
        StatusCode code,
        String text,
        DirectBuffer detail,
        int detailOffset,
        int detailLength);
}
