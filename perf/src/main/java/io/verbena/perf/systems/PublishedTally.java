/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.systems;

import java.util.concurrent.atomic.AtomicLong;

/**
 * What other threads see of a {@link StreamTally}: written by one thread, read by any.
 */
final class PublishedTally
{
    private final AtomicLong sent = new AtomicLong();
    private final AtomicLong received = new AtomicLong();
    private final AtomicLong outOfOrder = new AtomicLong();

    void set(final long newSent, final long newReceived, final long newOutOfOrder)
    {
        sent.lazySet(newSent);
        received.lazySet(newReceived);
        outOfOrder.lazySet(newOutOfOrder);
    }

    long sent()
    {
        return sent.get();
    }

    long received()
    {
        return received.get();
    }

    long outOfOrder()
    {
        return outOfOrder.get();
    }
}
