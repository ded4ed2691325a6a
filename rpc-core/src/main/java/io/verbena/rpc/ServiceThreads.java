/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * The threads of one service whose handlers do not run on the duty cycle, and the adapters that these use: an adapter
 * serves one thread at a time and is used again, so there are at most as many as handlers have run at a time.
 */
final class ServiceThreads
{
    private static final long PARK_NS = 100_000;

    private final Supplier<? extends ServiceAdapter> supplier;
    private final ConcurrentLinkedDeque<ServiceAdapter> idle = new ConcurrentLinkedDeque<>();
    private final AtomicInteger running = new AtomicInteger();
    private final Executor executor;
    private final ExecutorService owned;

    ServiceThreads(final String agentName, final ServiceSetting setting)
    {
        supplier = setting.supplier();
        idle.push(setting.adapter());
        final String name = agentName + "-" + setting.adapter().serviceName() + "-";
        switch (setting.execution().kind())
        {
            case POOL -> owned = Executors.newFixedThreadPool(
                setting.execution().threads(), Thread.ofPlatform().daemon().name(name, 0).factory());
            case VIRTUAL -> owned = Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name(name, 0).factory());
            default -> owned = null;
        }
        executor = owned == null ? setting.execution().executor() : owned;
    }

    /**
     * Runs work on one of the threads.
     *
     * @throws java.util.concurrent.RejectedExecutionException if the executor does.
     */
    void execute(final Runnable work)
    {
        running.incrementAndGet();
        boolean isTaken = false;
        try
        {
            executor.execute(work);
            isTaken = true;
        }
        finally
        {
            if (!isTaken)
            {
                running.decrementAndGet();
            }
        }
    }

    ServiceAdapter take()
    {
        final ServiceAdapter adapter = idle.poll();
        return adapter != null ? adapter : supplier.get();
    }

    void giveBack(final ServiceAdapter adapter)
    {
        idle.push(adapter);
    }

    void onWorkDone()
    {
        running.decrementAndGet();
    }

    void shutdown()
    {
        if (owned != null)
        {
            owned.shutdown();
        }
    }

    /**
     * Waits until all handlers have returned; interrupts those that have not in time.
     *
     * @return false if some have not.
     */
    boolean awaitEnd(final long waitNs)
    {
        final long deadlineNs = System.nanoTime() + waitNs;
        try
        {
            if (owned != null)
            {
                if (!owned.awaitTermination(Math.max(0, waitNs), TimeUnit.NANOSECONDS))
                {
                    owned.shutdownNow();
                    return false;
                }
                return true;
            }
            while (running.get() > 0)
            {
                if (System.nanoTime() - deadlineNs >= 0 || Thread.currentThread().isInterrupted())
                {
                    return false;
                }
                LockSupport.parkNanos(PARK_NS);
            }
            return true;
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            owned.shutdownNow();
            return false;
        }
    }
}
