/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import io.verbena.rpc.protocol.ErrorPayload;
import io.verbena.rpc.protocol.FrameFlags;
import io.verbena.rpc.protocol.FrameHeader;
import io.verbena.rpc.protocol.FrameType;
import io.verbena.rpc.protocol.HelloPayload;
import io.verbena.rpc.transport.Connection;
import io.verbena.rpc.transport.ConnectionState;
import io.verbena.rpc.transport.DisconnectCause;
import io.verbena.rpc.transport.TransportException;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The machinery below an {@link RpcChannel}: makes the connection and the handshake, again after each end with a
 * jittered and doubling back-off; matches answers to calls; ends calls. Agent's thread alone, but for the state.
 */
final class ChannelConnector
{
    private static final int MAX_INCARNATION = Short.MAX_VALUE;

    private final RpcChannel channel;
    private final ClientCore core;
    private final String address;
    private final CallTable calls;

    private volatile ChannelState state = ChannelState.CONNECTING;
    private Link link;
    private Assemblies assemblies;
    private boolean isReady;
    private boolean isDraining;
    private int incarnation;
    private int maxMessageLength;
    private long timerNs;
    private long backoffNs;
    private String lastFailure = "not connected yet";
    private boolean isErrorReported;

    ChannelConnector(final RpcChannel channel, final ClientCore core, final String address)
    {
        this.channel = channel;
        this.core = core;
        this.address = address;
        this.calls = new CallTable(core.context().maxCallsInFlight());
        this.incarnation = core.random().nextInt(MAX_INCARNATION) + 1;
        this.backoffNs = core.context().reconnectMinBackoffNs();
        this.maxMessageLength = core.context().maxMessageLength();
    }

    String address()
    {
        return address;
    }

    ChannelState state()
    {
        return state;
    }

    CallTable calls()
    {
        return calls;
    }

    /**
     * The sending side of the connection, or null while there is none.
     */
    Link link()
    {
        return link;
    }

    boolean isReady()
    {
        return isReady;
    }

    int incarnation()
    {
        return incarnation;
    }

    int maxMessageLength()
    {
        return maxMessageLength;
    }

    String unavailableText()
    {
        return state == ChannelState.CLOSED ? RpcChannel.CLOSED_TEXT : address + ": " + lastFailure;
    }

    /**
     * Starts to connect; a malformed address throws here, on the first attempt.
     */
    void connect()
    {
        incarnation = incarnation == MAX_INCARNATION ? 1 : incarnation + 1;
        final Connection connection = core.transport().connect(address);
        final RpcClient.Context context = core.context();
        final Outbox outbox = new Outbox(core.pool(), context.maxQueuedBytes());
        link = new Link(connection, core.pool(), outbox, core.scratch());
        assemblies = new Assemblies(core.pool(), context.maxMessageLength(), context.maxAssemblyBytes());
        core.register(connection, channel);
        state = ChannelState.CONNECTING;
    }

    void onConnected()
    {
        final UnsafeBuffer hello = core.pool().acquire(FrameHeader.LENGTH + HelloPayload.HEADER_LENGTH);
        HelloPayload.encode(
            hello, FrameHeader.LENGTH, incarnation, calls.capacity(), core.context().maxMessageLength(), 0);
        final long nowNs = core.clock().nanoTime();
        timerNs = nowNs + core.context().handshakeTimeoutNs();
        link.outbox().add(
            hello, FrameType.HELLO, 0, 0, 0, (long)incarnation << 48, FrameHeader.NO_TIMEOUT, 0,
            HelloPayload.HEADER_LENGTH);
        link.drain(nowNs);
    }

    void onFrame(final DirectBuffer buffer, final int offset, final int length)
    {
        if (!FrameHeader.isWellFormed(buffer, offset, length))
        {
            protocolError(FrameHeader.describeMalformed(buffer, offset, length));
            return;
        }
        final int frameType = FrameHeader.frameType(buffer, offset);
        final int payloadOffset = FrameHeader.payloadOffset(buffer, offset);
        final int payloadLength = FrameHeader.payloadLength(buffer, offset);
        final long correlationId = FrameHeader.correlationId(buffer, offset);
        if (frameType == FrameType.RESPONSE && (isReady || isDraining))
        {
            onResponse(correlationId, FrameHeader.flags(buffer, offset), buffer, payloadOffset, payloadLength);
        }
        else if (frameType == FrameType.ERROR)
        {
            onError(
                correlationId, FrameHeader.flags(buffer, offset), StatusCode.of(FrameHeader.status(buffer, offset)),
                buffer, payloadOffset, payloadLength);
        }
        else if (frameType == FrameType.HELLO_ACK && !isReady)
        {
            onHelloAck(buffer, payloadOffset, payloadLength);
        }
        else if (frameType == FrameType.PING)
        {
            link.sendControl(FrameType.PONG, 0, 0, correlationId, core.clock().nanoTime());
        }
        else if (frameType == FrameType.GO_AWAY)
        {
            isReady = false;
            isDraining = true;
            lastFailure = "the server is going away";
        }
        else if (frameType != FrameType.PONG)
        {
            protocolError("unexpected " + FrameType.name(frameType) + " from the server");
        }
    }

