/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.rpc.test.InterruptAfter;
import io.verbena.rpc.test.RecordingHandler;
import io.verbena.rpc.test.RecordingStream;
import io.verbena.rpc.test.ScriptedAdapter;
import io.verbena.rpc.transport.Connection;
import java.util.ArrayList;
import java.util.List;
import org.agrona.collections.MutableInteger;
import org.junit.jupiter.api.Test;

/**
 * The contract of flow control: a reader that stops holds its window and no more, whatever else there is goes on, and
 * who was refused is told when to go on.
 */
abstract class StreamCreditContract extends StreamBasicsContract
{
    private static final int KIB = 1024;
    private static final int MIB = 1024 * KIB;

    @Test
    @InterruptAfter(60)
    void shouldHoldOneWindowAtMostWhenReaderOfResponsesStops()
    {
        final int itemLength = 64 * KIB;
        final Numbers numbers = new Numbers(512 * MIB / itemLength, itemLength);
        serveNumbers(numbers);
        rpc.start();
        final RecordingStream stream = new RecordingStream(false);
        final long[] id = new long[1];
        stream.onItem(item ->
        {
            if (stream.bytes() < MIB)
            {
                assertTrue(rpc.channel().grant(id[0], 1));
            }
        });
        id[0] = openDown(stream, 1_000_000_000L);
        rpc.until(() -> stream.bytes() >= MIB + RpcConfiguration.STREAM_WINDOW_BYTES_DEFAULT - itemLength);
        rpc.settle();
        assertTrue(stream.bytes() <= MIB + RpcConfiguration.STREAM_WINDOW_BYTES_DEFAULT, "received " + stream.bytes());
        // the last it was refused was for credit, or since its last item, longer than a claim, was being sent still
        assertTrue(
            numbers.lastRefusal == RpcChannel.CREDIT_EXHAUSTED || numbers.lastRefusal == Connection.BACK_PRESSURED);
        final int refusals = numbers.refusals;
        assertTrue(rpc.server().outstandingBuffers() <= 1, "buffers at the server");
        rpc.settle();
        assertEquals(refusals, numbers.refusals, "not told to be ready while it is not");
        rpc.clock().advanceMs(1_001);
        assertEnded(stream, StatusCode.DEADLINE_EXCEEDED);
        assertServerEnded(StatusCode.DEADLINE_EXCEEDED);
        rpc.assertClean();
    }

    @Test
    @InterruptAfter(60)
    void shouldHoldOneWindowAtMostWhenReaderOfRequestsStops()
    {
        final int itemLength = 1_000;
        final MutableInteger received = new MutableInteger();
        final ServerCall[] kept = new ServerCall[1];
        rpc.service().grantsManually(UP)
            .on(UP, MethodKind.CLIENT_STREAM, (call, buffer, offset, length) -> kept[0] = call.detach())
            .onItem(UP, (call, buffer, offset, length) -> received.increment());
        rpc.launchServer(context -> context.streamWindowItems(100)).launchClient(context -> {}).awaitReady();
        final RecordingStream stream = new RecordingStream();
        final long correlationId = openUp(UP, MethodKind.CLIENT_STREAM, stream, RpcChannel.NO_TIMEOUT);
        final byte[] item = bytes(itemLength, 1);
        for (int i = 0; i < 100; i++)
        {
            sendItem(correlationId, item);
        }
        assertEquals(
            RpcChannel.CREDIT_EXHAUSTED, rpc.channel().offerItem(correlationId, buffer(item), 0, item.length));
        assertEquals(RpcChannel.CREDIT_EXHAUSTED, rpc.channel().claimItem(correlationId, item.length));
        assertFalse(rpc.channel().isReady(correlationId));
        rpc.until(() -> received.get() == 100);
        rpc.settle();
        final int readyCount = stream.readyCount();
        rpc.settle();
        assertEquals(readyCount, stream.readyCount());
        assertTrue(kept[0].grant(1));
        rpc.until(() -> stream.readyCount() == readyCount + 1);
        assertTrue(rpc.channel().isReady(correlationId));
        sendItem(correlationId, item);
        assertEquals(
            RpcChannel.CREDIT_EXHAUSTED, rpc.channel().offerItem(correlationId, buffer(item), 0, item.length));
        rpc.until(() -> received.get() == 101);
        assertTrue(kept[0].grant(Integer.MAX_VALUE));
        assertTrue(kept[0].grant(Integer.MAX_VALUE));
        for (int i = 0; i < 1_000; i++)
        {
            sendItem(correlationId, item);
        }
        rpc.until(() -> received.get() == 1_101);
        assertTrue(rpc.channel().cancel(correlationId));
        assertEnded(stream, StatusCode.CANCELLED);
        assertServerEnded(StatusCode.CANCELLED);
        assertFalse(kept[0].grant(1));
        rpc.assertClean();
    }

