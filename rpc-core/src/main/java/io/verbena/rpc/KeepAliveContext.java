/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

/**
 * The settings that tell a dead peer from a silent one, the same for clients and servers.
 * <p>
 * A peer from which nothing was heard for {@link #keepAliveIntervalNs()} while calls are open is asked by a PING. If
 * nothing is heard for {@link #keepAliveTimeoutNs()} after that, the connection is closed at once and its calls end as
 * {@link StatusCode#UNAVAILABLE}. A server looks at its connections four times in the shorter of both, and so may be
 * late by a quarter of it.
 *
 * @param <C> the context itself, so that setters chain.
 */
abstract class KeepAliveContext<C extends KeepAliveContext<C>>
{
    private long keepAliveIntervalNs = RpcConfiguration.duration(
        RpcConfiguration.KEEP_ALIVE_INTERVAL_PROP_NAME, RpcConfiguration.KEEP_ALIVE_INTERVAL_DEFAULT_NS);
    private long keepAliveTimeoutNs = RpcConfiguration.duration(
        RpcConfiguration.KEEP_ALIVE_TIMEOUT_PROP_NAME, RpcConfiguration.KEEP_ALIVE_TIMEOUT_DEFAULT_NS);
    private boolean keepAliveWhenIdle = Boolean.getBoolean(RpcConfiguration.KEEP_ALIVE_WHEN_IDLE_PROP_NAME);
    private long minPingIntervalNs = RpcConfiguration.duration(
        RpcConfiguration.MIN_PING_INTERVAL_PROP_NAME, RpcConfiguration.MIN_PING_INTERVAL_DEFAULT_NS);

    KeepAliveContext()
    {
    }

    /**
     * Sets how long nothing may be heard from a peer, while calls are open, before it is asked. Less than the peer's
     * {@link #minPingIntervalNs()} costs the connection.
     *
     * @param keepAliveIntervalNs nanoseconds, 1 to 1 hour; 0 for no keep-alive.
     * @return this.
     */
    public C keepAliveIntervalNs(final long keepAliveIntervalNs)
    {
        this.keepAliveIntervalNs = keepAliveIntervalNs;
        return self();
    }

    /**
     * Tells how long nothing may be heard from a peer, while calls are open, before it is asked.
     *
     * @return nanoseconds, 0 to 1 hour; default 30 s.
     */
    public long keepAliveIntervalNs()
    {
        return keepAliveIntervalNs;
    }

    /**
     * Sets how long the peer may take to answer before its connection is closed.
     *
     * @param keepAliveTimeoutNs nanoseconds, 1 to 1 hour.
     * @return this.
     */
    public C keepAliveTimeoutNs(final long keepAliveTimeoutNs)
    {
        this.keepAliveTimeoutNs = keepAliveTimeoutNs;
        return self();
    }

    /**
     * Tells how long the peer may take to answer before its connection is closed.
     *
     * @return nanoseconds, 1 to 1 hour; default 20 s.
     */
    public long keepAliveTimeoutNs()
    {
        return keepAliveTimeoutNs;
    }

    /**
     * Sets whether the peer is asked also while no calls are open.
     *
     * @param keepAliveWhenIdle true to ask always; default false.
     * @return this.
     */
    public C keepAliveWhenIdle(final boolean keepAliveWhenIdle)
    {
        this.keepAliveWhenIdle = keepAliveWhenIdle;
        return self();
    }

    /**
     * Tells whether the peer is asked also while no calls are open.
     *
     * @return true to ask always; default false.
     */
    public boolean keepAliveWhenIdle()
    {
        return keepAliveWhenIdle;
    }

    /**
     * Sets how often the peer may ask, in the mean; 16 at once are taken. A peer that asks more often costs more than
     * it is worth: its connection is closed as a breach of the protocol.
     *
     * @param minPingIntervalNs nanoseconds, 1 to 1 hour; 0 for no limit.
     * @return this.
     */
    public C minPingIntervalNs(final long minPingIntervalNs)
    {
        this.minPingIntervalNs = minPingIntervalNs;
        return self();
    }

    /**
     * Tells how often the peer may ask, in the mean.
     *
     * @return nanoseconds, 0 to 1 hour; default 1 s.
     */
    public long minPingIntervalNs()
    {
        return minPingIntervalNs;
    }

    abstract C self();

    /**
     * What the component counts.
     */
    abstract RpcCounters counters();

    void concludeKeepAlive()
    {
        Limits.require("keepAliveIntervalNs", keepAliveIntervalNs, 0, Limits.MAX_DURATION_NS);
        Limits.require("keepAliveTimeoutNs", keepAliveTimeoutNs, 1, Limits.MAX_DURATION_NS);
        Limits.require("minPingIntervalNs", minPingIntervalNs, 0, Limits.MAX_DURATION_NS);
    }
}
