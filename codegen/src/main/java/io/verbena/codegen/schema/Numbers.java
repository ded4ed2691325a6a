/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.codegen.schema;

/**
 * Whole numbers as schemas write them: decimal digits, no sign, no spaces.
 */
final class Numbers
{
    private static final int MAX_DIGITS = 10;

    private Numbers()
    {
    }

    /**
     * Reads a number.
     *
     * @param text may be null.
     * @param min  smallest that is allowed, at least 0.
     * @param max  largest that is allowed.
     * @return the number, or -1 when the text is no number or out of range.
     */
    static int parse(final String text, final int min, final int max)
    {
        if (null == text || text.isEmpty() || text.length() > MAX_DIGITS ||
            !text.chars().allMatch((c) -> c >= '0' && c <= '9'))
        {
            return -1;
        }
        final long value = Long.parseLong(text);
        return value < min || value > max ? -1 : (int)value;
    }
}
