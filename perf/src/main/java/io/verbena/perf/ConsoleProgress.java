/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf;

import io.verbena.perf.rig.Campaign;
import io.verbena.perf.rig.RunResult;
import io.verbena.perf.rig.RunSpec;
import io.verbena.perf.rig.RunStatus;

import java.io.PrintWriter;
import java.util.Locale;

/**
 * A line for each run. On a terminal it is there from the start of the run and is then written over; elsewhere it
 * comes at the end.
 */
final class ConsoleProgress implements Campaign.Progress
{
    private static final String CLEAR_LINE = "\r\033[K";

    private final PrintWriter out;
    private final boolean isTerminal;

    ConsoleProgress(final PrintWriter out)
    {
        this(out, System.console() != null && System.console().isTerminal());
    }

    ConsoleProgress(final PrintWriter out, final boolean isTerminal)
    {
        this.out = out;
        this.isTerminal = isTerminal;
    }

    @Override
    public void onStart(final int index, final int total, final RunSpec spec, final int attempt)
    {
        if (isTerminal)
        {
            out.print(CLEAR_LINE + head(index, total, spec) + "running" +
                (attempt == 1 ? "" : ", attempt " + attempt + ", since others used the CPU"));
            out.flush();
        }
    }

    @Override
    public void onEnd(final int index, final int total, final RunResult result)
    {
        final StringBuilder line = new StringBuilder(head(index, total, result.spec()));
        if (result.count() > 0)
        {
            line.append(RunLine.of(result));
        }
        if (result.status() != RunStatus.OK)
        {
            line.append(result.count() > 0 ? "  " : "").append(result.status()).append(": ").append(result.reason());
        }
        if (result.isDisturbed())
        {
            line.append(String.format(
                Locale.ROOT,
                "  (others used %.2f cores in %d attempts: %s)",
                result.others().othersCores(),
                result.attempts(),
                result.others().busiest()));
        }
        out.print(isTerminal ? CLEAR_LINE : "");
        out.println(line);
        out.flush();
    }

    private static String head(final int index, final int total, final RunSpec spec)
    {
        return String.format(
            Locale.ROOT, "[%d/%d] %-16s repeat %d  ", index, total, spec.rowName(), spec.repeat());
    }
}
