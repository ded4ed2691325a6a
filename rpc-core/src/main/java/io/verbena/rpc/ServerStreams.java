/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import io.verbena.rpc.protocol.CodedPayload;
import io.verbena.rpc.protocol.FrameFlags;
import io.verbena.rpc.protocol.FrameHeader;
import java.util.ArrayDeque;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The streams of one connection at the server: takes items, grants and half-closes in, and tells services how streams
 * end. Server's thread alone.
 * <p>
 * Design note: a service is told of a stream's end from the duty cycle, never from within a method of
 * {@link ServerCall}: so the end is the last that it hears, and never comes while it is at work on that call.
 */
final class ServerStreams
{
    private final ServerCore core;
    private final ServerSession session;
    private final ServerCalls calls;
    private final StreamTable table;
    private final ArrayDeque<StreamCall> ended = new ArrayDeque<>();

    ServerStreams(final ServerCore core, final ServerSession session, final ServerCalls calls)
    {
        final RpcServer.Context context = core.context();
        this.core = core;
        this.session = session;
        this.calls = calls;
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
     * A call that streams is about to be given to its service.
     *
     * @param length of its request in bytes.
     * @return false if it makes no sense: the call has ended.
     */
    boolean begin(
        final int slot,
        final long correlationId,
        final int methodId,
        final MethodKind kind,
        final ServiceAdapter adapter,
        final int length)
    {
        if (kind.isClientStreaming() && length != 0)
        {
            calls.slots().owner(slot, null);
            fail(correlationId, StatusCode.INTERNAL,
                "the client sent a request of " + length + " bytes to a method that takes a stream of them");
            return false;
        }
        final boolean isGrantAutomatic = !kind.isClientStreaming() || adapter.isGrantAutomatic(methodId);
        final StreamCall stream = table.begin(
            slot, correlationId, calls.slots().serviceId(slot), methodId, kind, isGrantAutomatic, null);
        stream.adapter(adapter);
        if (!kind.isClientStreaming())
        {
            stream.closeReceive();
        }
        return true;
    }

    /**
     * A call is being ended; the service will be told, if it streams.
     *
     * @return whether it streams.
     */
    boolean end(final int slot, final StatusCode status)
    {
        final StreamCall stream = table.end(slot, status);
        if (stream == null)
        {
            return false;
        }
        ended.add(stream);
        return true;
    }

    boolean hasWork()
    {
        return table.hasWork() || !ended.isEmpty();
    }

    int doWork(final Link link)
    {
        int work = table.doWork(link);
        if (!ended.isEmpty())
        {
            work += fireEnded();
        }
        return work;
    }

    /**
     * As {@link #fireEnded()}, at little cost where there are none.
     */
    void tellEnded()
    {
        if (!ended.isEmpty())
        {
            fireEnded();
        }
    }

    /**
     * Tells services of the streams that have ended.
     *
     * @return their number.
     */
    int fireEnded()
    {
        int count = 0;
        StreamCall stream;
        while ((stream = ended.poll()) != null)
        {
            count++;
            try
            {
                stream.adapter().onEnded(
                    session.connectionId(), stream.endedId(), stream.methodId(), stream.attachment(),
                    stream.endStatus());
            }
            catch (final Throwable ex)
            {
                core.onHandlerFailure(ex);
            }
            core.closeOpenCall();
            stream.endStatus(null);
            stream.releaseIfUnused();
        }
        return count;
    }

    /**
     * The connection is gone, and all calls have ended.
     */
    void dispose()
    {
        fireEnded();
        table.dispose();
    }

    void onItem(final DirectBuffer buffer, final int frameOffset)
    {
        final long correlationId = FrameHeader.correlationId(buffer, frameOffset);
        final int length = FrameHeader.payloadLength(buffer, frameOffset);
        final boolean isCovered = table.onReceived(length);
        final int slot = calls.slots().find(correlationId);
        if (slot < 0)
        {
            // the call has ended
            return;
        }
        final StreamCall stream = table.at(slot);
        if (stream == null || stream.isReceiveClosed())
        {
            breach(correlationId, stream == null || !stream.kind().isClientStreaming() ?
                "the client sent an item of a stream to a method that takes one request" :
                "the client sent an item after it half-closed");
            return;
        }
        final int flags = FrameHeader.flags(buffer, frameOffset);
        if (!isCovered || (flags & FrameFlags.FIRST) != 0 && !stream.mayReceive())
        {
            core.counters().flowControlError();
            fail(correlationId, StatusCode.INTERNAL, StreamFrames.flowControlText(stream, isCovered));
            return;
        }
        final int offset = FrameHeader.payloadOffset(buffer, frameOffset);
        stream.onBytes(length);
        if (!FrameFlags.isWhole(flags))
        {
            onPart(stream, flags, buffer, offset, length);
        }
        else if (length > CodedPayload.maxLength(core.context().maxMessageLength(), flags))
        {
            failTooLong(correlationId);
        }
        else
        {
            stream.onItemBegins();
            receive(stream, flags, buffer, offset, length);
        }
    }

    void onHalfClose(final DirectBuffer buffer, final int frameOffset)
    {
        final long correlationId = FrameHeader.correlationId(buffer, frameOffset);
        final int slot = calls.slots().find(correlationId);
        if (slot < 0)
        {
            return;
        }
        final StreamCall stream = table.at(slot);
        if (stream == null || stream.isReceiveClosed())
        {
            breach(correlationId, "the client half-closed a call that has no stream of requests, or twice");
            return;
        }
        if (calls.assemblies().isJoining(correlationId))
        {
            breach(correlationId, "the client half-closed in the middle of an item");
            return;
        }
        stream.closeReceive();
        final ServerCall call = flyweight(stream);
        final CallScope.Current scope = core.scope();
        final ServerCall formerHandled = scope.handled();
        final CallScope formerScope = scope.top();
        scope.handle(call);
        try
        {
            stream.adapter().onHalfClosed(call, stream.methodId());
        }
        catch (final Throwable failure)
        {
            core.failByHandler(call, failure);
        }
        core.closeOpenCall();
        scope.restore(formerHandled, formerScope);
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
        final long correlationId = FrameHeader.correlationId(buffer, frameOffset);
        final int slot = calls.slots().find(correlationId);
        if (slot >= 0)
        {
            final String failure = table.onCredit(table.at(slot), buffer, frameOffset);
            if (failure != null)
            {
                breach(correlationId, failure);
            }
        }
        return null;
    }

    private void onPart(
        final StreamCall stream, final int flags, final DirectBuffer buffer, final int offset, final int length)
    {
        final long correlationId = stream.correlationId();
        final Assemblies assemblies = calls.assemblies();
        if ((flags & FrameFlags.FIRST) != 0)
        {
            stream.onItemBegins();
        }
        switch (assemblies.add(correlationId, flags, buffer, offset, length))
        {
            case Assemblies.COMPLETE ->
            {
                // taken out first: the handler may end its call and go on to read
                final int itemLength = assemblies.length();
                final UnsafeBuffer item = assemblies.take(correlationId);
                receive(stream, flags, item, 0, itemLength);
                assemblies.release(item);
            }
            case Assemblies.TOO_LONG -> failTooLong(correlationId);
            case Assemblies.NO_ROOM -> fail(
                correlationId, StatusCode.RESOURCE_EXHAUSTED, "the long messages of this connection exceed the limit " +
                "of " + core.context().maxAssemblyBytes() + " bytes together");
            case Assemblies.UNKNOWN -> breach(correlationId, "a part of an item is missing");
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
        final StreamCall stream, final int flags, final DirectBuffer buffer, final int offset, final int length)
    {
        final long correlationId = stream.correlationId();
        if (PayloadDecoder.isCoded(flags))
        {
            final PayloadDecoder decoder = core.decoder();
            final RpcException failure = decoder.decode(flags, buffer, offset, length);
            if (failure != null)
            {
                fail(correlationId, failure.code(), failure.text());
                return;
            }
            deliver(stream, decoder.buffer(), decoder.offset(), decoder.length());
            decoder.release();
        }
        else
        {
            deliver(stream, buffer, offset, length);
        }
        if (stream.correlationId() == correlationId)
        {
            table.onTaken(stream, length);
        }
    }

    private void deliver(
        final StreamCall stream, final DirectBuffer buffer, final int offset, final int length)
    {
        final long correlationId = stream.correlationId();
        core.counters().itemReceived();
        final ServerHooks hooks = calls.hooks();
        if (hooks != null)
        {
            final RpcException failure =
                hooks.tell(CallHooks.Event.ITEM_RECEIVED, correlationId, buffer, offset, length);
            if (failure != null)
            {
                fail(correlationId, failure.code(), failure.text());
                return;
            }
            if (!calls.isOpen(correlationId))
            {
                // an interceptor has ended it by a call that it kept
                return;
            }
        }
        final ServerCall call = flyweight(stream);
        final CallScope.Current scope = core.scope();
        final ServerCall formerHandled = scope.handled();
        final CallScope formerScope = scope.top();
        scope.handle(call);
        try
        {
            stream.adapter().onItem(call, stream.methodId(), buffer, offset, length);
        }
        catch (final Throwable failure)
        {
            core.failByHandler(call, failure);
        }
        core.closeOpenCall();
        scope.restore(formerHandled, formerScope);
    }

    private void fireReady(final StreamCall stream)
    {
        final ServerCall call = flyweight(stream);
        final CallScope.Current scope = core.scope();
        final ServerCall formerHandled = scope.handled();
        final CallScope formerScope = scope.top();
        scope.handle(call);
        try
        {
            stream.adapter().onReady(call, stream.methodId());
        }
        catch (final Throwable failure)
        {
            core.failByHandler(call, failure);
        }
        core.closeOpenCall();
        scope.restore(formerHandled, formerScope);
    }

    private ServerCall flyweight(final StreamCall stream)
    {
        return core.flyweight().set(session, stream.correlationId(), stream.serviceId(), stream.methodId(), null);
    }

    private void fail(final long correlationId, final StatusCode code, final String text)
    {
        calls.endByClient(correlationId, code, text);
    }

    /**
     * Ends a call whose client breaks the protocol.
     */
    private void breach(final long correlationId, final String text)
    {
        core.counters().protocolError();
        fail(correlationId, StatusCode.INTERNAL, text);
    }

    private void failTooLong(final long correlationId)
    {
        core.counters().messageTooLong();
        fail(
            correlationId, StatusCode.RESOURCE_EXHAUSTED,
            "an item exceeds the limit of " + core.context().maxMessageLength() + " bytes");
    }
}
