/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import io.verbena.rpc.transport.Connection;
import io.verbena.rpc.transport.DisconnectCause;
import io.verbena.rpc.transport.Transport;
import io.verbena.rpc.transport.TransportListener;
import java.util.ArrayList;
import java.util.Random;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.collections.Long2ObjectHashMap;
import org.agrona.concurrent.Agent;

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
    private final CycleClock clock;
    private final BufferPool pool;
    private final ExpandableArrayBuffer scratch = new ExpandableArrayBuffer();
    private final Random random;
    private final ArrayList<RpcChannel> channels = new ArrayList<>();
    private final Long2ObjectHashMap<RpcChannel> byConnectionId = new Long2ObjectHashMap<>();
    private Connection lastConnection;
    private RpcChannel lastChannel;
    private RpcChannel openChannel;
    private long cycle;
    private long staleResponses;
    private boolean isClosed;

    ClientCore(final RpcClient.Context context)
    {
        this.context = context;
        this.transport = context.transport();
        this.clock = new CycleClock(context.nanoClock());
        this.pool = new BufferPool(context.maxRetainedBufferBytes());
        this.random = new Random(context.randomSeed());
    }

    RpcClient.Context context()
    {
        return context;
    }

    Transport transport()
    {
        return transport;
    }

    CycleClock clock()
    {
        return clock;
    }

    BufferPool pool()
    {
        return pool;
    }

    ExpandableArrayBuffer scratch()
    {
        return scratch;
    }

    Random random()
    {
        return random;
    }

    long defaultTimeoutNs()
    {
        return context.defaultTimeoutNs();
    }

    void openChannel(final RpcChannel channel)
    {
        openChannel = channel;
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

    void register(final Connection connection, final RpcChannel channel)
    {
        byConnectionId.put(connection.id(), channel);
    }

    void remove(final RpcChannel channel)
    {
        channels.remove(channel);
    }

    void closeWhenFlushed(final RpcChannel channel)
    {
        final Link link = channel.connector().link();
        link.drain(clock.freshNanoTime());
        if (link.outbox().isEmpty() || isClosed)
        {
            link.connection().close();
        }
    }

    void onStaleResponse()
    {
        staleResponses++;
    }

    long staleResponses()
    {
        return staleResponses;
    }

    void onError(final Throwable failure)
    {
        context.errorHandler().onError(failure);
    }

    @Override
    public int doWork()
    {
        clock.nextCycle();
        if (openChannel != null)
        {
            abandonOpenRequest();
        }
        int work = transport.poll(this, context.pollLimit());
        for (int i = channels.size() - 1; i >= 0; i--)
        {
            work += channels.get(i).doWork();
        }
        if ((++cycle & TIMER_CYCLE_MASK) == 0)
        {
            work += checkTimers();
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
            for (int i = channels.size() - 1; i >= 0; i--)
            {
                channels.get(i).close();
            }
            transport.close();
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
        if (channel != null && channel.connector().link() != null)
        {
            channel.connector().onFrame(buffer, offset, length);
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
            if (openChannel == channel)
            {
                channel.abort();
            }
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
        for (int i = channels.size() - 1; i >= 0; i--)
        {
            final RpcChannel channel = channels.get(i);
            work += channel.checkTimers(nowNs);
            final Link link = channel.connector().link();
            if (channel.state() == ChannelState.CLOSED && link != null && link.outbox().isEmpty())
            {
                link.connection().close();
            }
        }
        return work;
    }

    private void abandonOpenRequest()
    {
        final RpcChannel abandoned = openChannel;
        abandoned.abort();
        onError(new IllegalStateException(
            "a request claimed on the channel to " + abandoned.address() +
            " was neither committed nor aborted before the next duty cycle: aborted"));
    }

    private void flush()
    {
        final long deadlineNs = clock.freshNanoTime() + context.closeTimeoutNs();
        while (hasQueued() && clock.freshNanoTime() - deadlineNs < 0 && !Thread.currentThread().isInterrupted())
        {
            doWork();
            Thread.onSpinWait();
        }
    }

    private boolean hasQueued()
    {
        for (int i = channels.size() - 1; i >= 0; i--)
        {
            final Link link = channels.get(i).connector().link();
            if (link != null && channels.get(i).connector().isReady() && !link.outbox().isEmpty())
            {
                return true;
            }
        }
        return false;
    }
}
