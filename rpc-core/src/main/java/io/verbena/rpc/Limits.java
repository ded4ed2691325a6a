/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import org.agrona.ErrorHandler;

/**
 * Ranges of settings, and the error for one that is out of its range.
 */
final class Limits
{
    /** The shortest limit of messages that can be configured: room for an error text. */
    static final int MIN_LENGTH = 2048;

    /** The longest message that can be configured: 1 GiB, which with its header still is one buffer. */
    static final int MAX_LENGTH = 1 << 30;

    /** The longest duration of a timer that can be configured: 1 hour. */
    static final long MAX_DURATION_NS = 3_600_000_000_000L;

    /** A timeout of this many nanoseconds or more, some 146 years, counts as none: deadlines then never overflow. */
    static final long LONGEST_TIMEOUT_NS = Long.MAX_VALUE / 2;

    /** The most services of one server: what it tells of them then fits one frame of any transport. */
    static final int MAX_SERVICES = 512;

    /** One line to the error stream; a library that swallows errors helps nobody. */
    static final ErrorHandler DEFAULT_ERROR_HANDLER = failure -> System.err.println("verbena: " + describe(failure));

    private Limits()
    {
    }

    /**
     * Tells an error handler; what that throws itself is told to the default one, so that a handler can't keep the
     * caller from its work.
     */
    static void report(final ErrorHandler handler, final Throwable failure)
    {
        try
        {
            handler.onError(failure);
        }
        catch (final Throwable ex)
        {
            DEFAULT_ERROR_HANDLER.onError(failure);
            DEFAULT_ERROR_HANDLER.onError(ex);
        }
    }

    /**
     * Words for a failure, also for one whose message can't be made.
     */
    static String describe(final Throwable failure)
    {
        try
        {
            return failure.toString();
        }
        catch (final Throwable ex)
        {
            return failure.getClass().getName();
        }
    }

    /**
     * Checks a setting.
     *
     * @throws IllegalStateException that names it, its range and the value, if it is outside.
     */
    static void require(final String name, final long value, final long min, final long max)
    {
        if (value < min || value > max)
        {
            throw new IllegalStateException(name + ": expected " + min + " to " + max + ", found " + value);
        }
    }
}
