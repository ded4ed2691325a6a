/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import io.verbena.rpc.protocol.FrameFlags;
import io.verbena.rpc.protocol.FrameHeader;
import org.agrona.DirectBuffer;

/**
 * The open calls of one connection at the server: dispatches their requests, ends calls by cancel,
 * deadline and disconnect. Each call that is not answered is reported to its adapter once. Server's thread alone.
 */
final class ServerCalls
{
    private final ServerCore core;
    private final ServerSession session;
    private final ServerStreams streams;
    private final Assemblies assemblies;
    private final CallSlots<ServiceAdapter> calls;
    private final ServerHooks hooks;
    private final ServerRequests requests;
    private final NestedSlots nested;
    private final ArrivalDeadline arrivalDeadline;

    ServerCalls(final ServerCore core, final ServerSession session)
    {
        final RpcServer.Context context = core.context();
        this.core = core;
        this.session = session;
        this.streams = new ServerStreams(core, session, this);
        this.assemblies = new Assemblies(core.pool(), context.maxMessageLength(), context.maxAssemblyBytes());
        this.calls = core.hasLanes() ? new LaneSlots(context.maxCallsInFlight()) :
            new CallSlots<>(context.maxCallsInFlight());
        this.nested = new NestedSlots(context.maxCallsInFlight());
        this.arrivalDeadline = new ArrivalDeadline(core, calls);
        this.hooks = ServerHooks.of(core);
        this.requests = new ServerRequests(core, session, this);
    }

    ServerRequests requests()
    {
        return requests;
    }

    ServerStreams streams()
    {
        return streams;
    }

    CallSlots<ServiceAdapter> slots()
    {
        return calls;
    }

    Assemblies assemblies()
    {
        return assemblies;
    }

    /**
     * The stream of an open call.
     *
     * @return it, or null if the call does not stream or has ended.
     */
    StreamCall stream(final long correlationId)
    {
        if (!streams.isInUse())
        {
            return null;
        }
        final int slot = calls.find(correlationId);
        return slot < 0 ? null : streams.table().at(slot);
    }

    int inFlight()
    {
        return calls.inFlight();
    }

    boolean isOpen(final long correlationId)
    {
        return calls.find(correlationId) >= 0;
    }

    long remainingNs(final long correlationId)
    {
        startDeadline();
        final int slot = calls.find(correlationId);
        if (slot < 0)
        {
            return 0;
        }
        final long deadlineNs = calls.deadlineNs(slot);
        return deadlineNs == FrameHeader.NO_TIMEOUT ? FrameHeader.NO_TIMEOUT :
            Math.max(0, deadlineNs - core.clock().nanoTime());
    }

    /**
     * See {@link ArrivalDeadline#start()}.
     */
    void startDeadline()
    {
        arrivalDeadline.start();
    }

    /**
     * See {@link ArrivalDeadline#defer(long, long)}.
     */
    void deferDeadline(final long correlationId, final long timeoutNs)
    {
        arrivalDeadline.defer(correlationId, timeoutNs);
    }

    /**
     * Gives the call that is being dispatched to another owner, who is told of its end.
     */
    void owner(final long correlationId, final ServiceAdapter owner)
    {
        calls.owner(calls.find(correlationId), owner);
        final StreamCall stream = stream(correlationId);
        if (stream != null)
        {
            stream.adapter(owner);
        }
    }

    /**
     * The deadline of an open call by the server's clock.
     */
    long deadlineNs(final long correlationId)
    {
        return calls.deadlineNs(calls.find(correlationId));
    }

    /**
     * Gives a service a request that has waited; the call must be open.
     */
    void resume(
        final long correlationId,
        final ServiceAdapter owner,
        final Metadata metadata,
        final DirectBuffer buffer,
        final int length)
    {
        give(calls.find(correlationId), correlationId, owner, metadata, buffer, 0, length);
    }

    /**
     * Tells the interceptors of a request that its service is about to be given.
     *
     * @return false if one of them has refused it: the call has ended.
     */
    boolean isLetThrough(
        final ServerCall call,
        final MethodKind kind,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        return hooks == null || hooks.onRequest(call, kind, buffer, offset, length);
    }

