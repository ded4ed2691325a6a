/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.rpc.test.InterruptAfter;
import io.verbena.rpc.test.RecordingStream;
import io.verbena.rpc.transport.Connection;
import java.util.ArrayList;
import java.util.List;
import org.agrona.collections.MutableInteger;
import org.agrona.collections.MutableReference;
import org.junit.jupiter.api.Test;

/**
 * The contract of how streams end: once at each side, as the last, and with one status, whoever ends them.
 */
abstract class StreamEndingsContract extends StreamCreditContract
{
    private static final int ENDLESS = Integer.MAX_VALUE;

    @Test
    @InterruptAfter(30)
    void shouldEndBothSidesWhenClientCancels()
    {
        serveNumbers(new Numbers(ENDLESS, 100));
        serveEcho();
        rpc.start();
        final RecordingStream down = new RecordingStream();
        final RecordingStream both = new RecordingStream();
        final long downId = openDown(down, RpcChannel.NO_TIMEOUT);
        final long bothId = openUp(BOTH, MethodKind.BIDI, both, RpcChannel.NO_TIMEOUT);
        sendItem(bothId, bytes(10, 1));
        rpc.until(() -> down.items().size() > 10_000 && both.items().size() == 1);
        assertTrue(rpc.channel().cancel(downId));
        assertEquals(StatusCode.CANCELLED, down.status(), "told before cancel returns");
        final int received = down.items().size();
        assertFalse(rpc.channel().cancel(downId));
        assertTrue(rpc.channel().cancel(bothId));
        assertEquals(RpcChannel.CALL_ENDED, rpc.channel().claimItem(bothId, 8));
        assertFalse(rpc.channel().isReady(bothId));
        assertEnded(down, StatusCode.CANCELLED);
        assertEnded(both, StatusCode.CANCELLED);
        assertServerEnded(StatusCode.CANCELLED, StatusCode.CANCELLED);
        assertEquals(received, down.items().size());
        rpc.assertClean();
    }

    @Test
    @InterruptAfter(30)
    void shouldEndItsCallWhenHandlerCancelsWithinAnItem()
    {
        serveNumbers(new Numbers(ENDLESS, 300_000));
        rpc.start();
        final RecordingStream down = new RecordingStream();
        final long[] id = new long[1];
        down.onItem(item ->
        {
            if (down.items().size() == 3)
            {
                assertTrue(rpc.channel().cancel(id[0]));
            }
        });
        id[0] = openDown(down, RpcChannel.NO_TIMEOUT);
        assertEnded(down, StatusCode.CANCELLED);
        assertEquals(3, down.items().size());
        assertServerEnded(StatusCode.CANCELLED);
        rpc.assertClean();
    }

    @Test
    @InterruptAfter(30)
    void shouldEndBothSidesWhenDeadlinePasses()
    {
        serveEcho();
        rpc.start();
        final RecordingStream both = new RecordingStream();
        final long correlationId = openUp(BOTH, MethodKind.BIDI, both, 1_000_000_000L);
        sendItem(correlationId, bytes(10, 1));
        rpc.until(() -> both.items().size() == 1);
        rpc.clock().advanceMs(999);
        rpc.settle();
        assertFalse(both.hasEnded());
        rpc.clock().advanceMs(1);
        assertEnded(both, StatusCode.DEADLINE_EXCEEDED);
        assertServerEnded(StatusCode.DEADLINE_EXCEEDED);
        rpc.assertClean();
    }

    @Test
    @InterruptAfter(30)
    void shouldDeliverWhatWasSentBeforeWhenServerFails()
    {
        rpc.service().on(DOWN, MethodKind.SERVER_STREAM, (call, buffer, offset, length) ->
        {
            for (int i = 0; i < 10; i++)
            {
                assertTrue(call.offerItem(buffer(new byte[]{(byte)i, 0, 0, 0}), 0, 4) > 0);
            }
            // a long one, that waits in the outbox: the error must not pass it
            assertTrue(call.offerItem(buffer(longItem(10)), 0, 1 << 20) > 0);
            call.fail(StatusCode.DATA_LOSS, "no more");
            assertEquals(RpcChannel.CALL_ENDED, call.claimItem(4));
            assertFalse(call.isReady());
            call.complete();
        });
        rpc.start();
        final RecordingStream down = new RecordingStream();
        final long correlationId = openDown(down, RpcChannel.NO_TIMEOUT);
        assertEnded(down, StatusCode.DATA_LOSS);
        assertEquals("no more", down.text());
        assertNumbered(down.items(), 11);
        assertFalse(rpc.channel().cancel(correlationId));
        assertServerEnded(StatusCode.DATA_LOSS);
        rpc.assertClean();
    }

