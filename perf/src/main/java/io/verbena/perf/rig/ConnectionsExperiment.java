/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.rig;

import io.verbena.perf.systems.ManyClient;
import io.vertx.core.json.JsonObject;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Round trips on one connection beside idle ones: the server's memory is looked at before and after these were
 * connected, then the plain echo is run.
 */
final class ConnectionsExperiment implements Experiment
{
    static final String ONE_MARK = "one-connected";
    static final String ALL_MARK = "all-connected";
    static final long CONNECT_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(120);

    private final ClientControl control;
    private final RunSpec spec;
    private final ManyClient client;

    ConnectionsExperiment(final ClientControl control, final RunSpec spec, final ManyClient client)
    {
        this.control = control;
        this.spec = spec;
        this.client = client;
    }

    @Override
    public JsonObject run() throws InterruptedException
    {
        final int connections = spec.workload().connections();
        awaitLeave(ONE_MARK);
        final long startNs = System.nanoTime();
        client.addConnections(connections - 1);
        pollUntil(() ->
        {
            if (System.nanoTime() - startNs > CONNECT_TIMEOUT_NS)
            {
                throw new IllegalStateException(connections + " connections expected within " +
                    Durations.format(CONNECT_TIMEOUT_NS) + ", found " + client.connected());
            }
            return client.connected() == connections;
        });
        final long connectNs = System.nanoTime() - startNs;
        awaitLeave(ALL_MARK);
        final JsonObject result = new EchoExperiment(control, spec, client).run();
        if (client.connected() != connections)
        {
            throw new IllegalStateException(
                connections + " connections expected at the end, found " + client.connected());
        }
        return result.put("connect_ns", connectNs);
    }

    private void awaitLeave(final String mark)
    {
        control.mark(mark, ServerChild.MEMORY);
        pollUntil(control::tryLeave);
    }

    private void pollUntil(final BooleanSupplier condition)
    {
        while (!condition.getAsBoolean())
        {
            client.poll((stampNs, sequence) -> {});
        }
    }
}
