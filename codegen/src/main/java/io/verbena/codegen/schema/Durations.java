/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.codegen.schema;

import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Durations of the services grammar: a whole number and a unit, as in 500ms.
 */
final class Durations
{
    static final String EXPECTED =
        "a duration from 1ns to 24h: a whole number and one of ns, us, ms, s, m, h, as in 500ms";
    private static final long MAX_NS = TimeUnit.HOURS.toNanos(24);
    private static final Pattern DURATION = Pattern.compile("([0-9]{1,18})(ns|us|ms|s|m|h)");

    private Durations()
    {
    }

    /**
     * Reads a duration.
     *
     * @param text may be null.
     * @return nanoseconds, or -1 when the text is no duration or out of range.
     */
    static long parseNs(final String text)
    {
        final Matcher matcher = DURATION.matcher(null == text ? "" : text);
        if (!matcher.matches())
        {
            return -1;
        }

        final TimeUnit unit = switch (matcher.group(2))
        {
            case "ns" -> TimeUnit.NANOSECONDS;
            case "us" -> TimeUnit.MICROSECONDS;
            case "ms" -> TimeUnit.MILLISECONDS;
            case "s" -> TimeUnit.SECONDS;
            case "m" -> TimeUnit.MINUTES;
            default -> TimeUnit.HOURS;
        };
        // Saturates instead of overflowing, and so ends up out of range.
        final long durationNs = unit.toNanos(Long.parseLong(matcher.group(1)));
        return durationNs < 1 || durationNs > MAX_NS ? -1 : durationNs;
    }
}