    /**
     * Ends an open call that its service has not been given.
     *
     * @param pushbackNs after which the client may try again.
     */
    void refuse(final long correlationId, final Refusal refusal, final long pushbackNs)
    {
        final int slot = calls.find(correlationId);
        final int serviceId = calls.serviceId(slot);
        final int methodId = calls.methodId(slot);
        answered(correlationId, refusal.code());
        refusal.send(session, correlationId, serviceId, methodId, pushbackNs);
    }

    /**
     * What is made on behalf of an open call.
     *
     * @return it, or null if the call has ended.
     */
    NestedCalls nested(final long correlationId)
    {
        startDeadline();
        final int slot = calls.find(correlationId);
        if (slot < 0)
        {
            return null;
        }
        return nested.of(slot, core.clock(), calls.deadlineNs(slot));
    }

    /**
     * The interceptors, or null if there are none.
     */
    ServerHooks hooks()
    {
        return hooks;
    }

    /**
     * Takes an open call out, since it is being answered.
     */
    void answered(final long correlationId, final StatusCode status)
    {
        take(calls.find(correlationId), status);
    }

    /**
     * Ends an open call with an error; does nothing if it has ended.
     */
    void fail(
        final long correlationId,
        final StatusCode code,
        final String text,
        final DirectBuffer detail,
        final int detailLength)
    {
        fail(correlationId, code, text, detail, detailLength, null, 0);
    }

    /**
     * Ends an open call with an error as the other method does.
     *
     * @param metadata   that goes with it; null for none. What is too long is left out, and the error says it was cut.
     * @param pushbackNs what to tell about calling again; 0 for nothing.
     */
    void fail(
        final long correlationId,
        final StatusCode code,
        final String text,
        final DirectBuffer detail,
        final int detailLength,
        final Metadata metadata,
        final long pushbackNs)
    {
        final int slot = calls.find(correlationId);
        if (slot >= 0)
        {
            final int serviceId = calls.serviceId(slot);
            final int methodId = calls.methodId(slot);
            final int flags = startedFlag(slot);
            final StreamCall stream = streams.table().at(slot);
            final boolean fits = metadata == null || metadata.length() <= session.metadataLimit();
            session.sendError(
                correlationId, serviceId, methodId, code, text, detail, detailLength,
                fits ? flags : flags | FrameFlags.CUT, stream, fits ? metadata : null, pushbackNs);
            assemblies.drop(correlationId);
            take(slot, code);
            session.notePending();
        }
    }

    void onCancel(final long correlationId, final int status)
    {
        final int slot = calls.find(correlationId);
        if (slot >= 0)
        {
            if (streams.isInUse())
            {
                session.link().outbox().drop(correlationId);
            }
            core.counters().callCancelled();
            end(slot, status == 0 ? StatusCode.CANCELLED : StatusCode.of(status), null);
        }
        else
        {
            // answered already: what is left of a long answer need not be sent
            session.link().outbox().drop(correlationId);
        }
    }

