/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import io.verbena.rpc.protocol.FrameHeader;

/**
 * The deadline of the call that is being dispatched, for which the clock has not been read yet. Server's thread alone.
 * <p>
 * Design note: a handler that answers before it returns needs no deadline at the server, and a read of the clock would
 * be a good part of what such a call costs. So the clock is not read for a request until some handler has detached a
 * call, asked for the time that remains, or returned without an answer: from then on it is read for each request as it
 * arrives. For that first call the deadline counts from here, late by what its handler took.
 */
final class ArrivalDeadline
{
    private final ServerCore core;
    private final CallSlots<ServiceAdapter> calls;
    private long timeoutNs = FrameHeader.NO_TIMEOUT;
    private long correlationId;

    ArrivalDeadline(final ServerCore core, final CallSlots<ServiceAdapter> calls)
    {
        this.core = core;
        this.calls = calls;
    }

    /**
     * The call that is about to be dispatched has a deadline, for which the clock has not been read.
     */
    void defer(final long deferredId, final long deferredTimeoutNs)
    {
        timeoutNs = deferredTimeoutNs;
        correlationId = deferredId;
    }

    /**
     * Starts the deadline of the call that is being dispatched, if that has not been done and it is still open.
     */
    void start()
    {
        if (timeoutNs != FrameHeader.NO_TIMEOUT)
        {
            final int slot = calls.find(correlationId);
            if (slot >= 0)
            {
                final long deadlineNs = core.clock().nanoTime() + timeoutNs;
                calls.deadlineNs(slot, deadlineNs);
                core.noteTimer(deadlineNs);
                core.timeArrivals();
            }
            timeoutNs = FrameHeader.NO_TIMEOUT;
        }
    }
}
