/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import java.util.ArrayList;
import java.util.List;
import org.agrona.collections.Int2ObjectHashMap;

/**
 * A server's services that have limits or threads of their own, with what they share: the limits of all together, the
 * turns of the duty cycle, and the way back from other threads. Server's thread alone.
 * <p>
 * Design note: a cycle reads up to the poll limit of messages, and of the calls on the duty cycle it then starts a few:
 * one if there may be more to read, so that the server reads up to 16 times as many requests as it handles and what
 * waits waits where it can be refused; else four. A request that comes when nothing waits is started right where it
 * lies, without a copy.
 */
final class Lanes
{
    /** How often the transports are polled in one duty cycle while they give something, at most. */
    static final int READS = 8;

    private static final int TURNS = 4;
    private static final int OFF_THREAD_STARTS = 32;

    private final ServerCore core;
    private final List<ServiceLane> lanes = new ArrayList<>();
    private final AdmissionControl admission;
    private final HandOver handOver;
    private final ServerCall call;
    private final Refusal refusal = new Refusal(
        StatusCode.RESOURCE_EXHAUSTED, "the server is overloaded: its limits of calls that wait are reached");
    private int inProgress;
    private int queued;
    private int dutyQueued;
    private long queuedBytes;
    private int turns = TURNS;
    private int first;

    private Lanes(final ServerCore core)
    {
        this.core = core;
        this.admission = core.context().admission();
        this.handOver = new HandOver(core, core.context().maxQueuedBytes());
        this.call = new ServerCall(core);
    }

    /**
     * Makes the lanes of a server and enters each of its services.
     *
     * @param services to enter them into: the lane or, where there is none, the adapter itself.
     * @return the lanes, or null if no service has one.
     */
    static Lanes create(final ServerCore core, final Int2ObjectHashMap<ServiceAdapter> services)
    {
        final Lanes lanes = new Lanes(core);
        for (final ServiceSetting setting : core.context().serviceSettings())
        {
            AdmissionControl own = setting.admission() == null ? lanes.admission : setting.admission();
            if (own == null && setting.execution().isOffThread())
            {
                own = new AdmissionControl();
                own.conclude();
            }
            if (own == null)
            {
                services.put(setting.adapter().serviceId(), setting.adapter());
            }
            else
            {
                final ServiceLane lane = new ServiceLane(lanes, core, setting, own);
                lanes.lanes.add(lane);
                services.put(lane.serviceId(), lane);
            }
        }
        return lanes.lanes.isEmpty() ? null : lanes;
    }

    HandOver handOver()
    {
        return handOver;
    }

    Refusal refusal()
    {
        return refusal;
    }

    /**
     * A view of a call, to do on the server's thread what another thread has handed over.
     */
    ServerCall view(final LaneCall of)
    {
        return call.set(of.session(), of.correlationId(), of.serviceId(), of.callMethodId(), of.metadata());
    }

    void onError(final Throwable failure)
    {
        core.onError(failure);
    }

    int dutyQueued()
    {
        return dutyQueued;
    }

    int queued()
    {
        return queued;
    }

    int inProgress()
    {
        return inProgress;
    }

    boolean mayStart()
    {
        return admission == null || inProgress < admission.maxInProgress();
    }

    boolean mayQueue(final int length)
    {
        return admission == null ||
            queued < admission.maxQueued() && queuedBytes + length <= admission.maxQueuedBytes();
    }

    boolean hasTurn()
    {
        return turns > 0;
    }

    void takeTurn()
    {
        turns--;
    }

    void onQueued(final int length, final boolean isOffThread)
    {
        core.counters().admissionQueued();
        queued++;
        queuedBytes += length;
        dutyQueued += isOffThread ? 0 : 1;
    }

    void onUnqueued(final int length, final boolean isOffThread)
    {
        core.counters().admissionUnqueued();
        queued--;
        queuedBytes -= length;
        dutyQueued -= isOffThread ? 0 : 1;
    }

    void onCallStarted()
    {
        inProgress++;
    }

    void onCallEnded()
    {
        inProgress--;
    }

    /**
     * Does what other threads handed over, and starts or refuses what waits.
     *
     * @param isMoreToRead whether the transports may hold more requests than were read in this cycle.
     * @return a count of work done.
     */
    int doWork(final boolean isMoreToRead)
    {
        handOver.enter();
        int work = handOver.drain();
        if (queued > 0)
        {
            work += startQueued();
        }
        turns = isMoreToRead ? 1 : TURNS;
        return work;
    }

    /**
     * Ends threads, and lets go of what waits; the calls have ended.
     *
     * @param waitNs for handlers on other threads, at most.
     */
    void close(final long waitNs)
    {
        handOver.close();
        for (final ServiceLane lane : lanes)
        {
            lane.close();
        }
        final long deadlineNs = System.nanoTime() + waitNs;
        for (final ServiceLane lane : lanes)
        {
            if (lane.isOffThread())
            {
                lane.threads().shutdown();
            }
        }
        for (final ServiceLane lane : lanes)
        {
            if (lane.isOffThread() && !lane.threads().awaitEnd(deadlineNs - System.nanoTime()))
            {
                core.onError(new IllegalStateException(
                    "handlers of " + lane.serviceName() + " have not returned within the close timeout"));
            }
        }
    }

    private int startQueued()
    {
        int work = 0;
        final long nowNs = core.clock().nanoTime();
        for (int i = 0; i < lanes.size(); i++)
        {
            work += lanes.get(i).dropOverdue(nowNs);
        }
        // each lane in its turn, so that a service with a long queue does not keep the others waiting
        int idle = 0;
        int starts = 0;
        while (idle < lanes.size() && starts < OFF_THREAD_STARTS)
        {
            first = first + 1 < lanes.size() ? first + 1 : 0;
            final ServiceLane lane = lanes.get(first);
            if (lane.canStart())
            {
                lane.startNext();
                starts++;
                idle = 0;
            }
            else
            {
                idle++;
            }
        }
        return work + starts;
    }
}
