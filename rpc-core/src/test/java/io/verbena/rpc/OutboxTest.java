/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.rpc.protocol.FrameFlags;
import io.verbena.rpc.protocol.FrameHeader;
import io.verbena.rpc.protocol.FrameType;
import io.verbena.rpc.test.StubConnection;
import java.util.List;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class OutboxTest
{
    private static final int FRAME = 64;
    private static final int PART = FRAME - FrameHeader.LENGTH;

    private final BufferPool pool = new BufferPool(1 << 20);
    private final StubConnection connection = new StubConnection(FRAME);
    private final ConnectionFlow flow = new ConnectionFlow(1024);
    private final Outbox outbox = new Outbox(
        connection, pool, flow, 10_000, new RpcCounters("test", false));

    private byte[] add(final int frameType, final long correlationId, final int length, final long deadlineNs)
    {
        final byte[] payload = new byte[length];
        new Random(correlationId).nextBytes(payload);
        final UnsafeBuffer buffer = pool.acquire(FrameHeader.LENGTH + length);
        buffer.putBytes(FrameHeader.LENGTH, payload);
        outbox.add(buffer, frameType, 0, 1, 2, correlationId, deadlineNs, 0, length, null);
        return payload;
    }

    private void drainAll()
    {
        connection.room(Integer.MAX_VALUE);
        while (outbox.drain(0) > 0)
        {
            connection.room(Integer.MAX_VALUE);
        }
        assertTrue(outbox.isEmpty());
        assertEquals(0, outbox.queuedBytes());
        assertEquals(0, pool.outstanding());
    }

    @Test
    void shouldSplitMessageIntoAlignedPartsWhenItIsLong()
    {
        final byte[] payload = add(FrameType.REQUEST, 5, 3 * PART + 1, 1_000);
        drainAll();
        assertEquals(List.of(PART, PART, PART, 1), connection.lengthsOf(5));
        final byte[] joined = new byte[payload.length];
        int length = 0;
        for (int i = 0; i < 4; i++)
        {
            final UnsafeBuffer frame = new UnsafeBuffer(connection.offered().get(i));
            final int expectedFlags = (i == 0 ? FrameFlags.FIRST : 0) | (i == 3 ? FrameFlags.LAST : 0);
            assertEquals(expectedFlags, FrameHeader.flags(frame, 0));
            assertEquals(1_000, FrameHeader.timeoutNs(frame, 0));
            final int part = FrameHeader.payloadLength(frame, 0);
            frame.getBytes(FrameHeader.LENGTH, joined, length, part);
            length += part;
        }
        assertArrayEquals(payload, joined);
    }

    @Test
    void shouldSendShortOnesFirstAndLongOnesInTheirTurn()
    {
        add(FrameType.REQUEST, 1, 10 * PART, RpcChannel.NO_TIMEOUT);
        add(FrameType.REQUEST, 2, 2 * PART, RpcChannel.NO_TIMEOUT);
        for (int i = 10; i < 17; i++)
        {
            add(FrameType.RESPONSE, i, 8, RpcChannel.NO_TIMEOUT);
        }
        connection.room(8);
        assertEquals(8, outbox.drain(0));
        assertEquals(List.of(), connection.lengthsOf(1));
        assertEquals(List.of(PART, PART), connection.lengthsOf(2), "the shorter of the long ones");
        assertEquals(List.of(10L, 11L, 12L, 2L, 13L, 14L, 15L, 2L), connection.offered().stream()
            .map(frame -> FrameHeader.correlationId(new UnsafeBuffer(frame), 0)).toList());
        drainAll();
        assertEquals(10, connection.lengthsOf(1).size());
    }

    @Test
    void shouldKeepItsPlaceWhenTransportPushesBack()
    {
        add(FrameType.REQUEST, 1, 3 * PART, RpcChannel.NO_TIMEOUT);
        assertEquals(0, outbox.drain(0));
        connection.room(1);
        assertEquals(1, outbox.drain(0));
        assertEquals(0, outbox.drain(0));
        drainAll();
        assertEquals(List.of(PART, PART, PART), connection.lengthsOf(1));
    }

    @Test
    void shouldNotSendRequestWhenItExpiredBeforeAnyOfItWasSent()
    {
        add(FrameType.REQUEST, 1, 8, 100);
        add(FrameType.REQUEST, 2, 8, 101);
        add(FrameType.REQUEST, 3, 3 * PART, 100);
        add(FrameType.RESPONSE, 4, 8, 100);
        connection.room(Integer.MAX_VALUE);
        outbox.drain(100);
        assertEquals(List.of(), connection.lengthsOf(1));
        assertEquals(List.of(8), connection.lengthsOf(2));
        assertEquals(List.of(), connection.lengthsOf(3));
        assertEquals(List.of(8), connection.lengthsOf(4));
        assertEquals(1, FrameHeader.timeoutNs(new UnsafeBuffer(connection.offered().get(0)), 0));
        drainAll();
    }

    @Test
    void shouldTellWhatWasDropped()
    {
        add(FrameType.REQUEST, 1, 3 * PART, RpcChannel.NO_TIMEOUT);
        add(FrameType.REQUEST, 2, 9 * PART, RpcChannel.NO_TIMEOUT);
        add(FrameType.CANCEL, 3, 0, RpcChannel.NO_TIMEOUT);
        add(FrameType.REQUEST, 4, 8, RpcChannel.NO_TIMEOUT);
        add(FrameType.RESPONSE, 5, 8, RpcChannel.NO_TIMEOUT);
        assertEquals(Outbox.NOT_STARTED, outbox.drop(4));
        assertEquals(Outbox.NOT_STARTED, outbox.drop(5));
        assertEquals(Outbox.NOT_QUEUED, outbox.drop(5));
        assertEquals(Outbox.NOT_QUEUED, outbox.drop(3), "a control frame stays");
        connection.room(2);
        outbox.drain(0);
        assertEquals(Outbox.STARTED, outbox.drop(1));
        assertEquals(Outbox.NOT_STARTED, outbox.drop(2));
        assertTrue(outbox.isEmpty());
        assertEquals(0, pool.outstanding());
        assertEquals(0, outbox.queuedBytes());
    }

    private void addOf(final StreamCall stream, final int frameType, final int length)
    {
        final UnsafeBuffer buffer = pool.acquire(FrameHeader.LENGTH + length);
        outbox.add(
            buffer, frameType, 0, 1, 2, stream.correlationId(), RpcChannel.NO_TIMEOUT, 0, length, stream);
    }

    private StreamCall stream(final long correlationId)
    {
        final StreamTable table = new StreamTable(
            new StreamPool(), 8, new RpcClient.Context(), stream -> {});
        return table.begin((int)correlationId, correlationId, 1, 2, MethodKind.BIDI, true, null);
    }

    @Test
    void shouldKeepMessagesOfOneCallInOrderWhenShortOnesFollowLongOnes()
    {
        flow.onCredit(1_000_000);
        final StreamCall stream = stream(5);
        addOf(stream, FrameType.REQUEST, 0);
        addOf(stream, FrameType.STREAM, 3 * PART);
        addOf(stream, FrameType.STREAM, 8);
        addOf(stream, FrameType.HALF_CLOSE, 0);
        add(FrameType.RESPONSE, 6, 16, RpcChannel.NO_TIMEOUT);
        assertTrue(stream.queued() != null);
        drainAll();
        assertEquals(List.of(0, PART, PART, PART, 8, 0), connection.lengthsOf(5));
        assertEquals(List.of(16), connection.lengthsOf(6));
        assertTrue(stream.queued() == null);
    }

    @Test
    void shouldPassItemsOverWhenTheConnectionHasNoCredit()
    {
        final StreamCall shortStream = stream(5);
        final StreamCall longStream = stream(6);
        addOf(shortStream, FrameType.STREAM, 8);
        addOf(longStream, FrameType.STREAM, 3 * PART);
        addOf(longStream, FrameType.ERROR, 8);
        add(FrameType.RESPONSE, 1, 16, RpcChannel.NO_TIMEOUT);
        add(FrameType.REQUEST, 2, 2 * PART, RpcChannel.NO_TIMEOUT);
        connection.room(Integer.MAX_VALUE);
        outbox.drain(0);
        assertEquals(List.of(16), connection.lengthsOf(1));
        assertEquals(List.of(PART, PART), connection.lengthsOf(2));
        assertEquals(List.of(), connection.lengthsOf(5));
        assertEquals(List.of(), connection.lengthsOf(6));
        assertFalse(outbox.isEmpty());
        for (int frames = 1; frames <= 4; frames++)
        {
            // a frame may take more than there is, the next one may not
            flow.onCredit(frames == 1 ? 1 : PART);
            outbox.drain(0);
            final int sent = connection.lengthsOf(5).size() + connection.lengthsOf(6).size();
            assertTrue(sent >= frames && sent <= frames + 1, "sent " + sent + " at " + frames);
        }
        flow.onCredit(PART);
        outbox.drain(0);
        assertEquals(List.of(8), connection.lengthsOf(5));
        assertEquals(List.of(PART, PART, PART, 8), connection.lengthsOf(6));
        assertTrue(outbox.isEmpty());
    }

    @Test
    void shouldDropAllOfACallWhenItsFirstMessageIsDropped()
    {
        final StreamCall stream = stream(5);
        addOf(stream, FrameType.STREAM, 3 * PART);
        addOf(stream, FrameType.STREAM, 8);
        addOf(stream, FrameType.HALF_CLOSE, 0);
        connection.room(Integer.MAX_VALUE);
        outbox.drain(0);
        assertEquals(Outbox.STARTED, outbox.drop(5), "the peer knows of the call");
        assertTrue(outbox.isEmpty());
        assertTrue(stream.queued() == null);
        addOf(stream, FrameType.REQUEST, 0);
        addOf(stream, FrameType.STREAM, 8);
        assertEquals(Outbox.NOT_STARTED, outbox.drop(5), "it does not");
        addOf(stream, FrameType.STREAM, 8);
        outbox.drain(0);
        outbox.clear();
        assertTrue(outbox.isEmpty());
        assertEquals(0, pool.outstanding());
        assertEquals(0, outbox.queuedBytes());
    }

    @Test
    void shouldHaveRoomUpToItsLimitWhenMessagesAreShortOrLong()
    {
        assertTrue(outbox.hasRoomFor(10_000));
        assertFalse(outbox.hasRoomFor(10_001));
        int count = 0;
        while (outbox.hasRoomFor(1))
        {
            add(FrameType.RESPONSE, 1, 1, RpcChannel.NO_TIMEOUT);
            count++;
        }
        assertEquals(1 + 9_999 / (1 + Outbox.MESSAGE_OVERHEAD), count);
        outbox.clear();
        assertEquals(0, pool.outstanding());
        assertTrue(outbox.hasRoomFor(10_000));
    }
}
