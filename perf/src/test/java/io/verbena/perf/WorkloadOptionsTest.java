/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf;

import io.verbena.perf.systems.Workload;
import io.verbena.rpc.MethodKind;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;

@Timeout(10)
class WorkloadOptionsTest
{
    private final List<String> problems = new ArrayList<>();
    private final WorkloadOptions options = new WorkloadOptions(problems);

    @BeforeEach
    void setUp()
    {
        options.kind = "unary";
    }

    private void assertWorkloads(final Workload... workloads)
    {
        assertEquals(List.of(workloads), options.toWorkloads());
        assertEquals(List.of(), problems);
    }

    private void assertProblem(final String problem)
    {
        options.toWorkloads();
        assertEquals(List.of(problem), problems);
    }

    @Test
    void shouldBeEchoWhenNothingIsAskedFor()
    {
        assertWorkloads(Workload.ECHO);
    }

    @Test
    void shouldStreamWhenKindSaysSo()
    {
        for (final MethodKind kind : List.of(MethodKind.SERVER_STREAM, MethodKind.CLIENT_STREAM, MethodKind.BIDI))
        {
            options.kind = Workload.label(kind);
            assertWorkloads(Workload.stream(kind));
        }
        assertEquals("server-stream", Workload.label(MethodKind.SERVER_STREAM));
    }

    @Test
    void shouldRefuseWhenKindIsUnknown()
    {
        options.kind = "duplex";
        assertProblem("--kind: unary, server-stream, client-stream or bidi expected, found duplex");
    }

    @Test
    void shouldReadSizeWhenItHasUnits()
    {
        options.background = "1MiB";
        assertWorkloads(Workload.background(1024 * 1024));
        options.background = "64KiB";
        assertWorkloads(Workload.background(64 * 1024));
        options.background = "2000B";
        assertWorkloads(Workload.background(2000));
        options.background = "1024";
        assertWorkloads(Workload.background(1024));
        options.background = "8MiB";
        assertWorkloads(Workload.background(8 * 1024 * 1024));
    }

    @Test
    void shouldRefuseWhenSizeIsNone()
    {
        options.background = "1MB";
        assertProblem("--background: a size such as 65536, 64KiB or 1MiB expected, found 1MB");
    }

    @Test
    void shouldRefuseWhenSizeIsBeyondItsLimits()
    {
        for (final String size : List.of("1023", "8388609", "9MiB", "9999999999MiB"))
        {
            problems.clear();
            options.background = size;
            assertProblem("--background: 1024 to 8388608 bytes expected, found " + size);
        }
    }

    @Test
    void shouldHavePointForEachNumberWhenConnectionsAreAskedFor()
    {
        options.connections = "1, 10,1000,10";
        assertWorkloads(Workload.connections(1), Workload.connections(10), Workload.connections(1000));
    }

    @Test
    void shouldRefuseWhenConnectionsAreNone()
    {
        options.connections = "1,,0,1001,x";
        options.toWorkloads();
        final String expected = "--connections: numbers from 1 to 1000 with commas between expected, found ";
        assertEquals(
            List.of(expected + "nothing", expected + "0", expected + "1001", expected + "x"), problems);
    }

    @Test
    void shouldTakeDefaultsWhenOverloadSaysNoMore()
    {
        options.isOverload = true;
        assertWorkloads(Workload.overload(TimeUnit.MICROSECONDS.toNanos(20), TimeUnit.MILLISECONDS.toNanos(10)));
        options.work = "0us";
        options.deadline = "100us";
        assertWorkloads(Workload.overload(0, TimeUnit.MICROSECONDS.toNanos(100)));
        options.work = "10ms";
        options.deadline = "1s";
        assertWorkloads(Workload.overload(TimeUnit.MILLISECONDS.toNanos(10), TimeUnit.SECONDS.toNanos(1)));
    }

    @Test
    void shouldRefuseWhenWorkOrDeadlineAreBeyondTheirLimits()
    {
        options.isOverload = true;
        options.work = "11ms";
        options.deadline = "99us";
        options.toWorkloads();
        assertEquals(
            List.of("--work: 0 s to 0.01 s expected, found 11ms", "--deadline: 100 µs to 1 s expected, found 99us"),
            problems);
    }

    @Test
    void shouldRefuseWhenWorkIsNoTime()
    {
        options.isOverload = true;
        options.work = "20";
        assertProblem(
            "--work: a number with ns, us, ms, s, m or h, such as 500ms or 3s expected, found 20");
    }

    @Test
    void shouldRefuseWhenWorkBelongsToNothing()
    {
        options.work = "20us";
        assertProblem("--work: only with --overload");
    }

    @Test
    void shouldRefuseWhenTwoAreAskedForAtOnce()
    {
        options.kind = "bidi";
        options.background = "1MiB";
        options.isOverload = true;
        assertProblem("one of --kind bidi, --background, --overload expected at a time, found 3");
    }

    @Test
    void shouldSurviveTripThroughJsonWhenSent()
    {
        for (final Workload workload : List.of(
            Workload.ECHO,
            Workload.stream(MethodKind.BIDI),
            Workload.background(2000),
            Workload.connections(17),
            Workload.overload(20_000, 10_000_000)))
        {
            assertEquals(workload, Workload.fromJson(workload.toJson()));
        }
    }
}
