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

    void onSent(final SimConnection sender, final byte[] bytes)
    {
        final UnsafeBuffer frame = new UnsafeBuffer(bytes);
        assertTrue(FrameHeader.isWellFormed(frame, 0, bytes.length), "a malformed frame was sent");
        if (FrameHeader.frameType(frame, 0) != FrameType.STREAM)
        {
            return;
        }
        final Books from = books.get(sender);
        assertTrue(from != null && from.isOpen, "an item before the handshake");
        final long correlationId = FrameHeader.correlationId(frame, 0);
        final int length = FrameHeader.payloadLength(frame, 0);
        final Account account = account(from, correlationId);
        assertTrue(from.connectionBytes > 0, () -> "an item beyond the connection's window, at " +
            from.connectionBytes);
        if ((FrameHeader.flags(frame, 0) & FrameFlags.FIRST) != 0)
        {
            ++items;
            assertTrue(account.items > 0 && account.bytes > 0, () -> "an item beyond the stream's window, at " +
                account.items + " items, " + account.bytes + " bytes");
            --account.items;
        }
        account.bytes -= length;
        from.connectionBytes -= length;
    }

    void onDelivered(final SimConnection receiver, final byte[] bytes)
    {
        final UnsafeBuffer frame = new UnsafeBuffer(bytes);
        final int type = FrameHeader.frameType(frame, 0);
        final int offset = FrameHeader.payloadOffset(frame, 0);
        final Books of = books.computeIfAbsent(receiver, (key) -> new Books());
        if (type == FrameType.HELLO || type == FrameType.HELLO_ACK)
        {
            of.isOpen = true;
            of.initialItems = HelloPayload.streamItems(frame, offset);
            of.initialBytes = HelloPayload.streamBytes(frame, offset);
            of.window = HelloPayload.windowBytes(frame, offset);
            of.connectionBytes = of.window;
        }
        else if (type == FrameType.CREDIT)
        {
            onCredit(of, FrameHeader.correlationId(frame, 0), CreditPayload.items(frame, offset),
                CreditPayload.bytes(frame, offset));
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
