/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.rpc.protocol.FrameFlags;
import io.verbena.rpc.protocol.FrameType;
import io.verbena.rpc.test.InterruptAfter;
import io.verbena.rpc.test.RawPeer;
import io.verbena.rpc.test.ScriptedAdapter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/**
 * Streams in the hands of another thread than the client's: here the test's, which runs both ends in turns.
 */
@InterruptAfter(20)
class ClientStreamTest extends ResilienceSupport
{
    private static final int DOWN = 3;
    private static final int UP = 4;
    private static final int BOTH = 5;

    private final UnsafeBuffer item = new UnsafeBuffer(new byte[16]);
    private final List<Integer> arrived = new ArrayList<>();
    private final AtomicInteger sent = new AtomicInteger();

    @Test
    void shouldGiveItemsInOrderAndThenTheEnd()
    {
        rpc.start();
        serveDown(1_000, call -> call.complete());
        final ClientStream stream = open(DOWN, MethodKind.SERVER_STREAM, CallOptions.DEFAULT, null);
        for (int i = 0; i < 1_000; i++)
        {
            assertEquals(i, next(stream).getInt(0));
        }
        rpc.until(stream::isEnded);
        assertNull(stream.take());
        assertNull(stream.take());
        assertNull(stream.result().join());
        assertEquals(List.of(StatusCode.OK), endings());
        assertNothingLeft();
    }

    @Test
    void shouldHoldItsWindowAtMostWhenItemsAreNotTaken()
    {
        rpc.launchServer(context -> {}).launchClient(context -> context.streamWindowItems(8)).awaitReady();
        serveDown(100, call -> call.complete());
        final ClientStream stream = open(DOWN, MethodKind.SERVER_STREAM, CallOptions.DEFAULT, null);
        rpc.until(() -> sent.get() == 8);
        rpc.settle();
        assertEquals(8, sent.get());
        for (int taken = 0; taken < 100; taken++)
        {
            assertEquals(taken, next(stream).getInt(0));
            rpc.settle();
            assertTrue(sent.get() <= taken + 1 + 8, () -> "sent " + sent);
        }
        rpc.until(stream::isEnded);
        assertNothingLeft();
    }

    @Test
    void shouldHoldItsWindowOfBytesAtMostWhenItemsAreNotTaken()
    {
        rpc.launchServer(context -> {}).launchClient(context -> context.streamWindowBytes(160)).awaitReady();
        serveDown(100, call -> call.complete());
        final ClientStream stream = open(DOWN, MethodKind.SERVER_STREAM, CallOptions.DEFAULT, null);
        rpc.until(() -> sent.get() == 10);
        rpc.settle();
        assertEquals(10, sent.get());
        for (int taken = 0; taken < 100; taken++)
        {
            assertEquals(taken, next(stream).getInt(0));
        }
        rpc.until(stream::isEnded);
        assertNothingLeft();
    }

    @Test
    void shouldRefuseItemsBeyondItsWindowUntilSomeWereSent()
    {
        rpc.launchServer(context -> context.streamWindowItems(4))
            .launchClient(context -> context.streamWindowItems(4)).awaitReady();
        serveUp(true);
        final ClientStream stream = open(UP, MethodKind.CLIENT_STREAM, CallOptions.DEFAULT, null);
        int offered = 0;
        // what the server grants, and what waits here
        while (offer(stream, offered))
        {
            offered++;
            rpc.settle();
        }
        assertEquals(8, offered);
        final CompletableFuture<Void> ready = stream.whenReady();
        assertFalse(ready.isDone());
        assertEquals(4, arrived.size());
        rpc.service().onReady(UP, call -> {});
        grant.run();
        rpc.until(ready::isDone);
        assertTrue(offer(stream, 8));
        stream.halfClose();
        stream.halfClose();
        grant.run();
        rpc.until(() -> stream.result().isDone());
        assertEquals(9, stream.result().join().getInt(0));
        assertEquals(List.of(0, 1, 2, 3, 4, 5, 6, 7, 8), arrived);
        assertNull(stream.take());
        assertThrows(IllegalStateException.class, () -> offer(stream, 9));
        assertNothingLeft();
    }

    @Test
    void shouldCarryItemsBothWays()
    {
        rpc.start();
        serveBoth();
        final ClientStream stream = open(BOTH, MethodKind.BIDI, CallOptions.DEFAULT, null);
        for (int i = 0; i < 100; i++)
        {
            assertTrue(offer(stream, i));
            assertEquals(i, next(stream).getInt(0));
        }
        stream.halfClose();
        rpc.until(stream::isEnded);
        assertNull(stream.poll());
        assertEquals(List.of(StatusCode.OK), endings());
        assertNothingLeft();
    }

