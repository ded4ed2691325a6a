/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import io.verbena.rpc.protocol.FrameHeader;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The calls in flight of one connection, at either end, by slot. A correlation id holds its slot, so that a frame
 * finds its call without a search:
 * <pre>
 *   63           48 47                             16 15            0
 *  +---------------+---------------------------------+---------------+
 *  |  incarnation  |            generation           |      slot     |
 *  +---------------+---------------------------------+---------------+
 * </pre>
 * The incarnation is the connection's, 1 to 32767, so ids are positive. The generation is the slot's and moves on with
 * each use: a late frame of an earlier call of the slot, or of an earlier connection, matches nothing.
 * <p>
 * Threading: the agent's thread, but for {@link #inFlight()}, which any thread may read.
 * <p>
 * Deadlines: a lower bound of all of them is kept, and the slots are scanned only when that passes. Calls that end in
 * time, nearly all, cost no timer.
 *
 * @param <T> who is told how a call goes on.
 */
class CallSlots<T>
{
    static final int MAX_CAPACITY = 1 << 16;

    private static final int SLOT_MASK = MAX_CAPACITY - 1;
    private static final VarHandle IN_FLIGHT;

    static
    {
        try
        {
            IN_FLIGHT = MethodHandles.lookup().findVarHandle(CallSlots.class, "inFlight", int.class);
        }
        catch (final ReflectiveOperationException ex)
        {
            throw new ExceptionInInitializerError(ex);
        }
    }

    private long[] correlationIds;
    private long[] deadlinesNs;
    private int[] methods;
    private T[] owners;
    @SuppressWarnings("FieldMayBeFinal")
    private int inFlight;
    private boolean hasDeadlines;
    private long earliestDeadlineNs;

    @SuppressWarnings("unchecked")
    CallSlots(final int capacity)
    {
        correlationIds = new long[capacity];
        deadlinesNs = new long[capacity];
        methods = new int[capacity];
        owners = (T[])new Object[capacity];
    }

    static int slot(final long correlationId)
    {
        return (int)correlationId & SLOT_MASK;
    }

    static int incarnation(final long correlationId)
    {
        return (int)(correlationId >>> 48);
    }

    final int capacity()
    {
        return correlationIds.length;
    }

    final int inFlight()
    {
        return (int)IN_FLIGHT.getOpaque(this);
    }

    final void occupy(
        final int slot,
        final long correlationId,
        final int serviceId,
        final int methodId,
        final long deadlineNs,
        final T owner)
    {
        correlationIds[slot] = correlationId;
        deadlinesNs[slot] = deadlineNs;
        methods[slot] = serviceId << 16 | methodId;
        owners[slot] = owner;
        // opaque: as cheap as a plain store, and a reader on another thread is sure to see it some time
        IN_FLIGHT.setOpaque(this, inFlight + 1);
        noteDeadline(deadlineNs);
    }

    /**
     * Gives a call in flight, begun without one, its deadline.
     */
    final void deadlineNs(final int slot, final long deadlineNs)
    {
        deadlinesNs[slot] = deadlineNs;
        noteDeadline(deadlineNs);
    }

    /**
     * Takes a call out; its slot is free.
     */
    void end(final int slot)
    {
        correlationIds[slot] = 0;
        owners[slot] = null;
        IN_FLIGHT.setOpaque(this, inFlight - 1);
    }

    /**
     * The slot of a call in flight.
     *
     * @return the slot, or -1 if the call has ended or never was.
     */
    final int find(final long correlationId)
    {
        final int slot = slot(correlationId);
        return slot < correlationIds.length && correlationIds[slot] == correlationId && correlationId != 0 ? slot : -1;
    }

    /**
     * The call of a slot.
     *
     * @return its correlation id, 0 if the slot is free.
     */
    final long correlationId(final int slot)
    {
        return correlationIds[slot];
    }

    final T owner(final int slot)
    {
        return owners[slot];
    }

    final void owner(final int slot, final T owner)
    {
        owners[slot] = owner;
    }

    final int serviceId(final int slot)
    {
        return methods[slot] >>> 16;
    }

    final int methodId(final int slot)
    {
        return methods[slot] & 0xFFFF;
    }

    final long deadlineNs(final int slot)
    {
        return deadlinesNs[slot];
    }

    /**
     * Whether a scan for passed deadlines is due.
     */
    final boolean isExpiryDue(final long nowNs)
    {
        return hasDeadlines && nowNs - earliestDeadlineNs >= 0;
    }

    final boolean hasDeadlines()
    {
        return hasDeadlines;
    }

    final long earliestDeadlineNs()
    {
        return earliestDeadlineNs;
    }

    /**
     * Begins a scan for passed deadlines, which {@link #nextExpired(int, long)} goes on with until it finds none: the
     * lower bound is then exact again. Calls that begin meanwhile are counted in.
     */
    final void beginExpiry()
    {
        hasDeadlines = false;
    }

    /**
     * Finds a call whose deadline has passed.
     *
     * @param from  the slot to begin with: 0, then the one behind that found last.
     * @param nowNs the time.
     * @return its slot, or -1.
     */
    final int nextExpired(final int from, final long nowNs)
    {
        for (int slot = from; slot < correlationIds.length; slot++)
        {
            final long deadlineNs = deadlinesNs[slot];
            if (correlationIds[slot] != 0 && deadlineNs != FrameHeader.NO_TIMEOUT)
            {
                if (nowNs - deadlineNs >= 0)
                {
                    return slot;
                }
                noteDeadline(deadlineNs);
            }
        }
        return -1;
    }

    /**
     * Finds a call in flight.
     *
     * @param from the slot to begin with.
     * @return its slot, or -1 if there is none.
     */
    final int next(final int from)
    {
        if (inFlight > 0)
        {
            for (int slot = from; slot < correlationIds.length; slot++)
            {
                if (correlationIds[slot] != 0)
                {
                    return slot;
                }
            }
        }
        return -1;
    }

    /**
     * Frees the memory: no slots are left, and no call is found.
     */
    @SuppressWarnings("unchecked")
    final void dispose()
    {
        correlationIds = new long[0];
        deadlinesNs = correlationIds;
        methods = new int[0];
        owners = (T[])new Object[0];
    }

    private void noteDeadline(final long deadlineNs)
    {
        if (deadlineNs != FrameHeader.NO_TIMEOUT && (!hasDeadlines || deadlineNs - earliestDeadlineNs < 0))
        {
            earliestDeadlineNs = deadlineNs;
            hasDeadlines = true;
        }
    }
}
