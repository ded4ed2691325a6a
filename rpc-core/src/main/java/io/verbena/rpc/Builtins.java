/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import io.verbena.rpc.builtin.HealthCheckAdapter;
import io.verbena.rpc.builtin.SchemaCatalogAdapter;
import io.verbena.rpc.builtin.ServingStatus;
import java.util.ArrayList;
import java.util.List;

/**
 * The services that a server has beside its own. They run on the duty cycle, whatever its limits: whether a server is
 * well should be told above all when it has much to do.
 */
final class Builtins
{
    private final List<ServiceAdapter> all;
    private final List<ServiceAdapter> own = new ArrayList<>();
    private final HealthService health;

    Builtins(final RpcServer.Context context)
    {
        all = new ArrayList<>(context.services());
        health = context.healthService() ? new HealthService() : null;
        if (health != null)
        {
            for (final ServiceAdapter service : all)
            {
                health.set(service.serviceName(), ServingStatus.SERVING);
            }
            add(new HealthCheckAdapter(health.service()));
        }
        if (context.schemaService())
        {
            add(new SchemaCatalogAdapter(new SchemaCatalog(all)));
        }
    }

    /**
     * All services of the server, these included.
     */
    List<ServiceAdapter> all()
    {
        return all;
    }

    /**
     * These alone.
     */
    List<ServiceAdapter> own()
    {
        return own;
    }

    /**
     * The health service, or null.
     */
    HealthService health()
    {
        return health;
    }

    private void add(final ServiceAdapter added)
    {
        for (final ServiceAdapter service : all)
        {
            if (service.serviceId() == added.serviceId())
            {
                throw new IllegalStateException(
                    "service: expected an id below 65000 for " + service.serviceName() + ", found " +
                    service.serviceId() + ", which is that of " + added.serviceName());
            }
        }
        all.add(added);
        own.add(added);
    }
}
