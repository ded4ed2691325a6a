/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf;

import picocli.CommandLine.Option;

/**
 * The options of {@link WorkloadOptions} as the command line has them.
 */
final class WorkloadMixin
{
    private final WorkloadOptions options;

    WorkloadMixin(final WorkloadOptions options)
    {
        this.options = options;
    }

    @Option(
        names = "--kind",
        paramLabel = "unary|server-stream|client-stream|bidi",
        defaultValue = "unary",
        description = "Round trips of calls, or items of a stream, one way or both (default: ${DEFAULT-VALUE}).")
    void setKind(final String kind)
    {
        options.kind = kind;
    }

    @Option(
        names = "--background",
        paramLabel = "SIZE",
        description = "Round trips alone, and beside streams of messages of this size on the same connection; " +
            "1KiB to 8MiB.")
    void setBackground(final String background)
    {
        options.background = background;
    }

    @Option(
        names = "--connections",
        paramLabel = "N,...",
        description = "Round trips on one of so many connections, 1 to 1000, while the others are idle; a row each.")
    void setConnections(final String connections)
    {
        options.connections = connections;
    }

    @Option(
        names = "--overload",
        description = "Goodput at 1, 2 and 3 times the rate at which it is greatest.")
    void setOverload(final boolean isOverload)
    {
        options.isOverload = isOverload;
    }

    @Option(
        names = "--work",
        paramLabel = "TIME",
        description = "With --overload: how long the handler is busy with a call, up to 10ms (default: " +
            WorkloadOptions.WORK_DEFAULT + ").")
    void setWork(final String work)
    {
        options.work = work;
    }

    @Option(
        names = "--deadline",
        paramLabel = "TIME",
        description = "With --overload: of each call, 100us to 1s (default: " + WorkloadOptions.DEADLINE_DEFAULT + ").")
    void setDeadline(final String deadline)
    {
        options.deadline = deadline;
    }
}
