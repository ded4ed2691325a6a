/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.codegen.schema;

import java.util.List;

/**
 * How often and when a method is called again after a failure. Immutable.
 *
 * @param attempts     calls at most, the first included; 2 to 5.
 * @param backoffNs    before the second call, in nanoseconds; {@link #RUNTIME_DEFAULT} for the runtime's choice.
 * @param maxBackoffNs before any call, in nanoseconds; {@link #RUNTIME_DEFAULT} for the runtime's choice.
 * @param codes        names of the statuses after which it is called again; empty for the runtime's choice.
 */
public record RetryModel(int attempts, long backoffNs, long maxBackoffNs, List<String> codes)
{
    /** Nothing is declared. */
    public static final long RUNTIME_DEFAULT = 0;

    /**
     * Copies the list of codes.
     */
    public RetryModel
    {
        codes = List.copyOf(codes);
    }
}
