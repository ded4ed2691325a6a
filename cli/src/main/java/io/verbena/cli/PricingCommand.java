/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.cli;

import io.verbena.rpc.RpcException;
import io.verbena.samples.pricing.PricingServer;
import io.verbena.samples.pricing.PricingTour;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The command {@code sample-pricing}: the pricing sample's server, or its client.
 */
@Command(
    name = "sample-pricing",
    description = "Serves the pricing sample, or calls it.",
    mixinStandardHelpOptions = true)
final class PricingCommand implements Callable<Integer>
{
    @Spec
    private CommandSpec spec;

    @Option(names = "--serve", description = "Serve on the addresses until told to stop.")
    private boolean isServer;

    @Parameters(
        arity = "1..*", paramLabel = "ADDRESS",
        description = "udp://host:port or ipc:[directory]; several only with --serve.")
    private List<String> addresses;

    @Override
    public Integer call()
    {
        if (isServer)
        {
            PricingServer.main(addresses.toArray(new String[0]));
            return 0;
        }
        if (addresses.size() != 1)
        {
            throw new ParameterException(
                spec.commandLine(), "expected one address to call, found " + addresses.size());
        }
        try
        {
            PricingTour.run(addresses.get(0), System.out);
            return 0;
        }
        catch (final RpcException ex)
        {
            System.err.println("verbena: " + ex.getMessage());
            return 1;
        }
    }
}