    @Test
    void shouldTakeNoMoreItemsWhenTheServerHadEnough()
    {
        rpc.start();
        rpc.service().on(BOTH, MethodKind.BIDI, (call, buffer, offset, length) -> call.complete());
        final ClientStream stream = open(BOTH, MethodKind.BIDI, CallOptions.DEFAULT, null);
        rpc.until(stream::isEnded);
        assertFalse(offer(stream, 1));
        assertTrue(stream.whenReady().isDone());
        assertNull(stream.result().join());
        assertNothingLeft();
    }

    @Test
    void shouldDropWhatWasNotTakenWhenCancelled()
    {
        rpc.start();
        serveDown(50, call -> {});
        final ClientStream stream = open(DOWN, MethodKind.SERVER_STREAM, CallOptions.DEFAULT, null);
        assertEquals(0, next(stream).getInt(0));
        rpc.settle();
        stream.cancel();
        assertTrue(stream.isEnded());
        assertEquals(StatusCode.CANCELLED, assertThrows(RpcException.class, stream::take).code());
        assertEquals(StatusCode.CANCELLED, assertThrows(RpcException.class, stream::poll).code());
        assertEquals(StatusCode.CANCELLED, failureOf(stream.result()).code());
        rpc.until(() -> rpc.service().ended().size() == 1);
        assertEquals(List.of(StatusCode.CANCELLED), endings());
        stream.close();
        assertNothingLeft();
    }

    @Test
    void shouldGiveTheItemsBeforeTheFailureWhenTheServerFails()
    {
        rpc.start();
        serveDown(3, call -> call.fail(StatusCode.ABORTED, "enough"));
        final ClientStream stream = open(DOWN, MethodKind.SERVER_STREAM, CallOptions.DEFAULT, null);
        rpc.until(() -> stream.result().isDone());
        assertFalse(stream.isEnded());
        for (int i = 0; i < 3; i++)
        {
            assertEquals(i, stream.take().getInt(0));
        }
        assertTrue(stream.isEnded());
        final RpcException failure = assertThrows(RpcException.class, stream::take);
        assertEquals(StatusCode.ABORTED, failure.code());
        assertEquals("enough", failure.text());
        assertEquals(StatusCode.ABORTED, assertThrows(RpcException.class, stream::take).code());
        assertNothingLeft();
    }

    @Test
    void shouldEndAtTheDeadline()
    {
        rpc.start();
        serveDown(1, call -> {});
        final ClientStream stream =
            open(DOWN, MethodKind.SERVER_STREAM, CallOptions.DEFAULT.timeoutNs(100 * MS), null);
        assertEquals(0, next(stream).getInt(0));
        rpc.clock().advanceMs(100);
        rpc.until(stream::isEnded);
        assertEquals(StatusCode.DEADLINE_EXCEEDED, assertThrows(RpcException.class, stream::take).code());
        rpc.until(() -> rpc.service().ended().size() == 1);
        assertNothingLeft();
    }

    @Test
    void shouldEndWhenTheChannelCloses()
    {
        rpc.start();
        serveDown(1, call -> {});
        final ClientStream stream = open(DOWN, MethodKind.SERVER_STREAM, CallOptions.DEFAULT, null);
        assertEquals(0, next(stream).getInt(0));
        rpc.channel().close();
        assertEquals(StatusCode.CANCELLED, assertThrows(RpcException.class, stream::take).code());
        final ClientStream late = open(DOWN, MethodKind.SERVER_STREAM, CallOptions.DEFAULT, null);
        assertEquals(StatusCode.UNAVAILABLE, assertThrows(RpcException.class, late::take).code());
        assertNothingLeft();
    }

    @Test
    void shouldEndOnceWhenTheConnectionIsLost()
    {
        rpc.start();
        serveDown(1, call -> {});
        final ClientStream stream = open(DOWN, MethodKind.SERVER_STREAM, CallOptions.DEFAULT.idempotent(true)
            .retry(new RetryPolicy(5)), null);
        assertEquals(0, next(stream).getInt(0));
        rpc.channel().connector().link().connection().close();
        rpc.until(() -> stream.result().isDone());
        assertEquals(StatusCode.UNAVAILABLE, assertThrows(RpcException.class, stream::take).code());
        rpc.clock().advanceMs(1_000);
        rpc.awaitReady().settle();
        assertEquals(1, rpc.service().requestCount());
        assertNothingLeft();
    }

