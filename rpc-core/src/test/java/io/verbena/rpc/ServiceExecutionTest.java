/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import static io.verbena.rpc.RpcHarness.SERVICE_ID;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.rpc.test.InterruptAfter;
import io.verbena.rpc.test.RecordingHandler;
import io.verbena.rpc.transport.LoopbackTransport;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Services whose handlers run on other threads than the server's.
 */
@InterruptAfter(60)
class ServiceExecutionTest
{
    private static final AtomicInteger NAMES = new AtomicInteger();
    private static final int OTHER = 9;

    private final String address = "loopback:execution-" + NAMES.incrementAndGet();
    private final RpcHarness rpc = new RpcHarness(LoopbackTransport::new, () -> address);
    private final AtomicInteger adapters = new AtomicInteger();
    private final List<StatusCode> cancelled = new CopyOnWriteArrayList<>();
    private volatile Handler handler;

    /**
     * What the service does.
     */
    private interface Handler
    {
        void handle(ServerCall call, DirectBuffer buffer, int offset, int length) throws Exception;
    }

    /**
     * An adapter that, as generated ones, serves one thread at a time, and says so if that is not so.
     */
    private final class Guarded implements ServiceAdapter
    {
        private final AtomicInteger users = new AtomicInteger();

        Guarded()
        {
            adapters.incrementAndGet();
        }

        @Override
        public int serviceId()
        {
            return OTHER;
        }

        @Override
        public String serviceName()
        {
            return "Guarded";
        }

        @Override
        public int schemaId()
        {
            return 1;
        }

        @Override
        public int schemaVersion()
        {
            return 0;
        }

        @Override
        public void onRequest(
            final ServerCall call, final int methodId, final DirectBuffer buffer, final int offset, final int length)
        {
            if (users.incrementAndGet() != 1)
            {
                throw new IllegalStateException("an adapter is used by two threads");
            }
            try
            {
                handler.handle(call, buffer, offset, length);
            }
            catch (final RuntimeException ex)
            {
                throw ex;
            }
            catch (final Exception ex)
            {
                throw new IllegalStateException(ex);
            }
            finally
            {
                users.decrementAndGet();
            }
        }

        @Override
        public void onCancelled(
            final long connectionId, final long correlationId, final int methodId, final StatusCode cause)
        {
            cancelled.add(cause);
        }
    }

    @AfterEach
    void closeAll()
    {
        rpc.close();
    }

    private void launch(final ServiceExecution execution, final AdmissionControl admission)
    {
        rpc.launchServer(context -> context.service(Guarded::new, execution, admission))
            .launchClient(context -> {}).awaitReady();
    }

    private void launch(final ServiceExecution execution)
    {
        launch(execution, new AdmissionControl());
    }

    private void call(final byte[] payload, final long timeoutNs, final ResponseHandler told)
    {
        assertTrue(rpc.channel().offer(
            OTHER, 1, UnaryContractSupport.buffer(payload), 0, payload.length, timeoutNs, told) > 0);
    }

    private static void echo(
        final ServerCall call, final DirectBuffer buffer, final int offset, final int length)
    {
        call.claim(length);
        call.buffer().putBytes(call.offset(), buffer, offset, length);
        call.send(length);
    }

    private void assertHandlersRunSideBySide(final ServiceExecution execution)
    {
        final CyclicBarrier together = new CyclicBarrier(2);
        final Set<Thread> threads = ConcurrentHashMap.newKeySet();
        handler = (call, buffer, offset, length) ->
        {
            threads.add(Thread.currentThread());
            together.await();
            echo(call, buffer, offset, length);
        };
        launch(execution);
        final RecordingHandler told = new RecordingHandler();
        for (int i = 0; i < 20; i++)
        {
            call(new byte[] { (byte)i, 1, 2 }, RpcChannel.NO_TIMEOUT, told);
        }
        rpc.until(() -> told.count() == 20);
        told.outcomes().forEach(outcome -> assertEquals(StatusCode.OK, outcome.code(), outcome::toString));
        threads.forEach(thread -> assertNotSame(Thread.currentThread(), thread));
        assertTrue(threads.size() >= 2);
        rpc.settle();
        rpc.assertClean();
    }

    @Test
    void shouldRunHandlersSideBySideWhenServiceHasAPool()
    {
        assertHandlersRunSideBySide(ServiceExecution.pool(2));
        assertTrue(adapters.get() <= 3, "adapters " + adapters.get());
    }

    @Test
    void shouldRunEachHandlerOnAVirtualThreadAndAtMostSoManyAtATime()
    {
        final AtomicInteger running = new AtomicInteger();
        final AtomicInteger most = new AtomicInteger();
        final AtomicInteger platform = new AtomicInteger();
        handler = (call, buffer, offset, length) ->
        {
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            platform.addAndGet(Thread.currentThread().isVirtual() ? 0 : 1);
            Thread.yield();
            running.decrementAndGet();
            echo(call, buffer, offset, length);
        };
        launch(ServiceExecution.virtualThreads(3));
        final RecordingHandler told = new RecordingHandler();
        for (int i = 0; i < 500; i++)
        {
            call(new byte[8], RpcChannel.NO_TIMEOUT, told);
        }
        rpc.until(() -> told.count() == 500);
        assertTrue(most.get() <= 3, "at a time " + most.get());
        assertEquals(0, platform.get());
        told.outcomes().forEach(outcome -> assertEquals(StatusCode.OK, outcome.code(), outcome::toString));
        rpc.settle();
        rpc.assertClean();
    }