    @Test
    @InterruptAfter(30)
    void shouldGoOnWhenReaderHoldsMoreThanHalfAndGrantsOneByOne()
    {
        serveNumbers(new Numbers(500, 32));
        rpc.launchServer(context -> {}).launchClient(context -> context.streamWindowItems(10)).awaitReady();
        final RecordingStream stream = new RecordingStream(false);
        final long correlationId = openDown(stream, RpcChannel.NO_TIMEOUT);
        rpc.until(() -> stream.items().size() == 10);
        // it keeps nine for ever
        for (int i = 11; i <= 500; i++)
        {
            final int expected = i;
            rpc.settle();
            assertEquals(expected - 1, stream.items().size());
            assertTrue(rpc.channel().grant(correlationId, 1));
            rpc.until(() -> stream.items().size() == expected);
        }
        assertEnded(stream, StatusCode.OK);
        assertNumbered(stream.items(), 500);
        rpc.assertClean();
    }

    @Test
    @InterruptAfter(30)
    void shouldGoOnWhenMostIsGrantedTwice()
    {
        serveNumbers(new Numbers(5_000, 32));
        rpc.launchServer(context -> {}).launchClient(context -> context.streamWindowItems(5)).awaitReady();
        final RecordingStream stream = new RecordingStream(false);
        final long correlationId = openDown(stream, RpcChannel.NO_TIMEOUT);
        rpc.until(() -> stream.items().size() == 5);
        rpc.settle();
        assertEquals(5, stream.items().size());
        assertTrue(rpc.channel().grant(correlationId, Integer.MAX_VALUE));
        assertTrue(rpc.channel().grant(correlationId, Integer.MAX_VALUE));
        assertEnded(stream, StatusCode.OK);
        assertNumbered(stream.items(), 5_000);
        assertFalse(rpc.channel().grant(correlationId, 1));
        rpc.assertClean();
    }

    @Test
    @InterruptAfter(60)
    void shouldPassEverythingWhenWindowsAreAsSmallAsCanBe()
    {
        serveEcho();
        serveNumbers(new Numbers(300, 48));
        rpc.launchServer(context -> context.streamWindowItems(1).streamWindowBytes(1).connectionWindowBytes(1))
            .launchClient(context -> context.streamWindowItems(1).streamWindowBytes(1).connectionWindowBytes(1))
            .awaitReady();
        final RecordingStream down = new RecordingStream();
        openDown(down, RpcChannel.NO_TIMEOUT);
        final RecordingStream both = new RecordingStream();
        final long correlationId = openUp(BOTH, MethodKind.BIDI, both, RpcChannel.NO_TIMEOUT);
        final List<byte[]> sent = new ArrayList<>();
        for (int i = 0; i < 100; i++)
        {
            sent.add(bytes(i % 10 == 0 ? 20_000 : i, i));
            sendItem(correlationId, sent.get(i));
            rpc.until(() -> both.items().size() == sent.size());
        }
        rpc.channel().halfClose(correlationId);
        assertEnded(both, StatusCode.OK);
        assertItems(sent, both.items());
        assertEnded(down, StatusCode.OK);
        assertNumbered(down.items(), 300);
        rpc.assertClean();
    }

    @Test
    @InterruptAfter(120)
    void shouldKeepOrderWhenItemsAreLongAndShort()
    {
        final Numbers longAndShort = new Numbers(40, 0)
        {
            @Override
            int length(final int number)
            {
                return number % 3 == 0 ? MIB + number : 8 + number;
            }
        };
        serveNumbers(longAndShort);
        final List<byte[]> received = new ArrayList<>();
        rpc.service().on(UP, MethodKind.CLIENT_STREAM, (call, buffer, offset, length) -> {})
            .onItem(UP, (call, buffer, offset, length) -> received.add(copy(buffer, offset, length)))
            .onHalfClosed(UP, call ->
            {
                call.claim(8);
                call.send(8);
            });
        rpc.start();
        final RecordingStream down = new RecordingStream();
        openDown(down, RpcChannel.NO_TIMEOUT);
        final RecordingStream up = new RecordingStream();
        final long correlationId = openUp(UP, MethodKind.CLIENT_STREAM, up, RpcChannel.NO_TIMEOUT);
        final List<byte[]> sent = new ArrayList<>();
        for (int i = 0; i < 40; i++)
        {
            sent.add(bytes(i % 3 == 1 ? MIB : 16, i));
            sendItem(correlationId, sent.get(i));
        }
        assertTrue(rpc.channel().halfClose(correlationId));
        assertEnded(up, StatusCode.OK);
        assertItems(sent, received);
        assertEnded(down, StatusCode.OK);
        assertNumbered(down.items(), 40);
        rpc.assertClean();
    }