    @Test
    void shouldEndAsExhaustedWhenAnItemIsTooLong()
    {
        rpc.launchServer(context -> context.maxMessageLength(4096)).launchClient(context -> {}).awaitReady();
        serveUp(false);
        final ClientStream peers = open(UP, MethodKind.CLIENT_STREAM, CallOptions.DEFAULT, null);
        assertTrue(offer(peers, 0));
        assertTrue(peers.offer(new UnsafeBuffer(new byte[5000]), 0, 5000));
        rpc.until(peers::isEnded);
        assertTooLong(assertThrows(RpcException.class, peers::take), "5000", "4096");
        final ClientStream own = open(UP, MethodKind.CLIENT_STREAM, CallOptions.DEFAULT, null);
        final int length = (16 << 20) + 1;
        final UnsafeBuffer tooLong = new UnsafeBuffer(new byte[length]);
        assertTooLong(
            assertThrows(RpcException.class, () -> own.offer(tooLong, 0, length)), "" + length, "" + (16 << 20));
        assertTooLong(failureOf(own.result()), "" + length, "" + (16 << 20));
        // that call alone: the connection goes on
        rpc.settle();
        assertEquals(StatusCode.OK, rpc.call(RpcHarness.ECHO_METHOD_ID, new byte[8]).code());
        assertNothingLeft();
    }

    @Test
    void shouldPushItemsWhenThereIsAConsumer()
    {
        rpc.launchServer(context -> {}).launchClient(context -> context.streamWindowItems(8)).awaitReady();
        serveDown(100, call -> call.complete());
        final ClientStream stream = open(DOWN, MethodKind.SERVER_STREAM, CallOptions.DEFAULT, buffer ->
        {
            assertEquals(16, buffer.capacity());
            arrived.add(buffer.getInt(0));
        });
        rpc.until(() -> stream.result().isDone());
        assertEquals(100, arrived.size());
        assertEquals(99, arrived.get(99));
        assertThrows(IllegalStateException.class, stream::take);
        assertThrows(IllegalStateException.class, stream::poll);
        assertNothingLeft();
    }

    @Test
    void shouldEndAsInternalWhenTheConsumerThrows()
    {
        rpc.start();
        serveDown(100, call -> call.complete());
        final IllegalStateException failure = new IllegalStateException("the consumer");
        final ClientStream stream = open(DOWN, MethodKind.SERVER_STREAM, CallOptions.DEFAULT, buffer ->
        {
            arrived.add(buffer.getInt(0));
            throw failure;
        });
        rpc.until(() -> stream.result().isDone());
        assertEquals(StatusCode.INTERNAL, failureOf(stream.result()).code());
        assertEquals(List.of(0), arrived);
        assertEquals(List.of(failure), rpc.clientErrors());
        assertNothingLeft();
    }

    @Test
    void shouldMoveWhenNothingHasBegunAndNotAfterAnItem()
    {
        final RawPeer raw = rawServer(context -> {});
        final ClientStream unseen = open(DOWN, MethodKind.SERVER_STREAM, CallOptions.DEFAULT, null);
        final ClientStream begun = open(UP, MethodKind.CLIENT_STREAM, CallOptions.DEFAULT, null);
        request(raw, 2);
        assertTrue(offer(begun, 7));
        rpc.until(() -> raw.count(FrameType.STREAM) == 1);
        refuse(raw, request(raw, 1), StatusCode.UNAVAILABLE, 0, true);
        refuse(raw, request(raw, 2), StatusCode.UNAVAILABLE, 0, true);
        rpc.until(begun::isEnded);
        assertEquals(StatusCode.UNAVAILABLE, assertThrows(RpcException.class, begun::take).code());
        final RawPeer.Frame moved = request(raw, 3);
        assertEquals(DOWN, moved.methodId());
        assertFalse(unseen.isEnded());
        raw.send(FrameType.STREAM, SERVICE_ID, DOWN, moved.correlationId(), 0, new byte[16]);
        assertEquals(0, next(unseen).getInt(0));
        // it has begun: no more moves, whatever the server says
        refuse(raw, moved, StatusCode.UNAVAILABLE, 0, true);
        rpc.until(unseen::isEnded);
        rpc.settle();
        assertEquals(3, raw.count(FrameType.REQUEST));
        assertNothingLeft();
    }

