/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc.test;

import io.verbena.rpc.RpcConfiguration;
import io.verbena.rpc.protocol.FrameFlags;
import io.verbena.rpc.protocol.FrameHeader;
import io.verbena.rpc.protocol.FrameType;
import io.verbena.rpc.protocol.HelloPayload;
import io.verbena.rpc.transport.Connection;
import io.verbena.rpc.transport.ConnectionState;
import io.verbena.rpc.transport.DisconnectCause;
import io.verbena.rpc.transport.Listener;
import io.verbena.rpc.transport.Transport;
import io.verbena.rpc.transport.TransportListener;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Speaks frames directly over a transport, as a client or as a server, well formed or not. The test polls it.
 */
public final class RawPeer implements TransportListener, AutoCloseable
{
    /**
     * A frame that arrived.
     *
     * @param connection    it came on.
     * @param type          of {@link FrameType}.
     * @param flags         of {@link FrameFlags}.
     * @param serviceId     of the service.
     * @param methodId      of the method.
     * @param correlationId of the call.
     * @param timeoutNs     that remains.
     * @param status        of an error.
     * @param payload       a copy.
     */
    public record Frame(
        Connection connection,
        int type,
        int flags,
        int serviceId,
        int methodId,
        long correlationId,
        long timeoutNs,
        int status,
        byte[] payload)
    {
        @Override
        public String toString()
        {
            return FrameType.name(type) + " flags=" + flags + " id=" + Long.toHexString(correlationId) + " status=" +
                status + " length=" + payload.length;
        }
    }

    private final Transport transport;
    private final List<Frame> frames = new ArrayList<>();
    private final List<Connection> inbound = new ArrayList<>();
    private final ExpandableArrayBuffer scratch = new ExpandableArrayBuffer();
    private Connection connection;
    private DisconnectCause cause;
    private boolean isDeaf;
    private Listener listener;

    /**
     * Over a transport.
     *
     * @param transport owned by this peer.
     */
    public RawPeer(final Transport transport)
    {
        this.transport = transport;
    }

    /**
     * Starts to listen as a server.
     *
     * @param address of the transport.
     * @return the bound address.
     */
    public String listen(final String address)
    {
        listener = transport.listen(address);
        return listener.address();
    }

    /**
     * Starts to connect as a client.
     *
     * @param address of the server.
     */
    public void connect(final String address)
    {
        cause = null;
        connection = transport.connect(address);
    }

    /**
     * Whether the newest connection can be used.
     *
     * @return true if so.
     */
    public boolean isConnected()
    {
        return connection != null && connection.state() == ConnectionState.CONNECTED;
    }

    /**
     * The newest connection.
     *
     * @return the connection, or null.
     */
    public Connection connection()
    {
        return connection;
    }

    /**
     * Why the connection that ended last did.
     *
     * @return the cause, or null.
     */
    public DisconnectCause cause()
    {
        return cause;
    }

    /**
     * The connections that came in.
     *
     * @return the oldest first.
     */
    public List<Connection> inbound()
    {
        return inbound;
    }

    /**
     * Stops or goes on reading.
     *
     * @param deaf true to poll no more.
     */
    public void deaf(final boolean deaf)
    {
        isDeaf = deaf;
    }

    /**
     * Takes what has arrived.
     *
     * @return the transport's count.
     */
    public int poll()
    {
        return isDeaf ? 0 : transport.poll(this, 64);
    }

    /**
     * The frames that have arrived.
     *
     * @return in order.
     */
    public List<Frame> frames()
    {
        return frames;
    }

    /**
     * How many frames of a type have arrived.
     *
     * @param type of {@link FrameType}.
     * @return a count.
     */
    public int count(final int type)
    {
        return (int)frames.stream().filter(frame -> frame.type() == type).count();
    }

    /**
     * The frame of a type that arrived last.
     *
     * @param type of {@link FrameType}.
     * @return the frame, or null.
     */
    public Frame last(final int type)
    {
        for (int i = frames.size() - 1; i >= 0; i--)
        {
            if (frames.get(i).type() == type)
            {
                return frames.get(i);
            }
        }
        return null;
    }

    /**
     * Sends a HELLO.
     *
     * @param incarnation of the connection.
     * @return the transport's result.
     */
    public long hello(final int incarnation)
    {
        return send(FrameType.HELLO, 0, 0, (long)incarnation << 48, 0, helloPayload(incarnation, 64, 1 << 24));
    }

    /**
     * Sends a HELLO that tells of codecs and takes metadata.
     *
     * @param incarnation       of the connection.
     * @param maxMetadataLength to grant.
     * @param codecs            bits of the codecs that can be read.
     * @return the transport's result.
     */
    public long hello(final int incarnation, final int maxMetadataLength, final int codecs)
    {
        final byte[] payload = helloPayload(incarnation, 64, 1 << 24);
        HelloPayload.encodeCapabilities(new UnsafeBuffer(payload), 0, maxMetadataLength, codecs);
        return send(FrameType.HELLO, 0, 0, (long)incarnation << 48, 0, payload);
    }

    /**
     * Answers a HELLO.
     *
     * @param hello            as it arrived.
     * @param maxCallsInFlight to grant.
     * @param maxMessageLength to grant.
     * @return the transport's result.
     */
    public long helloAck(final Frame hello, final int maxCallsInFlight, final int maxMessageLength)
    {
        final int incarnation = HelloPayload.incarnation(new UnsafeBuffer(hello.payload()), 0);
        return send(
            FrameType.HELLO_ACK, 0, 0, hello.correlationId(), 0,
            helloPayload(incarnation, maxCallsInFlight, maxMessageLength));
    }

