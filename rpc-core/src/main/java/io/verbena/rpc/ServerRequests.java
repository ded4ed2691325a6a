/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import io.verbena.rpc.protocol.CodedPayload;
import io.verbena.rpc.protocol.FrameFlags;
import io.verbena.rpc.protocol.FrameHeader;
import org.agrona.DirectBuffer;

/**
 * Takes the requests of one connection in at the server: checks their ids, refuses what can't be served, joins those of
 * several frames, checks and decompresses, and hands them to {@link ServerCalls}. Server's thread alone.
 */
final class ServerRequests
{
    private final ServerCore core;
    private final ServerSession session;
    private final ServerCalls calls;
    private final CallSlots<ServiceAdapter> slots;
    private final Assemblies assemblies;
    private final Metadata received = new Metadata(0);

    ServerRequests(final ServerCore core, final ServerSession session, final ServerCalls calls)
    {
        this.core = core;
        this.session = session;
        this.calls = calls;
        this.slots = calls.slots();
        this.assemblies = calls.assemblies();
    }

    void onRequest(final DirectBuffer buffer, final int offset, final int incarnation)
    {
        final long correlationId = FrameHeader.correlationId(buffer, offset);
        final int slot = CallSlots.slot(correlationId);
        if (CallSlots.incarnation(correlationId) != incarnation || slot >= slots.capacity())
        {
            session.protocolError("a REQUEST with correlation id " + correlationId + ", of another incarnation than " +
                incarnation + " or beyond " + slots.capacity() + " calls in flight");
            return;
        }
        final int flags = FrameHeader.flags(buffer, offset);
        final int payloadOffset = FrameHeader.payloadOffset(buffer, offset);
        final int payloadLength = FrameHeader.payloadLength(buffer, offset);
        if ((flags & FrameFlags.FIRST) != 0)
        {
            // a peer that uses an id again, against the rules, must not have its service hear of two calls at once
            calls.streams().tellEnded();
            final boolean isTaken =
                FrameFlags.isWhole(flags) && payloadLength <= maxLength(flags);
            if (!begin(slot, correlationId, isTaken, buffer, offset))
            {
                return;
            }
        }
        else if (slots.correlationId(slot) != correlationId)
        {
            // a further part of a request that has ended: expired, refused or cancelled
            return;
        }
        if (FrameFlags.isWhole(flags))
        {
            if (payloadLength > maxLength(flags))
            {
                core.counters().messageTooLong();
                // the same request would be too long again: not to be tried once more
                calls.fail(
                    correlationId, StatusCode.RESOURCE_EXHAUSTED, tooLongText(payloadLength), null, 0, null, -1);
            }
            else
            {
                receive(
                    slot, correlationId, flags,
                    metadata(buffer, offset + FrameHeader.LENGTH, FrameHeader.metadataLength(buffer, offset)),
                    buffer, payloadOffset, payloadLength);
            }
            return;
        }
        onPart(slot, correlationId, flags, buffer, offset);
    }

    /**
     * Takes a call in, unless it is refused.
     *
     * @param isTaken whether the service will be given this request at once; else it has no owner yet, who would have
     *                to be told of its end.
     */
    private boolean begin(
        final int slot,
        final long correlationId,
        final boolean isTaken,
        final DirectBuffer buffer,
        final int offset)
    {
        final long occupant = slots.correlationId(slot);
        if (occupant != 0)
        {
            if (occupant == correlationId)
            {
                session.protocolError("a second REQUEST with correlation id " + correlationId);
                return false;
            }
            // the client has ended the former call of this slot by its own clock
            calls.end(slot, StatusCode.CANCELLED, null);
        }
        final int serviceId = FrameHeader.serviceId(buffer, offset);
        final int methodId = FrameHeader.methodId(buffer, offset);
        final long timeoutNs = FrameHeader.timeoutNs(buffer, offset);
        final ServiceAdapter adapter = core.service(serviceId);
        if (core.isGoingAway())
        {
            core.counters().drainRefused();
            return refuse(correlationId, serviceId, methodId, StatusCode.UNAVAILABLE, "the server is going away");
        }
        if (adapter == null)
        {
            return refuse(correlationId, serviceId, methodId, StatusCode.UNIMPLEMENTED,
                "no service with id " + serviceId + " here");
        }
        if (timeoutNs <= 0)
        {
            core.counters().deadlineExpired();
            return refuse(correlationId, serviceId, methodId, StatusCode.DEADLINE_EXCEEDED,
                "the request had expired when it arrived");
        }
        long deadlineNs = FrameHeader.NO_TIMEOUT;
        if (timeoutNs < Limits.LONGEST_TIMEOUT_NS)
        {
            if (isTaken && !core.isArrivalTimed())
            {
                calls.deferDeadline(correlationId, timeoutNs);
            }
            else
            {
                // read anew: a handler of an earlier request of this cycle may have taken longer than this timeout
                deadlineNs = core.clock().nanoTime() + timeoutNs;
                core.noteTimer(deadlineNs);
            }
        }
        slots.occupy(slot, correlationId, serviceId, methodId, deadlineNs, isTaken ? adapter : null);
        core.counters().callStarted();
        return true;
    }

