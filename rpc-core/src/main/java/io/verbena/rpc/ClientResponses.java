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
 * Takes the responses of one channel in: finds their calls, joins those of several frames, checks and decompresses, and
 * gives them to interceptors and handlers. Client's thread alone.
 */
final class ClientResponses
{
    private final ClientCore core;
    private final ClientCalls calls;
    private final CallTable table;
    private final ClientStreams streams;
    private final Assemblies assemblies;
    private final ClientHooks hooks;
    private final ResponseInfo info;
    private final int maxMessageLength;

    ClientResponses(final ClientCore core, final ClientCalls calls)
    {
        this.core = core;
        this.calls = calls;
        this.table = calls.table();
        this.streams = calls.streams();
        this.assemblies = calls.assemblies();
        this.hooks = calls.hooks();
        this.info = calls.info();
        this.maxMessageLength = core.context().maxMessageLength();
    }

    void onResponse(final DirectBuffer buffer, final int frameOffset)
    {
        final long correlationId = FrameHeader.correlationId(buffer, frameOffset);
        final int flags = FrameHeader.flags(buffer, frameOffset);
        final int offset = FrameHeader.payloadOffset(buffer, frameOffset);
        final int length = FrameHeader.payloadLength(buffer, frameOffset);
        final int slot = table.find(correlationId);
        if (slot < 0)
        {
            // late: the call has ended by deadline or cancel, or was of an earlier incarnation
            core.onStaleResponse();
        }
        else if (streams.isInUse() && streams.refusesResponse(slot))
        {
            calls.breach(slot, "the server sent a response to a call that expects a stream of them");
        }
        else if (!FrameFlags.isWhole(flags))
        {
            onPart(slot, correlationId, flags, buffer, frameOffset);
        }
        else if (length > CodedPayload.maxLength(maxMessageLength, flags))
        {
            core.counters().messageTooLong();
            calls.fail(slot, StatusCode.RESOURCE_EXHAUSTED, tooLongText());
        }
        else
        {
            info.set(buffer, frameOffset);
            receive(slot, correlationId, flags, buffer, offset, length);
        }
    }

    private void onPart(
        final int slot,
        final long correlationId,
        final int flags,
        final DirectBuffer buffer,
        final int frameOffset)
    {
        switch (calls.addPart(correlationId, buffer, frameOffset))
        {
            case Assemblies.COMPLETE ->
            {
                info.set(assemblies, buffer, frameOffset);
                receive(slot, correlationId, flags, assemblies.buffer(), 0, assemblies.length());
                assemblies.drop(correlationId);
            }
            case Assemblies.TOO_LONG ->
            {
                core.counters().messageTooLong();
                calls.abandon(slot, StatusCode.RESOURCE_EXHAUSTED, tooLongText());
            }
            case Assemblies.NO_ROOM -> calls.abandon(
                slot, StatusCode.RESOURCE_EXHAUSTED, "the long responses of this connection exceed the limit of " +
                core.context().maxAssemblyBytes() + " bytes together");
            case Assemblies.UNKNOWN -> calls.fail(slot, StatusCode.INTERNAL, "a part of the response is missing");
            default ->
            {
                // more is to come
            }
        }
    }

    private void receive(
        final int slot,
        final long correlationId,
        final int flags,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        if (!PayloadDecoder.isCoded(flags))
        {
            deliver(slot, correlationId, buffer, offset, length);
            return;
        }
        final PayloadDecoder decoder = core.decoder();
        final RpcException failure = decoder.decode(flags, buffer, offset, length);
        if (failure != null)
        {
            calls.fail(slot, failure.code(), failure.text());
            return;
        }
        deliver(slot, correlationId, decoder.buffer(), decoder.offset(), decoder.length());
        decoder.release();
    }

    private void deliver(
        final int slot, final long correlationId, final DirectBuffer buffer, final int offset, final int length)
    {
        if (hooks != null && !intercept(slot, correlationId, buffer, offset, length))
        {
            return;
        }
        final ResponseHandler handler = table.owner(slot);
        final int methodId = table.methodId(slot);
        calls.finish(slot);
        try
        {
            handler.onResponse(correlationId, methodId, buffer, offset, length);
        }
        catch (final Throwable ex)
        {
            core.onHandlerFailure(ex);
        }
        info.clear();
    }

    /**
     * Tells the interceptors of a response and the end of its call.
     *
     * @return false if the call has ended otherwise, or the interceptors have ended it.
     */
    private boolean intercept(
        final int slot, final long correlationId, final DirectBuffer buffer, final int offset, final int length)
    {
        final RpcException failure = hooks.tell(CallHooks.Event.RESPONSE, correlationId, buffer, offset, length);
        if (table.correlationId(slot) != correlationId)
        {
            return false;
        }
        if (failure != null)
        {
            calls.fail(slot, failure.code(), failure.text());
            return false;
        }
        hooks.onEnd(correlationId, StatusCode.OK, "", info.metadata());
        return table.correlationId(slot) == correlationId;
    }

    private String tooLongText()
    {
        return "the response exceeds the limit of " + maxMessageLength + " bytes";
    }
}
