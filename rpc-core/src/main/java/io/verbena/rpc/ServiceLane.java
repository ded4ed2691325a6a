/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import io.verbena.rpc.protocol.FrameHeader;
import java.util.ArrayDeque;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The way to one service that has limits or threads of its own: stands in the place of its adapter, and starts each
 * request, keeps it waiting, or refuses it. Server's thread alone.
 */
final class ServiceLane implements ServiceAdapter
{
    private final Lanes lanes;
    private final ServerCore core;
    private final ServiceAdapter adapter;
    private final AdmissionControl admission;
    private final WaitQueue queue;
    private final ServiceExecution execution;
    private final ServiceThreads threads;
    private final AtomicInteger handlers = new AtomicInteger();
    private final ArrayDeque<LaneCall> free = new ArrayDeque<>();
    private int inProgress;

    ServiceLane(
        final Lanes lanes, final ServerCore core, final ServiceSetting setting, final AdmissionControl admission)
    {
        this.lanes = lanes;
        this.core = core;
        this.adapter = setting.adapter();
        this.admission = admission;
        this.queue = new WaitQueue(admission);
        this.execution = setting.execution();
        this.threads = execution.isOffThread() ? new ServiceThreads(core.context().agentName(), setting) : null;
    }

    ServiceAdapter adapter()
    {
        return adapter;
    }

    Lanes lanes()
    {
        return lanes;
    }

    ServiceThreads threads()
    {
        return threads;
    }

    int inProgress()
    {
        return inProgress;
    }

    boolean isOffThread()
    {
        return threads != null;
    }

    /**
     * A handler on another thread has returned from a request. Any thread.
     */
    void onHandlerReturned()
    {
        handlers.decrementAndGet();
    }

    void onCallEnded(final LaneCall call)
    {
        inProgress--;
        lanes.onCallEnded();
        recycle(call);
    }

    void recycleStream(final LaneCall call)
    {
        free.push(call);
    }

    @Override
    public int serviceId()
    {
        return adapter.serviceId();
    }

    @Override
    public String serviceName()
    {
        return adapter.serviceName();
    }

    @Override
    public int schemaId()
    {
        return adapter.schemaId();
    }

    @Override
    public int schemaVersion()
    {
        return adapter.schemaVersion();
    }

    @Override
    public MethodKind methodKind(final int methodId)
    {
        return adapter.methodKind(methodId);
    }

    @Override
    public void onCancelled(
        final long connectionId, final long correlationId, final int methodId, final StatusCode cause)
    {
        // of a call that was refused here and so never came to the service
    }

    @Override
    public void onEnded(
        final long connectionId,
        final long correlationId,
        final int methodId,
        final Object attachment,
        final StatusCode status)
    {
        // likewise
    }

    @Override
    public boolean isGrantAutomatic(final int methodId)
    {
        // off the thread, credit goes back when the handler has had the item, not when it was handed over
        return !isOffThread() && adapter.isGrantAutomatic(methodId);
    }

    @Override
    public void onRequest(
        final ServerCall call, final int methodId, final DirectBuffer buffer, final int offset, final int length)
    {
        final ServerSession session = call.session();
        final long correlationId = call.correlationId();
        final boolean isFirstInLine = isOffThread() ? queue.isEmpty() : lanes.dutyQueued() == 0;
        if (isFirstInLine && mayStart())
        {
            final LaneCall entry = enter(session, correlationId, methodId);
            if (isOffThread())
            {
                entry.keep(new UnsafeBuffer(new byte[length]), buffer, offset, length, 0);
                entry.keep(call.metadata());
                prepare(entry);
                startOffThread(entry);
            }
            else
            {
                lanes.takeTurn();
                if (!isLetThrough(call, buffer, offset, length))
                {
                    recycle(entry);
                    return;
                }
                started(entry);
                adapter.onRequest(call, methodId, buffer, offset, length);
            }
            return;
        }
        // on the duty cycle the items of a client's stream would have to be kept too: it is started at once or refused
        final boolean mayWait = isOffThread() || !adapter.methodKind(methodId).isClientStreaming();
        if (mayWait && queue.hasRoomFor(length) && lanes.mayQueue(length))
        {
            final LaneCall entry = enter(session, correlationId, methodId);
            final long nowNs = core.clock().nanoTime();
            final UnsafeBuffer copy =
                isOffThread() ? new UnsafeBuffer(new byte[length]) : core.pool().acquire(length);
            entry.keep(copy, buffer, offset, length, nowNs);
            entry.keep(call.metadata());
            if (isOffThread())
            {
                prepare(entry);
            }
            queue.add(entry, nowNs);
            lanes.onQueued(length, isOffThread());
            return;
        }
        core.counters().admissionRefused();
        session.calls().refuse(correlationId, lanes.refusal(), queue.pushbackNs());
    }