    @Test
    @InterruptAfter(30)
    void shouldIgnoreWhatComesLateWhenHandlerFailsAtOnce()
    {
        rpc.service().on(BOTH, MethodKind.BIDI, (call, buffer, offset, length) ->
            call.fail(StatusCode.PERMISSION_DENIED, "not you"));
        rpc.start();
        final RecordingStream both = new RecordingStream();
        final long correlationId = openUp(BOTH, MethodKind.BIDI, both, RpcChannel.NO_TIMEOUT);
        sendItem(correlationId, bytes(100, 1));
        sendItem(correlationId, bytes(1 << 20, 2));
        rpc.channel().halfClose(correlationId);
        assertEnded(both, StatusCode.PERMISSION_DENIED);
        assertServerEnded(StatusCode.PERMISSION_DENIED);
        assertEquals(StatusCode.OK, rpc.call(UNARY, bytes(64, 1)).code());
        rpc.assertClean();
    }

    @Test
    @InterruptAfter(30)
    void shouldDropTheRestWhenServerAnswersBeforeTheClientIsDone()
    {
        rpc.service().on(UP, MethodKind.CLIENT_STREAM, (call, buffer, offset, length) -> {})
            .onItem(UP, (call, buffer, offset, length) ->
            {
                call.claim(8);
                call.send(8);
            });
        rpc.start();
        final RecordingStream up = new RecordingStream();
        final long correlationId = openUp(UP, MethodKind.CLIENT_STREAM, up, RpcChannel.NO_TIMEOUT);
        sendItem(correlationId, bytes(8, 1));
        sendItem(correlationId, bytes(8 << 20, 1));
        assertEnded(up, StatusCode.OK);
        assertEquals(8, up.response().length);
        assertEquals(RpcChannel.CALL_ENDED, rpc.channel().offerItem(correlationId, buffer(bytes(8, 1)), 0, 8));
        assertServerEnded(StatusCode.OK);
        rpc.assertClean();
    }

    @Test
    @InterruptAfter(30)
    void shouldEndStreamsOfServerWhenClientCloses()
    {
        serveNumbers(new Numbers(ENDLESS, 32));
        rpc.start();
        final RecordingStream down = new RecordingStream();
        openDown(down, RpcChannel.NO_TIMEOUT);
        rpc.until(() -> down.items().size() > 100);
        rpc.closeClient();
        assertEquals(StatusCode.CANCELLED, down.status());
        assertEquals(1, down.endCount());
        rpc.until(() -> rpc.service().ended().size() == 1);
        assertEquals(StatusCode.UNAVAILABLE, rpc.service().ended().get(0).status());
        rpc.until(() -> rpc.server().sessionCount() == 0);
        assertEquals(0, rpc.server().callsInFlight());
        assertEquals(0, rpc.server().outstandingBuffers());
    }

    @Test
    @InterruptAfter(30)
    void shouldEndStreamsOfClientWhenServerCloses()
    {
        serveNumbers(new Numbers(ENDLESS, 32));
        serveEcho();
        rpc.start();
        final RecordingStream down = new RecordingStream();
        final RecordingStream both = new RecordingStream();
        openDown(down, RpcChannel.NO_TIMEOUT);
        openUp(BOTH, MethodKind.BIDI, both, RpcChannel.NO_TIMEOUT);
        rpc.until(() -> down.items().size() > 100 && rpc.server().callsInFlight() == 2);
        rpc.clock().stepOnReadNs(1_000_000L);
        rpc.closeServer();
        rpc.until(() -> down.hasEnded() && both.hasEnded());
        assertEquals(StatusCode.UNAVAILABLE, down.status());
        assertEquals(StatusCode.UNAVAILABLE, both.status());
        assertEquals(2, rpc.service().ended().size());
        assertEquals(0, rpc.server().outstandingBuffers());
    }

