/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import org.agrona.ErrorHandler;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;

/**
 * The settings that clients and servers have in common. Fluent; concluded once, by the launch of the component that it
 * then belongs to; not to be changed after that.
 *
 * @param <C> the context itself, so that setters chain.
 */
public abstract class AgentContext<C extends AgentContext<C>> extends FlowControlContext<C>
{
    private NanoClock nanoClock;
    private IdleStrategy idleStrategy;
    private ErrorHandler errorHandler;
    private boolean useAgentInvoker;
    private String agentName;
    private int maxCallsInFlight = RpcConfiguration.count(
        RpcConfiguration.MAX_CALLS_IN_FLIGHT_PROP_NAME, RpcConfiguration.MAX_CALLS_IN_FLIGHT_DEFAULT);
    private int maxMessageLength = RpcConfiguration.size(
        RpcConfiguration.MAX_MESSAGE_LENGTH_PROP_NAME, RpcConfiguration.MAX_MESSAGE_LENGTH_DEFAULT);
    private int maxQueuedBytes = RpcConfiguration.size(
        RpcConfiguration.MAX_QUEUED_BYTES_PROP_NAME, RpcConfiguration.MAX_QUEUED_BYTES_DEFAULT);
    private int maxAssemblyBytes = RpcConfiguration.size(
        RpcConfiguration.MAX_ASSEMBLY_BYTES_PROP_NAME, RpcConfiguration.MAX_ASSEMBLY_BYTES_DEFAULT);
    private int maxRetainedBufferBytes = RpcConfiguration.size(
        RpcConfiguration.MAX_RETAINED_BUFFER_BYTES_PROP_NAME, RpcConfiguration.MAX_RETAINED_BUFFER_BYTES_DEFAULT);
    private int taskQueueLength = RpcConfiguration.count(
        RpcConfiguration.TASK_QUEUE_LENGTH_PROP_NAME, RpcConfiguration.TASK_QUEUE_LENGTH_DEFAULT);
    private int pollLimit = RpcConfiguration.count(
        RpcConfiguration.POLL_LIMIT_PROP_NAME, RpcConfiguration.POLL_LIMIT_DEFAULT);
    private long handshakeTimeoutNs = RpcConfiguration.duration(
        RpcConfiguration.HANDSHAKE_TIMEOUT_PROP_NAME, RpcConfiguration.HANDSHAKE_TIMEOUT_DEFAULT_NS);
    private long closeTimeoutNs = RpcConfiguration.duration(
        RpcConfiguration.CLOSE_TIMEOUT_PROP_NAME, RpcConfiguration.CLOSE_TIMEOUT_DEFAULT_NS);
    private boolean isConcluded;
    private RpcCounters counters;

    AgentContext(final String agentName)
    {
        this.agentName = agentName;
    }

    /**
     * Sets the clock of all deadlines and timers.
     *
     * @param nanoClock the clock; default the system's.
     * @return this.
     */
    public C nanoClock(final NanoClock nanoClock)
    {
        this.nanoClock = nanoClock;
        return self();
    }

    /**
     * Tells the clock of all deadlines and timers.
     *
     * @return the clock; default the system's.
     */
    public NanoClock nanoClock()
    {
        return nanoClock;
    }

    /**
     * Sets what the agent's own thread does when there is nothing to do. Deadlines and timers are looked at in every
     * eighth duty cycle: a strategy that sleeps makes them late by up to eight times its sleep.
     *
     * @param idleStrategy the idle strategy; default a BackoffIdleStrategy.
     * @return this.
     */
    public C idleStrategy(final IdleStrategy idleStrategy)
    {
        this.idleStrategy = idleStrategy;
        return self();
    }

    /**
     * Tells what the agent's own thread does when there is nothing to do.
     *
     * @return the idle strategy; default a BackoffIdleStrategy.
     */
    public IdleStrategy idleStrategy()
    {
        return idleStrategy;
    }

