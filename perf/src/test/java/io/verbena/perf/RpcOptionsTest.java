/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf;

import io.verbena.perf.rig.CampaignPlan;
import io.verbena.perf.rig.LoadPattern;
import io.verbena.perf.systems.Systems;
import io.verbena.perf.systems.Workload;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

@Timeout(10)
class RpcOptionsTest
{
    private final RpcOptions options = new RpcOptions();

    @BeforeEach
    void setUp()
    {
        options.systems = "raw-udp,http1";
        options.pattern = "rate";
        options.rate = "10000";
        options.payload = "32";
        options.warmup = "3s";
        options.duration = "5s";
        options.repeat = "3";
        options.othersLimit = "0.1";
        options.retries = "2";
        options.workload.kind = "unary";
    }

    private void assertProblems(final String... problems)
    {
        assertNull(options.toPlan());
        assertEquals(List.of(problems), options.problems());
    }

    @Test
    void shouldMakePlanWhenAllIsRight()
    {
        final CampaignPlan plan = options.toPlan();
        assertEquals(List.of(), options.problems());
        assertEquals(
            new CampaignPlan(
                List.of("raw-udp", "http1"),
                List.of(Workload.ECHO),
                LoadPattern.RATE,
                10_000,
                32,
                TimeUnit.SECONDS.toNanos(3),
                TimeUnit.SECONDS.toNanos(5),
                3,
                0.1,
                2),
            plan);
    }

    @Test
    void shouldIgnoreRateWhenLoopIsClosed()
    {
        options.pattern = "pingpong";
        assertEquals(0, options.toPlan().ratePerSecond());
        options.rate = null;
        assertEquals(0, options.toPlan().ratePerSecond());
    }

    @Test
    void shouldRefuseWhenSystemIsUnknown()
    {
        options.systems = "raw-udp,udpp,";
        final String known = String.join(", ", Systems.names());
        assertProblems(
            "--systems: one of " + known + " expected, found udpp",
            "--systems: one of " + known + " expected, found nothing");
    }

    @Test
    void shouldRefuseWhenRateIsMissing()
    {
        options.rate = null;
        assertProblems("--rate: messages a second expected with --pattern rate, found nothing");
    }

    @Test
    void shouldRefuseWhenDurationIsNone()
    {
        options.duration = "5";
        options.warmup = "soon";
        assertProblems(
            "--warmup: a number with ns, us, ms, s, m or h, such as 500ms or 3s expected, found soon",
            "--duration: a number with ns, us, ms, s, m or h, such as 500ms or 3s expected, found 5");
    }

    @Test
    void shouldRefuseWhenPatternIsUnknown()
    {
        options.pattern = "ping";
        assertProblems("--pattern: pingpong or rate expected, found ping");
    }

    @Test
    void shouldAcceptWhenValuesAreAtTheirLimits()
    {
        options.systems = "raw-udp";
        options.rate = "100000000";
        options.payload = "65507";
        options.warmup = "10m";
        options.duration = "100ms";
        options.repeat = "1000";
        options.retries = "20";
        assertNotNull(options.toPlan());
        options.rate = "1";
        options.payload = "16";
        options.warmup = "0s";
        options.duration = "1h";
        options.repeat = "1";
        options.retries = "0";
        options.othersLimit = "0";
        assertNotNull(options.toPlan());
    }

    @Test
    void shouldRefuseWhenValuesAreBeyondTheirLimits()
    {
        options.rate = "100000001";
        options.payload = "65508";
        options.warmup = "11m";
        options.duration = "99ms";
        options.repeat = "1001";
        options.retries = "21";
        options.othersLimit = "-1";
        assertProblems(
            "--payload: at most 65507 bytes expected for raw-udp, found 65508",
            "--rate: 1 to 100000000 messages a second expected, found 100000001",
            "--warmup: 0 s to 600 s expected, found 11m",
            "--duration: 0.1 s to 3600 s expected, found 99ms",
            "--repeat: 1 to 1000 runs of each system expected, found 1001",
            "--retries: 0 to 20 retries expected, found 21",
            "--others-limit: a number of cores from 0 expected, found -1");
    }

    @Test
    void shouldRefuseWhenNumbersAreNone()
    {
        options.payload = "15";
        options.rate = "fast";
        options.repeat = "0";
        options.othersLimit = "much";
        assertProblems(
            "--payload: 16 to 2147483647 bytes expected, found 15",
            "--rate: a whole number of messages a second expected, found fast",
            "--repeat: 1 to 1000 runs of each system expected, found 0",
            "--others-limit: a number of cores expected, found much");
    }

    @Test
    void shouldChooseSystemsByScenarioWhenNoneAreNamed()
    {
        options.systems = null;
        options.pattern = "pingpong";
        assertEquals(List.of("raw-aeron-ipc", "raw-aeron-udp", "http1"), options.toPlan().systems());
        options.workload.kind = "client-stream";
        assertEquals(List.of("raw-aeron-ipc", "ipc", "raw-aeron-udp", "udp"), options.toPlan().systems());
        options.workload.kind = "unary";
        options.workload.connections = "1,10";
        assertEquals(List.of("udp"), options.toPlan().systems());
        assertEquals(
            List.of("udp 1", "udp 10", "udp 1", "udp 10", "udp 1", "udp 10"),
            options.toPlan().runs().stream().map(run -> run.rowName()).toList());
    }

    @Test
    void shouldRefuseWhenSystemHasNoStreams()
    {
        options.pattern = "pingpong";
        options.systems = "ipc,http1";
        options.workload.kind = "server-stream";
        assertProblems("--systems: http1 cannot be measured with streams; one of " +
            "raw-aeron-ipc, raw-aeron-udp, loopback, ipc, udp expected");
    }

    @Test
    void shouldRefuseWhenSystemCannotBeOverloaded()
    {
        options.pattern = "pingpong";
        options.systems = "raw-aeron-udp,udp";
        options.workload.isOverload = true;
        assertProblems("--systems: raw-aeron-udp cannot be measured with --overload; one of ipc, udp expected");
    }

    @Test
    void shouldRefuseWhenStreamsAreToHaveRate()
    {
        options.systems = "udp";
        options.workload.kind = "bidi";
        assertProblems("--pattern: pingpong expected with streams, found rate");
    }
}
