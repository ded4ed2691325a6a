/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import static io.verbena.rpc.RpcHarness.SERVICE_ID;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.rpc.test.InterruptAfter;
import io.verbena.rpc.test.ScriptedAdapter;
import io.verbena.rpc.transport.LoopbackTransport;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.YieldingIdleStrategy;
import org.junit.jupiter.api.Test;

/**
 * Calls from several threads while the channel or the client closes under them: every future ends.
 */
class AsyncCloseTest
{
    private static final int ROUNDS = 300;
    private static final int THREADS = 3;
    private static final int MOST_CALLS = 200;

    @Test
    @InterruptAfter(120)
    void shouldEndEveryFutureWhenChannelOrClientClosesMeanwhile() throws Exception
    {
        final List<Throwable> errors = new CopyOnWriteArrayList<>();
        try (RpcServer server = RpcServer.launch(new RpcServer.Context()
            .listen(new LoopbackTransport(), "loopback:async-close")
            .idleStrategy(YieldingIdleStrategy.INSTANCE)
            .errorHandler(errors::add)
            .service(new ScriptedAdapter(SERVICE_ID))))
        {
            int answered = 0;
            for (int round = 0; round < ROUNDS; round++)
            {
                answered += runRound(round, server.addresses().get(0), errors);
            }
            assertTrue(answered > 0);
        }
        assertEquals(List.of(), errors);
    }

    private static int runRound(final int round, final String address, final List<Throwable> errors) throws Exception
    {
        final RpcClient client = RpcClient.launch(new RpcClient.Context()
            .transport(new LoopbackTransport())
            .idleStrategy(YieldingIdleStrategy.INSTANCE)
            .errorHandler(errors::add)
            .defaultTimeoutNs(Long.MAX_VALUE));
        final RpcChannel channel = client.connect(address);
        final CyclicBarrier barrier = new CyclicBarrier(THREADS + 1);
        final AtomicReference<Throwable> failure = new AtomicReference<>();
        final List<List<CompletableFuture<DirectBuffer>>> futures = new ArrayList<>();
        final List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++)
        {
            final List<CompletableFuture<DirectBuffer>> own = new ArrayList<>();
            futures.add(own);
            final Thread thread = new Thread(() -> call(channel, barrier, own, failure));
            thread.start();
            threads.add(thread);
        }
        barrier.await();
        for (int i = round % 50 * 100; i > 0; i--)
        {
            Thread.onSpinWait();
        }
        if ((round & 1) == 0)
        {
            client.execute(channel::close);
        }
        else
        {
            client.close();
        }
        for (final Thread thread : threads)
        {
            thread.join();
        }
        int answered = 0;
        for (final List<CompletableFuture<DirectBuffer>> own : futures)
        {
            for (final CompletableFuture<DirectBuffer> future : own)
            {
                answered += end(round, future);
            }
        }
        client.close();
        assertEquals(null, failure.get());
        assertEquals(0, channel.callsInFlight());
        return answered;
    }

    private static int end(final int round, final CompletableFuture<DirectBuffer> future) throws InterruptedException
    {
        try
        {
            future.get(20, TimeUnit.SECONDS);
            return 1;
        }
        catch (final ExecutionException ex)
        {
            final StatusCode code = ((RpcException)ex.getCause()).code();
            assertTrue(code == StatusCode.UNAVAILABLE || code == StatusCode.CANCELLED, () -> "ended with " + code);
            return 0;
        }
        catch (final java.util.concurrent.TimeoutException ex)
        {
            throw new AssertionError("a future hangs in round " + round, ex);
        }
    }

    private static void call(
        final RpcChannel channel,
        final CyclicBarrier barrier,
        final List<CompletableFuture<DirectBuffer>> futures,
        final AtomicReference<Throwable> failure)
    {
        try
        {
            final UnsafeBuffer payload = new UnsafeBuffer(new byte[16]);
            barrier.await();
            for (int i = 0; i < MOST_CALLS; i++)
            {
                futures.add(channel.call(SERVICE_ID, 1, payload, 0, 16, RpcChannel.NO_TIMEOUT));
            }
        }
        catch (final Throwable ex)
        {
            failure.set(ex);
        }
    }
}
