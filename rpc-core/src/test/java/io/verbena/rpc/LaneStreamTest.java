/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import static io.verbena.rpc.RpcHarness.SERVICE_ID;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.rpc.test.InterruptAfter;
import io.verbena.rpc.test.RecordingStream;
import io.verbena.rpc.test.ScriptedAdapter;
import io.verbena.rpc.transport.LoopbackTransport;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Streams of services that have limits, or whose handlers run on another thread.
 */
@InterruptAfter(60)
class LaneStreamTest
{
    private static final AtomicInteger NAMES = new AtomicInteger();
    private static final int OTHER = 9;
    private static final int STREAM = 3;

    private final String address = "loopback:lane-stream-" + NAMES.incrementAndGet();
    private final RpcHarness rpc = new RpcHarness(LoopbackTransport::new, () -> address);
    private final ScriptedAdapter service = new ScriptedAdapter(OTHER);
    private final List<StatusCode> ended = new CopyOnWriteArrayList<>();

    @AfterEach
    void closeAll()
    {
        rpc.close();
    }

    private void launch(final ServiceExecution execution, final Consumer<RpcClient.Context> settings)
    {
        service.onEnded(end -> ended.add(end.status()));
        rpc.launchServer(context -> context.service(service, execution, new AdmissionControl()))
            .launchClient(settings).awaitReady();
    }

    private void assertClean()
    {
        rpc.settle();
        rpc.assertClean();
    }

    private static long send(final ServerCall call, final long value)
    {
        final long result = call.claimItem(8);
        if (result > 0)
        {
            call.buffer().putLong(call.offset(), value);
            call.send(8);
        }
        return result;
    }

    private static long value(final byte[] item)
    {
        return new UnsafeBuffer(item).getLong(0);
    }

    private void assertServerStreamIsInOrder(final ServiceExecution execution)
    {
        final int count = 1_000;
        final AtomicLong next = new AtomicLong();
        final ScriptedAdapter.StreamScript go = call ->
        {
            while (next.get() < count && send(call, next.get()) > 0)
            {
                next.incrementAndGet();
            }
            if (next.get() == count)
            {
                next.incrementAndGet();
                call.complete();
            }
        };
        service.on(STREAM, MethodKind.SERVER_STREAM, (call, buffer, offset, length) -> go.on(call))
            .onReady(STREAM, go);
        launch(execution, context -> context.streamWindowItems(16));
        final RecordingStream stream = new RecordingStream();
        assertTrue(rpc.channel().offerStream(
            OTHER, STREAM, new UnsafeBuffer(new byte[8]), 0, 8, RpcChannel.NO_TIMEOUT, stream) > 0);
        rpc.until(stream::hasEnded);
        assertEquals(StatusCode.OK, stream.status(), stream::toString);
        assertEquals(count, stream.items().size());
        for (int i = 0; i < count; i++)
        {
            assertEquals(i, value(stream.items().get(i)));
        }
        rpc.until(() -> ended.size() == 1);
        assertEquals(List.of(StatusCode.OK), ended);
        assertClean();
    }

    private void assertBidiIsInOrder(final ServiceExecution execution)
    {
        service.on(STREAM, MethodKind.BIDI, (call, buffer, offset, length) -> {})
            .onItem(STREAM, (call, buffer, offset, length) ->
            {
                while (send(call, buffer.getLong(offset)) < 0 && call.isOpen())
                {
                    Thread.onSpinWait();
                }
            })
            .onHalfClosed(STREAM, ServerCall::complete);
        launch(execution, context -> context.streamWindowItems(100_000).streamWindowBytes(1 << 24));
        final RecordingStream stream = new RecordingStream();
        final long id = rpc.channel().openStream(OTHER, STREAM, MethodKind.BIDI, RpcChannel.NO_TIMEOUT, stream);
        assertTrue(id > 0);
        final UnsafeBuffer item = new UnsafeBuffer(new byte[8]);
        for (long i = 0; i < 2_000; i++)
        {
            item.putLong(0, i);
            rpc.until(() -> rpc.channel().offerItem(id, item, 0, 8) > 0);
        }
        rpc.channel().halfClose(id);
        rpc.until(stream::hasEnded);
        assertEquals(StatusCode.OK, stream.status(), stream::toString);
        assertEquals(2_000, stream.items().size());
        for (int i = 0; i < 2_000; i++)
        {
            assertEquals(i, value(stream.items().get(i)));
        }
        rpc.until(() -> ended.size() == 1);
        assertClean();
    }

    @Test
    void shouldSendItemsInOrderWithinCreditWhenHandlerRunsOnAnotherThread()
    {
        assertServerStreamIsInOrder(ServiceExecution.pool(1));
    }

    @Test
    void shouldSendItemsInOrderWithinCreditWhenServiceHasLimits()
    {
        assertServerStreamIsInOrder(ServiceExecution.dutyCycle());
    }

    @Test
    void shouldEchoItemsInOrderWhenHandlerRunsOnAnotherThread()
    {
        assertBidiIsInOrder(ServiceExecution.pool(1));
    }

