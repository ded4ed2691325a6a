/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import org.agrona.concurrent.NanoClock;

/**
 * What is made on behalf of the open calls of one connection at the server, by slot. Holds nothing until a call has
 * made another. Server's thread.
 */
final class NestedSlots
{
    private final int capacity;
    private NestedCalls[] bySlot;

    NestedSlots(final int capacity)
    {
        this.capacity = capacity;
    }

    /**
     * What is made on behalf of the call of a slot, which must be open.
     */
    NestedCalls of(final int slot, final NanoClock clock, final long deadlineNs)
    {
        if (bySlot == null)
        {
            bySlot = new NestedCalls[capacity];
        }
        if (bySlot[slot] == null)
        {
            bySlot[slot] = new NestedCalls(clock, deadlineNs);
        }
        return bySlot[slot];
    }

    /**
     * What was made on behalf of the call of a slot, or null for nothing.
     */
    NestedCalls at(final int slot)
    {
        return bySlot == null ? null : bySlot[slot];
    }

    /**
     * The call of a slot has ended.
     */
    void clear(final int slot)
    {
        if (bySlot != null)
        {
            bySlot[slot] = null;
        }
    }
}
