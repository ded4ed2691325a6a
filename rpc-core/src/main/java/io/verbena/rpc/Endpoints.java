/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import io.verbena.rpc.balance.BalancingPolicy;
import io.verbena.rpc.transport.TransportException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.function.Consumer;

/**
 * The endpoints of a group, and the choice among them. Agent's thread alone, but where it says so.
 */
final class Endpoints implements CallRoute
{
    private final ClientCore core;
    private final BalancingPolicy policy;
    /** Replaced, never changed: other threads read it. */
    private volatile RpcChannel[] channels = {};
    private volatile RpcChannel[] removed = {};
    private volatile boolean isClosed;
    private volatile boolean isResolved;
    private long[] removedDeadlinesNs = {};
    private RpcChannel current;
    private int nextIndex;
    private String resolverFailure;

    Endpoints(final ClientCore core, final BalancingPolicy policy)
    {
        this.core = core;
        this.policy = policy;
    }

    @Override
    public RpcChannel pick(final RpcChannel avoided)
    {
        final RpcChannel[] candidates = channels;
        final RpcChannel picked = switch (policy)
        {
            case PICK_FIRST -> pickFirst(candidates, avoided);
            case ROUND_ROBIN -> pickNext(candidates, avoided);
            case LEAST_OUTSTANDING -> pickLeast(candidates, avoided);
        };
        return picked == null && isReady(avoided) && List.of(candidates).contains(avoided) ? avoided : picked;
    }

    /**
     * Any thread.
     */
    @Override
    public ChannelState state()
    {
        if (isClosed)
        {
            return ChannelState.CLOSED;
        }
        ChannelState best = isResolved ? ChannelState.BACKING_OFF : ChannelState.CONNECTING;
        for (final RpcChannel channel : channels)
        {
            final ChannelState state = channel.state();
            if (state == ChannelState.READY)
            {
                return state;
            }
            if (state == ChannelState.CONNECTING)
            {
                best = state;
            }
        }
        return best;
    }

    @Override
    public boolean isRecovering()
    {
        for (final RpcChannel channel : channels)
        {
            if (channel.connector().isRecovering())
            {
                return true;
            }
        }
        return false;
    }

    @Override
    public String unavailableText()
    {
        if (isClosed)
        {
            return RpcChannel.CLOSED_TEXT;
        }
        final RpcChannel[] all = channels;
        if (all.length == 0)
        {
            return "no endpoints are known: " + resolverFailure;
        }
        final String first = all[0].unavailableText();
        return all.length == 1 ? first : "none of " + all.length + " endpoints is ready; " + first;
    }

    @Override
    public boolean isClosed()
    {
        return isClosed;
    }

    /**
     * Not to be changed. Any thread.
     */
    RpcChannel[] channels()
    {
        return channels;
    }

    /**
     * Those that leave. Any thread.
     */
    RpcChannel[] removed()
    {
        return removed;
    }

    /**
     * Any thread.
     */
    List<String> addresses()
    {
        final ArrayList<String> addresses = new ArrayList<>();
        for (final RpcChannel channel : channels)
        {
            addresses.add(channel.address());
        }
        return addresses;
    }

    /**
     * Any thread.
     */
    void forEach(final Consumer<RpcChannel> action)
    {
        for (final RpcChannel channel : channels)
        {
            action.accept(channel);
        }
    }

    int callsInFlight()
    {
        int count = 0;
        for (final RpcChannel channel : channels)
        {
            count += channel.callsInFlight();
        }
        for (final RpcChannel channel : removed)
        {
            count += channel.callsInFlight();
        }
        return count;
    }

    void onResolverFailure(final Exception failure)
    {
        if (!isClosed)
        {
            isResolved = true;
            resolverFailure = failure.getMessage();
            core.onError(failure);
        }
    }

    /**
     * These are the endpoints now.
     */
    void set(final List<String> found)
    {
        if (isClosed)
        {
            return;
        }
        isResolved = true;
        final Collection<String> addresses = bounded(found);
        final ArrayList<RpcChannel> wanted = new ArrayList<>();
        final ArrayList<RpcChannel> added = new ArrayList<>();
        try
        {
            for (final String address : addresses)
            {
                RpcChannel channel = find(channels, address);
                if (channel == null)
                {
                    channel = find(removed, address);
                }
                if (channel == null)
                {
                    channel = core.addChannel(address);
                    added.add(channel);
                }
                wanted.add(channel);
            }
        }
        catch (final RuntimeException ex)
        {
            added.forEach(RpcChannel::close);
            resolverFailure = ex.getMessage();
            core.onError(ex);
            return;
        }
        if (!wanted.isEmpty())
        {
            replace(wanted);
        }
    }

    /**
     * Closes channels of removed endpoints that have drained.
     */
    int checkTimers(final long nowNs)
    {
        int work = 0;
        for (int i = removed.length - 1; i >= 0; i--)
        {
            final RpcChannel channel = removed[i];
            if (channel.callsInFlight() + channel.callsWaiting() == 0 || nowNs - removedDeadlinesNs[i] >= 0)
            {
                setRemoved(without(removed, i), without(removedDeadlinesNs, i));
                channel.close();
                work++;
                i = Math.min(i, removed.length);
            }
        }
        return work;
    }

