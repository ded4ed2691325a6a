/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import io.verbena.rpc.protocol.CodedPayload;
import io.verbena.rpc.protocol.FrameFlags;
import io.verbena.rpc.protocol.FrameHeader;
import io.verbena.rpc.protocol.FrameType;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The streams of one channel: takes items, grants and the ends of streams in. Agent's thread alone.
 * <p>
 * Design note: a handler may do anything to the channel and its calls. So nothing here relies, after a handler has run,
 * on what was so before: an ended stream's object no longer has its call's id.
 */
final class ClientStreams
{
    private final ClientCore core;
    private final ClientCalls calls;
    private final StreamTable table;
    private final int maxMessageLength;

    ClientStreams(final ClientCore core, final ClientCalls calls)
    {
        final RpcClient.Context context = core.context();
        this.core = core;
        this.calls = calls;
        this.maxMessageLength = context.maxMessageLength();
        this.table = new StreamTable(core.streamPool(), context.maxCallsInFlight(), context, this::fireReady);
    }

    StreamTable table()
    {
        return table;
    }

    boolean isInUse()
    {
        return table.isInUse();
    }

    /**
     * The handshake is over.
     */
    void attach(
        final Link link, final int incarnation, final int peerItems, final int peerBytes, final long connectionBytes)
    {
        table.attach(link, incarnation, peerItems, peerBytes, connectionBytes);
    }

    /**
     * The connection is gone, and all calls have ended.
     */
    void detach()
    {
        table.detach();
    }

    int doWork(final Link link)
    {
        return table.doWork(link);
    }

    /**
     * A call that streams was entered in the table of calls.
     */
    StreamCall begin(
        final long correlationId,
        final int serviceId,
        final int methodId,
        final MethodKind kind,
        final boolean isGrantAutomatic,
        final StreamHandler handler)
    {
        final StreamCall stream = table.begin(
            CallSlots.slot(correlationId), correlationId, serviceId, methodId, kind, isGrantAutomatic, handler);
        if (!kind.isClientStreaming())
        {
            stream.closeSend();
        }
        return stream;
    }

    /**
     * The stream of a call in flight.
     *
     * @return it, or null if the call has ended.
     * @throws IllegalStateException if the call does not stream.
     */
    StreamCall find(final long correlationId)
    {
        final int slot = calls.table().find(correlationId);
        if (slot < 0)
        {
            return null;
        }
        final StreamCall stream = table.at(slot);
        if (stream == null)
        {
            throw new IllegalStateException("call " + correlationId + " does not stream");
        }
        return stream;
    }

    /**
     * A call is being ended.
     */
    void end(final int slot)
    {
        table.end(slot, null);
    }

    /**
     * The server has ended a call well: what was not sent of it would be for nobody.
     */
    void dropQueued(final int slot)
    {
        final StreamCall stream = table.at(slot);
        if (stream != null && stream.queued() != null)
        {
            table.link().outbox().drop(stream.correlationId());
        }
    }

    /**
     * Whether a RESPONSE makes no sense: only a client stream ends by one.
     */
    boolean refusesResponse(final int slot)
    {
        final StreamCall stream = table.at(slot);
        return stream != null && stream.kind().isServerStreaming();
    }

    void onItem(final DirectBuffer buffer, final int frameOffset)
    {
        final long correlationId = FrameHeader.correlationId(buffer, frameOffset);
        final int length = FrameHeader.payloadLength(buffer, frameOffset);
        final boolean isCovered = table.onReceived(length);
        final int slot = calls.table().find(correlationId);
        if (slot < 0)
        {
            core.onStaleResponse();
            return;
        }
        final StreamCall stream = table.at(slot);
        if (stream == null || !stream.kind().isServerStreaming())
        {
            calls.breach(slot, "the server sent an item of a stream to a call that expects one response");
            return;
        }
        final int flags = FrameHeader.flags(buffer, frameOffset);
        if (!isCovered || (flags & FrameFlags.FIRST) != 0 && !stream.mayReceive())
        {
            core.counters().flowControlError();
            calls.abandon(slot, StatusCode.INTERNAL, StreamFrames.flowControlText(stream, isCovered));
            return;
        }
        final int offset = FrameHeader.payloadOffset(buffer, frameOffset);
        stream.onBytes(length);
        if (!FrameFlags.isWhole(flags))
        {
            onPart(stream, slot, flags, buffer, frameOffset);
        }
        else if (length > CodedPayload.maxLength(maxMessageLength, flags))
        {
            abandonTooLong(slot);
        }
        else
        {
            stream.onItemBegins();
            calls.info().set(buffer, frameOffset);
            receive(stream, correlationId, flags, buffer, offset, length);
        }
    }

    /**
     * Takes a CREDIT frame.
     *
     * @return null, or what is wrong with the connection.
     */
    String onCredit(final DirectBuffer buffer, final int frameOffset)
    {
        final String malformed = StreamFrames.malformedCredit(buffer, frameOffset);
        if (malformed != null)
        {
            return malformed;
        }
        if (table.isConnectionCredit(buffer, frameOffset))
        {
            return table.onConnectionCredit(buffer, frameOffset) ? null : StreamFrames.NO_GRANT;
        }
        final int slot = calls.table().find(FrameHeader.correlationId(buffer, frameOffset));
        if (slot >= 0)
        {
            final String failure = table.onCredit(table.at(slot), buffer, frameOffset);
            if (failure != null)
            {
                calls.breach(slot, failure);
            }
        }
        return null;
    }