    /**
     * Sends a request that is whole in one frame.
     *
     * @param serviceId     of the service.
     * @param methodId      of the method.
     * @param correlationId of the call.
     * @param timeoutNs     that remains.
     * @param payload       of the request.
     * @return the transport's result.
     */
    public long request(
        final int serviceId, final int methodId, final long correlationId, final long timeoutNs, final byte[] payload)
    {
        return send(FrameType.REQUEST, serviceId, methodId, correlationId, timeoutNs, payload);
    }

    /**
     * Sends a frame whole in itself.
     *
     * @param type          of {@link FrameType}.
     * @param serviceId     of the service.
     * @param methodId      of the method.
     * @param correlationId of the call.
     * @param timeoutNs     that remains.
     * @param payload       of the frame.
     * @return the transport's result.
     */
    public long send(
        final int type,
        final int serviceId,
        final int methodId,
        final long correlationId,
        final long timeoutNs,
        final byte[] payload)
    {
        return send(type, FrameFlags.WHOLE, serviceId, methodId, correlationId, timeoutNs, 0, payload);
    }

    /**
     * Sends a frame.
     *
     * @param type          of {@link FrameType}.
     * @param flags         of {@link FrameFlags}.
     * @param serviceId     of the service.
     * @param methodId      of the method.
     * @param correlationId of the call.
     * @param timeoutNs     that remains.
     * @param status        of an error.
     * @param payload       of the frame.
     * @return the transport's result.
     */
    public long send(
        final int type,
        final int flags,
        final int serviceId,
        final int methodId,
        final long correlationId,
        final long timeoutNs,
        final int status,
        final byte[] payload)
    {
        FrameHeader.encode(
            scratch, 0, type, flags, serviceId, methodId, correlationId, timeoutNs, status, 0, payload.length);
        scratch.putBytes(FrameHeader.LENGTH, payload);
        return offer(scratch, FrameHeader.LENGTH + payload.length);
    }

    /**
     * Sends bytes as they are.
     *
     * @param bytes of one message.
     * @return the transport's result.
     */
    public long sendBytes(final byte[] bytes)
    {
        return offer(new UnsafeBuffer(bytes), bytes.length);
    }

    /**
     * The payload of a HELLO or HELLO_ACK without services.
     *
     * @param incarnation      of the connection.
     * @param maxCallsInFlight to grant.
     * @param maxMessageLength to grant.
     * @return the bytes.
     */
    public static byte[] helloPayload(
        final int incarnation, final int maxCallsInFlight, final int maxMessageLength)
    {
        final byte[] payload = new byte[HelloPayload.HEADER_LENGTH];
        HelloPayload.encode(new UnsafeBuffer(payload), 0, incarnation, maxCallsInFlight, maxMessageLength, 0);
        HelloPayload.encodeCredit(
            new UnsafeBuffer(payload), 0, RpcConfiguration.STREAM_WINDOW_ITEMS_DEFAULT,
            RpcConfiguration.STREAM_WINDOW_BYTES_DEFAULT, RpcConfiguration.STREAM_WINDOW_BYTES_DEFAULT);
        return payload;
    }

    /**
     * A correlation id as clients make them.
     *
     * @param incarnation of the connection.
     * @param generation  of the slot.
     * @param slot        of the call.
     * @return the id.
     */
    public static long id(final int incarnation, final int generation, final int slot)
    {
        return (long)incarnation << 48 | (long)generation << 16 | slot;
    }

    private long offer(final DirectBuffer buffer, final int length)
    {
        long result;
        do
        {
            result = connection.offer(buffer, 0, length);
        }
        while (result == Connection.ADMIN_ACTION);
        return result;
    }

    @Override
    public void onConnected(final Connection connected)
    {
        connection = connected;
        if (connected.isInbound())
        {
            inbound.add(connected);
        }
    }

    @Override
    public void onMessage(final Connection from, final DirectBuffer buffer, final int offset, final int length)
    {
        final int end = offset + length;
        for (int position = offset; position < end; position = FrameHeader.nextFrame(buffer, position, end))
        {
            onFrame(from, buffer, position, end - position);
        }
    }

    private void onFrame(final Connection from, final DirectBuffer buffer, final int offset, final int length)
    {
        if (!FrameHeader.isWellFormed(buffer, offset, length))
        {
            throw new AssertionError(FrameHeader.describeMalformed(buffer, offset, length));
        }
        final byte[] payload = new byte[FrameHeader.payloadLength(buffer, offset)];
        buffer.getBytes(FrameHeader.payloadOffset(buffer, offset), payload);
        frames.add(new Frame(
            from, FrameHeader.frameType(buffer, offset), FrameHeader.flags(buffer, offset),
            FrameHeader.serviceId(buffer, offset), FrameHeader.methodId(buffer, offset),
            FrameHeader.correlationId(buffer, offset), FrameHeader.timeoutNs(buffer, offset),
            FrameHeader.status(buffer, offset), payload));
    }

    @Override
    public void onDisconnected(final Connection disconnected, final DisconnectCause why)
    {
        cause = why;
    }

    @Override
    public void close()
    {
        transport.close();
    }
}
