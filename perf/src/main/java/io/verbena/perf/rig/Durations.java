/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.rig;

import java.math.BigDecimal;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Durations as the command line has them: a number and a unit out of ns, us, ms, s, m and h, such as {@code 500ms},
 * {@code 1.5s} and {@code 2m}.
 */
public final class Durations
{
    /**
     * What is understood, for error messages.
     */
    public static final String SYNTAX = "a number with ns, us, ms, s, m or h, such as 500ms or 3s";

    private static final Pattern FORM = Pattern.compile("(\\d{1,12}(?:\\.\\d{1,9})?)(ns|us|ms|s|m|h)");

    private Durations()
    {
    }

    /**
     * Reads a duration.
     *
     * @param text to read.
     * @return the duration in nanoseconds, empty when the text is no duration or does not fit a long.
     */
    public static OptionalLong parseNs(final String text)
    {
        final Matcher matcher = FORM.matcher(text);
        if (!matcher.matches())
        {
            return OptionalLong.empty();
        }
        try
        {
            return OptionalLong.of(
                new BigDecimal(matcher.group(1)).multiply(BigDecimal.valueOf(unitNs(matcher.group(2))))
                    .toBigInteger().longValueExact());
        }
        catch (final ArithmeticException ex)
        {
            return OptionalLong.empty();
        }
    }

    private static long unitNs(final String unit)
    {
        final TimeUnit timeUnit = switch (unit)
        {
            case "ns" -> TimeUnit.NANOSECONDS;
            case "us" -> TimeUnit.MICROSECONDS;
            case "ms" -> TimeUnit.MILLISECONDS;
            case "s" -> TimeUnit.SECONDS;
            case "m" -> TimeUnit.MINUTES;
            default -> TimeUnit.HOURS;
        };
        return timeUnit.toNanos(1);
    }

    /**
     * Seconds, or microseconds where it is short, for people.
     *
     * @param durationNs in nanoseconds.
     * @return such as {@code 1.5 s} or {@code 100 µs}.
     */
    public static String format(final long durationNs)
    {
        if (durationNs > 0 && durationNs < TimeUnit.MILLISECONDS.toNanos(1))
        {
            return TimeUnit.NANOSECONDS.toMicros(durationNs) + " µs";
        }
        return String.format(Locale.ROOT, "%.3f", durationNs / 1e9).replaceAll("\\.?0+$", "") + " s";
    }
}
