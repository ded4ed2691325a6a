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
import io.verbena.rpc.transport.DisconnectCause;
import io.verbena.rpc.transport.TransportException;
import org.agrona.DirectBuffer;

/**
 * One connection at the server: its handshake, its open calls, what it has still to send. Server's thread alone.
 */
final class ServerSession implements FrameSink
{
    /**
     * Room beyond the queue's limit for the errors that say that it is full; beyond that the peer is not reading.
     */
    private static final int QUEUE_SLACK = 1024 * 1024;

    /** Of the PING that follows a GO_AWAY. */
    private static final long DRAIN_PING_ID = 2;

    private final ServerCore core;
    private final Connection connection;
    private final Link link;
    private final long id;
    private final long handshakeDeadlineNs;
    private final KeepAlive keepAlive;
    /** From the handshake on: a connection that says nothing should cost little. */
    private ServerCalls calls;
    private int incarnation;
    private int maxMessageLength;
    private int maxMetadataLength;
    private boolean isClosing;
    private boolean isEnded;
    private boolean isBroken;
    private boolean isPending;
    private boolean isDrainAnswered;

    ServerSession(final ServerCore core, final Connection connection, final long id, final long nowNs)
    {
        final RpcServer.Context context = core.context();
        this.core = core;
        this.connection = connection;
        this.id = id;
        this.link = new Link(connection, core.pool(), context, core.scratch(), core.clock());
        this.maxMessageLength = context.maxMessageLength();
        this.maxMetadataLength = context.maxMetadataLength();
        this.handshakeDeadlineNs = nowNs + context.handshakeTimeoutNs();
        this.keepAlive = new KeepAlive(context, nowNs);
    }

    long connectionId()
    {
        return id;
    }

    Link link()
    {
        return link;
    }

    int maxMessageLength()
    {
        return maxMessageLength;
    }

    /**
     * The longest metadata that may be sent.
     */
    int metadataLimit()
    {
        return link.metadataLimit(maxMetadataLength);
    }

    ServerCalls calls()
    {
        return calls;
    }

    boolean hasRoomFor(final int payloadLength)
    {
        return link.outbox().hasRoomFor(payloadLength);
    }

    String queueFullText()
    {
        return "the responses that wait on this connection exceed the limit of " + core.context().maxQueuedBytes() +
            " bytes";
    }

