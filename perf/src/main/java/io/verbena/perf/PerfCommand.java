/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The command {@code perf} of {@code bin/verbena}: the parent of the measurements.
 */
@Command(
    name = "perf",
    description = "Measures Verbena beside raw transports and tuned HTTP.",
    mixinStandardHelpOptions = true,
    subcommands = RpcCommand.class)
public final class PerfCommand implements Runnable
{
    @Spec
    private CommandSpec spec;

    /**
     * The command, for picocli.
     */
    public PerfCommand()
    {
        // Nothing to prepare.
    }

    @Override
    public void run()
    {
        throw new ParameterException(spec.commandLine(), "perf: what to measure expected, such as rpc; found nothing");
    }
}
