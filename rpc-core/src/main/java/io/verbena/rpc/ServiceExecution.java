/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import java.util.Objects;
import java.util.concurrent.Executor;

/**
 * Which threads run a service's handlers: {@link RpcServer.Context#service(ServiceAdapter, ServiceExecution)}.
 * <p>
 * On the <b>duty cycle</b>, the default, a call costs no copy and no hand-over; a handler should return soon. On
 * <b>other threads</b> a handler may block; requests are copied for it, and its answers are copied and handed back to
 * the duty cycle. What one call is told (request, items, half-close, its end) comes in order, one at a time, on
 * whichever threads; what different calls are told runs side by side. Such a service has an {@link AdmissionControl},
 * with the defaults if it is given none.
 */
public final class ServiceExecution
{
    /** The most handlers at a time of {@link #virtualThreads()}. */
    public static final int VIRTUAL_HANDLERS_DEFAULT = 1024;

    static final int MAX_HANDLERS = 1 << 20;

    private static final ServiceExecution DUTY_CYCLE = new ServiceExecution(Kind.DUTY_CYCLE, 1, null);

    enum Kind
    {
        DUTY_CYCLE, POOL, EXECUTOR, VIRTUAL
    }

    private final Kind kind;
    private final int maxHandlers;
    private final Executor executor;

    private ServiceExecution(final Kind kind, final int maxHandlers, final Executor executor)
    {
        if (maxHandlers < 1 || maxHandlers > MAX_HANDLERS)
        {
            throw new IllegalArgumentException(
                "expected 1 to " + MAX_HANDLERS + " handlers at a time, found " + maxHandlers);
        }
        this.kind = kind;
        this.maxHandlers = maxHandlers;
        this.executor = executor;
    }

    /**
     * On the server's duty cycle.
     *
     * @return the default.
     */
    public static ServiceExecution dutyCycle()
    {
        return DUTY_CYCLE;
    }

    /**
     * On threads of a pool that the server makes for the service and ends when it closes.
     *
     * @param threads 1 to 1048576.
     * @return the choice.
     * @throws IllegalArgumentException if the number is out of its range.
     */
    public static ServiceExecution pool(final int threads)
    {
        return new ServiceExecution(Kind.POOL, threads, null);
    }

    /**
     * On an executor of the user's, who ends it after the server was closed. Tasks that it rejects end their calls as
     * {@link StatusCode#RESOURCE_EXHAUSTED}.
     *
     * @param executor    to run the handlers; one that drops tasks without a word leaves their calls open until their
     *                    deadlines.
     * @param maxHandlers the most requests that it is given at a time, 1 to 1048576; further ones wait in the server.
     * @return the choice.
     * @throws IllegalArgumentException if the number is out of its range.
     */
    public static ServiceExecution executor(final Executor executor, final int maxHandlers)
    {
        return new ServiceExecution(Kind.EXECUTOR, maxHandlers, Objects.requireNonNull(executor, "executor"));
    }

    /**
     * Each handler on a virtual thread of its own, at most {@link #VIRTUAL_HANDLERS_DEFAULT} at a time.
     *
     * @return the choice.
     */
    public static ServiceExecution virtualThreads()
    {
        return virtualThreads(VIRTUAL_HANDLERS_DEFAULT);
    }

    /**
     * Each handler on a virtual thread of its own.
     *
     * @param maxHandlers at a time, 1 to 1048576; further requests wait in the server.
     * @return the choice.
     * @throws IllegalArgumentException if the number is out of its range.
     */
    public static ServiceExecution virtualThreads(final int maxHandlers)
    {
        return new ServiceExecution(Kind.VIRTUAL, maxHandlers, null);
    }

    Kind kind()
    {
        return kind;
    }

    /**
     * How many requests may be on other threads at a time: for a pool one for each thread and one that waits for it,
     * so that a thread that is done finds the next at once.
     */
    int maxHandlers()
    {
        return kind == Kind.POOL ? Math.min(MAX_HANDLERS, 2 * maxHandlers) : maxHandlers;
    }

    int threads()
    {
        return maxHandlers;
    }

    Executor executor()
    {
        return executor;
    }

    boolean isOffThread()
    {
        return kind != Kind.DUTY_CYCLE;
    }

    /**
     * Whether handlers may run side by side, each then with an adapter of its own.
     */
    boolean isParallel()
    {
        return isOffThread() && !(kind == Kind.POOL && maxHandlers == 1);
    }
}
