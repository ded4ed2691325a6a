/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import io.verbena.rpc.balance.BalancingPolicy;
import io.verbena.rpc.balance.Resolver;
import io.verbena.rpc.transport.Connection;
import io.verbena.rpc.transport.DisconnectCause;
import io.verbena.rpc.transport.Transport;
import io.verbena.rpc.transport.TransportListener;
import java.util.ArrayList;
import java.util.Random;
import java.util.function.BooleanSupplier;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.collections.Long2ObjectHashMap;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.NanoClock;

/**
 * A client's duty cycle: polls the transport, hands frames to channels, checks timers. One thread.
 */
final class ClientCore implements Agent, TransportListener
{
    /**
     * Timers are looked at in every so many cycles; messages in every one.
     */
    private static final int TIMER_CYCLE_MASK = 7;

    private final RpcClient.Context context;
    private final Transport transport;
    private final NanoClock clock;
    private final BufferPool pool;
    private final RpcCounters counters;
    private final PayloadDecoder decoder;
    private final ExpandableArrayBuffer scratch = new ExpandableArrayBuffer();
    private final StreamPool streamPool = new StreamPool();
    private final Random random;
    private final ArrayList<RpcChannel> channels = new ArrayList<>();
    private final ArrayList<ChannelGroup> groups = new ArrayList<>();
    private final Long2ObjectHashMap<RpcChannel> byConnectionId = new Long2ObjectHashMap<>();
    private Connection lastConnection;
    private RpcChannel lastChannel;
    private int openRequests;
    private long cycle;
    private boolean isClosed;
    private BooleanSupplier ownThread = () -> false;
    private Thread scopeThread;
    private CallScope.Current scope;

    ClientCore(final RpcClient.Context context)
    {
        this.context = context;
        this.transport = context.transport();
        this.clock = context.nanoClock();
        this.pool = new BufferPool(context.maxRetainedBufferBytes());
        this.decoder = new PayloadDecoder(context, pool, context.maxMessageLength());
        this.random = new Random(context.randomSeed());
        this.counters = context.counters();
        counters.mirrorTo(transport);
    }

    RpcClient.Context context()
    {
        return context;
    }

    Transport transport()
    {
        return transport;
    }

    NanoClock clock()
    {
        return clock;
    }

    BufferPool pool()
    {
        return pool;
    }

    RpcCounters counters()
    {
        return counters;
    }

    PayloadDecoder decoder()
    {
        return decoder;
    }

    ExpandableArrayBuffer scratch()
    {
        return scratch;
    }

    StreamPool streamPool()
    {
        return streamPool;
    }

    Random random()
    {
        return random;
    }

    /**
     * The timeout that is meant, where a caller may ask for the default, or for one so long that it counts as none.
     */
    long effectiveTimeoutNs(final long timeoutNs)
    {
        final long chosenNs = timeoutNs == RpcChannel.DEFAULT_TIMEOUT ? context.defaultTimeoutNs() : timeoutNs;
        return chosenNs < Limits.LONGEST_TIMEOUT_NS ? chosenNs : RpcChannel.NO_TIMEOUT;
    }

    /**
     * The moment at which a call ends that is made now. Any thread.
     */
    long deadlineNs(final long timeoutNs)
    {
        final long usedNs = effectiveTimeoutNs(timeoutNs);
        return usedNs == RpcChannel.NO_TIMEOUT ? usedNs : clock.nanoTime() + usedNs;
    }

    /**
     * A request was claimed.
     */
    void requestOpened()
    {
        openRequests++;
    }

    /**
     * A claimed request was committed or aborted.
     */
    void requestClosed()
    {
        openRequests--;
    }

    /**
     * Sets what tells whether the calling thread is the client's own, which must not block.
     */
    void ownThread(final BooleanSupplier test)
    {
        ownThread = test;
    }

    boolean isOwnThread()
    {
        return ownThread.getAsBoolean();
    }

    RpcChannel addChannel(final String address)
    {
        if (isClosed)
        {
            throw new IllegalStateException("the client is closed");
        }
        final RpcChannel channel = new RpcChannel(this, address);
        channel.connector().connect();
        channels.add(channel);
        return channel;
    }

    ChannelGroup addGroup(final Resolver resolver, final BalancingPolicy policy)
    {
        if (isClosed)
        {
            throw new IllegalStateException("the client is closed");
        }
        final ChannelGroup group = new ChannelGroup(this, resolver, policy);
        groups.add(group);
        return group;
    }

    void remove(final ChannelGroup group)
    {
        groups.remove(group);
    }

    void register(final Connection connection, final RpcChannel channel)
    {
        byConnectionId.put(connection.id(), channel);
    }

    void remove(final RpcChannel channel)
    {
        channels.remove(channel);
    }

    void onStaleResponse()
    {
        counters.staleFrame();
    }

    long staleResponses()
    {
        return counters.get(RpcCounter.STALE_FRAMES);
    }

    /**
     * Tells of what a handler has thrown.
     */
    void onHandlerFailure(final Throwable failure)
    {
        counters.handlerFailed();
        onError(failure);
    }