    void onDisconnected(final DisconnectCause cause)
    {
        final boolean wasReady = isReady || isDraining;
        isReady = false;
        isDraining = false;
        link.dispose();
        assemblies.clear();
        link = null;
        if (state != ChannelState.CLOSED)
        {
            lastFailure = Causes.inWords(cause, lastFailure);
            if (wasReady)
            {
                backoffNs = core.context().reconnectMinBackoffNs();
                isErrorReported = false;
            }
            backOff();
        }
        failAll(StatusCode.UNAVAILABLE, unavailableText());
    }

    int doWork()
    {
        if (link == null || link.outbox().isEmpty())
        {
            return 0;
        }
        return link.drain(core.clock().nanoTime());
    }

    int checkTimers(final long nowNs)
    {
        int work = 0;
        if (calls.isExpiryDue(nowNs))
        {
            work += expireCalls(nowNs);
        }
        if (state == ChannelState.BACKING_OFF && nowNs - timerNs >= 0)
        {
            reconnect();
            work++;
        }
        else if (state == ChannelState.CONNECTING && link != null && !isReady && timerNs != 0 &&
            link.connection().state() == ConnectionState.CONNECTED && nowNs - timerNs >= 0)
        {
            lastFailure = "the server did not answer the handshake";
            timerNs = 0;
            link.connection().close();
            work++;
        }
        else if (isDraining && calls.inFlight() == 0 && link.outbox().isEmpty())
        {
            link.connection().close();
        }
        return work;
    }

    void sendCancel(final int slot, final long correlationId)
    {
        if (link != null)
        {
            link.outbox().drop(correlationId);
            assemblies.drop(correlationId);
            link.sendControl(
                FrameType.CANCEL, calls.serviceId(slot), calls.methodId(slot), correlationId,
                core.clock().nanoTime());
        }
    }

    /**
     * Ends a call with an error of this side's making.
     */
    void fail(final int slot, final StatusCode code, final String text)
    {
        final ResponseHandler handler = calls.owner(slot);
        final long correlationId = calls.correlationId(slot);
        final int methodId = calls.methodId(slot);
        calls.end(slot);
        try
        {
            handler.onError(correlationId, methodId, code, text, null, 0, 0);
        }
        catch (final Exception ex)
        {
            core.onError(ex);
        }
    }

    void close()
    {
        if (state != ChannelState.CLOSED)
        {
            state = ChannelState.CLOSED;
            isReady = false;
            lastFailure = RpcChannel.CLOSED_TEXT;
            if (link == null)
            {
                core.remove(channel);
            }
            else
            {
                core.closeWhenFlushed(channel);
            }
            failAll(StatusCode.CANCELLED, RpcChannel.CLOSED_TEXT);
        }
    }

    private void onResponse(
        final long correlationId, final int flags, final DirectBuffer buffer, final int offset, final int length)
    {
        final int slot = calls.find(correlationId);
        if (slot < 0)
        {
            // late: the call has ended by deadline or cancel, or was of an earlier incarnation
            assemblies.drop(correlationId);
            core.onStaleResponse();
        }
        else if (FrameFlags.isWhole(flags))
        {
            deliver(slot, correlationId, buffer, offset, length);
        }
        else
        {
            final int result = assemblies.add(correlationId, flags, buffer, offset, length);
            if (result == Assemblies.COMPLETE)
            {
                deliver(slot, correlationId, assemblies.buffer(), 0, assemblies.length());
                assemblies.drop(correlationId);
            }
            else if (result == Assemblies.TOO_LONG)
            {
                fail(slot, StatusCode.RESOURCE_EXHAUSTED, "the response exceeds the limit of " +
                    core.context().maxMessageLength() + " bytes");
            }
            else if (result == Assemblies.NO_ROOM)
            {
                fail(slot, StatusCode.RESOURCE_EXHAUSTED, "the long responses of this connection exceed the limit of " +
                    core.context().maxAssemblyBytes() + " bytes together");
            }
        }
    }

