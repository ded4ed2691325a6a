/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.DirectBuffer;

/**
 * The items of a stream of responses on their way from a handler on another thread to the connection: what was handed
 * over and has no credit yet waits here, in order and bounded, and the stream's end behind it.
 * <p>
 * Threading: the handler's side is {@link #reserve(int)} and {@link #mayBegin()}; all else is the server's thread's.
 */
final class OffThreadItems
{
    /** The most items of one call that are on their way, beyond the stream's credit. */
    static final int MAX_ITEMS = 64;

    /** The same in bytes; an item may begin while there are fewer. */
    static final int MAX_BYTES = 64 * 1024;

    /**
     * What waits: an item, or where there is no payload something that ends the call.
     */
    private record Waiting(DirectBuffer payload, int length, Metadata metadata, Runnable end)
    {
    }

    private final LaneCall call;
    private final AtomicInteger items = new AtomicInteger();
    private final AtomicInteger bytes = new AtomicInteger();
    private final AtomicBoolean isReadyWanted = new AtomicBoolean();
    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();

    OffThreadItems(final LaneCall call)
    {
        this.call = call;
    }

    /**
     * Whether an item may be handed over. If not, the service's onReady follows. Handler's side.
     */
    boolean mayBegin()
    {
        if (hasRoom())
        {
            return true;
        }
        isReadyWanted.set(true);
        // what was on its way may have gone out meanwhile, and then nobody looks at the wish
        return hasRoom() && isReadyWanted.compareAndSet(true, false);
    }

    /**
     * Counts an item that is about to be handed over. Handler's side.
     */
    void reserve(final int length)
    {
        items.incrementAndGet();
        bytes.addAndGet(length);
    }

    /**
     * An item has been handed over.
     */
    void add(final DirectBuffer payload, final int length, final Metadata metadata)
    {
        waiting.add(new Waiting(payload, length, metadata, null));
        flush();
    }

    /**
     * The call's end has been handed over: it comes after the items.
     */
    void end(final Runnable end)
    {
        if (waiting.isEmpty())
        {
            end.run();
        }
        else
        {
            waiting.add(new Waiting(null, 0, null, end));
        }
    }

    /**
     * Sends what credit and transport let go.
     */
    void flush()
    {
        Waiting next;
        while ((next = waiting.peek()) != null)
        {
            if (next.end == null && !send(next))
            {
                return;
            }
            waiting.poll();
            if (next.end != null)
            {
                next.end.run();
            }
        }
        if (hasRoom() && isReadyWanted.compareAndSet(true, false))
        {
            call.work().add((adapter, view) -> adapter.onReady(view, view.methodId()));
        }
    }

    /**
     * The call has ended: what waits would be for nobody.
     */
    void clear()
    {
        waiting.clear();
    }

    private boolean send(final Waiting item)
    {
        final ServerCall view = call.view(item.metadata);
        final long result = view.offerItem(item.payload, 0, item.length);
        if (result == RpcChannel.CALL_ENDED)
        {
            clear();
            return false;
        }
        if (result < 0)
        {
            return false;
        }
        items.decrementAndGet();
        bytes.addAndGet(-item.length);
        return true;
    }

    private boolean hasRoom()
    {
        return items.get() < MAX_ITEMS && bytes.get() < MAX_BYTES;
    }
}