    /**
     * Takes a frame that came after the channel was closed.
     */
    void onFrameWhenClosed(final DirectBuffer buffer, final int frameOffset, final int length)
    {
        if (FrameHeader.isWellFormed(buffer, frameOffset, length) &&
            FrameHeader.frameType(buffer, frameOffset) == FrameType.CREDIT &&
            StreamFrames.malformedCredit(buffer, frameOffset) == null &&
            table.isConnectionCredit(buffer, frameOffset))
        {
            table.onConnectionCredit(buffer, frameOffset);
        }
    }

    /**
     * Takes the server's HALF_CLOSE, the good end of a stream of responses.
     */
    void onCompleted(final DirectBuffer buffer, final int frameOffset)
    {
        final long correlationId = FrameHeader.correlationId(buffer, frameOffset);
        final int slot = calls.table().find(correlationId);
        if (slot < 0)
        {
            core.onStaleResponse();
            return;
        }
        final StreamCall stream = table.at(slot);
        if (stream == null || !stream.kind().isServerStreaming())
        {
            calls.breach(slot, "the server ended a stream where the call expects one response");
            return;
        }
        if (calls.assemblies().isJoining(correlationId))
        {
            calls.assemblies().drop(correlationId);
            calls.breach(slot, "the stream ended in the middle of an item");
            return;
        }
        final StreamHandler handler = stream.handler();
        final int methodId = stream.methodId();
        calls.info().set(buffer, frameOffset);
        calls.finish(slot);
        if (calls.hooks() != null)
        {
            calls.hooks().onEnd(correlationId, StatusCode.OK, "", calls.info().metadata());
        }
        try
        {
            handler.onCompleted(correlationId, methodId);
        }
        catch (final Throwable ex)
        {
            core.onHandlerFailure(ex);
        }
        calls.info().clear();
    }

    private void onPart(
        final StreamCall stream,
        final int slot,
        final int flags,
        final DirectBuffer buffer,
        final int frameOffset)
    {
        final long correlationId = stream.correlationId();
        final Assemblies assemblies = calls.assemblies();
        if ((flags & FrameFlags.FIRST) != 0)
        {
            stream.onItemBegins();
        }
        switch (calls.addPart(correlationId, buffer, frameOffset))
        {
            case Assemblies.COMPLETE ->
            {
                // taken out first: the handler may end its call and go on to read
                final int itemLength = assemblies.length();
                calls.info().set(assemblies, buffer, frameOffset);
                final UnsafeBuffer item = assemblies.take(correlationId);
                receive(stream, correlationId, flags, item, 0, itemLength);
                assemblies.release(item);
            }
            case Assemblies.TOO_LONG -> abandonTooLong(slot);
            case Assemblies.NO_ROOM -> calls.abandon(
                slot, StatusCode.RESOURCE_EXHAUSTED, "the long items of this connection exceed the limit of " +
                core.context().maxAssemblyBytes() + " bytes together");
            case Assemblies.UNKNOWN -> calls.breach(slot, "a part of an item is missing");
            default ->
            {
                // more is to come
            }
        }
    }

    /**
     * Takes a whole item; its credit counts as it came, before it is decompressed.
     */
    private void receive(
        final StreamCall stream,
        final long correlationId,
        final int flags,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        if (PayloadDecoder.isCoded(flags))
        {
            final PayloadDecoder decoder = core.decoder();
            final RpcException failure = decoder.decode(flags, buffer, offset, length);
            if (failure != null)
            {
                abandon(correlationId, failure);
                return;
            }
            deliver(stream, correlationId, decoder.buffer(), decoder.offset(), decoder.length());
            decoder.release();
        }
        else
        {
            deliver(stream, correlationId, buffer, offset, length);
        }
        calls.info().clear();
        if (stream.correlationId() == correlationId)
        {
            table.onTaken(stream, length);
        }
    }

    private void abandon(final long correlationId, final RpcException failure)
    {
        final int slot = calls.table().find(correlationId);
        if (slot >= 0)
        {
            calls.abandon(slot, failure.code(), failure.text());
        }
    }

    private void deliver(
        final StreamCall stream,
        final long correlationId,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        core.counters().itemReceived();
        final ClientHooks hooks = calls.hooks();
        if (hooks != null)
        {
            final RpcException failure =
                hooks.tell(CallHooks.Event.ITEM_RECEIVED, correlationId, buffer, offset, length);
            if (failure != null || stream.correlationId() != correlationId)
            {
                if (failure != null)
                {
                    abandon(correlationId, failure);
                }
                return;
            }
        }
        try
        {
            stream.handler().onItem(correlationId, stream.methodId(), buffer, offset, length);
        }
        catch (final Throwable failure)
        {
            failByHandler(correlationId, failure);
        }
    }

    private void fireReady(final StreamCall stream)
    {
        final long correlationId = stream.correlationId();
        try
        {
            stream.handler().onReady(correlationId, stream.methodId());
        }
        catch (final Throwable failure)
        {
            failByHandler(correlationId, failure);
        }
    }

    /**
     * A handler that lost an item can't go on as if nothing had happened: its call ends, then the error handler is
     * told.
     */
    private void failByHandler(final long correlationId, final Throwable failure)
    {
        final int slot = calls.table().find(correlationId);
        if (slot >= 0)
        {
            calls.abandon(slot, StatusCode.INTERNAL, "the handler failed: " + Limits.describe(failure));
        }
        core.onHandlerFailure(failure);
    }

    private void abandonTooLong(final int slot)
    {
        core.counters().messageTooLong();
        calls.abandon(
            slot, StatusCode.RESOURCE_EXHAUSTED, "an item exceeds the limit of " + maxMessageLength + " bytes");
    }
}
