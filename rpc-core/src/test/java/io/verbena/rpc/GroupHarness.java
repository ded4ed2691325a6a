/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

import io.verbena.rpc.balance.BalancingPolicy;
import io.verbena.rpc.balance.Resolver;
import io.verbena.rpc.test.ManualClock;
import io.verbena.rpc.test.ScriptedAdapter;
import io.verbena.rpc.transport.LoopbackTransport;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A client with a group of endpoints and several servers, all polled in turns on the test's thread, and a resolver in
 * the test's hand.
 */
final class GroupHarness implements Resolver
{
    static final int SERVICE_ID = RpcHarness.SERVICE_ID;
    static final int METHOD = 2;

    private static final AtomicInteger NAMES = new AtomicInteger();

    final ManualClock clock = new ManualClock();
    final Map<Integer, RpcServer> servers = new HashMap<>();
    final Map<Integer, ScriptedAdapter> services = new HashMap<>();
    final List<Throwable> errors = new ArrayList<>();
    private final String name = "loopback:group-" + NAMES.incrementAndGet() + "-";
    RpcClient client;
    ChannelGroup group;
    Listener listener;
    boolean isResolverClosed;

    String address(final int number)
    {
        return name + number;
    }

    List<String> addresses(final int... numbers)
    {
        final List<String> addresses = new ArrayList<>();
        for (final int number : numbers)
        {
            addresses.add(address(number));
        }
        return addresses;
    }

    GroupHarness launchServers(final int... numbers)
    {
        for (final int number : numbers)
        {
            services.computeIfAbsent(number, key -> new ScriptedAdapter(SERVICE_ID));
            servers.put(number, RpcServer.launch(new RpcServer.Context()
                .nanoClock(clock)
                .errorHandler(errors::add)
                .useAgentInvoker(true)
                .listen(new LoopbackTransport(), address(number))
                .service(services.get(number))));
        }
        return this;
    }

    GroupHarness launchClient(final BalancingPolicy policy, final Consumer<RpcClient.Context> settings)
    {
        final RpcClient.Context context = new RpcClient.Context()
            .nanoClock(clock)
            .errorHandler(errors::add)
            .useAgentInvoker(true)
            .transport(new LoopbackTransport())
            .randomSeed(1);
        settings.accept(context);
        client = RpcClient.launch(context);
        group = client.connect(this, policy);
        return this;
    }

    /**
     * The resolver finds these.
     */
    GroupHarness resolve(final int... numbers)
    {
        listener.onAddresses(addresses(numbers));
        return this;
    }

    /**
     * Waits until so many endpoints are ready.
     */
    GroupHarness awaitReady(final int count)
    {
        until(() -> ready() == count);
        return this;
    }

    int ready()
    {
        int count = 0;
        for (final RpcChannel channel : group.endpoints().channels())
        {
            count += channel.state() == ChannelState.READY ? 1 : 0;
        }
        return count;
    }

    CompletableFuture<DirectBuffer> call(final CallOptions options)
    {
        return group.call(SERVICE_ID, METHOD, new UnsafeBuffer(new byte[8]), 0, 8, options);
    }

    void assertSucceeds(final CompletableFuture<DirectBuffer> future)
    {
        until(future::isDone);
        assertEquals(8, future.join().capacity());
    }

    int requestCount(final int number)
    {
        return services.get(number).requestCount();
    }

    void stopServer(final int number)
    {
        clock.stepOnReadNs(1_000);
        servers.remove(number).close();
        clock.stepOnReadNs(0);
    }

    int pump()
    {
        int work = 0;
        for (final RpcServer server : servers.values())
        {
            work += server.doWork();
        }
        work += client.doWork();
        if (work == 0)
        {
            Thread.yield();
        }
        if (Thread.currentThread().isInterrupted())
        {
            fail("interrupted; errors " + errors);
        }
        return work;
    }

    void until(final BooleanSupplier done)
    {
        while (!done.getAsBoolean())
        {
            pump();
        }
    }

    void settle()
    {
        for (int i = 0; i < 64; i++)
        {
            pump();
        }
    }

    @Override
    public void start(final Listener newListener)
    {
        listener = newListener;
    }

    /**
     * Of the resolver.
     */
    @Override
    public void close()
    {
        isResolverClosed = true;
    }

    void closeAll()
    {
        clock.stepOnReadNs(1_000_000L);
        CloseHelper.quietClose(client);
        CloseHelper.quietCloseAll(servers.values());
    }
}
