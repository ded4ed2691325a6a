/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

/**
 * The settings of a client that concern retries and groups of endpoints.
 *
 * @param <C> the context itself, so that setters chain.
 */
abstract class ResilienceContext<C extends ResilienceContext<C>> extends AgentContext<C>
{
    private int retryMaxTokens = RpcConfiguration.count(
        RpcConfiguration.RETRY_MAX_TOKENS_PROP_NAME, RpcConfiguration.RETRY_MAX_TOKENS_DEFAULT);
    private int retryTokenThousandths = RpcConfiguration.count(
        RpcConfiguration.RETRY_TOKEN_THOUSANDTHS_PROP_NAME, RpcConfiguration.RETRY_TOKEN_THOUSANDTHS_DEFAULT);
    private int retryBufferBytes = RpcConfiguration.size(
        RpcConfiguration.RETRY_BUFFER_BYTES_PROP_NAME, RpcConfiguration.RETRY_BUFFER_BYTES_DEFAULT);
    private int maxEndpoints = RpcConfiguration.count(
        RpcConfiguration.MAX_ENDPOINTS_PROP_NAME, RpcConfiguration.MAX_ENDPOINTS_DEFAULT);
    private long removedDrainTimeoutNs = RpcConfiguration.duration(
        RpcConfiguration.REMOVED_DRAIN_TIMEOUT_PROP_NAME, RpcConfiguration.REMOVED_DRAIN_TIMEOUT_DEFAULT_NS);

    ResilienceContext(final String agentName)
    {
        super(agentName);
    }

    /**
     * Sets the tokens of the retry budget that each channel or group has, as it begins and at most: a failure that
     * could be tried again takes one, a success gives back {@link #retryTokenThousandths()}; while no more than half
     * are left, nothing is tried again or hedged by policy.
     *
     * @param retryMaxTokens 1 to 1000.
     * @return this.
     */
    public C retryMaxTokens(final int retryMaxTokens)
    {
        this.retryMaxTokens = retryMaxTokens;
        return self();
    }

    /**
     * Tells the tokens of the retry budget that each channel or group has, as it begins and at most: a failure that
     * could be tried again takes one, a success gives back {@link #retryTokenThousandths()}; while no more than half
     * are left, nothing is tried again or hedged by policy.
     *
     * @return 1 to 1000.
     */
    public int retryMaxTokens()
    {
        return retryMaxTokens;
    }

    /**
     * Sets what a success gives back to the retry budget: in the long run, retries add at most this share to the
     * calls that succeed.
     *
     * @param retryTokenThousandths thousandths of a token, 1 to 1000.
     * @return this.
     */
    public C retryTokenThousandths(final int retryTokenThousandths)
    {
        this.retryTokenThousandths = retryTokenThousandths;
        return self();
    }

    /**
     * Tells what a success gives back to the retry budget: in the long run, retries add at most this share to the
     * calls that succeed.
     *
     * @return thousandths of a token, 1 to 1000.
     */
    public int retryTokenThousandths()
    {
        return retryTokenThousandths;
    }

    /**
     * Sets the most bytes of requests that one channel or group keeps while they are in flight, so that they can
     * be sent again; a call whose request does not fit any more is made, but only once.
     *
     * @param retryBufferBytes bytes, from 0.
     * @return this.
     */
    public C retryBufferBytes(final int retryBufferBytes)
    {
        this.retryBufferBytes = retryBufferBytes;
        return self();
    }

    /**
     * Tells the most bytes of requests that one channel or group keeps while they are in flight, so that they can
     * be sent again; a call whose request does not fit any more is made, but only once.
     *
     * @return bytes, from 0.
     */
    public int retryBufferBytes()
    {
        return retryBufferBytes;
    }

    /**
     * Sets the most endpoints of one group; what a resolver finds beyond is reported and left out.
     *
     * @param maxEndpoints 1 to 1024.
     * @return this.
     */
    public C maxEndpoints(final int maxEndpoints)
    {
        this.maxEndpoints = maxEndpoints;
        return self();
    }

    /**
     * Tells the most endpoints of one group; what a resolver finds beyond is reported and left out.
     *
     * @return 1 to 1024.
     */
    public int maxEndpoints()
    {
        return maxEndpoints;
    }

    /**
     * Sets how long the calls of an endpoint that was removed from its group may go on; they are cancelled then.
     *
     * @param removedDrainTimeoutNs nanoseconds, 0 to 1 hour.
     * @return this.
     */
    public C removedDrainTimeoutNs(final long removedDrainTimeoutNs)
    {
        this.removedDrainTimeoutNs = removedDrainTimeoutNs;
        return self();
    }

    /**
     * Tells how long the calls of an endpoint that was removed from its group may go on; they are cancelled then.
     *
     * @return nanoseconds, 0 to 1 hour.
     */
    public long removedDrainTimeoutNs()
    {
        return removedDrainTimeoutNs;
    }

    @Override
    void conclude()
    {
        super.conclude();
        Limits.require("retryMaxTokens", retryMaxTokens, 1, 1000);
        Limits.require("retryTokenThousandths", retryTokenThousandths, 1, 1000);
        Limits.require("retryBufferBytes", retryBufferBytes, 0, Integer.MAX_VALUE);
        Limits.require("maxEndpoints", maxEndpoints, 1, 1024);
        Limits.require("removedDrainTimeoutNs", removedDrainTimeoutNs, 0, Limits.MAX_DURATION_NS);
    }
}