    @Override
    public void onFrame(final DirectBuffer buffer, final int offset, final int length)
    {
        if (isClosing)
        {
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
        if (frameType == FrameType.REQUEST && incarnation != 0)
        {
            calls.requests().onRequest(buffer, offset, incarnation);
        }
        else if (frameType == FrameType.STREAM && incarnation != 0)
        {
            calls.streams().onItem(buffer, offset);
        }
        else if (frameType == FrameType.CREDIT && incarnation != 0)
        {
            final String failure = calls.streams().onCredit(buffer, offset);
            if (failure != null)
            {
                protocolError(failure);
            }
        }
        else if (frameType == FrameType.HALF_CLOSE && incarnation != 0)
        {
            calls.streams().onHalfClose(buffer, offset);
        }
        else if (frameType == FrameType.HELLO && incarnation == 0)
        {
            onHello(
                buffer, FrameHeader.payloadOffset(buffer, offset), FrameHeader.payloadLength(buffer, offset));
        }
        else if (frameType == FrameType.CANCEL && incarnation != 0)
        {
            calls.onCancel(FrameHeader.correlationId(buffer, offset), FrameHeader.status(buffer, offset));
        }
        else if (frameType == FrameType.PING)
        {
            if (!keepAlive.mayAsk(core.clock().nanoTime()))
            {
                protocolError(keepAlive.tooManyPingsText());
            }
            else if (!link.sendPong(FrameHeader.correlationId(buffer, offset)))
            {
                protocolError("the peer does not read its answers: " + queueFullText());
            }
        }
        else if (frameType == FrameType.PONG)
        {
            isDrainAnswered |= FrameHeader.correlationId(buffer, offset) == DRAIN_PING_ID;
        }
        else
        {
            protocolError("unexpected " + FrameType.name(frameType) + (incarnation == 0 ? " before HELLO" : ""));
        }
        notePending();
    }

    void sendResponse(final long correlationId, final int serviceId, final int methodId, final int length)
    {
        link.commit(
            FrameType.RESPONSE, 0, serviceId, methodId, correlationId, FrameHeader.NO_TIMEOUT, 0, 0, length,
            calls.stream(correlationId));
        calls.answered(correlationId, StatusCode.OK);
        notePending();
    }

    void sendItem(final long correlationId, final int length)
    {
        final StreamCall stream = calls.stream(correlationId);
        link.commitItem(stream, length);
        notePending();
    }

    void sendTypedError(
        final long correlationId,
        final int serviceId,
        final int methodId,
        final StatusCode code,
        final String text,
        final byte[] textBytes,
        final int length)
    {
        final StreamCall stream = calls.stream(correlationId);
        ErrorPayload.encode(
            link.buffer(), link.payloadOffset(), textBytes, length - ErrorPayload.detailOffset(textBytes.length));
        link.commit(
            FrameType.ERROR, ErrorPayload.isCut(text, textBytes) ? FrameFlags.CUT : 0, serviceId, methodId,
            correlationId, FrameHeader.NO_TIMEOUT, 0, code.value(), length, stream);
        calls.answered(correlationId, code);
        notePending();
    }

    void sendError(
        final long correlationId,
        final int serviceId,
        final int methodId,
        final StatusCode code,
        final String text,
        final DirectBuffer detail,
        final int detailLength,
        final int flags,
        final StreamCall stream,
        final Metadata metadata,
        final long pushbackNs)
    {
        if (isEnded || isBroken)
        {
            return;
        }
        if (link.outbox().queuedBytes() > core.context().maxQueuedBytes() + (long)QUEUE_SLACK)
        {
            protocolError("the peer does not read its responses: " + queueFullText());
            return;
        }
        link.sendError(
            serviceId, methodId, correlationId, code, text, detail, detailLength, maxMessageLength, flags, stream,
            metadata, pushbackNs);
        notePending();
    }

    int drain()
    {
        final int work = calls == null ? link.drain() : calls.streams().doWork(link);
        if (!hasWork())
        {
            isPending = false;
            if (isClosing)
            {
                connection.close();
            }
        }
        return work;
    }

    /**
     * Whether the handshake is over: there are calls then.
     */
    boolean isAccepted()
    {
        return incarnation != 0;
    }

    boolean isPending()
    {
        return isPending;
    }

    /**
     * Ends calls whose deadlines have passed, and a handshake that takes too long.
     *
     * @return a count of work done.
     */
    int checkTimers(final long nowNs)
    {
        int work = isAccepted() ? calls.expire(nowNs) : 0;
        if (incarnation == 0 && !isClosing && nowNs - handshakeDeadlineNs >= 0)
        {
            protocolError("no HELLO within the handshake timeout");
            work++;
        }
        if (incarnation == 0 && !isClosing)
        {
            core.noteTimer(handshakeDeadlineNs);
        }
        return work;
    }

    /**
     * The server is closing: says so, ends what is open, and closes once all is sent.
     */
    void goAway()
    {
        if (!isClosing)
        {
            if (isAccepted())
            {
                calls.endAll(StatusCode.UNAVAILABLE, "the server is going away");
                calls.streams().fireEnded();
            }
            core.counters().goAway();
            link.sendControl(FrameType.GO_AWAY, 0, 0, 0);
            closeWhenSent();
        }
    }

    /**
     * Asks a peer that is silent, and closes the connection of one that is dead.
     *
     * @return a count of work done.
     */
    int checkKeepAlive(final long nowNs)
    {
        if (isClosing || !isAccepted())
        {
            return 0;
        }
        switch (keepAlive.check(nowNs, calls.inFlight() > 0))
        {
            case ASK -> link.sendControl(FrameType.PING, 0, 0, KeepAlive.PING_ID);
            case DEAD ->
            {
                core.counters().keepAliveTimedOut();
                isClosing = true;
                isBroken = true;
                calls.endAll(StatusCode.UNAVAILABLE, null);
                connection.close();
            }
            default ->
            {
                return 0;
            }
        }
        notePending();
        return 1;
    }

    /**
     * Tells the client that new calls are not taken any more.
     */
    void beginDrain()
    {
        if (isAccepted() && !isClosing)
        {
            core.counters().goAway();
            link.sendControl(FrameType.GO_AWAY, 0, 0, 0);
            link.sendControl(FrameType.PING, 0, 0, DRAIN_PING_ID);
            notePending();
        }
    }

    /**
     * Closes the connection if all of its calls have ended and no more can be under way, or if it is time.
     *
     * @return whether it closed.
     */
    boolean goOnDraining(final boolean isDue)
    {
        if (isClosing || !isAccepted())
        {
            return false;
        }
        if (isDue)
        {
            goAway();
            return true;
        }
        if (isDrainAnswered && calls.inFlight() == 0)
        {
            closeWhenSent();
            return true;
        }
        return false;
    }

    /**
     * The connection has ended: counts it.
     */
    void countEnd(final DisconnectCause cause)
    {
        if (isAccepted())
        {
            core.counters().connectionClosed(isBroken || Causes.isLoss(cause));
        }
        else
        {
            core.counters().connectionRefused();
        }
    }

    void onDisconnected()
    {
        isEnded = true;
        isClosing = true;
        if (isAccepted())
        {
            calls.endAll(StatusCode.UNAVAILABLE, null);
            calls.dispose();
        }
        link.dispose();
    }

    private void onHello(final DirectBuffer buffer, final int offset, final int length)
    {
        if (!HelloPayload.isWellFormed(buffer, offset, length))
        {
            protocolError("a HELLO that makes no sense");
            return;
        }
        final int helloIncarnation = HelloPayload.incarnation(buffer, offset);
        if (!HelloPayload.speaks(buffer, offset, FrameHeader.VERSION))
        {
            refuse(helloIncarnation, StatusCode.FAILED_PRECONDITION,
                "the server speaks protocol version " + FrameHeader.VERSION + ", the client " +
                HelloPayload.minVersion(buffer, offset) + " to " + HelloPayload.maxVersion(buffer, offset));
            return;
        }
        if (core.isGoingAway())
        {
            refuse(helloIncarnation, StatusCode.UNAVAILABLE, "the server is going away");
            return;
        }
        if (!core.accept())
        {
            refuse(helloIncarnation, StatusCode.RESOURCE_EXHAUSTED,
                "the server has its limit of " + core.context().maxConnections() + " connections");
            return;
        }
        calls = new ServerCalls(core, this);
        calls.streams().table().attach(
            link, helloIncarnation, HelloPayload.streamItems(buffer, offset), HelloPayload.streamBytes(buffer, offset),
            HelloPayload.windowBytes(buffer, offset));
        incarnation = helloIncarnation;
        maxMessageLength = Math.min(maxMessageLength, HelloPayload.maxMessageLength(buffer, offset));
        maxMetadataLength = Math.min(maxMetadataLength, HelloPayload.maxMetadataLength(buffer, offset));
        core.counters().connectionOpened();
        ServerGreeting.send(core, link, incarnation);
        link.encoder(PayloadEncoder.of(core.context(), core.pool(), HelloPayload.codecs(buffer, offset)));
    }

    private void refuse(final int refusedIncarnation, final StatusCode code, final String text)
    {
        sendError((long)refusedIncarnation << 48, 0, 0, code, text, null, 0, FrameFlags.NOT_STARTED, null, null, 0);
        closeWhenSent();
    }

    private void closeWhenSent()
    {
        isClosing = true;
        if (!hasWork())
        {
            connection.close();
        }
        else
        {
            notePending();
        }
    }

    private boolean hasWork()
    {
        return !link.isEmpty() || calls != null && calls.streams().hasWork();
    }

    /**
     * Has the next duty cycle look after what is left to do.
     */
    void notePending()
    {
        if (!isPending && !isEnded && hasWork())
        {
            isPending = true;
            core.addPending(this);
        }
    }

    void protocolError(final String text)
    {
        if (!isBroken)
        {
            isBroken = true;
            isClosing = true;
            core.counters().protocolError();
            core.onError(new TransportException("connection " + id + ": protocol error: " + text));
            connection.close();
        }
    }
}
