/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What other threads tell the agent about calls that it has already.
 */
final class CallNotices
{
    private final ConcurrentLinkedQueue<AsyncCall> abandoned = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<AsyncCall> signalled = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final AtomicInteger count = new AtomicInteger();

    /**
     * The caller gave up a call. Any thread.
     */
    void abandon(final AsyncCall call)
    {
        abandoned.add(call);
        count.incrementAndGet();
    }

    /**
     * A call has something for the agent to do. Any thread.
     */
    void signal(final AsyncCall call)
    {
        signalled.add(call);
        count.incrementAndGet();
    }

    /**
     * The agent has something else to do. Any thread.
     */
    void run(final Runnable task)
    {
        tasks.add(task);
        count.incrementAndGet();
    }

    boolean isEmpty()
    {
        return count.get() == 0;
    }

    int count()
    {
        return count.get();
    }

    AsyncCall pollAbandoned()
    {
        return polled(abandoned.poll());
    }

    AsyncCall pollSignalled()
    {
        return polled(signalled.poll());
    }

    Runnable pollTask()
    {
        return polled(tasks.poll());
    }

    private <T> T polled(final T notice)
    {
        if (notice != null)
        {
            count.decrementAndGet();
        }
        return notice;
    }
}