    /**
     * Ends an open call whose client broke the rules for it, or met a limit: its service is told, if it was given it.
     */
    void endByClient(final long correlationId, final StatusCode code, final String text)
    {
        final int slot = calls.find(correlationId);
        if (slot >= 0)
        {
            end(slot, code, text);
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
        if (calls.isExpiryDue(nowNs))
        {
            calls.beginExpiry();
            int slot = -1;
            while ((slot = calls.nextExpired(slot + 1, nowNs)) >= 0)
            {
                core.counters().deadlineExpired();
                end(slot, StatusCode.DEADLINE_EXCEEDED, "the deadline passed at the server");
                work++;
            }
        }
        if (calls.hasDeadlines())
        {
            core.noteTimer(calls.earliestDeadlineNs());
        }
        return work;
    }

    /**
     * Ends all open calls.
     *
     * @param text for the clients, or null where they can't be told.
     */
    void endAll(final StatusCode cause, final String text)
    {
        int slot = -1;
        while ((slot = calls.next(slot + 1)) >= 0)
        {
            end(slot, cause, text);
        }
    }

    /**
     * Frees what is being joined, and the slots: a detached call keeps this object for as long as its owner likes.
     */
    void dispose()
    {
        assemblies.clear();
        streams.dispose();
        calls.dispose();
    }

    /**
     * Gives a request to the owner of its call.
     */
    void dispatch(
        final int slot,
        final long correlationId,
        final Metadata metadata,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        give(slot, correlationId, calls.owner(slot), metadata, buffer, offset, length);
    }

    private void give(
        final int slot,
        final long correlationId,
        final ServiceAdapter adapter,
        final Metadata metadata,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        final int methodId = calls.methodId(slot);
        final ServerCall call =
            core.flyweight().set(session, correlationId, calls.serviceId(slot), methodId, metadata);
        final CallScope.Current scope = core.scope();
        final ServerCall formerHandled = scope.handled();
        final CallScope formerScope = scope.top();
        scope.handle(call);
        try
        {
            final MethodKind kind = adapter.methodKind(methodId);
            // a lane tells the interceptors itself, once it starts the call: what it refuses must cost little
            final boolean isAtLane = adapter instanceof ServiceLane;
            final boolean isFromLane = adapter instanceof LaneCall;
            if ((hooks == null || isAtLane || isFromLane ||
                isLetThrough(slot, call, adapter, kind, buffer, offset, length)) &&
                (kind == MethodKind.UNARY || isFromLane ||
                streams.begin(slot, correlationId, methodId, kind, adapter, length)))
            {
                adapter.onRequest(call, methodId, buffer, offset, length);
            }
        }
        catch (final Throwable failure)
        {
            // whatever a handler throws, its call gets an answer first
            core.failByHandler(call, failure);
        }
        core.closeOpenCall();
        scope.restore(formerHandled, formerScope);
        if (metadata != null)
        {
            metadata.wrapNothing();
        }
        startDeadline();
    }

    /**
     * Tells the interceptors of a request. Until they are done with it no service has seen the call.
     */
    private boolean isLetThrough(
        final int slot,
        final ServerCall call,
        final ServiceAdapter adapter,
        final MethodKind kind,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        calls.owner(slot, null);
        if (!hooks.onRequest(call, kind, buffer, offset, length))
        {
            return false;
        }
        calls.owner(slot, adapter);
        return true;
    }

    /**
     * Ends an open call unanswered, and tells its service.
     *
     * @param text for the client, or null where it can't be told or knows.
     */
    void end(final int slot, final StatusCode cause, final String text)
    {
        final long correlationId = calls.correlationId(slot);
        final int serviceId = calls.serviceId(slot);
        final int methodId = calls.methodId(slot);
        final ServiceAdapter adapter = calls.owner(slot);
        final int flags = startedFlag(slot);
        final NestedCalls ended = nested.at(slot);
        assemblies.drop(correlationId);
        if (text != null)
        {
            session.sendError(
                correlationId, serviceId, methodId, cause, text, null, 0, flags, streams.table().at(slot), null, 0);
        }
        final boolean isStream = take(slot, cause);
        if (ended != null)
        {
            ended.cancel(cause);
        }
        if (isStream)
        {
            session.notePending();
        }
        else if (adapter != null)
        {
            try
            {
                adapter.onCancelled(session.connectionId(), correlationId, methodId, cause);
            }
            catch (final Throwable ex)
            {
                core.onHandlerFailure(ex);
            }
            core.closeOpenCall();
        }
    }

    /**
     * Takes a call out.
     *
     * @return whether it streams: its service is then told later.
     */
    private boolean take(final int slot, final StatusCode status)
    {
        final long correlationId = calls.correlationId(slot);
        final boolean isStream = streams.isInUse() && streams.end(slot, status);
        calls.end(slot);
        core.counters().callEnded(status);
        if (core.isGoingAway())
        {
            core.counters().callDrained();
        }
        nested.clear(slot);
        if (hooks != null)
        {
            hooks.onEnd(correlationId, status);
        }
        return isStream;
    }

    private int startedFlag(final int slot)
    {
        final ServiceAdapter owner = calls.owner(slot);
        return owner == null || owner instanceof final LaneCall call && !call.isStarted() ?
            FrameFlags.NOT_STARTED : 0;
    }
}