    @Test
    void shouldRunHandlersSideBySideOnVirtualThreads()
    {
        assertHandlersRunSideBySide(ServiceExecution.virtualThreads());
    }

    @Test
    void shouldWorkWithAnExecutorThatRunsOnTheServersThread()
    {
        handler = ServiceExecutionTest::echo;
        launch(ServiceExecution.executor(Runnable::run, 1));
        final RecordingHandler told = new RecordingHandler();
        for (int i = 0; i < 300; i++)
        {
            call(new byte[100], RpcChannel.NO_TIMEOUT, told);
        }
        rpc.until(() -> told.count() == 300);
        rpc.settle();
        rpc.assertClean();
    }

    @Test
    void shouldFailTheCallWhenTheExecutorRejectsIt()
    {
        handler = ServiceExecutionTest::echo;
        launch(ServiceExecution.executor(
            task ->
            {
                throw new RejectedExecutionException("full");
            }, 1));
        final RecordingHandler told = new RecordingHandler();
        call(new byte[8], RpcChannel.NO_TIMEOUT, told);
        rpc.until(() -> told.count() == 1);
        assertEquals(StatusCode.RESOURCE_EXHAUSTED, told.last().code());
        rpc.settle();
        rpc.assertClean();
    }

    @Test
    void shouldAnswerWhateverAHandlerThrowsAndLeavesOpen()
    {
        launch(ServiceExecution.pool(2));
        final List<Handler> handlers = List.of(
            (call, buffer, offset, length) ->
            {
                throw new RpcException(StatusCode.DATA_LOSS, "lost");
            },
            (call, buffer, offset, length) ->
            {
                throw new StackOverflowError();
            },
            (call, buffer, offset, length) -> call.claim(8),
            (call, buffer, offset, length) -> call.fail(StatusCode.ABORTED, "aborted"),
            (call, buffer, offset, length) ->
            {
                call.claimError(StatusCode.NOT_FOUND, "none", 4);
                call.buffer().putInt(call.offset(), 77);
                call.send(4);
            },
            (call, buffer, offset, length) -> call.claim(Integer.MAX_VALUE),
            (call, buffer, offset, length) ->
            {
                call.claim(8);
                call.send(9);
            });
        final List<StatusCode> expected = List.of(
            StatusCode.DATA_LOSS, StatusCode.INTERNAL, StatusCode.INTERNAL, StatusCode.ABORTED, StatusCode.NOT_FOUND,
            StatusCode.RESOURCE_EXHAUSTED, StatusCode.INTERNAL);
        for (int i = 0; i < handlers.size(); i++)
        {
            handler = handlers.get(i);
            final RecordingHandler told = new RecordingHandler();
            call(new byte[8], RpcChannel.NO_TIMEOUT, told);
            rpc.until(() -> told.count() == 1);
            assertEquals(expected.get(i), told.last().code(), "handler " + i + ": " + told.last());
        }
        rpc.until(() -> rpc.serverErrors().size() == 3);
        rpc.settle();
        rpc.assertNothingHeld();
    }

    @Test
    void shouldTellTheServiceOnceWhenTheDeadlinePassesWhileItsHandlerRuns() throws Exception
    {
        final CountDownLatch begun = new CountDownLatch(1);
        final CountDownLatch go = new CountDownLatch(1);
        final List<Boolean> open = new CopyOnWriteArrayList<>();
        handler = (call, buffer, offset, length) ->
        {
            open.add(call.isOpen());
            begun.countDown();
            go.await();
            open.add(call.isOpen());
            echo(call, buffer, offset, length);
        };
        launch(ServiceExecution.pool(1));
        final RecordingHandler told = new RecordingHandler();
        call(new byte[8], 5_000_000, told);
        rpc.until(() -> begun.getCount() == 0);
        rpc.clock().advanceMs(5);
        rpc.until(() -> told.count() == 1 && rpc.server().callsInFlight() == 0);
        assertEquals(StatusCode.DEADLINE_EXCEEDED, told.last().code());
        assertEquals(List.of(), cancelled, "told in its turn");
        go.countDown();
        rpc.until(() -> cancelled.size() == 1);
        rpc.settle();
        assertEquals(List.of(StatusCode.DEADLINE_EXCEEDED), cancelled);
        assertEquals(List.of(true, false), open);
        rpc.assertClean();
    }

