/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.rpc.protocol.FrameFlags;
import io.verbena.rpc.protocol.FrameHeader;
import io.verbena.rpc.protocol.FrameType;
import io.verbena.rpc.transport.Connection;
import io.verbena.rpc.transport.ConnectionState;
import io.verbena.rpc.transport.MessageClaim;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
class BatchingConnectionTest
{
    private static final int CLAIM_LENGTH = 300;

    private final Peer peer = new Peer();
    private final BatchingConnection connection = new BatchingConnection(peer);
    private final MessageClaim claim = new MessageClaim();

    private long item(final long id, final int claimedPayload, final int payload)
    {
        final long result = connection.tryClaimItem(FrameHeader.LENGTH + claimedPayload, claim);
        if (result > 0)
        {
            FrameHeader.encode(
                claim.buffer(), claim.offset(), FrameType.STREAM, FrameFlags.WHOLE, 1, 2, id, 0, 0, 0, payload);
            for (int i = 0; i < payload; i++)
            {
                claim.buffer().putByte(claim.offset() + FrameHeader.LENGTH + i, (byte)id);
            }
            claim.commit();
        }
        return result;
    }

    /** Ids of the frames of a message, each with its payload length. */
    private static List<String> frames(final byte[] message)
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(message);
        final List<String> frames = new ArrayList<>();
        for (int i = 0; i < message.length; i = FrameHeader.nextFrame(buffer, i, message.length))
        {
            assertTrue(FrameHeader.isWellFormed(buffer, i, message.length - i));
            final int payload = FrameHeader.payloadLength(buffer, i);
            for (int k = 0; k < payload; k++)
            {
                assertEquals(FrameHeader.correlationId(buffer, i), buffer.getByte(i + FrameHeader.LENGTH + k));
            }
            frames.add(FrameHeader.correlationId(buffer, i) + ":" + payload);
        }
        return frames;
    }

    @Test
    void shouldShareMessageWhenItemsAreShort()
    {
        assertTrue(item(1, 40, 40) > 0);
        assertTrue(item(2, 13, 13) > 0);
        assertTrue(item(3, 0, 0) > 0);
        assertTrue(connection.hasItems());
        assertEquals(0, peer.messages.size());
        assertTrue(connection.flush() > 0);
        assertFalse(connection.hasItems());
        assertEquals(List.of("1:40", "2:13", "3:0"), frames(peer.messages.getFirst()));
    }

    @Test
    void shouldSendByItselfWhenMessageIsFull()
    {
        // 4 of 72 bytes fit 300, a fifth does not
        for (int i = 1; i <= 5; i++)
        {
            assertTrue(item(i, 40, 40) > 0);
        }
        assertEquals(List.of("1:40", "2:40", "3:40", "4:40"), frames(peer.messages.getFirst()));
        connection.flush();
        assertEquals(List.of("5:40"), frames(peer.messages.get(1)));
    }

    @Test
    void shouldUseRoomForNextWhenItemIsShorterThanClaimed()
    {
        item(1, 100, 3);
        item(2, 100, 9);
        connection.flush();
        assertEquals(List.of("1:3", "2:9"), frames(peer.messages.getFirst()));
        assertEquals(2 * FrameHeader.LENGTH + 8 + 16, peer.messages.getFirst().length);
    }

    @Test
    void shouldSendNothingOfItemWhenItIsAborted()
    {
        item(1, 8, 8);
        assertTrue(connection.tryClaimItem(FrameHeader.LENGTH + 50, claim) > 0);
        claim.buffer().setMemory(claim.offset(), claim.length(), (byte)9);
        claim.abort();
        item(2, 50, 0);
        connection.flush();
        assertEquals(List.of("1:8", "2:0"), frames(peer.messages.getFirst()));
    }

    @Test
    void shouldKeepOrderWhenSomethingElseIsSent()
    {
        item(1, 8, 8);
        assertTrue(connection.tryClaim(16, claim) > 0);
        claim.commit();
        item(2, 8, 8);
        assertTrue(connection.offer(new UnsafeBuffer(new byte[17]), 0, 17) > 0);
        assertEquals(List.of(40, 16, 40, 17), peer.messages.stream().map(message -> message.length).toList());
    }

    @Test
    void shouldPassThroughBehindItemsWhenItemIsLong()
    {
        peer.claimLength = 2000;
        item(1, 8, 8);
        item(2, BatchingConnection.MAX_FRAME_LENGTH, BatchingConnection.MAX_FRAME_LENGTH);
        assertFalse(connection.hasItems());
        assertEquals(List.of("1:8"), frames(peer.messages.get(0)));
        assertEquals(List.of("2:512"), frames(peer.messages.get(1)));
    }

    @Test
    void shouldKeepItemsWhenTransportPushesBack()
    {
        for (int i = 1; i <= 4; i++)
        {
            item(i, 40, 40);
        }
        peer.isBlocked = true;
        assertEquals(Connection.BACK_PRESSURED, item(5, 40, 40));
        assertEquals(Connection.BACK_PRESSURED, connection.tryClaim(8, claim));
        assertEquals(Connection.BACK_PRESSURED, connection.offer(new UnsafeBuffer(new byte[8]), 0, 8));
        assertEquals(Connection.BACK_PRESSURED, connection.flush());
        assertTrue(connection.hasItems());
        peer.isBlocked = false;
        assertTrue(item(5, 40, 40) > 0);
        connection.close();
        assertEquals(List.of("1:40", "2:40", "3:40", "4:40"), frames(peer.messages.get(0)));
        assertEquals(List.of("5:40"), frames(peer.messages.get(1)));
    }

    @Test
    void shouldTakeNothingWhenNotConnected()
    {
        peer.state = ConnectionState.CONNECTING;
        assertEquals(Connection.NOT_CONNECTED, item(1, 8, 8));
        peer.state = ConnectionState.CLOSED;
        assertEquals(Connection.CLOSED, item(1, 8, 8));
    }

    @Test
    void shouldFindNoFrameBehindOthersThanItems()
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[128]);
        FrameHeader.encode(buffer, 0, FrameType.RESPONSE, FrameFlags.WHOLE, 1, 2, 3, 0, 0, 0, 8);
        FrameHeader.encode(buffer, 40, FrameType.STREAM, FrameFlags.WHOLE, 1, 2, 3, 0, 0, 0, 8);
        assertEquals(128, FrameHeader.nextFrame(buffer, 0, 128));
        assertEquals(128, FrameHeader.nextFrame(buffer, 40, 128));
        FrameHeader.encode(buffer, 0, FrameType.STREAM, FrameFlags.WHOLE, 1, 2, 3, 0, 0, 0, 8);
        assertEquals(40, FrameHeader.nextFrame(buffer, 0, 128));
        assertEquals(40, FrameHeader.nextFrame(buffer, 0, 40));
    }

    @Test
    void shouldStopAtEndWhenLengthsAreWild()
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[64]);
        for (final int length : new int[]{-1, Integer.MIN_VALUE, -40, Integer.MAX_VALUE, 33})
        {
            FrameHeader.encode(buffer, 0, FrameType.STREAM, FrameFlags.WHOLE, 1, 2, 3, 0, 0, 0, length);
            assertEquals(64, FrameHeader.nextFrame(buffer, 0, 64), "length " + length);
        }
        assertEquals(31, FrameHeader.nextFrame(buffer, 0, 31));
    }

    private static final class Peer implements Connection
    {
        private final List<byte[]> messages = new ArrayList<>();
        private ConnectionState state = ConnectionState.CONNECTED;
        private int claimLength = CLAIM_LENGTH;
        private boolean isBlocked;

        @Override
        public long id()
        {
            return 1;
        }

        @Override
        public ConnectionState state()
        {
            return state;
        }

        @Override
        public boolean isInbound()
        {
            return false;
        }

        @Override
        public int maxClaimLength()
        {
            return claimLength;
        }

        @Override
        public int maxMessageLength()
        {
            return claimLength;
        }

        @Override
        public long tryClaim(final int length, final MessageClaim claim)
        {
            if (isBlocked)
            {
                return BACK_PRESSURED;
            }
            assertTrue(length <= claimLength, "length " + length);
            final byte[] message = new byte[length];
            claim.open(new UnsafeBuffer(message), 0, length, (completed, isCommitted) -> messages.add(message));
            return length;
        }

        @Override
        public long offer(final DirectBuffer buffer, final int offset, final int length)
        {
            if (isBlocked)
            {
                return BACK_PRESSURED;
            }
            final byte[] message = new byte[length];
            buffer.getBytes(offset, message);
            messages.add(message);
            return length;
        }

        @Override
        public void close()
        {
            state = ConnectionState.CLOSED;
        }
    }
}
