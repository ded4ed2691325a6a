/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

/**
 * The calls of one service that wait for their turn, and the rule by which they get it. Server's thread alone.
 * <p>
 * Design note: adaptive LIFO with controlled delay, after Ben Maurer, "Fail at Scale", ACM Queue 13(8), 2015, which
 * takes the delay bound from CoDel (Nichols and Jacobson, "Controlling Queue Delay", ACM Queue 10(5), 2012). First
 * come, first served is fair, but under lasting overload each call waits for as long as the queue is deep, and the
 * server spends its time on calls whose callers are about to give up: goodput collapses though nothing idles. Newest
 * first gives it to calls that have nearly all of their deadline left, so goodput stays at the peak whatever the
 * deadline and whatever the depth of the queue; those at the other end have lost already and are told soon. An
 * estimate of the wait would do too, but has to be right; this needs none.
 * <ul>
 * <li>Not empty for at most the target delay: a burst; oldest first.
 * <li>Longer: newest first.
 * <li>Longer than the interval: overload; who has waited for more than the target delay is refused. Before that,
 *     who has waited for more than the interval.
 * </ul>
 * A full queue refuses who comes, since that costs no copy.
 */
final class WaitQueue
{
    private static final long MAX_PUSHBACK_NS = 10_000_000_000L;
    private static final int SMOOTHING_SHIFT = 3;

    private final int maxCalls;
    private final long maxBytes;
    private final long targetDelayNs;
    private final long intervalNs;
    private final LaneCall[] ring;
    private int head;
    private int size;
    private long bytes;
    private long busySinceNs;
    private boolean isSpacingKnown;
    private boolean isStartKnown;
    private long lastStartNs;
    private long spacingNs;

    WaitQueue(final AdmissionControl admission)
    {
        maxCalls = admission.maxQueued();
        maxBytes = admission.maxQueuedBytes();
        targetDelayNs = admission.targetDelayNs();
        intervalNs = admission.intervalNs();
        ring = new LaneCall[Math.max(1, maxCalls)];
    }

    boolean isEmpty()
    {
        return size == 0;
    }

    int size()
    {
        return size;
    }

    boolean hasRoomFor(final int length)
    {
        return size < maxCalls && bytes + length <= maxBytes;
    }

    /**
     * Puts a call in; there must be room.
     */
    void add(final LaneCall call, final long nowNs)
    {
        if (size == 0)
        {
            busySinceNs = nowNs;
            isStartKnown = false;
        }
        ring[index(size)] = call;
        size++;
        bytes += call.requestLength();
    }

    /**
     * Takes the oldest call out if it has ended or waited too long.
     *
     * @return the call, or null.
     */
    LaneCall pollOverdue(final long nowNs)
    {
        if (size == 0)
        {
            return null;
        }
        final LaneCall oldest = ring[head];
        final boolean isOverloaded = nowNs - busySinceNs > intervalNs;
        if (oldest.isEnded() || nowNs - oldest.queuedNs() > (isOverloaded ? targetDelayNs : intervalNs))
        {
            return removeOldest();
        }
        return null;
    }

    /**
     * Takes out the call whose turn it is; the queue must not be empty. It may have ended.
     */
    LaneCall poll(final long nowNs)
    {
        return nowNs - busySinceNs > targetDelayNs ? removeNewest() : removeOldest();
    }

    /**
     * Takes out any call.
     *
     * @return the call, or null if there is none.
     */
    LaneCall poll()
    {
        return size == 0 ? null : removeOldest();
    }

    /**
     * A call that had waited is started. The time between two such is what a call costs this service at present,
     * whatever it is that costs it.
     */
    void onStart(final long nowNs)
    {
        if (isStartKnown)
        {
            final long sampleNs = nowNs - lastStartNs;
            spacingNs = isSpacingKnown ? spacingNs + (sampleNs - spacingNs >> SMOOTHING_SHIFT) : sampleNs;
            isSpacingKnown = true;
        }
        isStartKnown = size > 0;
        lastStartNs = nowNs;
    }

    /**
     * How long it will take until what waits now has been served: when a refused call may be made again.
     *
     * @return nanoseconds, from 1.
     */
    long pushbackNs()
    {
        return isSpacingKnown ? Math.max(1, Math.min(MAX_PUSHBACK_NS, spacingNs * (size + 1L))) : targetDelayNs;
    }

    private LaneCall removeOldest()
    {
        final LaneCall call = ring[head];
        ring[head] = null;
        head = head + 1 == ring.length ? 0 : head + 1;
        return removed(call);
    }

    private LaneCall removeNewest()
    {
        final int last = index(size - 1);
        final LaneCall call = ring[last];
        ring[last] = null;
        return removed(call);
    }

    private LaneCall removed(final LaneCall call)
    {
        size--;
        bytes -= call.requestLength();
        return call;
    }

    private int index(final int distance)
    {
        final int index = head + distance;
        return index < ring.length ? index : index - ring.length;
    }
}
