/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf;

import io.verbena.perf.report.Report;
import io.verbena.perf.rig.Campaign;
import io.verbena.perf.rig.CampaignPlan;
import io.verbena.perf.rig.Environment;
import io.verbena.perf.rig.RunResult;
import io.verbena.perf.rig.RunStatus;
import io.verbena.perf.systems.SystemUnderTest;
import io.verbena.perf.systems.Systems;
import io.vertx.core.json.JsonObject;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/**
 * The command {@code perf rpc}: round trips of an echo, for one system after the other.
 */
@Command(
    name = "rpc",
    description = "Measures round trips of an echo, or streams, each system in fresh processes, and compares them.",
    mixinStandardHelpOptions = true)
final class RpcCommand implements Callable<Integer>
{
    private final RpcOptions options = new RpcOptions();

    @Spec
    private CommandSpec spec;

    @Mixin
    private final WorkloadMixin workload = new WorkloadMixin(options.workload);

    @Option(names = "--json", paramLabel = "FILE", description = "Writes all results to this file.")
    private Path json;

    @Option(names = "--list", description = "Lists the systems and ends.")
    private boolean isList;

    @Option(
        names = "--systems",
        paramLabel = "NAMES",
        description = "Systems to measure, with commas between (default: " + RpcOptions.ECHO_SYSTEMS +
            "; with streams " + RpcOptions.STREAM_SYSTEMS + "; else " + RpcOptions.OTHER_SYSTEMS +
            "); --list tells them all.")
    void setSystems(final String systems)
    {
        options.systems = systems;
    }

    @Option(
        names = "--pattern",
        paramLabel = "pingpong|rate",
        defaultValue = "pingpong",
        description = "One message at a time, or a fixed rate (default: ${DEFAULT-VALUE}).")
    void setPattern(final String pattern)
    {
        options.pattern = pattern;
    }

    @Option(names = "--rate", paramLabel = "N", description = "Messages a second, 1 to 100000000; for --pattern rate.")
    void setRate(final String rate)
    {
        options.rate = rate;
    }

    @Option(
        names = "--payload",
        paramLabel = "BYTES",
        defaultValue = "32",
        description = "Length of a message, from 16 (default: ${DEFAULT-VALUE}).")
    void setPayload(final String payload)
    {
        options.payload = payload;
    }

    @Option(
        names = "--warmup",
        paramLabel = "TIME",
        defaultValue = "3s",
        description = "Load before the window, thrown away, up to 10m (default: ${DEFAULT-VALUE}).")
    void setWarmup(final String warmup)
    {
        options.warmup = warmup;
    }

    @Option(
        names = "--duration",
        paramLabel = "TIME",
        defaultValue = "5s",
        description = "The window that is recorded, 100ms to 1h (default: ${DEFAULT-VALUE}).")
    void setDuration(final String duration)
    {
        options.duration = duration;
    }

    @Option(
        names = "--repeat",
        paramLabel = "N",
        defaultValue = "3",
        description = "Runs of each system, 1 to 1000; the systems take turns (default: ${DEFAULT-VALUE}).")
    void setRepeat(final String repeat)
    {
        options.repeat = repeat;
    }

    @Option(
        names = "--others-limit",
        paramLabel = "CORES",
        defaultValue = "0.1",
        description = "A run during which other processes used more than this is repeated (default: ${DEFAULT-VALUE}).")
    void setOthersLimit(final String othersLimit)
    {
        options.othersLimit = othersLimit;
    }

    @Option(
        names = "--retries",
        paramLabel = "N",
        defaultValue = "2",
        description = "How often such a run is repeated at most, 0 to 20 (default: ${DEFAULT-VALUE}).")
    void setRetries(final String retries)
    {
        options.retries = retries;
    }

    @Override
    public Integer call()
    {
        final PrintWriter out = spec.commandLine().getOut();
        final PrintWriter err = spec.commandLine().getErr();
        if (isList)
        {
            for (final SystemUnderTest system : Systems.all())
            {
                out.printf("%-16s %s%n", system.name(), system.description());
            }
            out.flush();
            return CommandLine.ExitCode.OK;
        }
        final CampaignPlan plan = options.toPlan();
        if (plan == null)
        {
            options.problems().forEach(err::println);
            err.flush();
            return CommandLine.ExitCode.USAGE;
        }
        return measure(plan, out, err);
    }

    private int measure(final CampaignPlan plan, final PrintWriter out, final PrintWriter err)
    {
        final Path folder = json == null ? null : json.toAbsolutePath().getParent();
        if (folder != null && !Files.isDirectory(folder))
        {
            err.println("--json: a file in an existing folder expected, found " + json);
            err.flush();
            return CommandLine.ExitCode.USAGE;
        }
        final List<String> commandLine = new ArrayList<>(List.of("verbena"));
        commandLine.addAll(spec.root().commandLine().getParseResult().originalArgs());
        final JsonObject environment = Environment.describe(commandLine);
        final List<RunResult> results = new Campaign(plan).run(new ConsoleProgress(out));
        final Report report = Report.of(environment, results);
        out.println();
        out.print(report.toText());
        out.flush();
        if (json != null)
        {
            try
            {
                Files.writeString(json, report.toJson().encodePrettily() + System.lineSeparator());
            }
            catch (final IOException ex)
            {
                err.println("--json: cannot write " + json + ": " + ex.getMessage());
                err.flush();
                return CommandLine.ExitCode.SOFTWARE;
            }
            out.println("JSON: " + json);
            out.flush();
        }
        final boolean isAllOk = results.stream().allMatch(result -> result.status() == RunStatus.OK);
        return isAllOk ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }
}