    @Test
    @InterruptAfter(60)
    void shouldAnswerShortCallsWhileALongItemIsOnItsWay()
    {
        final MutableInteger received = new MutableInteger();
        rpc.service().on(UP, MethodKind.CLIENT_STREAM, (call, buffer, offset, length) -> {})
            .onItem(UP, (call, buffer, offset, length) -> received.increment());
        rpc.start();
        final RecordingStream up = new RecordingStream();
        final long correlationId = openUp(UP, MethodKind.CLIENT_STREAM, up, RpcChannel.NO_TIMEOUT);
        final byte[] item = bytes(15 * MIB, 1);
        sendItem(correlationId, item);
        assertEquals(
            Connection.BACK_PRESSURED, rpc.channel().offerItem(correlationId, buffer(item), 0, 8),
            "one message of a stream is queued at most");
        for (int i = 0; i < 3; i++)
        {
            final RecordingHandler.Outcome outcome = rpc.call(UNARY, bytes(64, i));
            assertEquals(StatusCode.OK, outcome.code());
        }
        assertEquals(0, received.get(), "the long item is still on its way");
        rpc.until(() -> received.get() == 1);
        rpc.until(() -> up.readyCount() >= 1);
        rpc.channel().cancel(correlationId);
        rpc.until(() -> rpc.server().callsInFlight() == 0);
        rpc.settle();
        rpc.assertClean();
    }

    @Test
    @InterruptAfter(60)
    void shouldLetStreamsTakeTurnsWhenTheyShareTheWindowOfTheConnection()
    {
        final int count = 300;
        serveNumbers(new Numbers(count, 1_000));
        rpc.launchServer(context -> {}).launchClient(context -> context.connectionWindowBytes(4_000)).awaitReady();
        final List<RecordingStream> streams = new ArrayList<>();
        for (int i = 0; i < 5; i++)
        {
            streams.add(new RecordingStream());
            openDown(streams.get(i), RpcChannel.NO_TIMEOUT);
        }
        rpc.until(() -> streams.stream().anyMatch(RecordingStream::hasEnded));
        for (final RecordingStream stream : streams)
        {
            assertTrue(stream.items().size() > count / 2, "starved: " + stream);
        }
        for (final RecordingStream stream : streams)
        {
            assertEnded(stream, StatusCode.OK);
            assertNumbered(stream.items(), count);
        }
        rpc.assertClean();
    }

    @Test
    @InterruptAfter(60)
    void shouldNotStopOthersWhenOneReaderStops()
    {
        serveNumbers(new Numbers(2_000, 1_000));
        rpc.launchServer(context -> {}).launchClient(
            context -> context.connectionWindowBytes(16 * KIB).streamWindowBytes(64 * KIB)).awaitReady();
        final RecordingStream stopped = new RecordingStream(false);
        final long stoppedId = openDown(stopped, RpcChannel.NO_TIMEOUT);
        rpc.until(() -> stopped.bytes() > 64 * KIB);
        rpc.settle();
        assertTrue(stopped.bytes() <= 65 * KIB);
        final RecordingStream reading = new RecordingStream();
        openDown(reading, RpcChannel.NO_TIMEOUT);
        assertEnded(reading, StatusCode.OK);
        assertNumbered(reading.items(), 2_000);
        assertEquals(StatusCode.OK, rpc.call(UNARY, bytes(64, 1)).code());
        rpc.channel().cancel(stoppedId);
        rpc.until(() -> rpc.service().ended().size() == 2);
        assertEquals(
            List.of(StatusCode.OK, StatusCode.CANCELLED),
            rpc.service().ended().stream().map(ScriptedAdapter.Ended::status).toList());
        rpc.assertClean();
    }
}
