/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import java.util.EnumSet;
import java.util.Set;

/**
 * The checks that the policies for retry and hedging have in common, and their sets of codes as bits.
 */
final class PolicyChecks
{
    private PolicyChecks()
    {
    }

    static void require(final String name, final long value, final long min, final long max)
    {
        if (value < min || value > max)
        {
            throw new IllegalArgumentException(name + ": expected " + min + " to " + max + ", found " + value);
        }
    }

    static long bits(final StatusCode... codes)
    {
        long bits = 0;
        for (final StatusCode code : codes)
        {
            if (code == StatusCode.OK || code == StatusCode.CANCELLED)
            {
                throw new IllegalArgumentException("codes: expected codes of failures, found " + code);
            }
            bits |= 1L << code.value();
        }
        if (bits == 0)
        {
            throw new IllegalArgumentException("codes: expected at least one code, found none");
        }
        return bits;
    }

    static boolean contains(final long bits, final StatusCode code)
    {
        return (bits >>> code.value() & 1) != 0;
    }

    static Set<StatusCode> set(final long bits)
    {
        final Set<StatusCode> set = EnumSet.noneOf(StatusCode.class);
        for (final StatusCode code : StatusCode.values())
        {
            if (contains(bits, code))
            {
                set.add(code);
            }
        }
        return set;
    }
}