    /**
     * Sets who is told of errors that no call ends with, on the agent's thread. What it throws itself is printed to the
     * error stream and goes no further.
     *
     * @param errorHandler the error handler; default prints one line to the error stream.
     * @return this.
     */
    public C errorHandler(final ErrorHandler errorHandler)
    {
        this.errorHandler = errorHandler;
        return self();
    }

    /**
     * Tells who is told of errors that no call ends with.
     *
     * @return the error handler; default prints one line to the error stream.
     */
    public ErrorHandler errorHandler()
    {
        return errorHandler;
    }

    /**
     * Sets whether the caller's thread runs the duty cycle.
     *
     * @param useAgentInvoker true for the caller's thread; default false, a thread of its own.
     * @return this.
     */
    public C useAgentInvoker(final boolean useAgentInvoker)
    {
        this.useAgentInvoker = useAgentInvoker;
        return self();
    }

    /**
     * Tells whether the caller's thread runs the duty cycle.
     *
     * @return true for the caller's thread; default false, a thread of its own.
     */
    public boolean useAgentInvoker()
    {
        return useAgentInvoker;
    }

    /**
     * Sets the name of the agent and its thread.
     *
     * @param agentName the name.
     * @return this.
     */
    public C agentName(final String agentName)
    {
        this.agentName = agentName;
        return self();
    }

    /**
     * Tells the name of the agent and its thread.
     *
     * @return the name.
     */
    public String agentName()
    {
        return agentName;
    }

    /**
     * Sets the most calls in flight on one connection; the peer's limit counts too.
     *
     * @param maxCallsInFlight 1 to 65536.
     * @return this.
     */
    public C maxCallsInFlight(final int maxCallsInFlight)
    {
        this.maxCallsInFlight = maxCallsInFlight;
        return self();
    }

    /**
     * Tells the most calls in flight on one connection; the peer's limit counts too.
     *
     * @return 1 to 65536.
     */
    public int maxCallsInFlight()
    {
        return maxCallsInFlight;
    }

    /**
     * Sets the longest request or response; the peer's limit counts too.
     *
     * @param maxMessageLength bytes, 2 KiB to 1 GiB.
     * @return this.
     */
    public C maxMessageLength(final int maxMessageLength)
    {
        this.maxMessageLength = maxMessageLength;
        return self();
    }

    /**
     * Tells the longest request or response; the peer's limit counts too.
     *
     * @return bytes, 2 KiB to 1 GiB.
     */
    public int maxMessageLength()
    {
        return maxMessageLength;
    }

    /**
     * Sets the most bytes that wait for the transport on one connection.
     *
     * @param maxQueuedBytes bytes, from maxMessageLength on.
     * @return this.
     */
    public C maxQueuedBytes(final int maxQueuedBytes)
    {
        this.maxQueuedBytes = maxQueuedBytes;
        return self();
    }

    /**
     * Tells the most bytes that wait for the transport on one connection.
     *
     * @return bytes, from maxMessageLength on.
     */
    public int maxQueuedBytes()
    {
        return maxQueuedBytes;
    }

    /**
     * Sets the most bytes of long messages that are being joined on one connection.
     *
     * @param maxAssemblyBytes bytes, from maxMessageLength on.
     * @return this.
     */
    public C maxAssemblyBytes(final int maxAssemblyBytes)
    {
        this.maxAssemblyBytes = maxAssemblyBytes;
        return self();
    }

    /**
     * Tells the most bytes of long messages that are being joined on one connection.
     *
     * @return bytes, from maxMessageLength on.
     */
    public int maxAssemblyBytes()
    {
        return maxAssemblyBytes;
    }

    /**
     * Sets the most bytes of idle buffers for long messages that are kept for reuse.
     *
     * @param maxRetainedBufferBytes bytes, from 0.
     * @return this.
     */
    public C maxRetainedBufferBytes(final int maxRetainedBufferBytes)
    {
        this.maxRetainedBufferBytes = maxRetainedBufferBytes;
        return self();
    }

    /**
     * Tells the most bytes of idle buffers for long messages that are kept for reuse.
     *
     * @return bytes, from 0.
     */
    public int maxRetainedBufferBytes()
    {
        return maxRetainedBufferBytes;
    }

