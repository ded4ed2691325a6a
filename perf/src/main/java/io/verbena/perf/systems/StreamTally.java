/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.systems;

import io.vertx.core.json.JsonObject;

/**
 * Counts the items of one end of a stream. Counted by the thread that runs the end; what it has published may be read
 * by any thread. The item with number n is the n-th of its direction, from 0: a gap, a repeat or a swap shows as an
 * item out of order.
 */
public final class StreamTally
{
    private final PublishedTally published = new PublishedTally();
    private long sent;
    private long received;
    private long outOfOrder;

    /**
     * Nothing sent, nothing received.
     */
    public StreamTally()
    {
        // All is 0.
    }

    /**
     * The number of the next item to send.
     *
     * @return the number, from 0.
     */
    public long nextSequence()
    {
        return sent;
    }

    /**
     * Items received, for the thread that counts.
     *
     * @return the number.
     */
    public long nowReceived()
    {
        return received;
    }

    /**
     * The transport took that item.
     */
    public void onSent()
    {
        sent++;
    }

    /**
     * An item arrived.
     *
     * @param sequence that it carries.
     */
    public void onReceived(final long sequence)
    {
        if (sequence != received)
        {
            outOfOrder++;
        }
        received++;
    }

    /**
     * Lets other threads see the counts; once a duty cycle is enough.
     */
    public void publish()
    {
        published.set(sent, received, outOfOrder);
    }

    /**
     * Adds what was published last to a server's report.
     *
     * @param counters to add to.
     */
    public void addTo(final JsonObject counters)
    {
        counters
            .put("sent", sent())
            .put("received", received())
            .put("out_of_order", outOfOrder());
    }

    /**
     * Items sent, as published last.
     *
     * @return the number.
     */
    public long sent()
    {
        return published.sent();
    }

    /**
     * Items received, as published last.
     *
     * @return the number.
     */
    public long received()
    {
        return published.received();
    }

    /**
     * Items received that were not the next in turn, as published last.
     *
     * @return the number.
     */
    public long outOfOrder()
    {
        return published.outOfOrder();
    }
}
