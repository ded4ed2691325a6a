/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

/**
 * How many calls a server, or one of its services, works on and keeps waiting, and for how long; what is above is
 * refused before its handler sees it, as {@link StatusCode#RESOURCE_EXHAUSTED}, not started, with the time after which
 * to try again. Given to {@link RpcServer.Context#admission(AdmissionControl)} for all services together, or to
 * {@link RpcServer.Context#service(ServiceAdapter, ServiceExecution, AdmissionControl)} for one.
 * <p>
 * <b>Under overload</b> the queue keeps the server's time for calls whose callers still wait. While the queue has not
 * been empty for the target delay, the newest call goes first; once it has not been empty for the interval, calls that
 * have waited for more than the target delay are refused. A call whose deadline passes in the queue is never started.
 * <p>
 * Fluent; not to be changed once a server was launched with it. One instance may serve several services: each has a
 * queue of its own.
 */
public final class AdmissionControl
{
    private int maxInProgress = RpcConfiguration.count(
        RpcConfiguration.ADMISSION_MAX_IN_PROGRESS_PROP_NAME, RpcConfiguration.ADMISSION_MAX_IN_PROGRESS_DEFAULT);
    private int maxQueued = RpcConfiguration.count(
        RpcConfiguration.ADMISSION_MAX_QUEUED_PROP_NAME, RpcConfiguration.ADMISSION_MAX_QUEUED_DEFAULT);
    private int maxQueuedBytes = RpcConfiguration.size(
        RpcConfiguration.ADMISSION_MAX_QUEUED_BYTES_PROP_NAME, RpcConfiguration.ADMISSION_MAX_QUEUED_BYTES_DEFAULT);
    private long targetDelayNs = RpcConfiguration.duration(
        RpcConfiguration.ADMISSION_TARGET_DELAY_PROP_NAME, RpcConfiguration.ADMISSION_TARGET_DELAY_DEFAULT_NS);
    private long intervalNs = RpcConfiguration.duration(
        RpcConfiguration.ADMISSION_INTERVAL_PROP_NAME, RpcConfiguration.ADMISSION_INTERVAL_DEFAULT_NS);

    /**
     * Settings from system properties and defaults.
     */
    public AdmissionControl()
    {
    }

    /**
     * Sets the most calls in progress: given to the service and not ended, streams included.
     *
     * @param maxInProgress 1 to 16777216.
     * @return this.
     */
    public AdmissionControl maxInProgress(final int maxInProgress)
    {
        this.maxInProgress = maxInProgress;
        return this;
    }

    /**
     * Tells the most calls in progress.
     *
     * @return 1 to 16777216; default 4,096.
     */
    public int maxInProgress()
    {
        return maxInProgress;
    }

    /**
     * Sets the most calls that wait.
     *
     * @param maxQueued 0 to 16777216; with 0 a call is started at once or refused.
     * @return this.
     */
    public AdmissionControl maxQueued(final int maxQueued)
    {
        this.maxQueued = maxQueued;
        return this;
    }

    /**
     * Tells the most calls that wait.
     *
     * @return 0 to 16777216; default 1,024.
     */
    public int maxQueued()
    {
        return maxQueued;
    }

    /**
     * Sets the most bytes of the requests that wait.
     *
     * @param maxQueuedBytes bytes, from 0.
     * @return this.
     */
    public AdmissionControl maxQueuedBytes(final int maxQueuedBytes)
    {
        this.maxQueuedBytes = maxQueuedBytes;
        return this;
    }

    /**
     * Tells the most bytes of the requests that wait.
     *
     * @return bytes, from 0; default 64 MiB.
     */
    public int maxQueuedBytes()
    {
        return maxQueuedBytes;
    }

    /**
     * Sets how long a call may wait while the server is overloaded, and how long a queue is served oldest first.
     *
     * @param targetDelayNs nanoseconds, 1 to 1 hour.
     * @return this.
     */
    public AdmissionControl targetDelayNs(final long targetDelayNs)
    {
        this.targetDelayNs = targetDelayNs;
        return this;
    }

    /**
     * Tells how long a call may wait while the server is overloaded.
     *
     * @return nanoseconds, 1 to 1 hour; default 5 ms.
     */
    public long targetDelayNs()
    {
        return targetDelayNs;
    }

    /**
     * Sets how long a queue is not empty before that counts as overload, and how long a call may wait at all.
     *
     * @param intervalNs nanoseconds, targetDelayNs to 1 hour.
     * @return this.
     */
    public AdmissionControl intervalNs(final long intervalNs)
    {
        this.intervalNs = intervalNs;
        return this;
    }

    /**
     * Tells how long a queue is not empty before that counts as overload, and how long a call may wait at all.
     *
     * @return nanoseconds, targetDelayNs to 1 hour; default 100 ms.
     */
    public long intervalNs()
    {
        return intervalNs;
    }

    void conclude()
    {
        Limits.require("admission: maxInProgress", maxInProgress, 1, 1 << 24);
        Limits.require("admission: maxQueued", maxQueued, 0, 1 << 24);
        Limits.require("admission: maxQueuedBytes", maxQueuedBytes, 0, Integer.MAX_VALUE);
        Limits.require("admission: targetDelayNs", targetDelayNs, 1, Limits.MAX_DURATION_NS);
        Limits.require("admission: intervalNs", intervalNs, targetDelayNs, Limits.MAX_DURATION_NS);
    }
}
