/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.rpc.test.InterruptAfter;
import io.verbena.rpc.test.ScriptedAdapter;
import io.verbena.rpc.transport.LoopbackTransport;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.YieldingIdleStrategy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Streams that virtual threads block on, with client and server on threads of their own.
 */
@InterruptAfter(60)
class ClientStreamThreadsTest
{
    private static final int SERVICE_ID = RpcHarness.SERVICE_ID;
    private static final int BOTH = 2;
    private static final int SILENT = 3;

    private final List<Throwable> errors = new CopyOnWriteArrayList<>();
    private final CountDownLatch ended = new CountDownLatch(1);
    private RpcServer server;
    private RpcClient client;
    private RpcChannel channel;

    @BeforeEach
    void launch()
    {
        final ScriptedAdapter service = new ScriptedAdapter(SERVICE_ID)
            .on(BOTH, MethodKind.BIDI, (call, buffer, offset, length) -> call.attach(new Echo()))
            .onItem(BOTH, (call, buffer, offset, length) -> ((Echo)call.attachment()).onItem(call, buffer, offset))
            .onReady(BOTH, call -> ((Echo)call.attachment()).send(call))
            .onHalfClosed(BOTH, call -> ((Echo)call.attachment()).onHalfClosed(call))
            .on(SILENT, MethodKind.SERVER_STREAM, (call, buffer, offset, length) -> {});
        service.onEnded(end -> ended.countDown());
        server = RpcServer.launch(new RpcServer.Context()
            .listen(new LoopbackTransport(), "loopback:stream-threads")
            .idleStrategy(YieldingIdleStrategy.INSTANCE)
            .errorHandler(errors::add)
            .service(service));
        client = RpcClient.launch(new RpcClient.Context()
            .transport(new LoopbackTransport())
            .idleStrategy(YieldingIdleStrategy.INSTANCE)
            .errorHandler(errors::add)
            .streamWindowItems(16)
            .defaultTimeoutNs(Long.MAX_VALUE));
        channel = client.connect("loopback:stream-threads");
    }

    @AfterEach
    void close()
    {
        client.close();
        server.close();
        assertEquals(List.of(), errors);
    }

    @Test
    void shouldKeepTheOrderWhenSendersAndReadersBlock() throws Exception
    {
        final int items = 5_000;
        final int streams = 4;
        final List<Thread> threads = new ArrayList<>();
        final AtomicReference<Throwable> failure = new AtomicReference<>();
        for (int i = 0; i < streams; i++)
        {
            final ClientStream stream = open(BOTH, MethodKind.BIDI);
            threads.add(start(failure, () ->
            {
                final UnsafeBuffer item = new UnsafeBuffer(new byte[8]);
                for (int number = 0; number < items; number++)
                {
                    item.putInt(0, number);
                    assertTrue(stream.send(item, 0, 8));
                }
                stream.halfClose();
            }));
            threads.add(start(failure, () ->
            {
                for (int number = 0; number < items; number++)
                {
                    assertEquals(number, stream.take().getInt(0));
                }
                assertNull(stream.take());
                assertTrue(stream.isEnded());
            }));
        }
        for (final Thread thread : threads)
        {
            thread.join();
        }
        assertNull(failure.get());
        assertEquals(0, channel.callsInFlight());
    }

    @Test
    void shouldCancelWhenTheWaitingThreadIsInterrupted() throws Exception
    {
        final ClientStream stream = open(SILENT, MethodKind.SERVER_STREAM);
        final AtomicReference<Throwable> failure = new AtomicReference<>();
        final AtomicReference<StatusCode> code = new AtomicReference<>();
        final Thread thread = start(failure, () ->
        {
            try
            {
                stream.take();
            }
            catch (final RpcException ex)
            {
                code.set(ex.code());
            }
            assertTrue(Thread.currentThread().isInterrupted());
        });
        thread.interrupt();
        thread.join();
        assertNull(failure.get());
        assertEquals(StatusCode.CANCELLED, code.get());
        assertTrue(stream.isEnded());
        // if the server ever saw it, it is told
        while (channel.callsInFlight() > 0)
        {
            Thread.onSpinWait();
        }
    }

