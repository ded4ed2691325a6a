/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc.balance;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.agrona.SystemUtil;

/**
 * Looks again and again, on a thread of its own, and tells what is new: a list that differs from the one told last, or
 * a failure that does.
 */
abstract class PollingResolver implements Resolver
{
    /** The longest interval that can be set: 1 day. */
    static final long MAX_INTERVAL_NS = TimeUnit.DAYS.toNanos(1);

    private final long intervalNs;
    private final CountDownLatch closing = new CountDownLatch(1);
    private Listener listener;
    private Thread thread;
    private List<String> lastAddresses;
    private String lastFailure;

    PollingResolver(final long intervalNs)
    {
        if (intervalNs < 1 || intervalNs > MAX_INTERVAL_NS)
        {
            throw new IllegalArgumentException(
                "intervalNs: expected 1 to " + MAX_INTERVAL_NS + ", found " + intervalNs);
        }
        this.intervalNs = intervalNs;
    }

    /**
     * Looks once.
     *
     * @return the addresses, at least one.
     * @throws Exception whose message says in one line why there are none.
     */
    abstract List<String> resolve() throws Exception;

    @Override
    public final void start(final Listener newListener)
    {
        listener = newListener;
        thread = new Thread(this::run, "verbena-resolver");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public final void close()
    {
        closing.countDown();
        if (thread != null)
        {
            // a look-up may block, and is not waited for: what it finds is dropped
            thread.interrupt();
        }
    }

    /**
     * Looks once and tells what is new.
     */
    final void poll(final Listener told)
    {
        try
        {
            final List<String> addresses = resolve();
            lastFailure = null;
            if (!addresses.equals(lastAddresses) && closing.getCount() != 0)
            {
                lastAddresses = addresses;
                told.onAddresses(addresses);
            }
        }
        catch (final Exception ex)
        {
            final String failure = ex.toString();
            if (!failure.equals(lastFailure) && closing.getCount() != 0)
            {
                lastFailure = failure;
                told.onError(ex);
            }
        }
    }

    static long interval(final String property, final long defaultValueNs)
    {
        try
        {
            return SystemUtil.getDurationInNanos(property, defaultValueNs);
        }
        catch (final RuntimeException ex)
        {
            throw new IllegalStateException(
                property + ": expected a duration such as 500ms, 2s or a number of nanoseconds, found " +
                System.getProperty(property), ex);
        }
    }

    private void run()
    {
        try
        {
            do
            {
                poll(listener);
            }
            while (!closing.await(intervalNs, TimeUnit.NANOSECONDS));
        }
        catch (final InterruptedException ex)
        {
            // by close
            Thread.currentThread().interrupt();
        }
    }
}