    @Test
    void shouldKeepNoMoreThanTheWindowWhenHandlerOnAnotherThreadStopsReading() throws Exception
    {
        final java.util.concurrent.CountDownLatch go = new java.util.concurrent.CountDownLatch(1);
        final AtomicInteger handled = new AtomicInteger();
        service.on(STREAM, MethodKind.CLIENT_STREAM, (call, buffer, offset, length) -> {})
            .onItem(STREAM, (call, buffer, offset, length) ->
            {
                try
                {
                    go.await();
                }
                catch (final InterruptedException ex)
                {
                    Thread.currentThread().interrupt();
                }
                handled.incrementAndGet();
            })
            .onHalfClosed(STREAM, call ->
            {
                call.claim(4);
                call.buffer().putInt(call.offset(), handled.get());
                call.send(4);
            });
        service.onEnded(end -> ended.add(end.status()));
        rpc.launchServer(context -> context.streamWindowItems(10)
            .service(service, ServiceExecution.pool(1), new AdmissionControl()))
            .launchClient(context -> {}).awaitReady();
        final RecordingStream stream = new RecordingStream();
        final long id =
            rpc.channel().openStream(OTHER, STREAM, MethodKind.CLIENT_STREAM, RpcChannel.NO_TIMEOUT, stream);
        final UnsafeBuffer item = new UnsafeBuffer(new byte[8]);
        int sent = 0;
        for (int i = 0; i < 200; i++)
        {
            sent += rpc.channel().offerItem(id, item, 0, 8) > 0 ? 1 : 0;
            rpc.pump();
        }
        assertEquals(10, sent, "as many as the window, since none was handled");
        go.countDown();
        for (; sent < 50; sent++)
        {
            rpc.until(() -> rpc.channel().offerItem(id, item, 0, 8) > 0);
        }
        rpc.channel().halfClose(id);
        rpc.until(stream::hasEnded);
        assertEquals(StatusCode.OK, stream.status(), stream::toString);
        assertEquals(50, new UnsafeBuffer(stream.response()).getInt(0));
        rpc.until(() -> ended.size() == 1);
        assertClean();
    }

    @Test
    void shouldTellTheServiceOnceAndLetItSeeTheEndWhenClientCancels()
    {
        final AtomicInteger seen = new AtomicInteger();
        service.on(STREAM, MethodKind.SERVER_STREAM, (call, buffer, offset, length) ->
        {
            long result;
            while ((result = send(call, 1)) != RpcChannel.CALL_ENDED)
            {
                assertTrue(result > 0 || result == RpcChannel.CREDIT_EXHAUSTED, "result " + result);
                Thread.onSpinWait();
            }
            seen.incrementAndGet();
        });
        launch(ServiceExecution.pool(1), context -> context.streamWindowItems(4));
        final RecordingStream stream = new RecordingStream(false);
        final long id = rpc.channel().offerStream(
            OTHER, STREAM, new UnsafeBuffer(new byte[8]), 0, 8, RpcChannel.NO_TIMEOUT, stream);
        rpc.until(() -> stream.items().size() == 4);
        rpc.settle();
        assertEquals(4, stream.items().size());
        assertTrue(rpc.channel().cancel(id));
        rpc.until(() -> ended.size() == 1);
        assertEquals(1, seen.get());
        assertEquals(List.of(StatusCode.CANCELLED), ended);
        assertClean();
    }

    @Test
    void shouldRefuseAStreamThatIsTooMuchAndTellItsServiceNothing()
    {
        service.on(STREAM, MethodKind.SERVER_STREAM, (call, buffer, offset, length) -> send(call, 1))
            .onEnded(end -> ended.add(end.status()));
        rpc.launchServer(context -> context.service(
            service, ServiceExecution.dutyCycle(), new AdmissionControl().maxInProgress(2).maxQueued(1)))
            .launchClient(context -> {}).awaitReady();
        final long[] ids = new long[4];
        final RecordingStream[] streams = new RecordingStream[4];
        for (int i = 0; i < 4; i++)
        {
            streams[i] = new RecordingStream();
            ids[i] = rpc.channel().offerStream(
                OTHER, STREAM, new UnsafeBuffer(new byte[8]), 0, 8, RpcChannel.NO_TIMEOUT, streams[i]);
        }
        rpc.until(streams[3]::hasEnded);
        assertEquals(StatusCode.RESOURCE_EXHAUSTED, streams[3].status());
        rpc.until(() -> streams[1].items().size() == 1);
        rpc.settle();
        assertTrue(streams[2].items().isEmpty(), "it waits");
        rpc.channel().cancel(ids[0]);
        rpc.until(() -> streams[2].items().size() == 1);
        rpc.channel().cancel(ids[1]);
        rpc.channel().cancel(ids[2]);
        rpc.until(() -> ended.size() == 3);
        rpc.settle();
        assertEquals(List.of(StatusCode.CANCELLED, StatusCode.CANCELLED, StatusCode.CANCELLED), ended);
        assertClean();
    }

    @Test
    void shouldNotLetACallAnswerInTheWrongWay()
    {
        final List<String> thrown = new CopyOnWriteArrayList<>();
        service.on(1, MethodKind.UNARY, (call, buffer, offset, length) ->
        {
            thrown.add(assertThrows(IllegalStateException.class, () -> call.claimItem(8)).getMessage());
            thrown.add(assertThrows(IllegalStateException.class, () -> call.grant(1)).getMessage());
            thrown.add(assertThrows(IllegalStateException.class, () -> call.attach("x")).getMessage());
            thrown.add(assertThrows(IllegalStateException.class, call::complete).getMessage());
            call.fail(StatusCode.ABORTED, "done");
        });
        launch(ServiceExecution.pool(1), context -> {});
        final RecordingStream stream = new RecordingStream();
        rpc.channel().offer(OTHER, 1, new UnsafeBuffer(new byte[8]), 0, 8, RpcChannel.NO_TIMEOUT, stream);
        rpc.until(stream::hasEnded);
        assertEquals(StatusCode.ABORTED, stream.status(), stream::toString);
        assertEquals(4, thrown.size());
        assertFalse(thrown.contains(null));
        assertEquals(7, SERVICE_ID);
        assertClean();
    }
}