    private void deliver(
        final int slot, final long correlationId, final DirectBuffer buffer, final int offset, final int length)
    {
        final ResponseHandler handler = calls.owner(slot);
        final int methodId = calls.methodId(slot);
        calls.end(slot);
        try
        {
            handler.onResponse(correlationId, methodId, buffer, offset, length);
        }
        catch (final Exception ex)
        {
            core.onError(ex);
        }
    }

    private void onError(
        final long correlationId,
        final int flags,
        final StatusCode code,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        if (!FrameFlags.isWhole(flags))
        {
            onErrorPart(correlationId, flags, code, buffer, offset, length);
            return;
        }
        if (!ErrorPayload.isWellFormed(buffer, offset, length) || code == StatusCode.OK)
        {
            protocolError("an ERROR frame whose lengths or status make no sense");
            return;
        }
        final String text = ErrorPayload.text(buffer, offset);
        final int slot = calls.find(correlationId);
        if (slot >= 0)
        {
            final ResponseHandler handler = calls.owner(slot);
            final int methodId = calls.methodId(slot);
            final int detailOffset = offset + ErrorPayload.detailOffset(ErrorPayload.textLength(buffer, offset));
            final int detailLength = ErrorPayload.detailLength(buffer, offset);
            final String shownText = (flags & FrameFlags.CUT) != 0 ? text + " [cut]" : text;
            // a response that was being joined is void
            assemblies.drop(correlationId);
            calls.end(slot);
            try
            {
                handler.onError(correlationId, methodId, code, shownText, buffer, detailOffset, detailLength);
            }
            catch (final Exception ex)
            {
                core.onError(ex);
            }
        }
        else if (!isReady && !isDraining && state == ChannelState.CONNECTING)
        {
            lastFailure = "refused by the server: " + text;
            link.connection().close();
        }
        else
        {
            core.onStaleResponse();
        }
    }

    private void onErrorPart(
        final long correlationId,
        final int flags,
        final StatusCode code,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        if (calls.find(correlationId) < 0)
        {
            core.onStaleResponse();
            return;
        }
        final int result = assemblies.add(correlationId, flags, buffer, offset, length);
        if (result == Assemblies.COMPLETE)
        {
            onError(
                correlationId, FrameFlags.WHOLE | flags & FrameFlags.CUT, code, assemblies.buffer(), 0,
                assemblies.length());
        }
        else if (result == Assemblies.TOO_LONG || result == Assemblies.NO_ROOM)
        {
            fail(calls.find(correlationId), code, "the error's detail exceeds the limits of this side and is lost");
        }
    }

    private void onHelloAck(final DirectBuffer buffer, final int offset, final int length)
    {
        if (!HelloPayload.isWellFormed(buffer, offset, length) ||
            HelloPayload.incarnation(buffer, offset) != incarnation)
        {
            protocolError("a HELLO_ACK that makes no sense");
            return;
        }
        calls.reset(HelloPayload.maxCallsInFlight(buffer, offset));
        maxMessageLength =
            Math.min(core.context().maxMessageLength(), HelloPayload.maxMessageLength(buffer, offset));
        isReady = true;
        state = ChannelState.READY;
    }

    private int expireCalls(final long nowNs)
    {
        int work = 0;
        int slot;
        while ((slot = calls.nextExpired(nowNs)) >= 0)
        {
            final long correlationId = calls.correlationId(slot);
            if (link != null)
            {
                if (link.outbox().drop(correlationId))
                {
                    link.sendControl(
                        FrameType.CANCEL, calls.serviceId(slot), calls.methodId(slot), correlationId, nowNs);
                }
                assemblies.drop(correlationId);
            }
            fail(slot, StatusCode.DEADLINE_EXCEEDED, "no response within the call's timeout");
            work++;
        }
        return work;
    }

    private void failAll(final StatusCode code, final String text)
    {
        int slot;
        while ((slot = calls.any()) >= 0)
        {
            fail(slot, code, text);
        }
    }

    private void protocolError(final String text)
    {
        lastFailure = "protocol error: " + text;
        core.onError(new TransportException(address + ": " + lastFailure));
        link.connection().close();
    }

    private void backOff()
    {
        state = ChannelState.BACKING_OFF;
        // jitter of the upper half, so that clients of a restarted server do not come back in step
        final long half = Math.max(1, backoffNs / 2);
        timerNs = core.clock().nanoTime() + half + core.random().nextLong(half);
        backoffNs = Math.min(backoffNs * 2, core.context().reconnectMaxBackoffNs());
    }

    private void reconnect()
    {
        try
        {
            connect();
        }
        catch (final Exception ex)
        {
            lastFailure = ex.getMessage();
            if (!isErrorReported)
            {
                isErrorReported = true;
                core.onError(ex);
            }
            backOff();
        }
    }
}
