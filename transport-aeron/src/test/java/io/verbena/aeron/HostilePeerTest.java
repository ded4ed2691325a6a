/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.aeron;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.function.Consumer;
import java.util.stream.Stream;

import io.aeron.ExclusivePublication;
import io.aeron.logbuffer.BufferClaim;
import io.aeron.logbuffer.FrameDescriptor;
import io.verbena.rpc.test.InterruptAfter;
import io.verbena.rpc.transport.Connection;
import io.verbena.rpc.transport.ConnectionState;
import io.verbena.rpc.transport.ContractPeer;
import io.verbena.rpc.transport.DisconnectCause;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Frames that no peer of ours sends: they cost their sender its stream pair, and nobody else anything.
 */
class HostilePeerTest extends FaultSupport
{
    private static final int FIRST_SLOT = 1;
    private static final int UNUSED_SLOT = 9;

    static Stream<Named<Consumer<ExclusivePublication>>> hostileFrames()
    {
        return Stream.of(
            Named.of("message without a tag", (to) -> message(to, 0)),
            Named.of("message to an unused slot", (to) -> message(to, UNUSED_SLOT)),
            Named.of("message to a negative slot", (to) -> message(to, -1)),
            Named.of("message with a kind", (to) -> message(to, FrameTag.control(FrameTag.OPEN, FIRST_SLOT))),
            Named.of("message to the greatest number", (to) -> message(to, Long.MAX_VALUE)),
            Named.of("message before accept", (to) ->
            {
                control(to, FrameTag.control(FrameTag.OPEN, UNUSED_SLOT));
                message(to, UNUSED_SLOT);
            }),
            Named.of("message after close", (to) ->
            {
                control(to, FrameTag.control(FrameTag.CLOSE, FIRST_SLOT));
                message(to, FIRST_SLOT);
            }),
            Named.of("open of slot 0", (to) -> control(to, FrameTag.control(FrameTag.OPEN, 0))),
            Named.of("open beyond the last slot", (to) ->
                control(to, FrameTag.control(FrameTag.OPEN, FrameTag.MAX_SLOT + 1))),
            Named.of("open of a negative slot", (to) -> control(to, (1L << 32) | 0x8000_0001L)),
            Named.of("open twice", (to) -> control(to, FrameTag.control(FrameTag.OPEN, FIRST_SLOT))),
            Named.of("accept by the opener", (to) -> control(to, FrameTag.control(FrameTag.ACCEPT, FIRST_SLOT))),
            Named.of("close of an unused slot", (to) -> control(to, FrameTag.control(FrameTag.CLOSE, UNUSED_SLOT))),
            Named.of("close twice", (to) ->
            {
                control(to, FrameTag.control(FrameTag.CLOSE, FIRST_SLOT));
                control(to, FrameTag.control(FrameTag.CLOSE, FIRST_SLOT));
            }),
            Named.of("unknown kind", (to) -> control(to, FrameTag.control(4, FIRST_SLOT))),
            Named.of("unknown bits", (to) -> control(to, 1L << 40 | FrameTag.control(FrameTag.CLOSE, FIRST_SLOT))),
            Named.of("fragments of two connections in one message", (to) ->
            {
                fragment(to, FrameDescriptor.BEGIN_FRAG_FLAG, FIRST_SLOT);
                fragment(to, FrameDescriptor.END_FRAG_FLAG, FIRST_SLOT + 1);
            }),
            Named.of("fragment without a beginning", (to) ->
                fragment(to, FrameDescriptor.END_FRAG_FLAG, FIRST_SLOT)),
            Named.of("message without an end", HostilePeerTest::endless));
    }

    @ParameterizedTest
    @MethodSource("hostileFrames")
    @InterruptAfter(30)
    void shouldEndThatPairAloneWhenItsPeerBreaksTheRules(final Consumer<ExclusivePublication> frames)
    {
        final ContractPeer server = echoServer("server");
        final String address = listen(server, listenAddress("ipc"));
        final ContractPeer healthy = peer("healthy", new AeronTransport(context()));
        final ContractPeer hostile = peer("hostile", new AeronTransport(context()));
        final Connection good = connected(healthy, address);
        final Connection bad = connected(hostile, address);
        final Connection besideIt = connected(hostile, address);
        pumpUntil(() -> server.records().size() == 3);

        final ExclusivePublication publication = ((AeronConnection)bad).pair().publication();
        frames.accept(publication);
        pumpUntil(() -> server.records().get(2).cause() != null && hostile.record(besideIt).cause() != null);
        assertEquals(DisconnectCause.PROTOCOL_ERROR, server.records().get(2).cause());
        assertTrue(server.records().get(1).cause() != null);
        assertEquals(1, errors.size(), errors::toString);
        assertTrue(errors.get(0).getMessage().startsWith("expected a frame of an open connection, found tag 0x"),
            errors::toString);

        assertEquals(ConnectionState.CONNECTED, good.state());
        assertEquals(ConnectionState.CONNECTED, server.records().get(0).connection().state());
        pumpUntil(() -> good.offer(new UnsafeBuffer(new byte[16]), 0, 16) > 0);
        pumpUntil(() -> healthy.messageCount() == 1);
        // Nothing malformed was delivered.
        assertEquals(0, server.records().get(1).messages().size());
        assertEquals(0, server.records().get(2).messages().size());
        final Connection again = connected(hostile, address);
        assertEquals(ConnectionState.CONNECTED, again.state());
    }

    private static void message(final ExclusivePublication to, final long tag)
    {
        assertTrue(to.offer(new UnsafeBuffer(new byte[16]), 0, 16, (buffer, offset, length) -> tag) > 0);
    }

    private static void control(final ExclusivePublication to, final long tag)
    {
        assertTrue(to.offer(new UnsafeBuffer(new byte[0]), 0, 0, (buffer, offset, length) -> tag) > 0);
    }

    private static boolean fragment(final ExclusivePublication to, final byte flags, final long tag)
    {
        final BufferClaim claim = new BufferClaim();
        if (to.tryClaim(64, claim) > 0)
        {
            claim.flags(flags).reservedValue(tag).commit();
            return true;
        }
        return false;
    }

    private static void endless(final ExclusivePublication to)
    {
        fragment(to, FrameDescriptor.BEGIN_FRAG_FLAG, FIRST_SLOT);
        for (int length = 64; length <= to.maxMessageLength(); length += 64)
        {
            assertTrue(fragment(to, (byte)0, FIRST_SLOT), "room for one byte too many");
        }
    }
}