    /**
     * Refuses those that have waited too long.
     *
     * @return a count of work done.
     */
    int dropOverdue(final long nowNs)
    {
        int work = 0;
        LaneCall call;
        while ((call = queue.pollOverdue(nowNs)) != null)
        {
            work++;
            unqueued(call);
            refuse(call, lanes.refusal());
        }
        return work;
    }

    boolean canStart()
    {
        return !queue.isEmpty() && mayStart();
    }

    /**
     * Starts the call whose turn it is.
     */
    void startNext()
    {
        final long nowNs = core.clock().nanoTime();
        final LaneCall call = queue.poll(nowNs);
        unqueued(call);
        if (call.isEnded())
        {
            release(call);
            return;
        }
        if (isExpired(call, nowNs))
        {
            // its deadline has passed, only nobody has looked at the timers since
            call.session().calls().expire(nowNs);
            release(call);
            return;
        }
        queue.onStart(nowNs);
        if (isOffThread())
        {
            startOffThread(call);
            return;
        }
        lanes.takeTurn();
        if (!isLetThrough(lanes.view(call), call.request(), 0, call.requestLength()))
        {
            release(call);
            return;
        }
        started(call);
        final UnsafeBuffer request = call.takeRequest();
        try
        {
            call.session().calls().resume(
                call.correlationId(), call, call.metadata(), request, call.requestLength());
        }
        finally
        {
            core.pool().release(request);
        }
    }

    /**
     * Lets go of all that waits: its calls have ended.
     */
    void close()
    {
        LaneCall call;
        while ((call = queue.poll()) != null)
        {
            unqueued(call);
            release(call);
        }
    }

    private boolean mayStart()
    {
        return inProgress < admission.maxInProgress() && lanes.mayStart() &&
            (isOffThread() ? handlers.get() < execution.maxHandlers() : lanes.hasTurn());
    }

    private boolean isLetThrough(
        final ServerCall call, final DirectBuffer buffer, final int offset, final int length)
    {
        return call.session().calls().isLetThrough(
            call, adapter.methodKind(call.methodId()), buffer, offset, length);
    }

    private LaneCall enter(final ServerSession session, final long correlationId, final int methodId)
    {
        final LaneCall pooled = free.poll();
        final LaneCall call = pooled != null ? pooled : new LaneCall(this);
        call.set(session, correlationId, methodId);
        if (adapter.methodKind(methodId) != MethodKind.UNARY)
        {
            call.stream();
        }
        session.calls().owner(correlationId, call);
        return call;
    }

    private void prepare(final LaneCall call)
    {
        final OffThreadCall view = new OffThreadCall(core, lanes.handOver(), call);
        call.offThread(new OffThreadWork(this, view, call.request(), call.requestLength()));
    }

    private void started(final LaneCall call)
    {
        call.started();
        inProgress++;
        lanes.onCallStarted();
    }

    private void startOffThread(final LaneCall call)
    {
        final ServerCall view = lanes.view(call);
        if (!isLetThrough(view, call.request(), 0, call.requestLength()))
        {
            return;
        }
        call.work().onLetThrough(view);
        started(call);
        handlers.incrementAndGet();
        try
        {
            threads.execute(call.work());
        }
        catch (final RejectedExecutionException ex)
        {
            handlers.decrementAndGet();
            call.session().calls().fail(
                call.correlationId(), StatusCode.RESOURCE_EXHAUSTED, "the service's executor rejected the call",
                null, 0);
        }
    }

    private void refuse(final LaneCall call, final Refusal refusal)
    {
        if (!call.isEnded())
        {
            core.counters().admissionRefused();
            call.session().calls().refuse(call.correlationId(), refusal, queue.pushbackNs());
        }
        release(call);
    }

    private void unqueued(final LaneCall call)
    {
        lanes.onUnqueued(call.requestLength(), isOffThread());
    }

    /**
     * Forgets a call that was never started.
     */
    private void release(final LaneCall call)
    {
        final UnsafeBuffer request = call.takeRequest();
        if (!isOffThread())
        {
            core.pool().release(request);
        }
        recycle(call);
    }

    private void recycle(final LaneCall call)
    {
        // what other threads have seen is not used again, and a stream's service is still to be told of the end
        if (!isOffThread() && !call.isStream())
        {
            free.push(call);
        }
    }

    private boolean isExpired(final LaneCall call, final long nowNs)
    {
        final long deadlineNs = call.session().calls().deadlineNs(call.correlationId());
        return deadlineNs != FrameHeader.NO_TIMEOUT && nowNs - deadlineNs >= 0;
    }
}
