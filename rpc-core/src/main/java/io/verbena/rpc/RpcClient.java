/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import io.verbena.rpc.balance.BalancingPolicy;
import io.verbena.rpc.balance.Resolver;
import io.verbena.rpc.transport.Transport;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;

/**
 * Makes calls over one transport. Its duty cycle runs on a thread of its own, or on the caller's
 * where {@link Context#useAgentInvoker(boolean)} is set: the caller then calls {@link #doWork()} again and again.
 * <p>
 * <b>Threading:</b> with a thread of its own, {@link #connect(String)} and {@link #close()} may be called from any
 * thread. With the caller's thread, that thread alone calls everything, but for {@link RpcChannel#call}.
 * <p>
 * <b>Ownership:</b> the client owns its transport from {@link #launch(Context)} on and closes it.
 */
public final class RpcClient implements AutoCloseable
{
    private final Context context;
    private final ClientCore core;
    private final AgentHost host;

    private RpcClient(final Context context)
    {
        this.context = context;
        this.core = new ClientCore(context);
        this.host = new AgentHost(core, context);
        core.ownThread(host::isRunnerThread);
    }

    /**
     * Starts a client.
     *
     * @param context of its own, not used by another client; concluded here.
     * @return the client.
     * @throws IllegalStateException if a setting is missing or out of its range; the message names it.
     */
    public static RpcClient launch(final Context context)
    {
        context.conclude();
        final RpcClient client = new RpcClient(context);
        client.host.start();
        return client;
    }

    /**
     * The concluded settings.
     *
     * @return the context; not to be changed.
     */
    public Context context()
    {
        return context;
    }

    /**
     * Opens a channel. The connection is made in the background: calls from other threads wait for it, the zero-copy
     * face answers {@link io.verbena.rpc.transport.Connection#NOT_CONNECTED} until the channel is
     * {@link ChannelState#READY}.
     *
     * @param address of the server, a URI that the transport serves.
     * @return the channel.
     * @throws io.verbena.rpc.transport.TransportException if the address is malformed or of a foreign scheme.
     * @throws IllegalStateException if the client is closed, or too many tasks wait for its thread.
     */
    public RpcChannel connect(final String address)
    {
        return onOwnThread(() -> core.addChannel(address));
    }

    /**
     * Opens channels to all servers that a resolver finds, and goes on to do so while that changes. Connections are
     * made in the background, as of {@link #connect(String)}.
     *
     * @param resolver of the addresses; owned by the group from here on.
     * @param policy   which endpoint has the next call.
     * @return the group.
     * @throws IllegalStateException if the client is closed, or too many tasks wait for its thread; the resolver is
     *     closed then.
     */
    public ChannelGroup connect(final Resolver resolver, final BalancingPolicy policy)
    {
        Objects.requireNonNull(policy, "policy");
        final ChannelGroup group;
        try
        {
            group = onOwnThread(() -> core.addGroup(resolver, policy));
        }
        catch (final RuntimeException ex)
        {
            resolver.close();
            throw ex;
        }
        try
        {
            group.startResolver();
        }
        catch (final RuntimeException ex)
        {
            onOwnThread(() ->
            {
                group.close();
                return null;
            });
            throw ex;
        }
        return group;
    }

    /**
     * Runs a task on the client's thread, in its next duty cycle: for the zero-copy face of a client with a thread of
     * its own. Any thread.
     *
     * @param task to run; what it throws goes to the error handler.
     * @throws RejectedExecutionException if the client is closed, or {@link Context#taskQueueLength()} tasks wait
     *     already.
     */
    public void execute(final Runnable task)
    {
        host.execute(task);
    }

    /**
     * Does a cycle of the client's work. For a client without a thread of its own, on the caller's thread.
     *
     * @return a count of work done, 0 when idle.
     * @throws IllegalStateException if the client has a thread of its own.
     */
    public int doWork()
    {
        return host.doWork();
    }

    /**
     * Closes all channels: what was written is sent, for at most {@link Context#closeTimeoutNs()}; calls in flight end
     * as {@link StatusCode#CANCELLED}. Idempotent. Called from within a handler or task, it takes effect when the cycle
     * has ended.
     */
    @Override
    public void close()
    {
        host.close();
    }

    /**
     * What the client has counted since its launch. Any thread, also after the close.
     *
     * @return the counters.
     */
    public RpcCounters counters()
    {
        return core.counters();
    }

    long staleResponses()
    {
        return core.staleResponses();
    }

    int outstandingBuffers()
    {
        return core.pool().outstanding();
    }

    private <T> T onOwnThread(final Supplier<T> action)
    {
        if (host.isOwnThread())
        {
            return action.get();
        }
        final CompletableFuture<T> result = new CompletableFuture<>();
        final Runnable task = () -> complete(result, action);
        try
        {
            host.execute(task);
        }
        catch (final RejectedExecutionException ex)
        {
            throw new IllegalStateException(ex.getMessage(), ex);
        }
        if (host.isClosed())
        {
            // the agent may have run its last task before this one came in
            result.completeExceptionally(new IllegalStateException("the client is closed"));
        }
        try
        {
            return result.join();
        }
        catch (final CompletionException ex)
        {
            if (ex.getCause() instanceof final RuntimeException cause)
            {
                throw cause;
            }
            throw ex;
        }
    }

    private static <T> void complete(final CompletableFuture<T> result, final Supplier<T> action)
    {
        try
        {
            result.complete(action.get());
        }
        catch (final RuntimeException ex)
        {
            result.completeExceptionally(ex);
        }
    }

