/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import io.verbena.rpc.protocol.FrameHeader;
import java.util.Arrays;
import org.agrona.concurrent.NanoClock;

/**
 * The calls that are made on behalf of one call at a server: they take over its deadline, and end when it ends
 * unanswered. Any thread: the nested calls may be made and end on others than the server's.
 */
final class NestedCalls
{
    /**
     * A nested call.
     */
    interface Child
    {
        /**
         * Gives the call up, for the call that it was made for has ended. Any thread; must not block.
         *
         * @param correlationId as it was added.
         * @param text          for people.
         */
        void cancelNested(long correlationId, String text);
    }

    private static final int INITIAL_CAPACITY = 4;

    private final NanoClock clock;
    private final long deadlineNs;
    private Child[] children = new Child[INITIAL_CAPACITY];
    private long[] correlationIds = new long[INITIAL_CAPACITY];
    private int count;
    private StatusCode cause;

    /**
     * Of an open call.
     *
     * @param clock      of the server.
     * @param deadlineNs of the call by that clock, or {@link FrameHeader#NO_TIMEOUT}.
     */
    NestedCalls(final NanoClock clock, final long deadlineNs)
    {
        this.clock = clock;
        this.deadlineNs = deadlineNs;
    }

    /**
     * How long the call at the server may still take.
     *
     * @return nanoseconds, 0 once that has passed, {@link FrameHeader#NO_TIMEOUT} where there is no deadline.
     */
    long remainingNs()
    {
        return deadlineNs == FrameHeader.NO_TIMEOUT ? FrameHeader.NO_TIMEOUT :
            Math.max(0, deadlineNs - clock.nanoTime());
    }

    /**
     * How the call at the server has ended unanswered.
     *
     * @return the cause, or null while it is open or if it was answered.
     */
    synchronized StatusCode cause()
    {
        return cause;
    }

    /**
     * Adds a nested call that was made.
     *
     * @return false if there is nobody to make it for any more: it has to be given up by whoever made it.
     */
    synchronized boolean add(final Child child, final long correlationId)
    {
        if (cause != null)
        {
            return false;
        }
        if (count == children.length)
        {
            children = Arrays.copyOf(children, count * 2);
            correlationIds = Arrays.copyOf(correlationIds, count * 2);
        }
        children[count] = child;
        correlationIds[count++] = correlationId;
        return true;
    }

    /**
     * A nested call has ended. Does nothing if it is not known.
     */
    synchronized void remove(final Child child, final long correlationId)
    {
        for (int i = count - 1; i >= 0; i--)
        {
            if (children[i] == child && correlationIds[i] == correlationId)
            {
                count--;
                children[i] = children[count];
                correlationIds[i] = correlationIds[count];
                children[count] = null;
                return;
            }
        }
    }

    /**
     * How many nested calls are under way.
     */
    synchronized int count()
    {
        return count;
    }

    /**
     * The call at the server has ended unanswered: gives up what is nested in it.
     */
    void cancel(final StatusCode newCause)
    {
        final Child[] ended;
        final long[] endedIds;
        final int endedCount;
        synchronized (this)
        {
            if (cause != null)
            {
                return;
            }
            cause = newCause;
            ended = children;
            endedIds = correlationIds;
            endedCount = count;
            children = new Child[0];
            correlationIds = new long[0];
            count = 0;
        }
        final String text = endedText(newCause);
        for (int i = 0; i < endedCount; i++)
        {
            ended[i].cancelNested(endedIds[i], text);
        }
    }

    /**
     * What a nested call ends with.
     */
    static String endedText(final StatusCode cause)
    {
        return "the call that it was made for has ended: " + cause;
    }
}
