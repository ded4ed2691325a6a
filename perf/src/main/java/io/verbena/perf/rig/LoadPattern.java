/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.rig;

/**
 * How messages are sent.
 */
public enum LoadPattern
{
    /**
     * Closed loop: the next message leaves when the last echo is there.
     */
    PINGPONG("pingpong"),

    /**
     * Open loop: messages are due at fixed times, whatever happened to those before.
     */
    RATE("rate");

    private final String label;

    LoadPattern(final String label)
    {
        this.label = label;
    }

    /**
     * The name on the command line and in the JSON.
     *
     * @return the name.
     */
    public String label()
    {
        return label;
    }

    /**
     * The pattern of a name.
     *
     * @param label to look up.
     * @return the pattern or null when there is none of that name.
     */
    public static LoadPattern find(final String label)
    {
        for (final LoadPattern pattern : values())
        {
            if (pattern.label.equals(label))
            {
                return pattern;
            }
        }
        return null;
    }
}
