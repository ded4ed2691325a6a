/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.ManyToOneConcurrentArrayQueue;

/**
 * What other threads hand to the server's thread: answers of handlers, and what else touches the calls. Bounded in
 * number and bytes; who hands over more than the server's thread takes waits. The server's thread waits for nobody, so
 * that always ends.
 */
final class HandOver
{
    private static final int CAPACITY = 4096;
    private static final int DRAIN_LIMIT = 256;
    private static final int SPINS = 64;
    private static final long PARK_NS = 20_000;

    private final ManyToOneConcurrentArrayQueue<Runnable> queue = new ManyToOneConcurrentArrayQueue<>(CAPACITY);
    private final AtomicLong bytes = new AtomicLong();
    private final ServerCore core;
    private final long maxBytes;
    private volatile Thread owner;
    private volatile boolean isClosed;

    HandOver(final ServerCore core, final long maxBytes)
    {
        this.core = core;
        this.maxBytes = maxBytes;
    }

    /**
     * The server's thread is at work.
     */
    void enter()
    {
        final Thread thread = Thread.currentThread();
        if (owner != thread)
        {
            owner = thread;
        }
    }

    /**
     * Hands over. Any thread; waits while there is no room. Once the server has closed, nothing happens: its calls have
     * ended.
     *
     * @param length of what the task holds, in bytes.
     */
    void post(final Runnable task, final int length)
    {
        final Runnable counted = length == 0 ? task : () ->
        {
            bytes.addAndGet(-length);
            task.run();
        };
        int waits = 0;
        while (!isClosed)
        {
            final long before = bytes.get();
            if ((before == 0 || before + length <= maxBytes) && bytes.compareAndSet(before, before + length))
            {
                if (queue.offer(counted))
                {
                    return;
                }
                bytes.addAndGet(-length);
            }
            if (Thread.currentThread() == owner)
            {
                // a handler that an executor runs on the server's own thread
                drain();
            }
            else if (++waits < SPINS)
            {
                Thread.onSpinWait();
            }
            else
            {
                LockSupport.parkNanos(PARK_NS);
            }
        }
    }

    /**
     * Does what was handed over. Server's thread.
     *
     * @return a count of work done.
     */
    int drain()
    {
        int work = 0;
        Runnable task;
        while (work < DRAIN_LIMIT && (task = queue.poll()) != null)
        {
            work++;
            try
            {
                task.run();
            }
            catch (final RpcException ex)
            {
                // the answer could not be sent, and its call has ended with that already
            }
            catch (final Throwable ex)
            {
                core.onError(ex);
            }
        }
        return work;
    }

    /**
     * Lets go of those who wait, and takes nothing more.
     */
    void close()
    {
        isClosed = true;
        queue.clear();
    }
}
