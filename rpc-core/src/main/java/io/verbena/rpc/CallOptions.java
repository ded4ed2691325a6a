/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import java.util.Objects;

/**
 * How a call is made. Immutable: each setter returns other options, so that they can be kept in constants and shared.
 */
public final class CallOptions
{
    /**
     * The client's default timeout; fails at once while the server can't be reached; inherits the deadline of the
     * call that is being handled, if there is one; neither idempotent, nor tried again, nor hedged; no metadata.
     */
    public static final CallOptions DEFAULT =
        new CallOptions(RpcChannel.DEFAULT_TIMEOUT, false, true, false, null, null, null);

    private final long timeoutNs;
    private final boolean isWaitForReady;
    private final boolean isDeadlineInherited;
    private final boolean isIdempotent;
    private final Metadata metadata;
    private final RetryPolicy retry;
    private final HedgingPolicy hedging;

    private CallOptions(
        final long timeoutNs,
        final boolean isWaitForReady,
        final boolean isDeadlineInherited,
        final boolean isIdempotent,
        final Metadata metadata,
        final RetryPolicy retry,
        final HedgingPolicy hedging)
    {
        if (retry != null && hedging != null)
        {
            throw new IllegalArgumentException("expected a retry policy or a hedging policy, found both");
        }
        this.timeoutNs = timeoutNs;
        this.isWaitForReady = isWaitForReady;
        this.isDeadlineInherited = isDeadlineInherited;
        this.isIdempotent = isIdempotent;
        this.metadata = metadata;
        this.retry = retry;
        this.hedging = hedging;
    }

    /**
     * Sets the time from the call to its deadline, which spans all attempts.
     *
     * @param timeoutNs nanoseconds; {@link RpcChannel#DEFAULT_TIMEOUT} for the client's default,
     *                  {@link RpcChannel#NO_TIMEOUT} for none.
     * @return other options.
     * @throws IllegalArgumentException if it is negative.
     */
    public CallOptions timeoutNs(final long timeoutNs)
    {
        RpcChannel.requireNotNegative(0, timeoutNs);
        return new CallOptions(timeoutNs, isWaitForReady, isDeadlineInherited, isIdempotent, metadata, retry, hedging);
    }

    /**
     * Tells the time from the call to its deadline.
     *
     * @return nanoseconds; {@link RpcChannel#DEFAULT_TIMEOUT} for the client's default, {@link RpcChannel#NO_TIMEOUT}
     *     for none.
     */
    public long timeoutNs()
    {
        return timeoutNs;
    }

    /**
     * Sets whether the call waits, until its deadline, while no server can be reached. Otherwise it waits while a
     * connection is being made, and fails as {@link StatusCode#UNAVAILABLE} when that did not come about.
     *
     * @param waitForReady true to wait; default false.
     * @return other options.
     */
    public CallOptions waitForReady(final boolean waitForReady)
    {
        return new CallOptions(timeoutNs, waitForReady, isDeadlineInherited, isIdempotent, metadata, retry, hedging);
    }

    /**
     * Tells whether the call waits, until its deadline, while no server can be reached.
     *
     * @return true to wait; default false.
     */
    public boolean isWaitForReady()
    {
        return isWaitForReady;
    }

    /**
     * Sets whether a call made while another one is being handled ends with that one's deadline at the latest, and is
     * cancelled with it.
     *
     * @param deadlineInherited false to be independent of it; default true.
     * @return other options.
     */
    public CallOptions deadlineInherited(final boolean deadlineInherited)
    {
        return new CallOptions(timeoutNs, isWaitForReady, deadlineInherited, isIdempotent, metadata, retry, hedging);
    }

    /**
     * Tells whether a call made while another one is being handled ends with that one's deadline at the latest, and is
     * cancelled with it.
     *
     * @return false if it is independent; default true.
     */
    public boolean isDeadlineInherited()
    {
        return isDeadlineInherited;
    }

    /**
     * Declares that to execute the method twice does no harm. Without this, nothing that a server may have begun is
     * ever sent again.
     *
     * @param idempotent true if so; default false.
     * @return other options.
     */
    public CallOptions idempotent(final boolean idempotent)
    {
        return new CallOptions(timeoutNs, isWaitForReady, isDeadlineInherited, idempotent, metadata, retry, hedging);
    }

    /**
     * Tells whether executing the method twice is declared to do no harm.
     *
     * @return true if so; default false.
     */
    public boolean isIdempotent()
    {
        return isIdempotent;
    }

    /**
     * Sets the metadata that goes with each attempt.
     *
     * @param metadata copied here; null for none, the default.
     * @return other options.
     */
    public CallOptions metadata(final Metadata metadata)
    {
        final Metadata copy = metadata == null ? null : metadata.copy();
        return new CallOptions(timeoutNs, isWaitForReady, isDeadlineInherited, isIdempotent, copy, retry, hedging);
    }

    /**
     * Tells the metadata that goes with each attempt.
     *
     * @return the metadata, not to be changed; null for none, the default.
     */
    public Metadata metadata()
    {
        return metadata;
    }

    /**
     * Sets when to try a failed call again. On a method that is not idempotent it applies to what the server says it
     * had not begun.
     *
     * @param retry the policy; null for none, the default.
     * @return other options.
     * @throws IllegalArgumentException if there is a hedging policy.
     */
    public CallOptions retry(final RetryPolicy retry)
    {
        return new CallOptions(timeoutNs, isWaitForReady, isDeadlineInherited, isIdempotent, metadata, retry, hedging);
    }

    /**
     * Tells when to try a failed call again.
     *
     * @return the policy; null for none, the default.
     */
    public RetryPolicy retry()
    {
        return retry;
    }

    /**
     * Sets when to send the call again while its answer is awaited. For idempotent methods alone: a call with a
     * hedging policy and without {@link #idempotent(boolean)} is refused.
     *
     * @param hedging the policy; null for none, the default.
     * @return other options.
     * @throws IllegalArgumentException if there is a retry policy.
     */
    public CallOptions hedging(final HedgingPolicy hedging)
    {
        return new CallOptions(timeoutNs, isWaitForReady, isDeadlineInherited, isIdempotent, metadata, retry, hedging);
    }

    /**
     * Tells when to send the call again while its answer is awaited.
     *
     * @return the policy; null for none, the default.
     */
    public HedgingPolicy hedging()
    {
        return hedging;
    }

    @Override
    public String toString()
    {
        return "CallOptions{timeoutNs=" + timeoutNs + ", isWaitForReady=" + isWaitForReady + ", isDeadlineInherited=" +
            isDeadlineInherited + ", isIdempotent=" + isIdempotent + ", metadata=" + metadata +
            ", retry=" + Objects.toString(retry, "none") +
            ", hedging=" + Objects.toString(hedging, "none") + '}';
    }
}
