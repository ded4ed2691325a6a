/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import io.verbena.rpc.protocol.ErrorPayload;
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
 * jittered and doubling back-off. Agent's thread alone, but for the state.
 */
final class ChannelConnector implements FrameSink
{
    private static final int MAX_INCARNATION = Short.MAX_VALUE;

    private final RpcChannel channel;
    private final ClientCore core;
    private final String address;
    private final ClientCalls calls;

    private volatile ChannelState state = ChannelState.CONNECTING;
    private Link link;
    private KeepAlive keepAlive;
    private final ServiceNeeds needs = new ServiceNeeds();
    private boolean isReady;
    private boolean isDraining;
    /** Whether the connection that was there is missed, and no attempt to have another one has failed. */
    private boolean isRecovering;
    private int incarnation;
    private int maxMessageLength;
    private int maxMetadataLength;
    /** Set while there is a moment to act at: the handshake's end, the next attempt, the last moment of closing. */
    private boolean hasTimer;
    private long timerNs;
    private long backoffNs;
    private String lastFailure = "not connected yet";
    private boolean isErrorReported;
    private boolean isOpenCounted;
    /** Whether this side ends the connection for what the peer did or did not do. */
    private boolean isBroken;

    ChannelConnector(final RpcChannel channel, final ClientCore core, final String address)
    {
        this.channel = channel;
        this.core = core;
        this.address = address;
        this.calls = new ClientCalls(core);
        this.incarnation = core.random().nextInt(MAX_INCARNATION) + 1;
        this.backoffNs = core.context().reconnectMinBackoffNs();
        this.maxMessageLength = core.context().maxMessageLength();
        this.maxMetadataLength = core.context().maxMetadataLength();
    }

    String address()
    {
        return address;
    }

    ChannelState state()
    {
        return state;
    }

    ClientCalls calls()
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

    boolean isRecovering()
    {
        return isRecovering;
    }

    int incarnation()
    {
        return incarnation;
    }

    int maxMessageLength()
    {
        return maxMessageLength;
    }

    /**
     * The lower limit of both sides; the transport's counts too.
     */
    int maxMetadataLength()
    {
        return maxMetadataLength;
    }

    /**
     * The services that stubs of this channel were generated for.
     */
    ServiceNeeds needs()
    {
        return needs;
    }

    /**
     * Tells the error handler why calls of a service cannot be made, if there is anything to tell.
     */
    void tellMismatch(final String text)
    {
        if (text != null)
        {
            core.onError(new RpcException(StatusCode.FAILED_PRECONDITION, address + ": " + text));
        }
    }

    String unavailableText()
    {
        return state == ChannelState.CLOSED ? RpcChannel.CLOSED_TEXT : address + ": " + lastFailure;
    }

    /**
     * Whether something is queued that a connection could still take.
     */
    boolean hasQueued()
    {
        return link != null && !link.isEmpty() &&
            link.connection().state() == ConnectionState.CONNECTED;
    }

    /**
     * Starts to connect; a malformed address throws here, on the first attempt.
     */
    void connect()
    {
        incarnation = incarnation == MAX_INCARNATION ? 1 : incarnation + 1;
        final Connection connection = core.transport().connect(address);
        link = new Link(
            connection, core.pool(), core.context(), core.scratch(), core.clock());
        keepAlive = new KeepAlive(core.context(), core.clock().nanoTime());
        calls.attach(link);
        core.register(connection, channel);
        hasTimer = false;
        isBroken = false;
        state = ChannelState.CONNECTING;
    }

    void onConnected()
    {
        final UnsafeBuffer hello = core.pool().acquire(FrameHeader.LENGTH + HelloPayload.HEADER_LENGTH);
        HelloPayload.encode(
            hello, FrameHeader.LENGTH, incarnation, calls.table().capacity(), core.context().maxMessageLength(), 0);
        HelloPayload.encodeCredit(
            hello, FrameHeader.LENGTH, core.context().streamWindowItems(), core.context().streamWindowBytes(),
            core.context().connectionWindowBytes());
        HelloPayload.encodeCapabilities(hello, FrameHeader.LENGTH, core.context().maxMetadataLength(),
            PayloadDecoder.capabilities(core.context().codecs()));
        setTimer(core.clock().nanoTime() + core.context().handshakeTimeoutNs());
        link.outbox().add(
            hello, FrameType.HELLO, 0, 0, 0, (long)incarnation << 48, FrameHeader.NO_TIMEOUT, 0,
            HelloPayload.HEADER_LENGTH, null);
        link.drain();
    }

