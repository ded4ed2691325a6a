/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf;

import io.verbena.perf.rig.Durations;
import io.verbena.perf.systems.Scenario;
import io.verbena.perf.systems.Workload;
import io.verbena.rpc.MethodKind;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The options that say what a run is about: at most one of {@code --kind} with streams, {@code --background},
 * {@code --connections} and {@code --overload}.
 */
final class WorkloadOptions
{
    static final int MIN_BACKGROUND = 1024;
    static final int MAX_BACKGROUND = 8 * 1024 * 1024;
    static final int MAX_CONNECTIONS = 1000;
    static final long MAX_WORK_NS = TimeUnit.MILLISECONDS.toNanos(10);
    static final long MIN_DEADLINE_NS = TimeUnit.MICROSECONDS.toNanos(100);
    static final long MAX_DEADLINE_NS = TimeUnit.SECONDS.toNanos(1);
    static final String WORK_DEFAULT = "20us";
    static final String DEADLINE_DEFAULT = "10ms";

    private static final Pattern SIZE = Pattern.compile("(\\d{1,10})(B|KiB|MiB|)");

    String kind;
    String background;
    String connections;
    boolean isOverload;
    String work;
    String deadline;

    private final List<String> problems;

    WorkloadOptions(final List<String> problems)
    {
        this.problems = problems;
    }

    /**
     * What the runs are about, one after another.
     *
     * @return at least one; the problems tell whether it is to be used.
     */
    List<Workload> toWorkloads()
    {
        final List<String> chosen = chosen();
        if (chosen.size() > 1)
        {
            problems.add("one of " + String.join(", ", chosen) + " expected at a time, found " + chosen.size());
        }
        final MethodKind methodKind = Workload.kindOf(kind);
        if (methodKind == null)
        {
            problems.add("--kind: unary, server-stream, client-stream or bidi expected, found " + kind);
            return List.of(Workload.ECHO);
        }
        if (!isOverload && (work != null || deadline != null))
        {
            problems.add((work != null ? "--work" : "--deadline") + ": only with --overload");
        }
        if (methodKind != MethodKind.UNARY)
        {
            return List.of(Workload.stream(methodKind));
        }
        if (background != null)
        {
            return List.of(Workload.background(parseSize()));
        }
        if (connections != null)
        {
            return parseConnections();
        }
        return List.of(isOverload ? parseOverload() : Workload.ECHO);
    }

    private List<String> chosen()
    {
        final List<String> chosen = new ArrayList<>();
        if (!Workload.label(MethodKind.UNARY).equals(kind))
        {
            chosen.add("--kind " + kind);
        }
        if (background != null)
        {
            chosen.add(Scenario.BACKGROUND.label());
        }
        if (connections != null)
        {
            chosen.add(Scenario.CONNECTIONS.label());
        }
        if (isOverload)
        {
            chosen.add(Scenario.OVERLOAD.label());
        }
        return chosen;
    }

    private int parseSize()
    {
        final Matcher matcher = SIZE.matcher(background);
        if (!matcher.matches())
        {
            problems.add("--background: a size such as 65536, 64KiB or 1MiB expected, found " + background);
            return MIN_BACKGROUND;
        }
        final long unit = switch (matcher.group(2))
        {
            case "KiB" -> 1024;
            case "MiB" -> 1024 * 1024;
            default -> 1;
        };
        final long size = Long.parseLong(matcher.group(1)) * unit;
        if (size < MIN_BACKGROUND || size > MAX_BACKGROUND)
        {
            problems.add(String.format(
                Locale.ROOT,
                "--background: %d to %d bytes expected, found %s",
                MIN_BACKGROUND,
                MAX_BACKGROUND,
                background));
            return MIN_BACKGROUND;
        }
        return (int)size;
    }

    private List<Workload> parseConnections()
    {
        final List<Workload> workloads = new ArrayList<>();
        for (final String text : Arrays.stream(connections.split(",", -1)).map(String::strip).distinct().toList())
        {
            if (text.matches("\\d{1,4}") && Integer.parseInt(text) >= 1 && Integer.parseInt(text) <= MAX_CONNECTIONS)
            {
                workloads.add(Workload.connections(Integer.parseInt(text)));
            }
            else
            {
                problems.add("--connections: numbers from 1 to " + MAX_CONNECTIONS +
                    " with commas between expected, found " + (text.isEmpty() ? "nothing" : text));
            }
        }
        return workloads.isEmpty() ? List.of(Workload.ECHO) : workloads;
    }

    private Workload parseOverload()
    {
        return Workload.overload(
            parseDuration("--work", work == null ? WORK_DEFAULT : work, 0, MAX_WORK_NS),
            parseDuration(
                "--deadline", deadline == null ? DEADLINE_DEFAULT : deadline, MIN_DEADLINE_NS, MAX_DEADLINE_NS));
    }

    /**
     * Reads the duration of an option, and notes as a problem what is none or out of range.
     */
    long parseDuration(final String option, final String text, final long leastNs, final long mostNs)
    {
        final OptionalLong found = Durations.parseNs(text);
        if (found.isEmpty())
        {
            problems.add(option + ": " + Durations.SYNTAX + " expected, found " + text);
            return leastNs;
        }
        if (found.getAsLong() < leastNs || found.getAsLong() > mostNs)
        {
            problems.add(option + ": " + Durations.format(leastNs) + " to " + Durations.format(mostNs) +
                " expected, found " + text);
        }
        return found.getAsLong();
    }
}