    void close()
    {
        isClosed = true;
        final RpcChannel[] all = channels;
        final RpcChannel[] drained = removed;
        channels = new RpcChannel[0];
        setRemoved(new RpcChannel[0], new long[0]);
        for (final RpcChannel channel : all)
        {
            channel.close();
        }
        for (final RpcChannel channel : drained)
        {
            channel.close();
        }
    }

    private Collection<String> bounded(final List<String> found)
    {
        final int limit = core.context().maxEndpoints();
        final LinkedHashSet<String> addresses = new LinkedHashSet<>(found);
        if (addresses.isEmpty())
        {
            core.onError(new TransportException("expected at least one endpoint from the resolver, found none"));
        }
        if (addresses.size() > limit)
        {
            core.onError(new TransportException(
                "expected at most " + limit + " endpoints from the resolver (" +
                RpcConfiguration.MAX_ENDPOINTS_PROP_NAME + "), found " + addresses.size() +
                ": the first " + limit + " are used"));
            return new ArrayList<>(addresses).subList(0, limit);
        }
        return addresses;
    }

    private void replace(final List<RpcChannel> wanted)
    {
        final long deadlineNs = core.clock().nanoTime() + core.context().removedDrainTimeoutNs();
        // the oldest first
        final ArrayList<RpcChannel> leaving = new ArrayList<>();
        final ArrayList<Long> deadlinesNs = new ArrayList<>();
        for (int i = 0; i < removed.length; i++)
        {
            if (!wanted.contains(removed[i]))
            {
                leaving.add(removed[i]);
                deadlinesNs.add(removedDeadlinesNs[i]);
            }
        }
        for (final RpcChannel channel : channels)
        {
            if (!wanted.contains(channel))
            {
                leaving.add(channel);
                deadlinesNs.add(deadlineNs);
            }
        }
        // a list that changes all the time must not leave ever more of them
        final int excess = Math.max(0, leaving.size() - core.context().maxEndpoints());
        final List<RpcChannel> kept = leaving.subList(excess, leaving.size());
        channels = wanted.toArray(new RpcChannel[0]);
        current = wanted.contains(current) ? current : null;
        setRemoved(
            kept.toArray(new RpcChannel[0]), deadlinesNs.stream().skip(excess).mapToLong(Long::longValue).toArray());
        leaving.subList(0, excess).forEach(RpcChannel::close);
    }

    private void setRemoved(final RpcChannel[] newRemoved, final long[] newDeadlinesNs)
    {
        removed = newRemoved;
        removedDeadlinesNs = newDeadlinesNs;
    }

    private RpcChannel pickFirst(final RpcChannel[] candidates, final RpcChannel avoided)
    {
        if (current != null && current != avoided && isReady(current))
        {
            return current;
        }
        for (final RpcChannel channel : candidates)
        {
            if (channel != avoided && isReady(channel))
            {
                if (avoided == null)
                {
                    current = channel;
                }
                return channel;
            }
        }
        return null;
    }

    private RpcChannel pickNext(final RpcChannel[] candidates, final RpcChannel avoided)
    {
        for (int i = candidates.length; i > 0; i--)
        {
            nextIndex = nextIndex < candidates.length ? nextIndex : 0;
            final RpcChannel channel = candidates[nextIndex++];
            if (channel != avoided && isReady(channel))
            {
                return channel;
            }
        }
        return null;
    }

    private RpcChannel pickLeast(final RpcChannel[] candidates, final RpcChannel avoided)
    {
        RpcChannel least = null;
        int leastCalls = Integer.MAX_VALUE;
        int index = nextIndex;
        for (int i = candidates.length; i > 0; i--)
        {
            index = index < candidates.length ? index : 0;
            final RpcChannel channel = candidates[index++];
            if (channel != avoided && isReady(channel) && channel.callsInFlight() < leastCalls)
            {
                least = channel;
                leastCalls = channel.callsInFlight();
                nextIndex = index;
            }
        }
        return least;
    }

    private static boolean isReady(final RpcChannel channel)
    {
        return channel != null && channel.state() == ChannelState.READY;
    }

    private static RpcChannel find(final RpcChannel[] channels, final String address)
    {
        for (final RpcChannel channel : channels)
        {
            if (channel.address().equals(address))
            {
                return channel;
            }
        }
        return null;
    }

    private static RpcChannel[] without(final RpcChannel[] channels, final int index)
    {
        final ArrayList<RpcChannel> rest = new ArrayList<>(List.of(channels));
        rest.remove(index);
        return rest.toArray(new RpcChannel[0]);
    }

    private static long[] without(final long[] moments, final int index)
    {
        final long[] rest = new long[moments.length - 1];
        System.arraycopy(moments, 0, rest, 0, index);
        System.arraycopy(moments, index + 1, rest, index, rest.length - index);
        return rest;
    }
}
