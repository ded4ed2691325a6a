/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.rig;

import io.verbena.perf.systems.BackgroundClient;
import io.verbena.perf.systems.CallClient;
import io.verbena.perf.systems.EchoClient;
import io.verbena.perf.systems.EchoSetup;
import io.verbena.perf.systems.EventClient;
import io.verbena.perf.systems.ManyClient;
import io.verbena.perf.systems.PolledClient;
import io.verbena.perf.systems.StreamClient;
import io.verbena.perf.systems.SystemUnderTest;

import java.io.InputStream;
import java.io.PrintStream;

/**
 * The client's process: warms up, asks for leave, runs the window, asks for leave again, and reports. While it waits
 * for leave the coordinator takes the server's marks and looks at the CPU, so that the window has the machine to
 * itself.
 */
final class ClientChild
{
    private final SystemUnderTest system;
    private final EchoSetup setup;
    private final RunSpec spec;
    private final String address;
    private final ClientControl control;

    ClientChild(
        final SystemUnderTest system,
        final EchoSetup setup,
        final RunSpec spec,
        final String address,
        final InputStream input,
        final PrintStream output,
        final Runnable onEnd)
    {
        this.system = system;
        this.setup = setup;
        this.spec = spec;
        this.address = address;
        control = new ClientControl(input, output, onEnd);
    }

    void run() throws Exception
    {
        control.start();
        try (EchoClient client = system.connect(setup, address))
        {
            control.sendResult(experiment(client).run()
                .put("settings", system.settings(spec.isClosedLoop()).toJson()));
        }
    }

    private Experiment experiment(final EchoClient client)
    {
        return switch (client)
        {
            case EventClient event -> new EchoExperiment(control, spec, event);
            case StreamClient stream -> new StreamExperiment(control, spec, stream);
            case CallClient calls -> new OverloadExperiment(control, spec, calls);
            case PolledClient polled -> polledExperiment(polled);
        };
    }

    private Experiment polledExperiment(final PolledClient client)
    {
        return switch (spec.workload().scenario())
        {
            case BACKGROUND -> new BackgroundExperiment(control, spec, (BackgroundClient)client);
            case CONNECTIONS -> new ConnectionsExperiment(control, spec, (ManyClient)client);
            default -> new EchoExperiment(control, spec, client);
        };
    }
}