    @Test
    void shouldSendWhatWasOfferedBeforeTheConnectionWasThere()
    {
        final RawPeer raw = rpc.rawServer();
        rpc.launchClient(context -> {});
        final ClientStream stream = open(UP, MethodKind.CLIENT_STREAM, CallOptions.DEFAULT, null);
        assertTrue(offer(stream, 1));
        assertTrue(offer(stream, 2));
        stream.halfClose();
        accept(raw, 1);
        rpc.until(() -> raw.count(FrameType.HALF_CLOSE) == 1);
        assertEquals(2, raw.count(FrameType.STREAM));
        assertEquals(1, raw.count(FrameType.REQUEST));
        raw.send(
            FrameType.RESPONSE, FrameFlags.WHOLE, SERVICE_ID, UP, request(raw, 1).correlationId(), 0, 0, new byte[16]);
        rpc.until(() -> stream.result().isDone());
        assertEquals(16, stream.result().join().capacity());
        assertNothingLeft();
    }

    @Test
    void shouldRefuseWhatMakesNoSense()
    {
        rpc.start();
        assertThrows(IllegalArgumentException.class, () -> open(METHOD, MethodKind.UNARY, CallOptions.DEFAULT, null));
        assertThrows(IllegalArgumentException.class, () -> rpc.channel().stream(
            SERVICE_ID, UP, MethodKind.CLIENT_STREAM, item, 0, 16, CallOptions.DEFAULT));
        serveDown(1, call -> call.complete());
        final ClientStream stream = open(DOWN, MethodKind.SERVER_STREAM, CallOptions.DEFAULT, null);
        assertThrows(IllegalStateException.class, () -> offer(stream, 1));
        stream.halfClose();
        rpc.until(() -> stream.result().isDone());
        stream.close();
        assertTrue(stream.isEnded());
        assertNull(stream.take());
        assertNothingLeft();
    }

    private Runnable grant = () -> {};

    private void serveDown(final int count, final Consumer<ServerCall> end)
    {
        final ScriptedAdapter.StreamScript send = call ->
        {
            int number = (Integer)call.attachment();
            while (number < count)
            {
                if (call.claimItem(16) < 0)
                {
                    call.attach(number);
                    return;
                }
                call.buffer().putInt(call.offset(), number);
                call.send(16);
                sent.incrementAndGet();
                number++;
            }
            end.accept(call);
        };
        rpc.service().on(DOWN, MethodKind.SERVER_STREAM, (call, buffer, offset, length) ->
        {
            call.attach(0);
            send.on(call);
        }).onReady(DOWN, send);
    }

    private void serveUp(final boolean isManual)
    {
        final List<ServerCall> calls = new ArrayList<>();
        rpc.service().on(UP, MethodKind.CLIENT_STREAM, (call, buffer, offset, length) -> calls.add(call.detach()))
            .onItem(UP, (call, buffer, offset, length) -> arrived.add(buffer.getInt(offset)))
            .onHalfClosed(UP, call ->
            {
                call.claim(16);
                call.buffer().putInt(call.offset(), arrived.size());
                call.send(16);
            });
        if (isManual)
        {
            rpc.service().grantsManually(UP);
            grant = () -> calls.get(0).grant(4);
        }
    }

    private void serveBoth()
    {
        rpc.service().on(BOTH, MethodKind.BIDI, (call, buffer, offset, length) -> {})
            .onItem(BOTH, (call, buffer, offset, length) -> assertTrue(call.offerItem(buffer, offset, length) > 0))
            .onHalfClosed(BOTH, call -> call.complete());
    }

    private ClientStream open(
        final int methodId, final MethodKind kind, final CallOptions options, final Consumer<DirectBuffer> consumer)
    {
        return kind.isClientStreaming() ?
            rpc.channel().stream(SERVICE_ID, methodId, kind, null, 0, 0, options, consumer) :
            rpc.channel().stream(SERVICE_ID, methodId, kind, item, 0, 16, options, consumer);
    }

    private boolean offer(final ClientStream stream, final int number)
    {
        item.putInt(0, number);
        return stream.offer(item, 0, 16);
    }

    private DirectBuffer next(final ClientStream stream)
    {
        DirectBuffer next;
        while ((next = stream.poll()) == null)
        {
            assertFalse(stream.isEnded());
            rpc.pump();
        }
        return next;
    }

    private List<StatusCode> endings()
    {
        return rpc.service().ended().stream().map(ScriptedAdapter.Ended::status).toList();
    }

    private static void assertTooLong(final RpcException failure, final String length, final String limit)
    {
        assertEquals(StatusCode.RESOURCE_EXHAUSTED, failure.code());
        assertTrue(failure.text().contains(length) && failure.text().contains(limit), failure::text);
    }
}