    @Test
    void shouldTellTheServerWhenAWaitingThreadIsInterrupted() throws Exception
    {
        final ClientStream echo = open(BOTH, MethodKind.BIDI);
        assertTrue(echo.send(new UnsafeBuffer(new byte[8]), 0, 8));
        assertEquals(8, echo.take().capacity());
        final AtomicReference<Throwable> failure = new AtomicReference<>();
        final Thread thread = start(failure, () ->
        {
            try
            {
                echo.take();
            }
            catch (final RpcException ex)
            {
                assertEquals(StatusCode.CANCELLED, ex.code());
            }
        });
        thread.interrupt();
        thread.join();
        ended.await();
        assertNull(failure.get());
    }

    @Test
    void shouldRefuseToBlockTheClientsOwnThread() throws Exception
    {
        final ClientStream echo = open(BOTH, MethodKind.BIDI);
        final CompletableFuture<String> outcome = new CompletableFuture<>();
        client.execute(() ->
        {
            try
            {
                echo.take();
                outcome.complete("taken");
            }
            catch (final IllegalStateException ex)
            {
                outcome.complete(ex.getMessage());
            }
        });
        assertTrue(outcome.get().contains("block the client's thread"), outcome::join);
        echo.close();
    }

    @Test
    void shouldEndEveryStreamOnceWhenTheClientClosesMeanwhile() throws Exception
    {
        final List<ClientStream> streams = new CopyOnWriteArrayList<>();
        final List<Integer> endings = new CopyOnWriteArrayList<>();
        final List<Thread> threads = new ArrayList<>();
        final AtomicReference<Throwable> failure = new AtomicReference<>();
        for (int i = 0; i < 3; i++)
        {
            threads.add(start(failure, () ->
            {
                for (int k = 0; k < 100; k++)
                {
                    final ClientStream stream = open(BOTH, MethodKind.BIDI);
                    streams.add(stream);
                    stream.result().whenComplete((response, ex) -> endings.add(1));
                    try
                    {
                        stream.send(new UnsafeBuffer(new byte[8]), 0, 8);
                        stream.take();
                    }
                    catch (final RpcException ex)
                    {
                        assertTrue(
                            ex.code() == StatusCode.CANCELLED || ex.code() == StatusCode.UNAVAILABLE, ex::toString);
                    }
                }
            }));
        }
        while (streams.size() < 60)
        {
            Thread.onSpinWait();
        }
        client.close();
        for (final Thread thread : threads)
        {
            thread.join();
        }
        for (final ClientStream stream : streams)
        {
            assertEnds(stream);
        }
        assertNull(failure.get());
        assertEquals(300, endings.size());
        assertEquals(0, channel.callsInFlight());
    }

    private static void assertEnds(final ClientStream stream) throws InterruptedException
    {
        try
        {
            stream.result().get(20, TimeUnit.SECONDS);
        }
        catch (final ExecutionException ex)
        {
            assertTrue(ex.getCause() instanceof RpcException, ex::toString);
        }
        catch (final TimeoutException ex)
        {
            throw new AssertionError("a stream hangs", ex);
        }
    }

    private ClientStream open(final int methodId, final MethodKind kind)
    {
        return kind == MethodKind.BIDI ?
            channel.stream(SERVICE_ID, methodId, kind, null, 0, 0, CallOptions.DEFAULT) :
            channel.stream(SERVICE_ID, methodId, kind, new UnsafeBuffer(new byte[8]), 0, 8, CallOptions.DEFAULT);
    }

    private static Thread start(final AtomicReference<Throwable> failure, final Runnable action)
    {
        return Thread.ofVirtual().start(() ->
        {
            try
            {
                action.run();
            }
            catch (final Throwable ex)
            {
                failure.compareAndSet(null, ex);
            }
        });
    }

    /**
     * Sends items back as credit allows.
     */
    private static final class Echo
    {
        private final List<Integer> waiting = new ArrayList<>();
        private boolean isHalfClosed;

        void onItem(final ServerCall call, final DirectBuffer buffer, final int offset)
        {
            waiting.add(buffer.getInt(offset));
            send(call);
        }

        void onHalfClosed(final ServerCall call)
        {
            isHalfClosed = true;
            send(call);
        }

        void send(final ServerCall call)
        {
            while (!waiting.isEmpty())
            {
                if (call.claimItem(8) < 0)
                {
                    return;
                }
                call.buffer().putInt(call.offset(), waiting.remove(0));
                call.send(8);
            }
            if (isHalfClosed)
            {
                call.complete();
            }
        }
    }
}
