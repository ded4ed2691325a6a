/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.aeron;

import java.util.ArrayDeque;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;

import org.agrona.ErrorHandler;
import org.agrona.concurrent.NanoClock;

/**
 * Collects what Aeron reports, from any thread, and hands it to the user's handler on the transport's thread, with a
 * bounded volume: what repeats within a second is only counted, and only a few wait to be handed on.
 */
final class ErrorSink implements ErrorHandler
{
    private static final int MAX_WAITING = 16;
    private static final Pattern NUMBERS = Pattern.compile("[0-9]+");
    private static final long REPEAT_INTERVAL_NS = 1_000_000_000L;

    private final ErrorHandler userHandler;
    private final NanoClock clock;
    private final ArrayDeque<Throwable> waiting = new ArrayDeque<>();
    private final AtomicLong count = new AtomicLong();
    private volatile boolean anyWaiting;
    private String lastPassed;
    private long lastPassedNs;

    ErrorSink(final ErrorHandler userHandler, final NanoClock clock)
    {
        this.userHandler = userHandler;
        this.clock = clock;
    }

    @Override
    public synchronized void onError(final Throwable throwable)
    {
        count.incrementAndGet();
        if (waiting.size() < MAX_WAITING)
        {
            waiting.add(throwable);
            anyWaiting = true;
        }
    }

    /**
     * How many errors were reported, whether they were handed on or not.
     *
     * @return a count.
     */
    long count()
    {
        return count.get();
    }

    boolean isAnyWaiting()
    {
        return anyWaiting;
    }

    /** Hands on what waits, on the transport's thread. */
    void drain()
    {
        if (anyWaiting)
        {
            Throwable next;
            while ((next = take()) != null)
            {
                pass(next);
            }
        }
    }

    /**
     * Takes what waits without handing it on: the caller knows a better word for it.
     *
     * @return the oldest, or null.
     */
    synchronized Throwable takeAll()
    {
        final Throwable oldest = waiting.poll();
        waiting.clear();
        anyWaiting = false;
        return oldest;
    }

    private synchronized Throwable take()
    {
        final Throwable next = waiting.poll();
        anyWaiting = !waiting.isEmpty();
        return next;
    }

    private void pass(final Throwable throwable)
    {
        // Ids and times in the text do not make it another error.
        final String text = NUMBERS.matcher(throwable.toString()).replaceAll("#");
        final long nowNs = clock.nanoTime();
        if (!Objects.equals(text, lastPassed) || nowNs - lastPassedNs > REPEAT_INTERVAL_NS)
        {
            lastPassed = text;
            lastPassedNs = nowNs;
            userHandler.onError(throwable);
        }
    }
}
