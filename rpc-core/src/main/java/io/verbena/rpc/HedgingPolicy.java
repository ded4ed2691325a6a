/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import java.util.Set;

/**
 * Sends a call again while its answer is awaited, to cut the tail of latency: the first success wins, and the other
 * attempts are cancelled. For methods that are declared idempotent alone ({@link CallOptions#idempotent(boolean)}),
 * since the server executes each of them. Immutable.
 * <p>
 * A failure with one of the non-fatal codes sends the next attempt at once (or when the server says, by retry
 * push-back); any other failure ends the call. With several endpoints an attempt goes to another endpoint than
 * the one before where another is ready. The channel's retry budget counts for hedging too.
 */
public final class HedgingPolicy
{
    /** Default delay before each further attempt: 1 ms. */
    public static final long DELAY_DEFAULT_NS = 1_000_000L;

    private final int attempts;
    private final long delayNs;
    private final long nonFatalCodes;

    /**
     * For {@link StatusCode#UNAVAILABLE} as the one code that is not fatal.
     *
     * @param attempts the first included, {@link RetryPolicy#MIN_ATTEMPTS} to {@link RetryPolicy#MAX_ATTEMPTS}.
     * @param delayNs  from one attempt to the next, in nanoseconds, 0 to 1 hour; 0 sends all at once.
     * @throws IllegalArgumentException if something is out of its range; the message names it.
     */
    public HedgingPolicy(final int attempts, final long delayNs)
    {
        this(attempts, delayNs, StatusCode.UNAVAILABLE);
    }

    /**
     * With everything told.
     *
     * @param attempts      the first included, {@link RetryPolicy#MIN_ATTEMPTS} to {@link RetryPolicy#MAX_ATTEMPTS}.
     * @param delayNs       from one attempt to the next, in nanoseconds, 0 to 1 hour; 0 sends all at once.
     * @param nonFatalCodes after which the other attempts go on; at least one, not {@link StatusCode#OK} or
     *                      {@link StatusCode#CANCELLED}.
     * @throws IllegalArgumentException if something is out of its range; the message names it.
     */
    public HedgingPolicy(final int attempts, final long delayNs, final StatusCode... nonFatalCodes)
    {
        PolicyChecks.require("attempts", attempts, RetryPolicy.MIN_ATTEMPTS, RetryPolicy.MAX_ATTEMPTS);
        PolicyChecks.require("delayNs", delayNs, 0, Limits.MAX_DURATION_NS);
        this.attempts = attempts;
        this.delayNs = delayNs;
        this.nonFatalCodes = PolicyChecks.bits(nonFatalCodes);
    }

    /**
     * The most attempts.
     *
     * @return the first included, {@link RetryPolicy#MIN_ATTEMPTS} to {@link RetryPolicy#MAX_ATTEMPTS}.
     */
    public int attempts()
    {
        return attempts;
    }

    /**
     * The delay from one attempt to the next.
     *
     * @return nanoseconds.
     */
    public long delayNs()
    {
        return delayNs;
    }

    /**
     * The codes after which the other attempts go on.
     *
     * @return a new set.
     */
    public Set<StatusCode> nonFatalCodes()
    {
        return PolicyChecks.set(nonFatalCodes);
    }

    @Override
    public String toString()
    {
        return "HedgingPolicy{attempts=" + attempts + ", delayNs=" + delayNs + ", nonFatalCodes=" + nonFatalCodes() +
            '}';
    }

    boolean isNonFatal(final StatusCode code)
    {
        return PolicyChecks.contains(nonFatalCodes, code);
    }
}
