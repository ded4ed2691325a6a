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
import io.verbena.rpc.transport.TransportException;
import org.agrona.DirectBuffer;

/**
 * One connection at the server: its handshake, its open calls, what it has still to send. Server's thread alone.
 */
final class ServerSession
{
    /**
     * Room beyond the queue's limit for the errors that say that it is full; beyond that the peer is not reading.
     */
    private static final int QUEUE_SLACK = 1024 * 1024;

    private final ServerCore core;
    private final Connection connection;
    private final Link link;
    private final Assemblies assemblies;
    private final CallSlots<ServiceAdapter> calls;
    private final long handshakeDeadlineNs;
    private int incarnation;
    private int maxMessageLength;
    private boolean isClosing;
    private boolean isEnded;
    private boolean isPending;

    ServerSession(final ServerCore core, final Connection connection, final long nowNs)
    {
        final RpcServer.Context context = core.context();
        this.core = core;
        this.connection = connection;
        this.link = new Link(
            connection, core.pool(), new Outbox(core.pool(), context.maxQueuedBytes()), core.scratch());
        this.assemblies = new Assemblies(core.pool(), context.maxMessageLength(), context.maxAssemblyBytes());
        this.calls = new CallSlots<>(context.maxCallsInFlight());
        this.maxMessageLength = context.maxMessageLength();
        this.handshakeDeadlineNs = nowNs + context.handshakeTimeoutNs();
    }

    long connectionId()
    {
        return connection.id();
    }

    Link link()
    {
        return link;
    }

    int maxMessageLength()
    {
        return maxMessageLength;
    }

    int callsInFlight()
    {
        return calls.inFlight();
    }

    boolean isOpen(final long correlationId)
    {
        return calls.find(correlationId) >= 0;
    }

    long remainingNs(final long correlationId)
    {
        final int slot = calls.find(correlationId);
        if (slot < 0)
        {
            return 0;
        }
        final long deadlineNs = calls.deadlineNs(slot);
        return deadlineNs == FrameHeader.NO_TIMEOUT ? FrameHeader.NO_TIMEOUT :
            Math.max(0, deadlineNs - core.clock().freshNanoTime());
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

    void onFrame(final DirectBuffer buffer, final int offset, final int length)
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
        final int frameType = FrameHeader.frameType(buffer, offset);
        if (frameType == FrameType.REQUEST && incarnation != 0)
        {
            onRequest(buffer, offset);
        }
        else if (frameType == FrameType.HELLO && incarnation == 0)
        {
            onHello(
                buffer, FrameHeader.payloadOffset(buffer, offset), FrameHeader.payloadLength(buffer, offset));
        }
        else if (frameType == FrameType.CANCEL && incarnation != 0)
        {
            onCancel(FrameHeader.correlationId(buffer, offset));
        }
        else if (frameType == FrameType.PING)
        {
            link.sendControl(
                FrameType.PONG, 0, 0, FrameHeader.correlationId(buffer, offset), core.clock().nanoTime());
        }
        else if (frameType != FrameType.PONG)
        {
            protocolError("unexpected " + FrameType.name(frameType) + (incarnation == 0 ? " before HELLO" : ""));
        }
        notePending();
    }

    void sendResponse(final long correlationId, final int serviceId, final int methodId, final int length)
    {
        calls.end(calls.find(correlationId));
        link.commit(
            FrameType.RESPONSE, 0, serviceId, methodId, correlationId, FrameHeader.NO_TIMEOUT, 0, 0, length,
            core.clock().lastNanoTime());
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
        calls.end(calls.find(correlationId));
        ErrorPayload.encode(
            link.buffer(), link.payloadOffset(), textBytes, length - ErrorPayload.detailOffset(textBytes.length));
        link.commit(
            FrameType.ERROR, ErrorPayload.isCut(text, textBytes) ? FrameFlags.CUT : 0, serviceId, methodId,
            correlationId, FrameHeader.NO_TIMEOUT, 0, code.value(), length, core.clock().lastNanoTime());
        notePending();
    }

    /**
     * Ends an open call with an error; does nothing if it has ended.
     */
    void fail(
        final long correlationId,
        final StatusCode code,
        final CharSequence text,
        final DirectBuffer detail,
        final int detailLength)
    {
        final int slot = calls.find(correlationId);
        if (slot >= 0)
        {
            final int serviceId = calls.serviceId(slot);
            final int methodId = calls.methodId(slot);
            calls.end(slot);
            sendError(correlationId, serviceId, methodId, code, text, detail, detailLength, 0);
        }
    }

