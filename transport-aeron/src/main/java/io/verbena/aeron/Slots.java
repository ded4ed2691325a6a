/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.aeron;

import java.util.Arrays;
import java.util.function.Consumer;

/**
 * The connections of one {@link StreamPair} by slot: found by an array access.
 */
final class Slots
{
    private static final int INITIAL_CAPACITY = 8;

    private AeronConnection[] table = new AeronConnection[INITIAL_CAPACITY];
    private int used;

    int used()
    {
        return used;
    }

    /**
     * Whose a slot is.
     *
     * @param slot any number that a peer may have sent.
     * @return the connection, or null.
     */
    AeronConnection get(final long slot)
    {
        final AeronConnection[] connections = table;
        return slot >= 0 && slot < connections.length ? connections[(int)slot] : null;
    }

    /**
     * Gives a connection the lowest free slot.
     *
     * @param connection that wants one.
     * @return the slot.
     */
    int add(final AeronConnection connection)
    {
        int slot = FrameTag.MIN_SLOT;
        // With all below taken, as when many connect one after the other, the search is short.
        if (used + FrameTag.MIN_SLOT < table.length && table[used + FrameTag.MIN_SLOT] == null)
        {
            slot = used + FrameTag.MIN_SLOT;
        }
        while (slot < table.length && table[slot] != null)
        {
            ++slot;
        }
        put(slot, connection);
        return slot;
    }

    /**
     * Gives a connection the slot that its peer chose.
     *
     * @param slot       that is free, from 1 to 65,535.
     * @param connection that it is for.
     */
    void put(final int slot, final AeronConnection connection)
    {
        if (slot >= table.length)
        {
            table = Arrays.copyOf(table, Math.max(slot + 1, Math.min(2 * table.length, FrameTag.MAX_SLOT + 1)));
        }
        table[slot] = connection;
        ++used;
    }

    void free(final int slot)
    {
        table[slot] = null;
        --used;
    }

    void clear()
    {
        table = new AeronConnection[0];
        used = 0;
    }

    void forEach(final Consumer<AeronConnection> action)
    {
        for (final AeronConnection connection : table)
        {
            if (connection != null)
            {
                action.accept(connection);
            }
        }
    }
}
