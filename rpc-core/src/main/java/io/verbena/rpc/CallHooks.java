/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import org.agrona.DirectBuffer;

/**
 * What interceptors need to be told about the calls of one connection, by slot; exists only where there are any. Keeps
 * how many interceptors were told of the beginning of each call, so that those are told of its end, once.
 * <p>
 * Threading: the agent's thread.
 */
abstract class CallHooks
{
    /** What interceptors of both sides are told of a call that has begun, each with the payload of the message. */
    enum Event
    {
        REQUEST, RESPONSE, ITEM_SENT, ITEM_RECEIVED
    }

    private final RpcCounters counters;
    private final int interceptorCount;
    private final CallInfo info;
    private final long[] correlationIds;
    private final int[] methods;
    private final MethodKind[] kinds;
    private final long[] startsNs;
    private final int[] toldCounts;
    private long connectionId;

    CallHooks(
        final boolean isServerSide, final int capacity, final int interceptorCount, final RpcCounters counters)
    {
        this.counters = counters;
        this.interceptorCount = interceptorCount;
        info = new CallInfo(isServerSide, capacity, interceptorCount);
        correlationIds = new long[capacity];
        methods = new int[capacity];
        kinds = new MethodKind[capacity];
        startsNs = new long[capacity];
        toldCounts = new int[capacity];
    }

    /**
     * Takes a call in that nobody was told of yet.
     *
     * @return its slot.
     */
    final int enter(
        final long correlationId,
        final int serviceId,
        final int methodId,
        final MethodKind kind,
        final long callConnectionId,
        final long nowNs)
    {
        final int slot = CallSlots.slot(correlationId);
        correlationIds[slot] = correlationId;
        methods[slot] = serviceId << 16 | methodId;
        kinds[slot] = kind;
        startsNs[slot] = nowNs;
        toldCounts[slot] = 0;
        connectionId = callConnectionId;
        return slot;
    }

    /**
     * The call of a slot, for an interceptor.
     */
    final CallInfo info(final int slot, final int interceptor)
    {
        info.set(
            methods[slot] >>> 16, methods[slot] & 0xFFFF, kinds[slot], connectionId, correlationIds[slot],
            startsNs[slot]);
        return info.by(slot, interceptor);
    }

    /**
     * The context that an interceptor gave an open call, or null.
     */
    final ScopeContext scopeContext(final long correlationId)
    {
        return isEntered(correlationId) ? info.scopeContext(CallSlots.slot(correlationId)) : null;
    }

    /**
     * The next interceptor is told of the beginning of a call.
     */
    final void told(final int slot)
    {
        toldCounts[slot]++;
    }

    /**
     * Whether a call was taken in and has not ended.
     */
    final boolean isEntered(final long correlationId)
    {
        return correlationIds[CallSlots.slot(correlationId)] == correlationId;
    }

    /**
     * Takes a call out, so that its end is told once.
     *
     * @return how many interceptors are to be told of it; 0 if it has ended.
     */
    final int leave(final int slot)
    {
        final int count = toldCounts[slot];
        toldCounts[slot] = 0;
        return count;
    }

    /**
     * Forgets the call of a slot once its end was told.
     */
    final void forget(final int slot, final int count)
    {
        if (count > 0)
        {
            for (int i = 0; i < count; i++)
            {
                info.by(slot, i).clearAttachment();
            }
            info.clearScopeContext(slot);
            correlationIds[slot] = 0;
        }
    }

    /**
     * Tells all interceptors, until one throws.
     *
     * @return null, or what the call has to end with instead.
     */
    final RpcException tell(
        final Event event,
        final long correlationId,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        final int slot = CallSlots.slot(correlationId);
        try
        {
            for (int i = 0; i < interceptorCount; i++)
            {
                tell(event, i, info(slot, i), buffer, offset, length);
            }
            return null;
        }
        catch (final Throwable thrown)
        {
            counters.interceptorRefused();
            return failure(thrown);
        }
    }

    /**
     * Tells one interceptor.
     */
    abstract void tell(Event event, int interceptor, CallInfo call, DirectBuffer buffer, int offset, int length);

    /**
     * Told of what is not a status and what onEnd throws.
     */
    abstract void onError(Throwable failure);

    /**
     * What a call ends with whose interceptor has thrown.
     */
    final RpcException failure(final Throwable thrown)
    {
        if (thrown instanceof final RpcException status)
        {
            return status;
        }
        onError(thrown);
        return new RpcException(StatusCode.INTERNAL, "an interceptor failed: " + Limits.describe(thrown));
    }
}