    int drain(final long nowNs)
    {
        final int work = link.drain(nowNs);
        if (link.outbox().isEmpty())
        {
            isPending = false;
            if (isClosing)
            {
                connection.close();
            }
        }
        return work;
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
        int work = 0;
        if (calls.isExpiryDue(nowNs))
        {
            int slot;
            while ((slot = calls.nextExpired(nowNs)) >= 0)
            {
                final long correlationId = calls.correlationId(slot);
                final ServiceAdapter adapter = calls.owner(slot);
                final int methodId = calls.methodId(slot);
                assemblies.drop(correlationId);
                fail(
                    correlationId, StatusCode.DEADLINE_EXCEEDED, "the deadline passed at the server", null, 0);
                tellCancelled(adapter, correlationId, methodId, StatusCode.DEADLINE_EXCEEDED);
                work++;
            }
        }
        if (incarnation == 0 && !isClosing && nowNs - handshakeDeadlineNs >= 0)
        {
            protocolError("no HELLO within the handshake timeout");
            work++;
        }
        if (calls.hasDeadlines())
        {
            core.noteTimer(calls.earliestDeadlineNs());
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
            endCalls(StatusCode.UNAVAILABLE, true);
            link.sendControl(FrameType.GO_AWAY, 0, 0, 0, core.clock().nanoTime());
            closeWhenSent();
        }
    }

    void onDisconnected()
    {
        isEnded = true;
        isClosing = true;
        endCalls(StatusCode.UNAVAILABLE, false);
        assemblies.clear();
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
        if (core.sessionCount() > core.context().maxConnections())
        {
            refuse(helloIncarnation, StatusCode.RESOURCE_EXHAUSTED,
                "the server has its limit of " + core.context().maxConnections() + " connections");
            return;
        }
        incarnation = helloIncarnation;
        maxMessageLength = Math.min(maxMessageLength, HelloPayload.maxMessageLength(buffer, offset));
        core.sendHelloAck(link, incarnation);
    }

    private void onRequest(final DirectBuffer buffer, final int offset)
    {
        final long correlationId = FrameHeader.correlationId(buffer, offset);
        final int slot = CallSlots.slot(correlationId);
        if (CallSlots.incarnation(correlationId) != incarnation || slot >= calls.capacity())
        {
            protocolError("a REQUEST with correlation id " + correlationId + ", of another incarnation than " +
                incarnation + " or beyond " + calls.capacity() + " calls in flight");
            return;
        }
        final int flags = FrameHeader.flags(buffer, offset);
        final int payloadOffset = FrameHeader.payloadOffset(buffer, offset);
        final int payloadLength = FrameHeader.payloadLength(buffer, offset);
        if ((flags & FrameFlags.FIRST) != 0)
        {
            if (!begin(slot, correlationId, buffer, offset))
            {
                return;
            }
        }
        else if (calls.correlationId(slot) != correlationId)
        {
            // a further part of a request that has ended: expired, refused or cancelled
            return;
        }
        if (FrameFlags.isWhole(flags))
        {
            if (payloadLength > core.context().maxMessageLength())
            {
                fail(correlationId, StatusCode.RESOURCE_EXHAUSTED, tooLongText(payloadLength), null, 0);
            }
            else
            {
                dispatch(slot, correlationId, buffer, payloadOffset, payloadLength);
            }
            return;
        }
        onPart(slot, correlationId, flags, buffer, payloadOffset, payloadLength);
    }

    private boolean begin(final int slot, final long correlationId, final DirectBuffer buffer, final int offset)
    {
        final long occupant = calls.correlationId(slot);
        if (occupant != 0)
        {
            if (occupant == correlationId)
            {
                protocolError("a second REQUEST with correlation id " + correlationId);
                return false;
            }
            // the client has ended the former call of this slot by its own clock
            cancel(slot, StatusCode.CANCELLED);
        }
        final int serviceId = FrameHeader.serviceId(buffer, offset);
        final int methodId = FrameHeader.methodId(buffer, offset);
        final long timeoutNs = FrameHeader.timeoutNs(buffer, offset);
        final ServiceAdapter adapter = core.service(serviceId);
        if (core.isClosing())
        {
            sendError(correlationId, serviceId, methodId, StatusCode.UNAVAILABLE, "the server is going away",
                null, 0, FrameFlags.NOT_STARTED);
            return false;
        }
        if (adapter == null)
        {
            sendError(correlationId, serviceId, methodId, StatusCode.UNIMPLEMENTED,
                "no service with id " + serviceId + " here", null, 0, FrameFlags.NOT_STARTED);
            return false;
        }
        if (timeoutNs <= 0)
        {
            sendError(correlationId, serviceId, methodId, StatusCode.DEADLINE_EXCEEDED,
                "the request had expired when it arrived", null, 0, FrameFlags.NOT_STARTED);
            return false;
        }
        long deadlineNs = FrameHeader.NO_TIMEOUT;
        if (timeoutNs < RpcServer.LONGEST_TIMEOUT_NS)
        {
            deadlineNs = core.clock().nanoTime() + timeoutNs;
            core.noteTimer(deadlineNs);
        }
        calls.occupy(slot, correlationId, serviceId, methodId, deadlineNs, adapter);
        return true;
    }