    @Override
    public void onFrame(final DirectBuffer buffer, final int offset, final int length)
    {
        if (link == null)
        {
            return;
        }
        if (state == ChannelState.CLOSED)
        {
            // closed, but with requests still to send: what comes back is for nobody, but for credit to send on
            calls.streams().onFrameWhenClosed(buffer, offset, length);
            return;
        }
        if (!FrameHeader.isWellFormed(buffer, offset, length))
        {
            protocolError(FrameHeader.describeMalformed(buffer, offset, length));
            return;
        }
        keepAlive.onFrame();
        if (FrameHeader.metadataLength(buffer, offset) > core.context().maxMetadataLength())
        {
            protocolError(Metadata.tooLongText(
                FrameHeader.metadataLength(buffer, offset), core.context().maxMetadataLength()));
            return;
        }
        final int frameType = FrameHeader.frameType(buffer, offset);
        final boolean isEstablished = isReady || isDraining;
        if (frameType == FrameType.RESPONSE && isEstablished)
        {
            calls.responses().onResponse(buffer, offset);
        }
        else if (frameType == FrameType.STREAM && isEstablished)
        {
            calls.streams().onItem(buffer, offset);
        }
        else if (frameType == FrameType.ERROR)
        {
            onError(buffer, offset, isEstablished);
        }
        else if (frameType == FrameType.CREDIT && isEstablished)
        {
            final String failure = calls.streams().onCredit(buffer, offset);
            if (failure != null)
            {
                protocolError(failure);
            }
        }
        else if (frameType == FrameType.HALF_CLOSE && isEstablished)
        {
            calls.streams().onCompleted(buffer, offset);
        }
        else if (frameType == FrameType.HELLO_ACK && !isEstablished)
        {
            onHelloAck(
                buffer, FrameHeader.payloadOffset(buffer, offset), FrameHeader.payloadLength(buffer, offset));
        }
        else if (frameType == FrameType.PING)
        {
            if (!keepAlive.mayAsk(core.clock().nanoTime()))
            {
                protocolError(keepAlive.tooManyPingsText());
            }
            else if (!link.sendPong(FrameHeader.correlationId(buffer, offset)))
            {
                protocolError("the server does not read the answers to its PINGs");
            }
        }
        else if (frameType == FrameType.GO_AWAY)
        {
            core.counters().goAway();
            isReady = false;
            isDraining = true;
            hasTimer = false;
            lastFailure = "the server is going away";
            state = ChannelState.CONNECTING;
        }
        else if (frameType != FrameType.PONG)
        {
            protocolError("unexpected " + FrameType.name(frameType) + " from the server");
        }
    }

    void onDisconnected(final DisconnectCause cause)
    {
        final boolean wasReady = isReady || isDraining;
        countEnd(cause);
        isReady = false;
        isDraining = false;
        hasTimer = false;
        calls.detach();
        link.dispose();
        link = null;
        if (state != ChannelState.CLOSED)
        {
            lastFailure = Causes.inWords(cause, lastFailure);
            isRecovering = wasReady;
            if (wasReady)
            {
                backoffNs = core.context().reconnectMinBackoffNs();
                isErrorReported = false;
            }
            backOff();
        }
        calls.failAll(StatusCode.UNAVAILABLE, unavailableText());
        calls.streams().detach();
    }

    int doWork()
    {
        return link == null ? 0 : calls.streams().doWork(link);
    }

    int checkTimers(final long nowNs)
    {
        if (needs.hasUncounted())
        {
            core.counters().schemaVersionsDiffered(needs.takeUncounted());
        }
        int work = calls.expire(nowNs);
        if (hasTimer && nowNs - timerNs >= 0)
        {
            hasTimer = false;
            onTimer();
            work++;
        }
        if (isReady || isDraining)
        {
            work += checkKeepAlive(nowNs);
        }
        if (link != null && link.isEmpty() &&
            (state == ChannelState.CLOSED || isDraining && calls.table().inFlight() == 0))
        {
            link.connection().close();
        }
        return work;
    }

    void close()
    {
        if (state != ChannelState.CLOSED)
        {
            state = ChannelState.CLOSED;
            isReady = false;
            isDraining = false;
            hasTimer = false;
            lastFailure = RpcChannel.CLOSED_TEXT;
            if (link == null)
            {
                core.remove(channel);
            }
            else
            {
                link.drain();
                if (hasQueued())
                {
                    setTimer(core.clock().nanoTime() + core.context().closeTimeoutNs());
                }
                else
                {
                    link.connection().close();
                }
            }
            calls.failAll(StatusCode.CANCELLED, RpcChannel.CLOSED_TEXT);
        }
    }

