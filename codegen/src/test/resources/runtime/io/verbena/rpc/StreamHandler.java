/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import org.agrona.DirectBuffer;

/** Test double with the signatures that generated code uses. */
public interface StreamHandler extends ResponseHandler
{
    void onItem(long correlationId, int methodId, DirectBuffer buffer, int offset, int length);

    default void onReady(final long correlationId, final int methodId)
    {
    }

    void onCompleted(long correlationId, int methodId);

    default boolean isGrantAutomatic()
    {
        return true;
    }
}
