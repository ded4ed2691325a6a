/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import io.verbena.rpc.balance.BalancingPolicy;
import io.verbena.rpc.balance.Resolver;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;

/**
 * The channels to several servers that offer the same: a resolver says which, a policy which of them has the next
 * call. Created by {@link RpcClient#connect(Resolver, BalancingPolicy)} and owned by the client.
 * <p>
 * Each endpoint has a channel, which connects again by itself. Endpoints that are not ready are passed over. One that
 * the resolver has no more gets no more calls; its channel is closed when those in flight have ended, or
 * {@link RpcClient.Context#removedDrainTimeoutNs()} later. A list with a malformed address is refused as a whole, and
 * reported to the error handler: the endpoints stay as they are.
 * <p>
 * <b>Threading:</b> the client's thread alone, but for {@link #call}, {@link #stream}, {@link #state()},
 * {@link #awaitReady}, {@link #addresses()} and {@link #callsInFlight()}, which any thread may use.
 */
public final class ChannelGroup implements RpcCaller
{
    /**
     * What a stub needs.
     */
    private record Need(int serviceId, String serviceName, int schemaId, int schemaVersion)
    {
        void askOf(final RpcChannel channel)
        {
            channel.require(serviceId, serviceName, schemaId, schemaVersion);
        }
    }

    private static final long AWAIT_PARK_NS = 200_000;

    private final ClientCore core;
    private final Resolver resolver;
    private final Endpoints endpoints;
    private final AsyncCaller asyncCaller;
    private final AtomicReference<List<String>> foundAddresses = new AtomicReference<>();
    /** What stubs need of each channel; asked again of all when there are new stubs or channels. */
    private final Set<Need> needs = ConcurrentHashMap.newKeySet();
    private volatile boolean areNeedsNew;
    private final AtomicReference<Exception> foundFailure = new AtomicReference<>();

    ChannelGroup(final ClientCore core, final Resolver resolver, final BalancingPolicy policy)
    {
        this.core = core;
        this.resolver = resolver;
        this.endpoints = new Endpoints(core, policy);
        this.asyncCaller = new AsyncCaller(core, endpoints);
    }

    /**
     * The channel that has the next call, for the zero-copy face: each pick counts as one call for the policy.
     *
     * @return a channel that is ready, to be used in this duty cycle; null if none is.
     */
    public RpcChannel pick()
    {
        return endpoints.pick(null);
    }

    /**
     * The state of the group. Any thread, then a recent one.
     *
     * @return {@link ChannelState#READY} if an endpoint is ready; {@link ChannelState#CONNECTING} if none is and one
     *     connects, or the resolver has not found any yet; {@link ChannelState#BACKING_OFF} if none does;
     *     {@link ChannelState#CLOSED}.
     */
    public ChannelState state()
    {
        return endpoints.state();
    }

    /**
     * Waits until an endpoint is ready. For a thread other than the client's; the client must have a thread of its own.
     *
     * @param timeoutNs to wait at most, in nanoseconds.
     * @return false if none became ready in time, the group was closed, or the thread was interrupted.
     */
    public boolean awaitReady(final long timeoutNs)
    {
        final long startNs = System.nanoTime();
        ChannelState state;
        while ((state = state()) != ChannelState.READY)
        {
            if (state == ChannelState.CLOSED || System.nanoTime() - startNs >= timeoutNs ||
                Thread.currentThread().isInterrupted())
            {
                return false;
            }
            LockSupport.parkNanos(AWAIT_PARK_NS);
        }
        return true;
    }

    /**
     * The endpoints. Any thread, then recent ones.
     *
     * @return their addresses in the resolver's order, without those that were removed.
     */
    public List<String> addresses()
    {
        return endpoints.addresses();
    }

    /**
     * How many calls have been sent to endpoints of the group and have not ended, on removed ones too. Any thread, then
     * a recent value.
     *
     * @return the number, from 0.
     */
    public int callsInFlight()
    {
        return endpoints.callsInFlight();
    }

    @Override
    public CompletableFuture<DirectBuffer> call(
        final int serviceId,
        final int methodId,
        final DirectBuffer payload,
        final int offset,
        final int length,
        final CallOptions options)
    {
        return asyncCaller.call(serviceId, methodId, payload, offset, length, options);
    }

    @Override
    public ClientStream stream(
        final int serviceId,
        final int methodId,
        final MethodKind kind,
        final DirectBuffer payload,
        final int offset,
        final int length,
        final CallOptions options,
        final Consumer<DirectBuffer> consumer)
    {
        return asyncCaller.stream(serviceId, methodId, kind, payload, offset, length, options, consumer);
    }

    @Override
    public void require(
        final int serviceId, final String serviceName, final int schemaId, final int schemaVersion)
    {
        if (needs.add(new Need(serviceId, serviceName, schemaId, schemaVersion)))
        {
            areNeedsNew = true;
        }
    }

    /**
     * Closes the resolver and all channels, as {@link RpcChannel#close()} does. Idempotent.
     */
    public void close()
    {
        if (!endpoints.isClosed())
        {
            core.remove(this);
            endpoints.close();
            CloseHelper.close(core::onError, resolver);
            asyncCaller.calls().failAll(RpcChannel.CLOSED_TEXT);
        }
    }

    /**
     * Any thread.
     */
    void startResolver()
    {
        resolver.start(new Resolver.Listener()
        {
            @Override
            public void onAddresses(final List<String> addresses)
            {
                foundAddresses.set(List.copyOf(addresses));
            }

            @Override
            public void onError(final Exception failure)
            {
                foundFailure.set(failure);
            }
        });
    }

    Endpoints endpoints()
    {
        return endpoints;
    }

    int callsWaiting()
    {
        return asyncCaller.calls().limits().callCount();
    }

    long retainedBytes()
    {
        return asyncCaller.calls().retainedBytes();
    }

    int doWork()
    {
        int work = 0;
        if (foundAddresses.get() != null)
        {
            endpoints.set(foundAddresses.getAndSet(null));
            areNeedsNew = true;
            work++;
        }
        if (areNeedsNew)
        {
            areNeedsNew = false;
            endpoints.forEach(channel -> needs.forEach(need -> need.askOf(channel)));
        }
        if (foundFailure.get() != null)
        {
            endpoints.onResolverFailure(foundFailure.getAndSet(null));
            work++;
        }
        return work + asyncCaller.calls().doWork();
    }

    int checkTimers(final long nowNs)
    {
        return endpoints.checkTimers(nowNs) + asyncCaller.calls().checkTimers(nowNs);
    }
}
