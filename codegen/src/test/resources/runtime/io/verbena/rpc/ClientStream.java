/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import java.util.concurrent.CompletableFuture;
import org.agrona.DirectBuffer;

/** Test double with the signatures that generated code uses. */
public interface ClientStream extends AutoCloseable
{
    DirectBuffer take();

    DirectBuffer poll();

    boolean offer(DirectBuffer buffer, int offset, int length);

    boolean send(DirectBuffer buffer, int offset, int length);

    CompletableFuture<Void> whenReady();

    void halfClose();

    void cancel();

    boolean isEnded();

    CompletableFuture<DirectBuffer> result();

    @Override
    void close();
}