    /**
     * Settings of a client.
     */
    public static final class Context extends ResilienceContext<Context>
    {
        private Transport transport;
        private int asyncQueueLength = RpcConfiguration.count(
            RpcConfiguration.ASYNC_QUEUE_LENGTH_PROP_NAME, RpcConfiguration.ASYNC_QUEUE_LENGTH_DEFAULT);
        private long defaultTimeoutNs = RpcConfiguration.duration(
            RpcConfiguration.DEFAULT_TIMEOUT_PROP_NAME, RpcConfiguration.DEFAULT_TIMEOUT_DEFAULT_NS);
        private long reconnectMinBackoffNs = RpcConfiguration.duration(
            RpcConfiguration.RECONNECT_MIN_BACKOFF_PROP_NAME, RpcConfiguration.RECONNECT_MIN_BACKOFF_DEFAULT_NS);
        private long reconnectMaxBackoffNs = RpcConfiguration.duration(
            RpcConfiguration.RECONNECT_MAX_BACKOFF_PROP_NAME, RpcConfiguration.RECONNECT_MAX_BACKOFF_DEFAULT_NS);
        private long randomSeed = System.nanoTime();
        private final List<ClientInterceptor> interceptors = new ArrayList<>();

        /**
         * Settings from system properties and defaults.
         */
        public Context()
        {
            super("verbena-client");
        }

        /**
         * Sets the transport that calls run over, owned by the client from its launch on.
         *
         * @param transport the transport; required.
         * @return this.
         */
        public Context transport(final Transport transport)
        {
            this.transport = transport;
            return this;
        }

        /**
         * Tells the transport that calls run over, owned by the client from its launch on.
         *
         * @return the transport; required.
         */
        public Transport transport()
        {
            return transport;
        }

        /**
         * Sets the most calls from other threads that wait on one channel; a further one ends as RESOURCE_EXHAUSTED.
         *
         * @param asyncQueueLength from 2 to 16777216.
         * @return this.
         */
        public Context asyncQueueLength(final int asyncQueueLength)
        {
            this.asyncQueueLength = asyncQueueLength;
            return this;
        }

        /**
         * Tells the most calls from other threads that wait on one channel; a further one ends as RESOURCE_EXHAUSTED.
         *
         * @return from 2 to 16777216.
         */
        public int asyncQueueLength()
        {
            return asyncQueueLength;
        }

        /**
         * Sets the timeout of calls that name none.
         *
         * @param defaultTimeoutNs nanoseconds from 1; Long.MAX_VALUE for none.
         * @return this.
         */
        public Context defaultTimeoutNs(final long defaultTimeoutNs)
        {
            this.defaultTimeoutNs = defaultTimeoutNs;
            return this;
        }

        /**
         * Tells the timeout of calls that name none.
         *
         * @return nanoseconds from 1; Long.MAX_VALUE for none.
         */
        public long defaultTimeoutNs()
        {
            return defaultTimeoutNs;
        }

        /**
         * Sets the shortest wait before connecting again.
         *
         * @param reconnectMinBackoffNs nanoseconds, 1 to 1 hour.
         * @return this.
         */
        public Context reconnectMinBackoffNs(final long reconnectMinBackoffNs)
        {
            this.reconnectMinBackoffNs = reconnectMinBackoffNs;
            return this;
        }

        /**
         * Tells the shortest wait before connecting again.
         *
         * @return nanoseconds, 1 to 1 hour.
         */
        public long reconnectMinBackoffNs()
        {
            return reconnectMinBackoffNs;
        }

        /**
         * Sets the longest wait before connecting again.
         *
         * @param reconnectMaxBackoffNs nanoseconds, reconnectMinBackoffNs to 1 hour.
         * @return this.
         */
        public Context reconnectMaxBackoffNs(final long reconnectMaxBackoffNs)
        {
            this.reconnectMaxBackoffNs = reconnectMaxBackoffNs;
            return this;
        }

        /**
         * Tells the longest wait before connecting again.
         *
         * @return nanoseconds, reconnectMinBackoffNs to 1 hour.
         */
        public long reconnectMaxBackoffNs()
        {
            return reconnectMaxBackoffNs;
        }

        /**
         * Sets the seed of all jitter, of connecting and of retries, and of the first incarnation.
         *
         * @param randomSeed the seed; default differs from run to run.
         * @return this.
         */
        public Context randomSeed(final long randomSeed)
        {
            this.randomSeed = randomSeed;
            return this;
        }

        /**
         * Tells the seed of all jitter, of connecting and of retries, and of the first incarnation.
         *
         * @return the seed; default differs from run to run.
         */
        public long randomSeed()
        {
            return randomSeed;
        }

        /**
         * Adds an interceptor, told of each call in the order of registration.
         *
         * @param interceptor to tell; its hooks run on the client's thread.
         * @return this.
         */
        public Context interceptor(final ClientInterceptor interceptor)
        {
            interceptors.add(Objects.requireNonNull(interceptor, "interceptor"));
            return this;
        }

        /**
         * Tells the interceptors.
         *
         * @return the interceptors, in the order they were added.
         */
        public List<ClientInterceptor> interceptors()
        {
            return Collections.unmodifiableList(interceptors);
        }

        @Override
        Context self()
        {
            return this;
        }

        @Override
        void conclude()
        {
            super.conclude();
            if (transport == null)
            {
                throw new IllegalStateException("transport: expected a transport, found none");
            }
            Limits.require("asyncQueueLength", asyncQueueLength, 2, 1 << 24);
            Limits.require("defaultTimeoutNs", defaultTimeoutNs, 1, Long.MAX_VALUE);
            Limits.require("reconnectMinBackoffNs", reconnectMinBackoffNs, 1, Limits.MAX_DURATION_NS);
            Limits.require(
                "reconnectMaxBackoffNs", reconnectMaxBackoffNs, reconnectMinBackoffNs, Limits.MAX_DURATION_NS);
        }
    }
}
