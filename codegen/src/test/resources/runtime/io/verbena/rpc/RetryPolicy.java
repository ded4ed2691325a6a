/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import java.util.List;

/** Test double with the signatures that generated code uses. */
public record RetryPolicy(int attempts, long backoffNs, long maxBackoffNs, List<StatusCode> codes)
{
    public static final long BACKOFF_DEFAULT_NS = 1_000_000L;
    public static final long MAX_BACKOFF_DEFAULT_NS = 100_000_000L;

    public RetryPolicy(final int attempts)
    {
        this(attempts, BACKOFF_DEFAULT_NS, MAX_BACKOFF_DEFAULT_NS, StatusCode.UNAVAILABLE);
    }

    public RetryPolicy(final int attempts, final long backoffNs, final long maxBackoffNs, final StatusCode... codes)
    {
        this(attempts, backoffNs, maxBackoffNs, List.of(codes));
        if (maxBackoffNs < backoffNs || 0 == codes.length)
        {
            throw new IllegalArgumentException(toString());
        }
    }
}
