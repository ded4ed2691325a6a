/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.systems.http;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.transport.Transport;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Vert.x with one event loop, on the native epoll transport where there is one.
 */
final class HttpVertx
{
    private static final long TIMEOUT_S = 10;

    private HttpVertx()
    {
    }

    static boolean isNative()
    {
        return Transport.EPOLL != null && Transport.EPOLL.available();
    }

    /**
     * What carries the bytes, said in the row's settings: a fall-back must be visible.
     *
     * @return the name.
     */
    static String transportName()
    {
        return isNative() ? "native epoll" : "java.nio (no native epoll transport for this platform)";
    }

    static Vertx create(final boolean isBusy)
    {
        final VertxOptions options = new VertxOptions()
            .setEventLoopPoolSize(1)
            .setWorkerPoolSize(1)
            .setInternalBlockingPoolSize(1)
            .setDisableTCCL(true)
            // The checker would wake up every second for nothing.
            .setBlockedThreadCheckInterval(1)
            .setBlockedThreadCheckIntervalUnit(TimeUnit.HOURS);
        if (isBusy && !isNative())
        {
            throw new IllegalStateException("a busy event loop needs the native epoll transport: Linux on x86-64");
        }
        final Transport transport = isBusy ? new BusyEpollTransport() : isNative() ? Transport.EPOLL : Transport.NIO;
        return Vertx.builder().with(options).withTransport(transport).build();
    }

    static <T> T await(final Future<T> future)
        throws InterruptedException, ExecutionException, TimeoutException
    {
        return future.toCompletionStage().toCompletableFuture().get(TIMEOUT_S, TimeUnit.SECONDS);
    }

    static void close(final Vertx vertx)
    {
        try
        {
            await(vertx.close());
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
        catch (final ExecutionException | TimeoutException ex)
        {
            throw new IllegalStateException("Vert.x did not close", ex);
        }
    }
}
