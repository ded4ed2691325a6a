/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.rig;

/**
 * How a run ended.
 */
public enum RunStatus
{
    /**
     * All that was to be sent was sent in time and answered.
     */
    OK,

    /**
     * The system answered, but missed its rate or lost responses: its latency says nothing.
     */
    FAIL,

    /**
     * A process failed: there is no result.
     */
    FAILED
}
