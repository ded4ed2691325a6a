/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.systems.verbena;

import io.verbena.perf.generated.EchoAdapter;
import io.verbena.perf.generated.ItemsAdapter;
import io.verbena.perf.generated.RefuseAdapter;
import io.verbena.perf.generated.WorkAdapter;
import io.verbena.perf.systems.EchoSetup;
import io.verbena.perf.systems.Scenario;
import io.verbena.perf.systems.StreamTally;
import io.verbena.perf.systems.WatchedServer;
import io.verbena.rpc.AdmissionControl;
import io.verbena.rpc.RpcServer;
import io.verbena.rpc.ServiceExecution;
import io.verbena.rpc.transport.Transport;
import io.vertx.core.json.JsonObject;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Serves the generated services over any transport, polled by the rig.
 */
final class VerbenaServer implements WatchedServer
{
    private final StreamTally tally = new StreamTally();
    private final ItemsServiceHandler items;
    private final boolean isSendingItems;
    private final boolean isTimed;
    private final RpcServer server;
    private final AtomicLong publishedBusyNs = new AtomicLong();
    private long busyNs;

    /**
     * Listens.
     *
     * @param transport of the server.
     * @param address   to listen on.
     * @param setup     of the run.
     */
    VerbenaServer(final Transport transport, final String address, final EchoSetup setup)
    {
        items = new ItemsServiceHandler(tally, setup.payloadLength());
        isSendingItems = setup.workload().kind().isServerStreaming();
        isTimed = setup.workload().scenario() == Scenario.OVERLOAD;
        final RpcServer.Context context = new RpcServer.Context()
            .useAgentInvoker(true)
            .listen(transport, address)
            .service(new EchoAdapter(new EchoServiceHandler()))
            .service(new ItemsAdapter(items));
        if (isTimed)
        {
            context
                .maxCallsInFlight(VerbenaCallClient.MAX_CALLS_IN_FLIGHT)
                .service(
                    new WorkAdapter(new WorkServiceHandler()), ServiceExecution.dutyCycle(), new AdmissionControl())
                .service(
                    new RefuseAdapter(new RefuseServiceHandler()),
                    ServiceExecution.dutyCycle(),
                    new AdmissionControl().maxInProgress(1).maxQueued(0));
        }
        server = RpcServer.launch(context);
    }

    @Override
    public String address()
    {
        return server.addresses().getFirst();
    }

    @Override
    public int poll()
    {
        if (isTimed)
        {
            return timedPoll();
        }
        final int work = server.doWork();
        tally.publish();
        return work;
    }

    /**
     * What the server does all the time says nothing about what calls cost: a cycle counts as busy when it did
     * anything.
     */
    private int timedPoll()
    {
        final long startNs = System.nanoTime();
        final int work = server.doWork();
        if (work > 0)
        {
            busyNs += System.nanoTime() - startNs;
            publishedBusyNs.lazySet(busyNs);
        }
        return work;
    }

    @Override
    public void stopSending()
    {
        items.stopSending();
    }

    @Override
    public boolean hasStopped()
    {
        return items.hasStopped(isSendingItems);
    }

    @Override
    public void addCounters(final JsonObject counters)
    {
        tally.addTo(counters);
        counters.put("busy_ns", publishedBusyNs.get());
    }

    @Override
    public void close()
    {
        server.close();
    }
}