    private void onPart(
        final int slot,
        final long correlationId,
        final int flags,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        final int result = assemblies.add(correlationId, flags, buffer, offset, length);
        switch (result)
        {
            case Assemblies.COMPLETE ->
            {
                dispatch(slot, correlationId, assemblies.buffer(), 0, assemblies.length());
                assemblies.drop(correlationId);
            }
            case Assemblies.TOO_LONG -> fail(
                correlationId, StatusCode.RESOURCE_EXHAUSTED,
                "the request exceeds the limit of " + core.context().maxMessageLength() + " bytes", null, 0);
            case Assemblies.NO_ROOM -> fail(
                correlationId, StatusCode.RESOURCE_EXHAUSTED,
                "the long requests of this connection exceed the limit of " + core.context().maxAssemblyBytes() +
                " bytes together", null, 0);
            case Assemblies.UNKNOWN -> fail(
                correlationId, StatusCode.INTERNAL, "a part of the request is missing", null, 0);
            default ->
            {
                // more is to come
            }
        }
    }

    private void dispatch(
        final int slot, final long correlationId, final DirectBuffer buffer, final int offset, final int length)
    {
        final ServiceAdapter adapter = calls.owner(slot);
        final int methodId = calls.methodId(slot);
        final ServerCall call = core.flyweight().set(this, correlationId, calls.serviceId(slot), methodId);
        try
        {
            adapter.onRequest(call, methodId, buffer, offset, length);
        }
        catch (final Throwable failure)
        {
            // whatever a handler throws, its call gets an answer first
            core.failByHandler(call, failure);
        }
        core.closeOpenCall();
    }

    private void onCancel(final long correlationId)
    {
        final int slot = calls.find(correlationId);
        if (slot >= 0)
        {
            cancel(slot, StatusCode.CANCELLED);
        }
    }

    private void cancel(final int slot, final StatusCode cause)
    {
        final long correlationId = calls.correlationId(slot);
        final ServiceAdapter adapter = calls.owner(slot);
        final int methodId = calls.methodId(slot);
        assemblies.drop(correlationId);
        calls.end(slot);
        tellCancelled(adapter, correlationId, methodId, cause);
    }

    private void endCalls(final StatusCode cause, final boolean tellClient)
    {
        int slot;
        while ((slot = calls.any()) >= 0)
        {
            final long correlationId = calls.correlationId(slot);
            final int serviceId = calls.serviceId(slot);
            final int methodId = calls.methodId(slot);
            cancel(slot, cause);
            if (tellClient)
            {
                sendError(correlationId, serviceId, methodId, cause, "the server is going away", null, 0, 0);
            }
        }
    }

    private void tellCancelled(
        final ServiceAdapter adapter, final long correlationId, final int methodId, final StatusCode cause)
    {
        try
        {
            adapter.onCancelled(connection.id(), correlationId, methodId, cause);
        }
        catch (final Exception ex)
        {
            core.onError(ex);
        }
    }

    private void sendError(
        final long correlationId,
        final int serviceId,
        final int methodId,
        final StatusCode code,
        final CharSequence text,
        final DirectBuffer detail,
        final int detailLength,
        final int flags)
    {
        if (isEnded)
        {
            return;
        }
        if (link.outbox().queuedBytes() > core.context().maxQueuedBytes() + (long)QUEUE_SLACK)
        {
            protocolError("the peer does not read its responses: " + queueFullText());
            return;
        }
        link.sendError(
            serviceId, methodId, correlationId, code, text, detail, 0, detailLength, maxMessageLength, flags,
            core.clock().nanoTime());
        notePending();
    }

    private void refuse(final int refusedIncarnation, final StatusCode code, final String text)
    {
        sendError((long)refusedIncarnation << 48, 0, 0, code, text, null, 0, FrameFlags.NOT_STARTED);
        closeWhenSent();
    }

    private void closeWhenSent()
    {
        isClosing = true;
        if (link.outbox().isEmpty())
        {
            connection.close();
        }
        else
        {
            notePending();
        }
    }

    private void notePending()
    {
        if (!isPending && !isEnded && !link.outbox().isEmpty())
        {
            isPending = true;
            core.addPending(this);
        }
    }

    private void protocolError(final String text)
    {
        core.onError(new TransportException("connection " + connection.id() + ": protocol error: " + text));
        isClosing = true;
        connection.close();
    }

    private String tooLongText(final int length)
    {
        return "the request of " + length + " bytes exceeds the limit of " + core.context().maxMessageLength() +
            " bytes";
    }
}