    @Test
    @InterruptAfter(30)
    void shouldDeliverAllThenTheEndWhenReaderIsSlow()
    {
        final List<byte[]> received = new ArrayList<>();
        final MutableReference<ServerCall> kept = new MutableReference<>();
        rpc.service().grantsManually(UP)
            .on(UP, MethodKind.CLIENT_STREAM, (call, buffer, offset, length) -> kept.set(call.detach()))
            .onItem(UP, (call, buffer, offset, length) -> received.add(copy(buffer, offset, length)))
            .onHalfClosed(UP, call ->
            {
                assertEquals(3, received.size());
                call.claim(0);
                call.send(0);
            });
        rpc.launchServer(context -> context.streamWindowItems(2)).launchClient(context -> {}).awaitReady();
        final RecordingStream up = new RecordingStream();
        final long correlationId = openUp(UP, MethodKind.CLIENT_STREAM, up, RpcChannel.NO_TIMEOUT);
        up.onReady(() ->
        {
            assertTrue(rpc.channel().offerItem(correlationId, buffer(bytes(30, 3)), 0, 30) > 0);
            assertTrue(rpc.channel().halfClose(correlationId));
        });
        sendItem(correlationId, bytes(10, 1));
        sendItem(correlationId, bytes(20, 2));
        assertFalse(rpc.channel().isReady(correlationId));
        rpc.until(() -> received.size() == 2);
        kept.get().grant(1);
        assertEnded(up, StatusCode.OK);
        assertItems(List.of(bytes(10, 1), bytes(20, 2), bytes(30, 3)), received);
        assertFalse(kept.get().grant(1), "a grant for what has ended is none");
        rpc.assertClean();
    }

    @Test
    @InterruptAfter(30)
    void shouldSendWhatWasWrittenWhenChannelIsClosed()
    {
        final List<byte[]> received = new ArrayList<>();
        rpc.service().on(UP, MethodKind.CLIENT_STREAM, (call, buffer, offset, length) -> {})
            .onItem(UP, (call, buffer, offset, length) -> received.add(copy(buffer, offset, length)));
        rpc.launchServer(context -> context.connectionWindowBytes(10_000)).launchClient(context -> {}).awaitReady();
        final RecordingStream up = new RecordingStream();
        final long correlationId = openUp(UP, MethodKind.CLIENT_STREAM, up, RpcChannel.NO_TIMEOUT);
        sendItem(correlationId, bytes(10, 1));
        sendItem(correlationId, bytes(20, 2));
        // needs credit of the connection again and again, after the channel was closed
        sendItem(correlationId, bytes(3 << 20, 3));
        rpc.channel().close();
        assertEquals(StatusCode.CANCELLED, up.status());
        rpc.until(() -> rpc.service().ended().size() == 1);
        assertItems(List.of(bytes(10, 1), bytes(20, 2), bytes(3 << 20, 3)), received);
        assertServerEnded(StatusCode.UNAVAILABLE);
        assertEquals(1, up.endCount());
    }

    @Test
    @InterruptAfter(30)
    void shouldFailTheCallAloneWhenHandlersThrow()
    {
        rpc.service().on(BOTH, MethodKind.BIDI, (call, buffer, offset, length) -> {})
            .onItem(BOTH, (call, buffer, offset, length) ->
            {
                throw new IllegalStateException("the service");
            });
        serveNumbers(new Numbers(10, 32));
        rpc.start();
        final RecordingStream both = new RecordingStream();
        final long bothId = openUp(BOTH, MethodKind.BIDI, both, RpcChannel.NO_TIMEOUT);
        sendItem(bothId, bytes(10, 1));
        assertEnded(both, StatusCode.INTERNAL);
        assertTrue(both.text().contains("the service"), both::text);
        assertServerEnded(StatusCode.INTERNAL);
        final RecordingStream down = new RecordingStream().onItem(item ->
        {
            throw new IllegalStateException("the client's handler");
        });
        openDown(down, RpcChannel.NO_TIMEOUT);
        assertEnded(down, StatusCode.INTERNAL);
        assertEquals(1, down.items().size());
        assertEquals(1, rpc.serverErrors().size());
        assertEquals(1, rpc.clientErrors().size());
        assertEquals(StatusCode.OK, rpc.call(UNARY, bytes(64, 1)).code());
        rpc.until(() -> rpc.service().ended().size() == 2);
        rpc.assertNothingHeld();
    }

