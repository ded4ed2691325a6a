/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.cli;

import io.verbena.codegen.CodegenCommand;
import io.verbena.perf.PerfCommand;
import java.util.Arrays;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The main class of {@code bin/verbena}. Exit status: 0 done, 1 failed, 2 wrong usage.
 */
@Command(
    name = "verbena",
    description = "Microsecond RPC for Java: services from SBE schemas over Aeron IPC and UDP.",
    mixinStandardHelpOptions = true,
    versionProvider = VersionProvider.class,
    subcommands = {DemoCommand.class, CodegenCommand.class, PerfCommand.class, PricingCommand.class})
public final class Verbena implements Runnable
{
    static final String DEBUG_OPTION = "--debug";

    @Spec
    private CommandSpec spec;

    @Option(names = DEBUG_OPTION, description = "Print stack traces of errors.")
    private boolean isDebug;

    /**
     * The command, for picocli.
     */
    public Verbena()
    {
    }

    /**
     * Runs a command and exits with its status.
     *
     * @param args of the command line.
     */
    public static void main(final String[] args)
    {
        System.exit(execute(args));
    }

    /**
     * Runs a command.
     *
     * @param args of the command line.
     * @return its exit status.
     */
    static int execute(final String... args)
    {
        final boolean wantsStackTraces = Arrays.asList(args).contains(DEBUG_OPTION);
        return new CommandLine(new Verbena())
            .setExecutionExceptionHandler((failure, command, result) ->
            {
                if (wantsStackTraces)
                {
                    failure.printStackTrace(command.getErr());
                }
                else
                {
                    command.getErr().println("verbena: " + describe(failure));
                }
                return CommandLine.ExitCode.SOFTWARE;
            })
            .execute(args);
    }

    @Override
    public void run()
    {
        throw new ParameterException(spec.commandLine(), "expected a command, found none");
    }

    private static String describe(final Throwable failure)
    {
        final String message = failure.getMessage();
        return message == null || message.isBlank() ? failure.getClass().getSimpleName() : message;
    }
}