    private int checkKeepAlive(final long nowNs)
    {
        switch (keepAlive.check(nowNs, calls.table().inFlight() > 0))
        {
            case ASK -> link.sendControl(FrameType.PING, 0, 0, KeepAlive.PING_ID);
            case DEAD ->
            {
                // at once: an end in order would wait for a peer that is not there
                core.counters().keepAliveTimedOut();
                isBroken = true;
                isReady = false;
                isDraining = false;
                state = ChannelState.CONNECTING;
                lastFailure = keepAlive.deadText();
                link.connection().close();
                calls.failAll(StatusCode.UNAVAILABLE, unavailableText());
            }
            default ->
            {
                return 0;
            }
        }
        return 1;
    }

    private void onTimer()
    {
        if (state == ChannelState.BACKING_OFF)
        {
            reconnect();
        }
        else if (link != null)
        {
            if (state == ChannelState.CONNECTING)
            {
                lastFailure = "the server did not answer the handshake";
            }
            link.connection().close();
        }
    }

    private void onError(final DirectBuffer buffer, final int offset, final boolean isEstablished)
    {
        final int payloadOffset = FrameHeader.payloadOffset(buffer, offset);
        if (isEstablished)
        {
            if (!calls.onError(buffer, offset))
            {
                protocolError("an ERROR frame whose lengths or status make no sense");
            }
        }
        else if (ErrorPayload.isWellFormed(buffer, payloadOffset, FrameHeader.payloadLength(buffer, offset)))
        {
            lastFailure = "refused by the server: " + ErrorPayload.text(buffer, payloadOffset);
            link.connection().close();
        }
        else
        {
            protocolError("an ERROR frame whose lengths make no sense");
        }
    }

    private void onHelloAck(final DirectBuffer buffer, final int offset, final int length)
    {
        if (!HelloPayload.isWellFormed(buffer, offset, length) ||
            HelloPayload.incarnation(buffer, offset) != incarnation ||
            !HelloPayload.speaks(buffer, offset, FrameHeader.VERSION))
        {
            protocolError("a HELLO_ACK that makes no sense");
            return;
        }
        calls.table().reset(HelloPayload.maxCallsInFlight(buffer, offset));
        calls.streams().attach(
            link, incarnation, HelloPayload.streamItems(buffer, offset), HelloPayload.streamBytes(buffer, offset),
            HelloPayload.windowBytes(buffer, offset));
        maxMessageLength =
            Math.min(core.context().maxMessageLength(), HelloPayload.maxMessageLength(buffer, offset));
        maxMetadataLength =
            Math.min(core.context().maxMetadataLength(), HelloPayload.maxMetadataLength(buffer, offset));
        link.encoder(PayloadEncoder.of(core.context(), core.pool(), HelloPayload.codecs(buffer, offset)));
        hasTimer = false;
        isReady = true;
        isOpenCounted = true;
        core.counters().connectionOpened();
        state = ChannelState.READY;
        tellMismatch(needs.onServices(buffer, offset));
    }

    private void protocolError(final String text)
    {
        lastFailure = "protocol error: " + text;
        isBroken = true;
        core.counters().protocolError();
        core.onError(new TransportException(address + ": " + lastFailure));
        link.connection().close();
    }

    private void countEnd(final DisconnectCause cause)
    {
        if (isOpenCounted)
        {
            isOpenCounted = false;
            core.counters().connectionClosed(isBroken || Causes.isLoss(cause));
        }
        else if (state != ChannelState.CLOSED)
        {
            core.counters().connectionRefused();
        }
    }

    private void backOff()
    {
        state = ChannelState.BACKING_OFF;
        // jitter of the upper half, so that clients of a restarted server do not come back in step
        final long half = Math.max(1, backoffNs / 2);
        setTimer(core.clock().nanoTime() + half + core.random().nextLong(half));
        backoffNs = Math.min(backoffNs * 2, core.context().reconnectMaxBackoffNs());
    }

    private void reconnect()
    {
        core.counters().reconnectAttempted();
        try
        {
            connect();
        }
        catch (final RuntimeException ex)
        {
            lastFailure = Limits.describe(ex);
            isRecovering = false;
            if (!isErrorReported)
            {
                isErrorReported = true;
                core.onError(ex);
            }
            backOff();
        }
    }

    private void setTimer(final long moment)
    {
        hasTimer = true;
        timerNs = moment;
    }
}