    @Test
    void shouldNeverBeginACallWhoseDeadlinePassesWhileItWaitsForAThread() throws Exception
    {
        final CountDownLatch go = new CountDownLatch(1);
        final AtomicInteger begun = new AtomicInteger();
        handler = (call, buffer, offset, length) ->
        {
            begun.incrementAndGet();
            go.await();
            echo(call, buffer, offset, length);
        };
        launch(ServiceExecution.pool(1));
        final RecordingHandler first = new RecordingHandler();
        call(new byte[8], RpcChannel.NO_TIMEOUT, first);
        rpc.until(() -> begun.get() == 1);
        final RecordingHandler late = new RecordingHandler();
        for (int i = 0; i < 5; i++)
        {
            call(new byte[8], 1_000_000, late);
        }
        rpc.until(() -> rpc.server().callsInFlight() == 6);
        rpc.clock().advanceMs(1);
        rpc.until(() -> late.count() == 5 && rpc.server().callsInFlight() == 1);
        go.countDown();
        rpc.until(() -> first.count() == 1);
        rpc.settle();
        final RecordingHandler last = new RecordingHandler();
        call(new byte[8], RpcChannel.NO_TIMEOUT, last);
        rpc.until(() -> last.count() == 1);
        assertEquals(2, begun.get());
        assertEquals(List.of(), cancelled, "the service never had them");
        rpc.assertClean();
    }

    @Test
    void shouldBeAnswerableFromAnyThreadAfterTheHandlerHasReturned() throws Exception
    {
        final List<ServerCall> kept = new CopyOnWriteArrayList<>();
        handler = (call, buffer, offset, length) -> kept.add(call.detach());
        launch(ServiceExecution.virtualThreads(1));
        final RecordingHandler told = new RecordingHandler();
        for (int i = 0; i < 3; i++)
        {
            call(new byte[8], RpcChannel.NO_TIMEOUT, told);
        }
        rpc.until(() -> kept.size() == 3);
        final Thread thread = Thread.ofVirtual().start(() -> kept.forEach(call ->
        {
            call.claimScratch();
            call.buffer().putLong(call.offset(), 42);
            call.send(8);
        }));
        rpc.until(() -> told.count() == 3);
        thread.join();
        assertFalse(kept.get(0).isOpen());
        assertEquals(0, kept.get(0).remainingNs());
        rpc.settle();
        rpc.assertClean();
    }

    @Test
    void shouldRefuseBeyondTheLimitsOfWhatWaits()
    {
        final CountDownLatch go = new CountDownLatch(1);
        handler = (call, buffer, offset, length) ->
        {
            go.await();
            echo(call, buffer, offset, length);
        };
        launch(ServiceExecution.pool(1), new AdmissionControl().maxQueued(3));
        final RecordingHandler told = new RecordingHandler();
        for (int i = 0; i < 6; i++)
        {
            call(new byte[8], RpcChannel.NO_TIMEOUT, told);
        }
        rpc.until(() -> told.count() == 1);
        rpc.settle();
        assertEquals(1, told.count(), "one at work, one behind it, three that wait");
        assertEquals(StatusCode.RESOURCE_EXHAUSTED, told.last().code());
        go.countDown();
        rpc.until(() -> told.count() == 6);
        rpc.settle();
        rpc.assertClean();
    }

    @Test
    void shouldCloseWithinItsTimeoutThoughAHandlerBlocks()
    {
        final CountDownLatch begun = new CountDownLatch(1);
        final CountDownLatch ended = new CountDownLatch(1);
        handler = (call, buffer, offset, length) ->
        {
            begun.countDown();
            try
            {
                new CountDownLatch(1).await();
            }
            finally
            {
                ended.countDown();
            }
        };
        rpc.launchServer(context -> context.closeTimeoutNs(10_000_000)
            .service(Guarded::new, ServiceExecution.pool(1))).launchClient(context -> {}).awaitReady();
        final RecordingHandler told = new RecordingHandler();
        call(new byte[8], RpcChannel.NO_TIMEOUT, told);
        rpc.until(() -> begun.getCount() == 0);
        rpc.clock().stepOnReadNs(1_000);
        rpc.closeServer();
        rpc.until(() -> ended.getCount() == 0 && told.count() == 1);
        assertEquals(StatusCode.UNAVAILABLE, told.last().code());
        assertTrue(rpc.serverErrors().stream().anyMatch(ex -> ex.getMessage().contains("have not returned")));
    }

    @Test
    void shouldAskForASupplierWhenHandlersRunSideBySide()
    {
        final IllegalStateException ex = assertThrows(
            IllegalStateException.class,
            () -> rpc.launchServer(context -> context.service(new Guarded(), ServiceExecution.pool(2))));
        assertTrue(ex.getMessage().contains("expected a supplier of adapters for Guarded"), ex::getMessage);
        new RpcServer.Context().listen(new LoopbackTransport(), address)
            .service(new Guarded(), ServiceExecution.pool(1)).conclude();
        assertThrows(IllegalArgumentException.class, () -> ServiceExecution.pool(0));
        assertThrows(IllegalArgumentException.class, () -> ServiceExecution.virtualThreads((1 << 20) + 1));
        assertEquals(SERVICE_ID, rpc.service().serviceId());
    }
}
