/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc.metrics;

import io.verbena.rpc.MethodKind;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SingleWriterRecorder;

/**
 * How long the calls of one method took that ended well, or those that did not: from the moment that interceptors were
 * told of the call to the moment that they were told of its end. For calls that stream, that is the time they were
 * open.
 * <p>
 * <b>Threading:</b> any thread reads; the thread of the client or server records, and never waits for readers.
 */
public final class CallLatency
{
    private static final VarHandle COUNT;
    private static final VarHandle TOTAL_NS;

    static
    {
        try
        {
            final MethodHandles.Lookup lookup = MethodHandles.lookup();
            COUNT = lookup.findVarHandle(CallLatency.class, "count", long.class);
            TOTAL_NS = lookup.findVarHandle(CallLatency.class, "totalNs", long.class);
        }
        catch (final ReflectiveOperationException ex)
        {
            throw new ExceptionInInitializerError(ex);
        }
    }

    private final boolean isServerSide;
    private final int serviceId;
    private final int methodId;
    private final MethodKind kind;
    private final boolean isOk;
    private final long highestNs;
    private final SingleWriterRecorder recorder;
    private final Histogram total;
    private Histogram interval;
    private long count;
    private long totalNs;

    CallLatency(
        final boolean isServerSide,
        final int serviceId,
        final int methodId,
        final MethodKind kind,
        final boolean isOk,
        final long highestNs,
        final int digits)
    {
        this.isServerSide = isServerSide;
        this.serviceId = serviceId;
        this.methodId = methodId;
        this.kind = kind;
        this.isOk = isOk;
        this.highestNs = highestNs;
        // of a fixed range, so that recording never grows it
        this.recorder = new SingleWriterRecorder(1, highestNs, digits);
        this.total = new Histogram(1, highestNs, digits);
        this.interval = recorder.getIntervalHistogram();
    }

    /**
     * Which side measured.
     *
     * @return true for the server, false for the client.
     */
    public boolean isServerSide()
    {
        return isServerSide;
    }

    /**
     * The service of the calls.
     *
     * @return its id; 0 where methods beyond the limit are taken together.
     */
    public int serviceId()
    {
        return serviceId;
    }

    /**
     * The method of the calls.
     *
     * @return its id; 0 where methods beyond the limit are taken together.
     */
    public int methodId()
    {
        return methodId;
    }

    /**
     * The kind of the method.
     *
     * @return the kind; that of the first call where methods are taken together.
     */
    public MethodKind kind()
    {
        return kind;
    }

    /**
     * Whether these are the calls that ended well.
     *
     * @return true for those that ended as OK, false for all others.
     */
    public boolean isOk()
    {
        return isOk;
    }

    /**
     * How many calls there were.
     *
     * @return a count, since the beginning.
     */
    public long count()
    {
        return (long)COUNT.getOpaque(this);
    }

    /**
     * How long they took together.
     *
     * @return nanoseconds, since the beginning.
     */
    public long totalNs()
    {
        return (long)TOTAL_NS.getOpaque(this);
    }

    /**
     * The distribution since the beginning. For that of an interval, subtract the copy that was taken at its beginning.
     *
     * @return a copy in nanoseconds, the caller's own; calls that took longer than the limit count as just that long.
     */
    public synchronized Histogram copy()
    {
        takeInterval();
        return total.copy();
    }

    /**
     * As {@link #copy()}, into a histogram that is used again and again.
     *
     * @param target that is replaced; must cover the same range.
     */
    public synchronized void copyInto(final Histogram target)
    {
        takeInterval();
        total.copyInto(target);
    }

    void record(final long durationNs)
    {
        final long ns = Math.max(0, durationNs);
        recorder.recordValue(Math.min(ns, highestNs));
        COUNT.setOpaque(this, count + 1);
        TOTAL_NS.setOpaque(this, totalNs + ns);
    }

    private void takeInterval()
    {
        interval = recorder.getIntervalHistogram(interval);
        total.add(interval);
    }
}
