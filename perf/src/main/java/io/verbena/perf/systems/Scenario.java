/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.systems;

/**
 * What a run is about.
 */
public enum Scenario
{
    /** Round trips of an echo. */
    ECHO("--kind unary"),

    /** Items of a stream, one way or both ways at once. */
    STREAM("streams"),

    /** Round trips of an echo, alone and beside streams of long messages on the same connection. */
    BACKGROUND("--background"),

    /** Round trips of an echo beside idle connections. */
    CONNECTIONS("--connections"),

    /** More calls than the server can serve. */
    OVERLOAD("--overload");

    private final String label;

    Scenario(final String label)
    {
        this.label = label;
    }

    /**
     * How the command line asks for it.
     *
     * @return the words.
     */
    public String label()
    {
        return label;
    }
}