    @Test
    @InterruptAfter(30)
    void shouldLeaveTheCallAsItIsWhenAnItemIsTooLong()
    {
        final MutableInteger tooLong = new MutableInteger();
        rpc.service().on(BOTH, MethodKind.BIDI, (call, buffer, offset, length) ->
            tooLong.set((int)call.claimItem(4097)))
            .onItem(BOTH, (call, buffer, offset, length) -> assertTrue(call.offerItem(buffer, offset, length) > 0))
            .onHalfClosed(BOTH, ServerCall::complete);
        rpc.launchServer(context -> context.maxMessageLength(4096)).launchClient(context -> {}).awaitReady();
        final RecordingStream both = new RecordingStream();
        final long bothId = openUp(BOTH, MethodKind.BIDI, both, RpcChannel.NO_TIMEOUT);
        assertEquals(RpcChannel.MESSAGE_TOO_LONG, rpc.channel().claimItem(bothId, 4097));
        sendItem(bothId, bytes(4096, 1));
        assertEquals(
            RpcChannel.MESSAGE_TOO_LONG, rpc.channel().offerItem(bothId, buffer(bytes(4097, 1)), 0, 4097));
        sendItem(bothId, bytes(1, 1));
        assertEquals(RpcChannel.MESSAGE_TOO_LONG, rpc.channel().claimItem(bothId, 4097));
        rpc.channel().halfClose(bothId);
        assertEnded(both, StatusCode.OK);
        assertEquals(RpcChannel.MESSAGE_TOO_LONG, tooLong.get());
        assertItems(List.of(bytes(4096, 1), bytes(1, 1)), both.items());
        rpc.assertClean();
    }

    @Test
    @InterruptAfter(30)
    void shouldGiveBackTheAttachmentAfterAllElseWhenStreamEnds()
    {
        final List<String> told = new ArrayList<>();
        rpc.service().on(DOWN, MethodKind.SERVER_STREAM, (call, buffer, offset, length) ->
        {
            assertNull(call.attachment());
            call.attach("kept");
            assertEquals("kept", call.attachment());
            call.complete();
            assertNull(call.attachment());
            call.attach("too late");
            told.add("returns");
        });
        rpc.service().onEnded(ended -> told.add("ended with " + ended.attachment()));
        rpc.start();
        final RecordingStream down = new RecordingStream();
        openDown(down, RpcChannel.NO_TIMEOUT);
        assertEnded(down, StatusCode.OK);
        assertServerEnded(StatusCode.OK);
        assertEquals(List.of("returns", "ended with kept"), told);
        rpc.assertClean();
    }

    @Test
    @InterruptAfter(30)
    void shouldFailTheCallWhenHandlerLeavesAnItemOpen()
    {
        rpc.service().on(DOWN, MethodKind.SERVER_STREAM, (call, buffer, offset, length) ->
            assertTrue(call.claimItem(8) > 0));
        rpc.start();
        final RecordingStream down = new RecordingStream();
        openDown(down, RpcChannel.NO_TIMEOUT);
        assertEnded(down, StatusCode.INTERNAL);
        assertEquals(1, rpc.serverErrors().size());
        assertServerEnded(StatusCode.INTERNAL);
        rpc.assertNothingHeld();
    }

    @Test
    @InterruptAfter(30)
    void shouldAbortTheItemWhenClientLeavesItOpen()
    {
        serveEcho();
        rpc.start();
        final RecordingStream both = new RecordingStream();
        final long bothId = openUp(BOTH, MethodKind.BIDI, both, RpcChannel.NO_TIMEOUT);
        rpc.until(() -> rpc.channel().claimItem(bothId, 8) > 0);
        rpc.pump();
        assertEquals(1, rpc.clientErrors().size());
        rpc.until(() ->
        {
            final long result = rpc.channel().offerItem(bothId, buffer(bytes(8, 2)), 0, 8);
            assertTrue(result > 0 || result == Connection.BACK_PRESSURED || result == Connection.ADMIN_ACTION);
            return result > 0;
        });
        rpc.channel().halfClose(bothId);
        assertEnded(both, StatusCode.OK);
        assertItems(List.of(bytes(8, 2)), both.items());
        rpc.assertNothingHeld();
    }

    private static byte[] longItem(final int number)
    {
        final byte[] item = new byte[1 << 20];
        item[0] = (byte)number;
        return item;
    }
}
