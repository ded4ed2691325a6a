/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.rig;

import io.verbena.perf.systems.Workload;
import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

@Timeout(10)
class RunResultTest
{
    private static final RunSpec CLOSED = new RunSpec("udp", LoadPattern.PINGPONG, 0, 32, 0, 1, 1, Workload.ECHO);
    private static final RunSpec AT_RATE = new RunSpec("udp", LoadPattern.RATE, 10_000, 32, 0, 1, 1, Workload.ECHO);

    @Test
    void shouldPassWhenRateIsReachedAtItsLimit()
    {
        assertEquals("", RunResult.verdict(AT_RATE, 50_000, 50_000, true, 9_900));
    }

    @Test
    void shouldFailWhenRateIsMissedByLittle()
    {
        assertEquals("missed its rate: 9899/s of 10000/s", RunResult.verdict(AT_RATE, 50_000, 50_000, true, 9_899));
    }

    @Test
    void shouldFailWhenOneEchoIsMissing()
    {
        assertEquals("1 of 50000 echoes missing", RunResult.verdict(AT_RATE, 50_000, 49_999, true, 10_000));
        assertEquals("1 of 7 echoes missing", RunResult.verdict(CLOSED, 7, 6, true, 6));
    }

    @Test
    void shouldFailWhenEchoIsDoubledAndAnotherLost()
    {
        assertEquals("an echo lost, another doubled", RunResult.verdict(CLOSED, 7, 7, false, 7));
    }

    @Test
    void shouldFailWhenNothingCameBack()
    {
        assertEquals("no echo in the window", RunResult.verdict(CLOSED, 0, 0, true, 0));
    }

    @Test
    void shouldAskForNoRateWhenLoopIsClosed()
    {
        assertEquals("", RunResult.verdict(CLOSED, 5, 5, true, 1));
    }

    @Test
    void shouldHaveNullsWhenRunFailed()
    {
        final JsonObject json = RunResults.failed("udp", 2).toJson();
        assertEquals("FAILED", json.getString("status"));
        assertEquals(0, json.getLong("count"));
        assertEquals("server process ended", json.getString("reason"));
        assertTrue(json.getJsonObject("latency_ns").containsKey("p50"));
        assertNull(json.getJsonObject("latency_ns").getValue("p50"));
        assertNull(json.getValue("client_alloc_bytes_per_op"));
        assertTrue(Double.isNaN(RunResults.failed("udp", 2).latency("p50")));
    }

    @Test
    void shouldTellRateWhenPatternIsRate()
    {
        final RunResult result = RunResult.failed(AT_RATE, "gone", java.util.List.of());
        assertEquals(10_000L, result.toJson().getLong("rate_target_per_s"));
        assertNull(RunResults.ok("udp", 1, 1, 1).toJson().getValue("rate_target_per_s"));
    }

    @Test
    void shouldSurviveTripThroughJsonWhenSpecIsSent()
    {
        assertEquals(AT_RATE, RunSpec.fromJson(new JsonObject(AT_RATE.toJson().encode())));
    }
}
