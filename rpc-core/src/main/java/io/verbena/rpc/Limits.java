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

    /** The longest message that can be configured: 1 GiB, which an int and a power-of-two buffer can hold. */
    static final int MAX_LENGTH = 1 << 30;

    /** The longest duration of a timer that can be configured: 1 hour. */
    static final long MAX_DURATION_NS = 3_600_000_000_000L;

    /** One line to the error stream; a library that swallows errors helps nobody. */
    static final ErrorHandler DEFAULT_ERROR_HANDLER = failure -> System.err.println("verbena: " + failure);

    private Limits()
    {
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
