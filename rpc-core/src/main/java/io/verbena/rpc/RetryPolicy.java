/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import java.util.Set;

/**
 * When and how often a failed call is tried again. Immutable.
 * <p>
 * A call is tried again only if it failed with one of the codes, and either its method is declared idempotent
 * ({@link CallOptions#idempotent(boolean)}) or the server said that it had not begun it. The server may ask for a
 * longer wait, or for none to come back (retry push-back). All attempts share the call's deadline, and one that could
 * not be made before it is not waited for. The channel's retry budget
 * ({@link RpcClient.Context#retryMaxTokens(int)}) keeps retries from multiplying the load of a server that is failing.
 */
public final class RetryPolicy
{
    /** The fewest attempts of a policy, the first included. */
    public static final int MIN_ATTEMPTS = 2;

    /** The most attempts of a policy, the first included. */
    public static final int MAX_ATTEMPTS = 5;

    /** Default wait before the second attempt: 1 ms. */
    public static final long BACKOFF_DEFAULT_NS = 1_000_000L;

    /** Default longest wait before an attempt: 100 ms. */
    public static final long MAX_BACKOFF_DEFAULT_NS = 100_000_000L;

    private final int attempts;
    private final long backoffNs;
    private final long maxBackoffNs;
    private final long codes;

    /**
     * With the default waits, for {@link StatusCode#UNAVAILABLE} alone.
     *
     * @param attempts the first included, {@link #MIN_ATTEMPTS} to {@link #MAX_ATTEMPTS}.
     * @throws IllegalArgumentException if it is out of its range.
     */
    public RetryPolicy(final int attempts)
    {
        this(attempts, BACKOFF_DEFAULT_NS, MAX_BACKOFF_DEFAULT_NS, StatusCode.UNAVAILABLE);
    }

    /**
     * With everything told.
     *
     * @param attempts     the first included, {@link #MIN_ATTEMPTS} to {@link #MAX_ATTEMPTS}.
     * @param backoffNs    the wait before the second attempt in nanoseconds, 1 to 1 hour; it doubles before each
     *                     further one, and a random part of up to a half is taken off.
     * @param maxBackoffNs the longest wait in nanoseconds, backoffNs to 1 hour.
     * @param codes        that are tried again; at least one, not {@link StatusCode#OK} or
     *                     {@link StatusCode#CANCELLED}.
     * @throws IllegalArgumentException if something is out of its range; the message names it.
     */
    public RetryPolicy(final int attempts, final long backoffNs, final long maxBackoffNs, final StatusCode... codes)
    {
        PolicyChecks.require("attempts", attempts, MIN_ATTEMPTS, MAX_ATTEMPTS);
        PolicyChecks.require("backoffNs", backoffNs, 1, Limits.MAX_DURATION_NS);
        PolicyChecks.require("maxBackoffNs", maxBackoffNs, backoffNs, Limits.MAX_DURATION_NS);
        this.attempts = attempts;
        this.backoffNs = backoffNs;
        this.maxBackoffNs = maxBackoffNs;
        this.codes = PolicyChecks.bits(codes);
    }

    /**
     * The most attempts.
     *
     * @return the first included, {@link #MIN_ATTEMPTS} to {@link #MAX_ATTEMPTS}.
     */
    public int attempts()
    {
        return attempts;
    }

    /**
     * The wait before the second attempt, from which a random part of up to a half is taken off.
     *
     * @return nanoseconds.
     */
    public long backoffNs()
    {
        return backoffNs;
    }

    /**
     * The longest wait before an attempt.
     *
     * @return nanoseconds.
     */
    public long maxBackoffNs()
    {
        return maxBackoffNs;
    }

    /**
     * Which codes are tried again.
     *
     * @return a new set.
     */
    public Set<StatusCode> codes()
    {
        return PolicyChecks.set(codes);
    }

    @Override
    public String toString()
    {
        return "RetryPolicy{attempts=" + attempts + ", backoffNs=" + backoffNs + ", maxBackoffNs=" + maxBackoffNs +
            ", codes=" + codes() + '}';
    }

    boolean isRetryable(final StatusCode code)
    {
        return PolicyChecks.contains(codes, code);
    }
}