    /**
     * Ends a call that is not taken in.
     *
     * @return false.
     */
    private boolean refuse(
        final long correlationId, final int serviceId, final int methodId, final StatusCode code, final String text)
    {
        core.counters().callStarted();
        core.counters().callEnded(code);
        session.sendError(
            correlationId, serviceId, methodId, code, text, null, 0, FrameFlags.NOT_STARTED, null, null, 0);
        return false;
    }

    private void onPart(
        final int slot,
        final long correlationId,
        final int flags,
        final DirectBuffer buffer,
        final int frameOffset)
    {
        final int result = assemblies.add(
            correlationId, flags, buffer, FrameHeader.payloadOffset(buffer, frameOffset),
            FrameHeader.payloadLength(buffer, frameOffset));
        final int metadataLength = FrameHeader.metadataLength(buffer, frameOffset);
        if (metadataLength > 0 && (flags & FrameFlags.FIRST) != 0)
        {
            assemblies.addMetadata(correlationId, buffer, frameOffset + FrameHeader.LENGTH, metadataLength);
        }
        switch (result)
        {
            case Assemblies.COMPLETE ->
            {
                slots.owner(slot, core.service(slots.serviceId(slot)));
                receive(
                    slot, correlationId, flags, metadata(assemblies.metadata(), 0, assemblies.metadataLength()),
                    assemblies.buffer(), 0, assemblies.length());
                assemblies.drop(correlationId);
            }
            case Assemblies.TOO_LONG ->
            {
                core.counters().messageTooLong();
                calls.fail(
                    correlationId, StatusCode.RESOURCE_EXHAUSTED,
                    "the request exceeds the limit of " + core.context().maxMessageLength() + " bytes",
                    null, 0, null, -1);
            }
            case Assemblies.NO_ROOM -> calls.fail(
                correlationId, StatusCode.RESOURCE_EXHAUSTED,
                "the long requests of this connection exceed the limit of " + core.context().maxAssemblyBytes() +
                " bytes together", null, 0);
            // a service may have the call already, so it can't just be failed: the end of the connection tells all
            case Assemblies.UNKNOWN -> session.protocolError(
                "a further part of a REQUEST that is whole, correlation id " + correlationId);
            default ->
            {
                // more is to come
            }
        }
    }

    private Metadata metadata(final DirectBuffer buffer, final int offset, final int length)
    {
        if (length == 0)
        {
            return null;
        }
        received.wrap(buffer, offset, length);
        return received;
    }

    private void receive(
        final int slot,
        final long correlationId,
        final int flags,
        final Metadata metadata,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        if (!PayloadDecoder.isCoded(flags))
        {
            calls.dispatch(slot, correlationId, metadata, buffer, offset, length);
            return;
        }
        final PayloadDecoder decoder = core.decoder();
        final RpcException failure = decoder.decode(flags, buffer, offset, length);
        if (failure != null)
        {
            // no service has seen it
            slots.owner(slot, null);
            calls.fail(correlationId, failure.code(), failure.text(), null, 0);
            return;
        }
        calls.dispatch(slot, correlationId, metadata, decoder.buffer(), decoder.offset(), decoder.length());
        decoder.release();
    }

    private int maxLength(final int flags)
    {
        return CodedPayload.maxLength(core.context().maxMessageLength(), flags);
    }

    private String tooLongText(final int length)
    {
        return "the request of " + length + " bytes exceeds the limit of " + core.context().maxMessageLength() +
            " bytes";
    }
}
