/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf;

import io.verbena.perf.rig.CampaignPlan;
import io.verbena.perf.rig.LoadPattern;
import io.verbena.perf.systems.EchoPayload;
import io.verbena.perf.systems.Scenario;
import io.verbena.perf.systems.SystemUnderTest;
import io.verbena.perf.systems.Systems;
import io.verbena.perf.systems.Workload;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The options of {@code perf rpc} as text, and what they mean. Everything that is wrong is found in one go.
 */
final class RpcOptions
{
    static final long MAX_RATE = 100_000_000;
    static final int MAX_REPEAT = 1000;
    static final int MAX_RETRIES = 20;
    static final long MAX_WARMUP_NS = TimeUnit.MINUTES.toNanos(10);
    static final long MIN_DURATION_NS = TimeUnit.MILLISECONDS.toNanos(100);
    static final long MAX_DURATION_NS = TimeUnit.HOURS.toNanos(1);

    static final String ECHO_SYSTEMS = "raw-aeron-ipc,raw-aeron-udp,http1";
    static final String STREAM_SYSTEMS = "raw-aeron-ipc,ipc,raw-aeron-udp,udp";
    static final String OTHER_SYSTEMS = "udp";

    String systems;
    String pattern;
    String rate;
    String payload;
    String warmup;
    String duration;
    String repeat;
    String othersLimit;
    String retries;

    private final List<String> problems = new ArrayList<>();
    final WorkloadOptions workload = new WorkloadOptions(problems);

    /**
     * The plan, when nothing is wrong.
     *
     * @return the plan, or null when there are {@link #problems()}.
     */
    CampaignPlan toPlan()
    {
        problems.clear();
        final int payloadLength =
            (int)parse("--payload", payload, EchoPayload.MIN_LENGTH, Integer.MAX_VALUE, "bytes");
        final List<Workload> workloads = workload.toWorkloads();
        final Scenario scenario = workloads.getFirst().scenario();
        final List<String> names = parseSystems(scenario, payloadLength);
        final LoadPattern loadPattern = parsePattern(scenario);
        final long ratePerSecond = parseRate(loadPattern);
        final long warmupNs = workload.parseDuration("--warmup", warmup, 0, MAX_WARMUP_NS);
        final long durationNs = workload.parseDuration("--duration", duration, MIN_DURATION_NS, MAX_DURATION_NS);
        final int repeats = (int)parse("--repeat", repeat, 1, MAX_REPEAT, "runs of each system");
        final int retryLimit = (int)parse("--retries", retries, 0, MAX_RETRIES, "retries");
        final double limit = parseOthersLimit();
        return problems.isEmpty() ?
            new CampaignPlan(
                names,
                workloads,
                loadPattern,
                ratePerSecond,
                payloadLength,
                warmupNs,
                durationNs,
                repeats,
                limit,
                retryLimit) :
            null;
    }

    /**
     * What is wrong, a line each.
     *
     * @return the lines.
     */
    List<String> problems()
    {
        return problems;
    }

    private static String defaultSystems(final Scenario scenario)
    {
        return switch (scenario)
        {
            case ECHO -> ECHO_SYSTEMS;
            case STREAM -> STREAM_SYSTEMS;
            default -> OTHER_SYSTEMS;
        };
    }

    private List<String> parseSystems(final Scenario scenario, final int payloadLength)
    {
        final String text = systems == null ? defaultSystems(scenario) : systems;
        final List<String> names = Arrays.stream(text.split(",", -1)).map(String::strip).distinct().toList();
        for (final String name : names)
        {
            final SystemUnderTest system = Systems.find(name);
            if (system == null)
            {
                problems.add("--systems: one of " + String.join(", ", Systems.names()) +
                    " expected, found " + (name.isEmpty() ? "nothing" : name));
            }
            else if (!system.scenarios().contains(scenario))
            {
                problems.add("--systems: " + name + " cannot be measured with " + scenario.label() + "; one of " +
                    String.join(", ", Systems.names(scenario)) + " expected");
            }
            else if (payloadLength < system.minPayloadLength())
            {
                problems.add("--payload: at least " + system.minPayloadLength() + " bytes expected for " + name +
                    ", found " + payloadLength);
            }
            else if (payloadLength > system.maxPayloadLength())
            {
                problems.add("--payload: at most " + system.maxPayloadLength() + " bytes expected for " + name +
                    ", found " + payloadLength);
            }
        }
        return names;
    }

    private LoadPattern parsePattern(final Scenario scenario)
    {
        final LoadPattern found = LoadPattern.find(pattern);
        if (found == null)
        {
            problems.add("--pattern: pingpong or rate expected, found " + pattern);
        }
        else if (found == LoadPattern.RATE && scenario != Scenario.ECHO)
        {
            problems.add("--pattern: pingpong expected with " + scenario.label() + ", found rate");
        }
        return found;
    }

    private long parseRate(final LoadPattern loadPattern)
    {
        if (loadPattern == LoadPattern.RATE && rate == null)
        {
            problems.add("--rate: messages a second expected with --pattern rate, found nothing");
            return 0;
        }
        if (rate == null)
        {
            return 0;
        }
        final long value = parse("--rate", rate, 1, MAX_RATE, "messages a second");
        return loadPattern == LoadPattern.RATE ? value : 0;
    }

    private long parse(final String option, final String text, final long least, final long most, final String unit)
    {
        try
        {
            final long value = Long.parseLong(text);
            if (value >= least && value <= most)
            {
                return value;
            }
        }
        catch (final NumberFormatException ex)
        {
            problems.add(option + ": a whole number of " + unit + " expected, found " + text);
            return least;
        }
        problems.add(option + ": " + least + " to " + most + " " + unit + " expected, found " + text);
        return least;
    }

    private double parseOthersLimit()
    {
        try
        {
            final double limit = Double.parseDouble(othersLimit);
            if (limit >= 0)
            {
                return limit;
            }
        }
        catch (final NumberFormatException ex)
        {
            problems.add("--others-limit: a number of cores expected, found " + othersLimit);
            return 0;
        }
        problems.add("--others-limit: a number of cores from 0 expected, found " + othersLimit);
        return 0;
    }
}
