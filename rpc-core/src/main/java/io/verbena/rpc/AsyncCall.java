/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import io.verbena.rpc.protocol.FrameHeader;
import java.util.ArrayList;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A call made from another thread, with its own copy of the request, and with one attempt after another or beside
 * another. Belongs to the agent's thread from the moment that its queue was emptied, but for {@link #hasEnded()} and
 * {@link #isAbandoned()}.
 */
abstract class AsyncCall implements NestedCalls.Child
{
    final int serviceId;
    final int methodId;
    final int length;
    final long deadlineNs;
    final CallOptions options;
    /** Null once it will not be sent again: an answer that takes long should not keep it. */
    DirectBuffer request;
    /** Whether the request counts for the bytes that are kept to be sent again. */
    boolean isRetained;
    /** Whether it waits for its moment, dueNs: to be tried again, or hedged. */
    boolean isScheduled;
    long dueNs;
    /** Whether it waits to be sent: it then holds its place in the queue. */
    boolean isQueued;
    /** How often it was sent, but for moves. */
    int attemptCount;
    /** How often a server refused it unseen and it moved on. */
    int moveCount;
    /** Whether the next time it is sent is a move, which is not counted. */
    boolean isMoving;
    /** How many waits there have been since the first or since the server told one. */
    int backoffCount;
    /** Set when the server asked not to come back. */
    boolean isLastAttempt;
    /** The channel of the attempt before, null if there was none. */
    RpcChannel lastChannel;
    /** What went with the calls of the thread that made this one; null for nothing. */
    private final ScopeContext scopeContext;
    private final ArrayList<CallAttempt> attempts = new ArrayList<>(1);
    /** Set before this side ends the call; an end that finds it unset is the caller's. */
    private volatile boolean isEnded;

    AsyncCall(
        final int serviceId,
        final int methodId,
        final DirectBuffer payload,
        final int offset,
        final int length,
        final long deadlineNs,
        final CallOptions options)
    {
        this.serviceId = serviceId;
        this.methodId = methodId;
        this.length = length;
        this.deadlineNs = deadlineNs;
        this.options = options;
        this.request = copy(payload, offset, length);
        final ScopeContext context = CallScope.currentContext();
        this.scopeContext = context == null ? null : context.retain();
    }

    /**
     * Begins an attempt with the context of the thread that made the call.
     *
     * @return its correlation id, or why none was made.
     */
    final long offerInScope(final RpcChannel channel, final CallAttempt attempt, final long nowNs)
    {
        if (scopeContext == null)
        {
            return offer(channel, attempt, nowNs);
        }
        try (CallScope _ = CallScope.open(null, scopeContext))
        {
            return offer(channel, attempt, nowNs);
        }
    }

    /**
     * Begins an attempt.
     *
     * @return its correlation id, or why none was made.
     */
    abstract long offer(RpcChannel channel, CallAttempt attempt, long nowNs);

    /**
     * A handler for one attempt.
     */
    abstract CallAttempt newAttempt(RpcChannel channel);

    /**
     * Whether the caller gave it up, or has been told its end.
     */
    abstract boolean isAbandoned();

    /**
     * Tells the caller the end.
     */
    abstract void tellFailure(RpcException failure);

    /**
     * Other threads, or an attempt that was sent, have given the agent something to do.
     */
    void serve()
    {
    }

    final ArrayList<CallAttempt> attempts()
    {
        return attempts;
    }

    /**
     * Whether the call has ended, or is ending, by this side.
     */
    final boolean hasEnded()
    {
        return isEnded;
    }

    final void markEnded()
    {
        isEnded = true;
    }

    final void fail(final RpcException failure)
    {
        isEnded = true;
        tellFailure(failure);
    }

    final boolean isExpired(final long nowNs)
    {
        return deadlineNs != FrameHeader.NO_TIMEOUT && nowNs - deadlineNs >= 0;
    }

    final long remainingNs(final long nowNs)
    {
        return deadlineNs == FrameHeader.NO_TIMEOUT ? FrameHeader.NO_TIMEOUT : deadlineNs - nowNs;
    }

    static DirectBuffer copy(final DirectBuffer buffer, final int offset, final int length)
    {
        final byte[] bytes = new byte[length];
        if (length > 0)
        {
            buffer.getBytes(offset, bytes);
        }
        return new UnsafeBuffer(bytes);
    }
}
