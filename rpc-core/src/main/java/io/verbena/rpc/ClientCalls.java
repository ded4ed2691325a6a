/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import io.verbena.rpc.protocol.ErrorPayload;
import io.verbena.rpc.protocol.FrameFlags;
import io.verbena.rpc.protocol.FrameHeader;
import io.verbena.rpc.protocol.FrameType;
import org.agrona.DirectBuffer;
import org.agrona.collections.LongHashSet;

/**
 * The calls in flight of one channel: matches answers to them and ends each exactly once. Agent's thread alone, but for
 * the number of calls.
 * <p>
 * Design note: a handler may do anything to the channel, closing it included, and may throw anything. So a call is out
 * of the table before its handler runs, and nothing a handler throws keeps the others from their ends.
 */
final class ClientCalls
{
    private static final String CANCELLED_TEXT = "cancelled by the caller";

    private final ClientCore core;
    private final CallTable table;
    private final ClientStreams streams;
    private final Assemblies assemblies;
    private final ClientResponses responses;
    private final LongHashSet unsent = new LongHashSet();
    private final ClientHooks hooks;
    private final ResponseInfo info = new ResponseInfo();
    private Link link;

    ClientCalls(final ClientCore core)
    {
        final RpcClient.Context context = core.context();
        this.core = core;
        this.table = new CallTable(context.maxCallsInFlight());
        this.streams = new ClientStreams(core, this);
        this.assemblies = new Assemblies(core.pool(), context.maxMessageLength(), context.maxAssemblyBytes());
        this.hooks = ClientHooks.of(core);
        this.responses = new ClientResponses(core, this);
    }

    ClientResponses responses()
    {
        return responses;
    }

    /**
     * The interceptors, or null if there are none.
     */
    ClientHooks hooks()
    {
        return hooks;
    }

    /**
     * What came with the end or item that is being told.
     */
    ResponseInfo info()
    {
        return info;
    }

    CallTable table()
    {
        return table;
    }

    ClientStreams streams()
    {
        return streams;
    }

    Assemblies assemblies()
    {
        return assemblies;
    }

    /**
     * There is a connection.
     */
    void attach(final Link newLink)
    {
        link = newLink;
    }

    /**
     * The connection is gone, and with it what was being joined.
     */
    void detach()
    {
        link.outbox().unsentRequests(unsent);
        link = null;
        assemblies.clear();
    }

    /**
     * Takes an ERROR frame.
     *
     * @return false if it makes no sense.
     */
    boolean onError(final DirectBuffer buffer, final int frameOffset)
    {
        final long correlationId = FrameHeader.correlationId(buffer, frameOffset);
        final int flags = FrameHeader.flags(buffer, frameOffset);
        final int offset = FrameHeader.payloadOffset(buffer, frameOffset);
        final int length = FrameHeader.payloadLength(buffer, frameOffset);
        final StatusCode code = StatusCode.of(FrameHeader.status(buffer, frameOffset));
        final int slot = table.find(correlationId);
        if (slot < 0)
        {
            core.onStaleResponse();
            return true;
        }
        if (FrameFlags.isWhole(flags))
        {
            // a response that was being joined is void
            assemblies.drop(correlationId);
            info.set(buffer, frameOffset);
            return deliverError(slot, code, flags, buffer, offset, length);
        }
        switch (addPart(correlationId, buffer, frameOffset))
        {
            case Assemblies.COMPLETE ->
            {
                info.set(assemblies, buffer, frameOffset);
                final boolean isSound =
                    deliverError(slot, code, flags, assemblies.buffer(), 0, assemblies.length());
                // only now: its detail lay there
                assemblies.drop(correlationId);
                return isSound;
            }
            case Assemblies.TOO_LONG, Assemblies.NO_ROOM -> fail(
                slot, code == StatusCode.OK ? StatusCode.UNKNOWN : code,
                "the error's detail exceeds the limits of this side and is lost");
            case Assemblies.UNKNOWN -> fail(slot, StatusCode.INTERNAL, "a part of the error is missing");
            default ->
            {
                // more is to come
            }
        }
        return true;
    }

    /**
     * Gives up a call.
     *
     * @return false if it has ended already.
     */
    boolean cancel(final long correlationId)
    {
        return cancel(correlationId, CANCELLED_TEXT);
    }

    /**
     * Gives up a call.
     *
     * @param text for its handler.
     * @return false if it has ended already.
     */
    boolean cancel(final long correlationId, final String text)
    {
        return cancel(correlationId, StatusCode.CANCELLED, text);
    }

    /**
     * Gives up a call with a status of this side's.
     *
     * @param code for its handler.
     * @param text for its handler.
     * @return false if it has ended already.
     */
    boolean cancel(final long correlationId, final StatusCode code, final String text)
    {
        final int slot = table.find(correlationId);
        if (slot < 0)
        {
            return false;
        }
        if (code == StatusCode.CANCELLED)
        {
            core.counters().callCancelled();
        }
        withdraw(slot, true, 0);
        fail(slot, code, text);
        return true;
    }

    /**
     * Gives up a call whose handler needs not be told.
     */
    void cancelQuietly(final long correlationId)
    {
        final int slot = table.find(correlationId);
        if (slot >= 0)
        {
            core.counters().callCancelled();
            withdraw(slot, true, 0);
            end(slot, StatusCode.CANCELLED);
            if (hooks != null)
            {
                hooks.onEnd(correlationId, StatusCode.CANCELLED, CANCELLED_TEXT);
            }
        }
    }

