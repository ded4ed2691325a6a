/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc.test;

import io.verbena.rpc.protocol.FrameHeader;
import io.verbena.rpc.transport.Connection;
import io.verbena.rpc.transport.ConnectionState;
import io.verbena.rpc.transport.MessageClaim;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;

/**
 * A connection that records what is offered and takes as many messages as the test lets it.
 */
public final class StubConnection implements Connection
{
    private final int maxMessageLength;
    private final List<byte[]> offered = new ArrayList<>();
    private int room;

    /**
     * Takes nothing until it is given room. No claims.
     *
     * @param maxMessageLength of the connection.
     */
    public StubConnection(final int maxMessageLength)
    {
        this.maxMessageLength = maxMessageLength;
    }

    /**
     * Sets how many messages are taken before it pushes back.
     *
     * @param messages a count.
     */
    public void room(final int messages)
    {
        room = messages;
    }

    /**
     * What was taken.
     *
     * @return whole frames, in order.
     */
    public List<byte[]> offered()
    {
        return offered;
    }

    /**
     * The payload lengths of what was taken for a call.
     *
     * @param correlationId of the call.
     * @return lengths in order.
     */
    public List<Integer> lengthsOf(final long correlationId)
    {
        final List<Integer> lengths = new ArrayList<>();
        for (final byte[] frame : offered)
        {
            final DirectBuffer buffer = new org.agrona.concurrent.UnsafeBuffer(frame);
            if (FrameHeader.correlationId(buffer, 0) == correlationId)
            {
                lengths.add(FrameHeader.payloadLength(buffer, 0));
            }
        }
        return lengths;
    }

    @Override
    public long id()
    {
        return 1;
    }

    @Override
    public ConnectionState state()
    {
        return ConnectionState.CONNECTED;
    }

    @Override
    public boolean isInbound()
    {
        return false;
    }

    @Override
    public int maxClaimLength()
    {
        return 0;
    }

    @Override
    public int maxMessageLength()
    {
        return maxMessageLength;
    }

    @Override
    public long tryClaim(final int length, final MessageClaim claim)
    {
        return BACK_PRESSURED;
    }

    @Override
    public long offer(final DirectBuffer buffer, final int offset, final int length)
    {
        if (length > maxMessageLength)
        {
            throw new IllegalArgumentException("a message of " + length + " bytes");
        }
        if (room == 0)
        {
            return BACK_PRESSURED;
        }
        room--;
        final byte[] copy = new byte[length];
        buffer.getBytes(offset, copy);
        offered.add(copy);
        return 1;
    }

    @Override
    public void close()
    {
        room = 0;
    }
}
