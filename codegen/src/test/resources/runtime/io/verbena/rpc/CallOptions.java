/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

/** Test double with the signatures that generated code uses. */
public record CallOptions(long timeoutNs, boolean isIdempotent, RetryPolicy retry, HedgingPolicy hedging)
{
    public static final CallOptions DEFAULT = new CallOptions(RpcChannel.DEFAULT_TIMEOUT, false, null, null);

    public CallOptions timeoutNs(final long timeoutNs)
    {
        return new CallOptions(timeoutNs, isIdempotent, retry, hedging);
    }

    public CallOptions idempotent(final boolean idempotent)
    {
        return new CallOptions(timeoutNs, idempotent, retry, hedging);
    }

    public CallOptions retry(final RetryPolicy retry)
    {
        return new CallOptions(timeoutNs, isIdempotent, retry, hedging);
    }

    public CallOptions hedging(final HedgingPolicy hedging)
    {
        return new CallOptions(timeoutNs, isIdempotent, retry, hedging);
    }
}
