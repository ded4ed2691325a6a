/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.systems;

/**
 * Told how calls ended, once for each.
 */
public interface OutcomeHandler
{
    /**
     * A call was answered.
     *
     * @param stampNs that went out with it, in nanoseconds.
     */
    void onAnswered(long stampNs);

    /**
     * The server refused a call for want of room.
     */
    void onRefused();

    /**
     * A call's deadline passed.
     */
    void onExpired();
}
