/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.DirectBuffer;

/**
 * What one call on another thread is told, one after the other, whichever threads it is told on. The request is the
 * first; it is told once the call is started.
 */
final class OffThreadWork implements Runnable
{
    /**
     * Something that a call is told.
     */
    interface Event
    {
        void tell(ServiceAdapter adapter, ServerCall call);
    }

    private final ServiceLane lane;
    private final OffThreadCall call;
    private final ConcurrentLinkedQueue<Event> events = new ConcurrentLinkedQueue<>();
    private final AtomicInteger pending = new AtomicInteger(1);
    /** Whether the service has been given the call. Events come one after the other, so it needs no more. */
    private boolean isBegun;

    OffThreadWork(final ServiceLane lane, final OffThreadCall call, final DirectBuffer request, final int length)
    {
        this.lane = lane;
        this.call = call;
        events.add((adapter, view) ->
        {
            try
            {
                // what ended while it waited for its thread is not begun
                if (adapter != null && view.isOpen())
                {
                    isBegun = true;
                    adapter.onRequest(view, view.methodId(), request, 0, length);
                }
            }
            finally
            {
                lane.onHandlerReturned();
            }
        });
    }

    OffThreadCall call()
    {
        return call;
    }

    /**
     * Adds what comes next, for the service if it was given the call. Server's thread.
     */
    void add(final Event next)
    {
        events.add((adapter, view) ->
        {
            if (isBegun && adapter != null)
            {
                next.tell(adapter, view);
            }
        });
        if (pending.getAndIncrement() == 0)
        {
            try
            {
                lane.threads().execute(this);
            }
            catch (final RejectedExecutionException ex)
            {
                pending.set(0);
                events.clear();
                lane.lanes().handOver().post(() -> lane.lanes().onError(ex), 0);
            }
        }
    }

    @Override
    public void run()
    {
        try
        {
            final ServiceAdapter adapter = takeAdapter();
            do
            {
                tell(adapter, events.poll());
            }
            while (pending.decrementAndGet() != 0);
            if (adapter != null)
            {
                lane.threads().giveBack(adapter);
            }
        }
        finally
        {
            lane.threads().onWorkDone();
        }
    }

    private ServiceAdapter takeAdapter()
    {
        try
        {
            return lane.threads().take();
        }
        catch (final Throwable failure)
        {
            call.failByHandler(failure);
            return null;
        }
    }

    /**
     * Interceptors have seen the call, and may have given it a context. Server's thread, before the handler has it.
     */
    void onLetThrough(final ServerCall view)
    {
        call.keepScopeContext(view);
    }

    private void tell(final ServiceAdapter adapter, final Event event)
    {
        // calls that the handler makes are made on behalf of this one, and scopes that it leaves open are left here
        final CallScope.Current scope = CallScope.ofThread();
        final ServerCall formerHandled = scope.handled();
        final CallScope formerScope = scope.top();
        scope.handle(call);
        try
        {
            event.tell(adapter, call);
            call.closeOpen();
        }
        catch (final Throwable failure)
        {
            // whatever a handler throws, its call gets an answer first
            call.failByHandler(failure);
        }
        finally
        {
            scope.restore(formerHandled, formerScope);
        }
    }
}