    /**
     * Sets the most tasks of other threads that wait for the agent's thread; a further one is rejected.
     *
     * @param taskQueueLength from 1 to 16777216.
     * @return this.
     */
    public C taskQueueLength(final int taskQueueLength)
    {
        this.taskQueueLength = taskQueueLength;
        return self();
    }

    /**
     * Tells the most tasks of other threads that wait for the agent's thread; a further one is rejected.
     *
     * @return from 1 to 16777216.
     */
    public int taskQueueLength()
    {
        return taskQueueLength;
    }

    /**
     * Sets the most messages taken from a transport in one duty cycle.
     *
     * @param pollLimit 1 to 65536.
     * @return this.
     */
    public C pollLimit(final int pollLimit)
    {
        this.pollLimit = pollLimit;
        return self();
    }

    /**
     * Tells the most messages taken from a transport in one duty cycle.
     *
     * @return 1 to 65536.
     */
    public int pollLimit()
    {
        return pollLimit;
    }

    /**
     * Sets how long the peer may take for its part of the handshake.
     *
     * @param handshakeTimeoutNs nanoseconds, 1 to 1 hour.
     * @return this.
     */
    public C handshakeTimeoutNs(final long handshakeTimeoutNs)
    {
        this.handshakeTimeoutNs = handshakeTimeoutNs;
        return self();
    }

    /**
     * Tells how long the peer may take for its part of the handshake.
     *
     * @return nanoseconds, 1 to 1 hour.
     */
    public long handshakeTimeoutNs()
    {
        return handshakeTimeoutNs;
    }

    /**
     * Sets how long closing may take to send what was written.
     *
     * @param closeTimeoutNs nanoseconds, 0 to 1 hour.
     * @return this.
     */
    public C closeTimeoutNs(final long closeTimeoutNs)
    {
        this.closeTimeoutNs = closeTimeoutNs;
        return self();
    }

    /**
     * Tells how long closing may take to send what was written.
     *
     * @return nanoseconds, 0 to 1 hour.
     */
    public long closeTimeoutNs()
    {
        return closeTimeoutNs;
    }

    /**
     * What the component counts; made when it is first asked for.
     */
    @Override
    final RpcCounters counters()
    {
        if (counters == null)
        {
            counters = new RpcCounters(agentName(), this instanceof RpcServer.Context);
        }
        return counters;
    }

    void conclude()
    {
        if (isConcluded)
        {
            throw new IllegalStateException("the context has been launched already: make a new one");
        }
        isConcluded = true;
        if (nanoClock == null)
        {
            nanoClock = SystemNanoClock.INSTANCE;
        }
        if (idleStrategy == null)
        {
            idleStrategy = new BackoffIdleStrategy();
        }
        if (errorHandler == null)
        {
            errorHandler = Limits.DEFAULT_ERROR_HANDLER;
        }
        Limits.require("maxCallsInFlight", maxCallsInFlight, 1, CallTable.MAX_CAPACITY);
        Limits.require("maxMessageLength", maxMessageLength, Limits.MIN_LENGTH, Limits.MAX_LENGTH);
        concludePayload();
        Limits.require("maxQueuedBytes", maxQueuedBytes, maxMessageLength, Integer.MAX_VALUE);
        Limits.require("maxAssemblyBytes", maxAssemblyBytes, maxMessageLength, Integer.MAX_VALUE);
        Limits.require("maxRetainedBufferBytes", maxRetainedBufferBytes, 0, Integer.MAX_VALUE);
        Limits.require("taskQueueLength", taskQueueLength, 1, 1 << 24);
        Limits.require("pollLimit", pollLimit, 1, 1 << 16);
        Limits.require("handshakeTimeoutNs", handshakeTimeoutNs, 1, Limits.MAX_DURATION_NS);
        concludeFlowControl();
        concludeKeepAlive();
        Limits.require("closeTimeoutNs", closeTimeoutNs, 0, Limits.MAX_DURATION_NS);
    }
}
