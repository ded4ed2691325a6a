/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * A service as it was added to a server.
 *
 * @param adapter   of the service; where there is a supplier, the first that it made.
 * @param supplier  of further adapters, or null.
 * @param execution the threads of its handlers.
 * @param admission its own limits, or null.
 */
record ServiceSetting(
    ServiceAdapter adapter,
    Supplier<? extends ServiceAdapter> supplier,
    ServiceExecution execution,
    AdmissionControl admission)
{
    ServiceSetting
    {
        Objects.requireNonNull(adapter, "service");
        Objects.requireNonNull(execution, "execution");
    }

    static void conclude(final List<ServiceSetting> settings)
    {
        for (int i = 0; i < settings.size(); i++)
        {
            final ServiceAdapter adapter = settings.get(i).adapter();
            Limits.require("service: id of " + adapter.serviceName(), adapter.serviceId(), 1, 0xFFFF);
            for (int j = 0; j < i; j++)
            {
                final ServiceAdapter other = settings.get(j).adapter();
                if (adapter.serviceId() == other.serviceId())
                {
                    throw new IllegalStateException(
                        "service: expected ids that differ, found id " + adapter.serviceId() + " in " +
                        other.serviceName() + " and " + adapter.serviceName());
                }
            }
            settings.get(i).conclude();
        }
    }

    private void conclude()
    {
        if (admission != null)
        {
            admission.conclude();
        }
        if (supplier == null && execution.isParallel())
        {
            throw new IllegalStateException(
                "service: expected a supplier of adapters for " + adapter.serviceName() +
                ", whose handlers run side by side, found one adapter");
        }
    }
}
