/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import java.util.Arrays;

/**
 * A client channel's calls in flight: gives each new call a free slot, the one used last first, since that is still in
 * the cache.
 */
final class CallTable extends CallSlots<ResponseHandler>
{
    private final int[] generations;
    private final int[] freeSlots;
    private int freeCount;
    /** On whose behalf calls are made, by slot; null as long as no call was made on anybody's. */
    private NestedCalls[] parents;
    private NestedCalls.Child parentsChild;

    CallTable(final int capacity)
    {
        super(capacity);
        generations = new int[capacity];
        freeSlots = new int[capacity];
        Arrays.fill(generations, 1);
        reset(capacity);
    }

    /**
     * Begins anew for another connection. The table must be empty.
     *
     * @param peerLimit of calls in flight; this side's own limit counts too.
     */
    void reset(final int peerLimit)
    {
        freeCount = 0;
        for (int slot = Math.min(peerLimit, capacity()) - 1; slot >= 0; slot--)
        {
            freeSlots[freeCount++] = slot;
        }
    }

    boolean isFull()
    {
        return freeCount == 0;
    }

    /**
     * The id that the next call will have, so that it can be told before the call is made. The table must not be full.
     */
    long nextCorrelationId(final int incarnation)
    {
        final int slot = freeSlots[freeCount - 1];
        return (long)incarnation << 48 | (generations[slot] & 0xFFFFFFFFL) << 16 | slot;
    }

    /**
     * Enters the call whose id was last told. Calls may have ended since then, so its slot need not be on top.
     */
    void begin(
        final long correlationId,
        final int serviceId,
        final int methodId,
        final long deadlineNs,
        final ResponseHandler handler)
    {
        final int slot = slot(correlationId);
        final int top = --freeCount;
        int index = top;
        while (freeSlots[index] != slot)
        {
            index--;
        }
        freeSlots[index] = freeSlots[top];
        if (++generations[slot] == 0)
        {
            // an id of generation 0 and slot 0 would be the connection's
            generations[slot] = 1;
        }
        occupy(slot, correlationId, serviceId, methodId, deadlineNs, handler);
    }

    /**
     * Notes on whose behalf a call is made, to be told of its end.
     *
     * @param child as which it was added there.
     */
    void parent(final int slot, final NestedCalls parent, final NestedCalls.Child child)
    {
        if (parents == null)
        {
            parents = new NestedCalls[capacity()];
            parentsChild = child;
        }
        parents[slot] = parent;
    }

    @Override
    void end(final int slot)
    {
        if (parents != null && parents[slot] != null)
        {
            parents[slot].remove(parentsChild, correlationId(slot));
            parents[slot] = null;
        }
        super.end(slot);
        freeSlots[freeCount++] = slot;
    }
}