    void onError(final Throwable failure)
    {
        Limits.report(context.errorHandler(), failure);
    }

    @Override
    public int doWork()
    {
        if (!CallScope.isInUse())
        {
            return cycle();
        }
        // run from within a server's handler, what is called back here is not on that call's behalf
        final CallScope.Current scope = scope();
        final ServerCall formerHandled = scope.handled();
        final CallScope formerScope = scope.top();
        scope.handle(null);
        try
        {
            return cycle();
        }
        finally
        {
            scope.restore(formerHandled, formerScope);
        }
    }

    private CallScope.Current scope()
    {
        if (scopeThread != Thread.currentThread())
        {
            scopeThread = Thread.currentThread();
            scope = CallScope.ofThread();
        }
        return scope;
    }

    private int cycle()
    {
        if (openRequests != 0)
        {
            abandonOpenRequests();
        }
        int work = transport.poll(this, context.pollLimit());
        for (int i = channels.size() - 1; i >= 0; i = previous(i))
        {
            work += channels.get(i).doWork();
        }
        for (int i = groups.size() - 1; i >= 0; i = Math.min(i, groups.size()) - 1)
        {
            work += groups.get(i).doWork();
        }
        if ((++cycle & TIMER_CYCLE_MASK) == 0)
        {
            work += checkTimers();
            counters.publish(cycle);
        }
        return work;
    }

    @Override
    public void onClose()
    {
        if (!isClosed)
        {
            isClosed = true;
            flush();
            while (!groups.isEmpty())
            {
                // takes itself out
                groups.get(groups.size() - 1).close();
            }
            for (int i = channels.size() - 1; i >= 0; i = previous(i))
            {
                channels.get(i).close();
            }
            counters.detach();
            CloseHelper.close(this::onError, transport);
            // the transport calls back no more: what connections hold is freed here
            for (final RpcChannel channel : byConnectionId.values())
            {
                channel.connector().onDisconnected(DisconnectCause.CLOSED_LOCALLY);
            }
            byConnectionId.clear();
            CloseHelper.closeAll(this::onError, context.codecs());
        }
    }

    @Override
    public String roleName()
    {
        return context.agentName();
    }

    @Override
    public void onConnected(final Connection connection)
    {
        final RpcChannel channel = channel(connection);
        if (channel == null || channel.state() == ChannelState.CLOSED)
        {
            connection.close();
        }
        else
        {
            channel.connector().onConnected();
        }
    }

    @Override
    public void onMessage(final Connection connection, final DirectBuffer buffer, final int offset, final int length)
    {
        final RpcChannel channel = channel(connection);
        if (channel != null)
        {
            channel.connector().onMessage(buffer, offset, length);
        }
    }

    @Override
    public void onDisconnected(final Connection connection, final DisconnectCause cause)
    {
        final RpcChannel channel = byConnectionId.remove(connection.id());
        if (lastConnection == connection)
        {
            lastConnection = null;
            lastChannel = null;
        }
        if (channel != null)
        {
            channel.abort();
            channel.connector().onDisconnected(cause);
            if (channel.state() == ChannelState.CLOSED)
            {
                channels.remove(channel);
            }
        }
    }

    private RpcChannel channel(final Connection connection)
    {
        if (connection != lastConnection)
        {
            lastChannel = byConnectionId.get(connection.id());
            lastConnection = connection;
        }
        return lastChannel;
    }

    private int checkTimers()
    {
        int work = 0;
        final long nowNs = clock.nanoTime();
        for (int i = channels.size() - 1; i >= 0; i = previous(i))
        {
            work += channels.get(i).checkTimers(nowNs);
        }
        for (int i = groups.size() - 1; i >= 0; i = Math.min(i, groups.size()) - 1)
        {
            work += groups.get(i).checkTimers(nowNs);
        }
        return work;
    }

    /**
     * The index before, in a list that callbacks may have made shorter.
     */
    private int previous(final int index)
    {
        return Math.min(index, channels.size()) - 1;
    }

    private void abandonOpenRequests()
    {
        for (int i = channels.size() - 1; i >= 0; i--)
        {
            final RpcChannel channel = channels.get(i);
            if (channel.isRequestOpen())
            {
                channel.abort();
                onError(new IllegalStateException(
                    "a request claimed on the channel to " + channel.address() +
                    " was neither committed nor aborted before the next duty cycle: aborted"));
            }
        }
    }

    private void flush()
    {
        final long deadlineNs = clock.nanoTime() + context.closeTimeoutNs();
        while (hasQueued() && clock.nanoTime() - deadlineNs < 0 && !Thread.currentThread().isInterrupted())
        {
            try
            {
                doWork();
            }
            catch (final Throwable ex)
            {
                onError(ex);
            }
            Thread.onSpinWait();
        }
    }

    private boolean hasQueued()
    {
        for (int i = channels.size() - 1; i >= 0; i--)
        {
            if (channels.get(i).connector().hasQueued())
            {
                return true;
            }
        }
        return false;
    }
}
