/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc.sim;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.Map;

import io.verbena.rpc.protocol.CreditPayload;
import io.verbena.rpc.protocol.FrameFlags;
import io.verbena.rpc.protocol.FrameHeader;
import io.verbena.rpc.protocol.FrameType;
import io.verbena.rpc.protocol.HelloPayload;
import org.agrona.BitUtil;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Listens in on the network and keeps books of its own on credit, by the rules of the protocol's description: each
 * frame of a stream must be covered by what the sender had been granted when it sent it.
 */
final class CreditWitness
{
    private static final class Account
    {
        private long items;
        private long bytes;
    }

    /** What one end of a connection may send. */
    private static final class Books
    {
        private final Map<Long, Account> streams = new HashMap<>();
        private long initialItems;
        private long initialBytes;
        private long window;
        private long connectionBytes;
        private boolean isOpen;
    }

    private final Map<SimConnection, Books> books = new HashMap<>();
    private long items;

    /**
     * How many items were seen.
     *
     * @return a count: a witness who saw none proves nothing.
     */
    long items()
    {
        return items;
    }

    void onSent(final SimConnection sender, final byte[] message)
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(message);
        assertTrue(FrameHeader.isWellFormed(buffer, 0, message.length), "a malformed frame was sent");
        final Books from = books.get(sender);
        for (int at = 0; at >= 0; at = next(buffer, at))
        {
            if (FrameHeader.frameType(buffer, at) == FrameType.STREAM)
            {
                assertTrue(from != null && from.isOpen, "an item before the handshake");
                onItem(from, buffer, at);
            }
        }
    }

    /** Where another frame of the same message begins, or -1. */
    private static int next(final UnsafeBuffer buffer, final int at)
    {
        if (FrameHeader.frameType(buffer, at) != FrameType.STREAM)
        {
            return -1;
        }
        final int end = BitUtil.align(
            FrameHeader.payloadOffset(buffer, at) + FrameHeader.payloadLength(buffer, at), FrameHeader.ALIGNMENT);
        return end + FrameHeader.LENGTH <= buffer.capacity() && FrameHeader.version(buffer, end) != 0 ? end : -1;
    }

    private void onItem(final Books from, final UnsafeBuffer buffer, final int at)
    {
        final int length = FrameHeader.payloadLength(buffer, at);
        final Account account = account(from, FrameHeader.correlationId(buffer, at));
        assertTrue(from.connectionBytes > 0, () -> "an item beyond the connection's window, at " +
            from.connectionBytes);
        if ((FrameHeader.flags(buffer, at) & FrameFlags.FIRST) != 0)
        {
            ++items;
            assertTrue(account.items > 0 && account.bytes > 0, () -> "an item beyond the stream's window, at " +
                account.items + " items, " + account.bytes + " bytes");
            --account.items;
        }
        account.bytes -= length;
        from.connectionBytes -= length;
    }

    void onDelivered(final SimConnection receiver, final byte[] message)
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(message);
        final Books of = books.computeIfAbsent(receiver, (key) -> new Books());
        for (int at = 0; at >= 0; at = next(buffer, at))
        {
            onDelivered(of, buffer, at);
        }
    }

    private static void onDelivered(final Books of, final UnsafeBuffer buffer, final int at)
    {
        final int type = FrameHeader.frameType(buffer, at);
        final int offset = FrameHeader.payloadOffset(buffer, at);
        if (type == FrameType.HELLO || type == FrameType.HELLO_ACK)
        {
            of.isOpen = true;
            of.initialItems = HelloPayload.streamItems(buffer, offset);
            of.initialBytes = HelloPayload.streamBytes(buffer, offset);
            of.window = HelloPayload.windowBytes(buffer, offset);
            of.connectionBytes = of.window;
        }
        else if (type == FrameType.CREDIT)
        {
            onCredit(of, FrameHeader.correlationId(buffer, at), CreditPayload.items(buffer, offset),
                CreditPayload.bytes(buffer, offset));
        }
    }

    private static void onCredit(final Books of, final long correlationId, final long grantedItems, final long bytes)
    {
        assertTrue(CreditPayload.isGrant(grantedItems, bytes), "a grant of nothing");
        if ((correlationId & 0xFFFF_FFFF_FFFFL) == 0)
        {
            of.connectionBytes += bytes;
            assertTrue(of.connectionBytes <= of.window, () -> "credit of the connection grew to " +
                of.connectionBytes + " of " + of.window);
        }
        else
        {
            final Account account = account(of, correlationId);
            account.items += grantedItems;
            account.bytes += bytes;
            assertTrue(account.bytes <= of.initialBytes, () -> "bytes of credit grew to " + account.bytes + " of " +
                of.initialBytes);
        }
    }

    /**
     * After all was quiet: grants come when half of the window was taken, so more than half must be there.
     *
     * @param end of a connection that lives.
     */
    void assertNothingLost(final SimConnection end)
    {
        final Books of = books.get(end);
        if (of != null && of.isOpen)
        {
            assertTrue(of.connectionBytes > 0 && of.window - of.connectionBytes < Math.max(1, of.window / 2),
                () -> "credit of the connection lost: " + of.connectionBytes + " of " + of.window + " left");
        }
    }

    private static Account account(final Books of, final long correlationId)
    {
        return of.streams.computeIfAbsent(correlationId, (key) ->
        {
            final Account fresh = new Account();
            fresh.items = of.initialItems;
            fresh.bytes = of.initialBytes;
            return fresh;
        });
    }
}