    /**
     * Ends calls whose deadlines have passed.
     *
     * @return a count of work done.
     */
    int expire(final long nowNs)
    {
        int work = 0;
        if (table.isExpiryDue(nowNs))
        {
            table.beginExpiry();
            int slot = -1;
            while ((slot = table.nextExpired(slot + 1, nowNs)) >= 0)
            {
                // a server that has the whole request ends the call by its own clock, without being told
                core.counters().deadlineExpired();
                withdraw(slot, false, 0);
                fail(slot, StatusCode.DEADLINE_EXCEEDED, "no response within the call's timeout");
                work++;
            }
        }
        return work;
    }

    void failAll(final StatusCode code, final String text)
    {
        int slot = -1;
        while ((slot = table.next(slot + 1)) >= 0)
        {
            fail(slot, code, text);
        }
        unsent.clear();
    }

    /**
     * Ends a call with an error of this side's, and tells the server.
     */
    void abandon(final int slot, final StatusCode code, final String text)
    {
        withdraw(slot, true, code.value());
        fail(slot, code, text);
    }

    /**
     * Ends a call whose server breaks the protocol.
     */
    void breach(final int slot, final String text)
    {
        core.counters().protocolError();
        abandon(slot, StatusCode.INTERNAL, text);
    }

    /**
     * Takes a call out; its handler is the caller's to tell.
     */
    private void end(final int slot, final StatusCode status)
    {
        core.counters().callEnded(status);
        if (streams.isInUse())
        {
            streams.end(slot);
        }
        table.end(slot);
    }

    /**
     * Takes a call out that the server has ended well.
     */
    void finish(final int slot)
    {
        core.counters().callEnded(StatusCode.OK);
        if (streams.isInUse())
        {
            streams.dropQueued(slot);
            streams.end(slot);
        }
        table.end(slot);
    }

    /**
     * Takes back what is left to send of a call, and tells the server where it may be at work on it.
     *
     * @param status that the server should take the call to have ended with; 0 for CANCELLED.
     */
    private void withdraw(final int slot, final boolean isToldAlways, final int status)
    {
        if (link != null)
        {
            final long correlationId = table.correlationId(slot);
            assemblies.drop(correlationId);
            final int dropped = link.outbox().drop(correlationId);
            if (dropped == Outbox.STARTED || dropped == Outbox.NOT_QUEUED && isToldAlways)
            {
                link.sendControl(FrameType.CANCEL, table.serviceId(slot), table.methodId(slot), correlationId, status);
            }
        }
    }

    private boolean deliverError(
        final int slot,
        final StatusCode code,
        final int flags,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        if (!ErrorPayload.isWellFormed(buffer, offset, length) || code == StatusCode.OK)
        {
            return false;
        }
        final ResponseHandler handler = table.owner(slot);
        final long correlationId = table.correlationId(slot);
        final int methodId = table.methodId(slot);
        final String text = ErrorPayload.text(buffer, offset);
        final String shownText = (flags & FrameFlags.CUT) != 0 ? text + " [cut]" : text;
        if (!link.outbox().isEmpty())
        {
            // refused before all of it was sent: the rest would be for nobody
            link.outbox().drop(correlationId);
        }
        end(slot, code);
        if (hooks != null)
        {
            hooks.onEnd(correlationId, code, shownText, info.metadata());
        }
        try
        {
            handler.onError(
                correlationId, methodId, code, shownText, buffer,
                offset + ErrorPayload.detailOffset(ErrorPayload.textLength(buffer, offset)),
                ErrorPayload.detailLength(buffer, offset));
        }
        catch (final Throwable ex)
        {
            core.onHandlerFailure(ex);
        }
        info.clear();
        return true;
    }

    /**
     * Adds a frame to the message that it is a part of, with the metadata that a first one may have.
     */
    int addPart(final long correlationId, final DirectBuffer buffer, final int frameOffset)
    {
        final int result = assemblies.add(
            correlationId, FrameHeader.flags(buffer, frameOffset), buffer,
            FrameHeader.payloadOffset(buffer, frameOffset), FrameHeader.payloadLength(buffer, frameOffset));
        final int metadataLength = FrameHeader.metadataLength(buffer, frameOffset);
        if (metadataLength > 0 && (FrameHeader.flags(buffer, frameOffset) & FrameFlags.FIRST) != 0)
        {
            assemblies.addMetadata(correlationId, buffer, frameOffset + FrameHeader.LENGTH, metadataLength);
        }
        return result;
    }

    /**
     * Ends a call that an interceptor does not let through.
     *
     * @param isSent whether the server may know of it.
     */
    void refuse(final long correlationId, final RpcException refusal, final boolean isSent)
    {
        final int slot = table.find(correlationId);
        if (slot >= 0)
        {
            if (isSent)
            {
                withdraw(slot, true, refusal.code().value());
            }
            fail(slot, refusal.code(), refusal.text());
        }
    }

    /**
     * Ends a call with an error that the server is not told of.
     */
    void fail(final int slot, final StatusCode code, final String text)
    {
        final ResponseHandler handler = table.owner(slot);
        final long correlationId = table.correlationId(slot);
        final int methodId = table.methodId(slot);
        info.clear();
        if (code == StatusCode.RESOURCE_EXHAUSTED)
        {
            // a limit of this side, which another try would meet again
            info.setPushbackNs(-1);
        }
        end(slot, code);
        if (!unsent.isEmpty() && unsent.contains(correlationId))
        {
            info.setNotStarted();
        }
        if (hooks != null)
        {
            hooks.onEnd(correlationId, code, text);
        }
        try
        {
            handler.onError(correlationId, methodId, code, text, null, 0, 0);
        }
        catch (final Throwable ex)
        {
            core.onHandlerFailure(ex);
        }
        info.clear();
    }
}
