/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.report;

import io.verbena.perf.rig.RunResult;
import io.verbena.perf.rig.RunResults;
import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.List;
import java.util.Set;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

@Timeout(10)
class ReportTest
{
    private static final JsonObject ENVIRONMENT = new JsonObject().put("cores", 2);

    private static Report report(final RunResult... results)
    {
        return Report.of(ENVIRONMENT, List.of(results));
    }

    private static List<String> line(final Report report, final String system)
    {
        return report.toText().lines()
            .filter(line -> line.startsWith(system + " "))
            .findFirst()
            .map(line -> List.of(line.split(" +")))
            .orElseThrow();
    }

    @Test
    void shouldTakeMedianWhenRunsRepeat()
    {
        assertEquals(2, RowSummary.median(3, 1, 2));
        assertEquals(2.5, RowSummary.median(4, 1, 2, 3));
        assertTrue(Double.isNaN(RowSummary.median()));
    }

    @Test
    void shouldRelateMediansToHttp1WhenItIsThere()
    {
        final Report report = report(
            RunResults.ok("udp", 1, 9_000, 40_000), RunResults.ok("http1", 1, 60_000, 100_000),
            RunResults.ok("udp", 2, 8_000, 20_000), RunResults.ok("http1", 2, 80_000, 300_000),
            RunResults.ok("udp", 3, 12_000, 30_000), RunResults.ok("http1", 3, 72_000, 120_000));
        assertEquals(List.of("udp", "9.00", "30.00", "0.13", "0.25"), line(report, "udp").subList(0, 5));
        assertEquals(List.of("http1", "72.00", "120.00", "1.00", "1.00"), line(report, "http1").subList(0, 5));
        assertTrue(report.toText().contains("udp: p50 8.0 times lower than http1 (9.00 µs against 72.00 µs; p99 4.0"));
        final JsonObject summary = report.toJson().getJsonArray("summary").getJsonObject(0);
        assertEquals(0.125, summary.getDouble("p50_ratio_to_http1"));
        assertEquals(0.25, summary.getDouble("p99_ratio_to_http1"));
    }

    @Test
    void shouldHeadlineIpcAndPeersWhenTheyAreThere()
    {
        final String text = report(
            RunResults.ok("ipc", 1, 300, 900), RunResults.ok("raw-aeron-ipc", 1, 200, 600),
            RunResults.ok("udp", 1, 10_000, 40_000), RunResults.ok("raw-aeron-udp", 1, 8_000, 32_000),
            RunResults.ok("http1-busy", 1, 20_000, 50_000), RunResults.ok("http1", 1, 72_000, 120_000)).toText();
        assertTrue(text.contains("ipc: p50 240.0 times lower than http1 (0.30 µs against 72.00 µs"), text);
        assertTrue(text.contains("ipc: p50 1.50 times, p99 1.50 times that of raw-aeron-ipc"), text);
        assertTrue(text.contains("udp: p50 1.25 times, p99 1.25 times that of raw-aeron-udp"), text);
        assertTrue(text.contains("udp: p50 0.50 times, p99 0.80 times that of http1-busy"), text);
    }

    @Test
    void shouldHaveNoRatioWhenHttp1IsAbsent()
    {
        final Report report = report(RunResults.ok("udp", 1, 9_000, 40_000));
        assertEquals(List.of("udp", "9.00", "40.00", "-", "-"), line(report, "udp").subList(0, 5));
        assertNull(report.toJson().getJsonArray("summary").getJsonObject(0).getValue("p50_ratio_to_http1"));
        assertFalse(report.toText().contains("times lower"));
    }

    @Test
    void shouldLeaveRunsOutOfMedianWhenTheyMissedTheirRateOrFailed()
    {
        final Report report = report(
            RunResults.ok("udp", 1, 9_000, 40_000), RunResults.missed("udp", 2), RunResults.failed("udp", 3),
            RunResults.failed("http1", 1));
        assertEquals(List.of("udp", "9.00", "40.00", "-", "-"), line(report, "udp").subList(0, 5));
        assertTrue(line(report, "udp").contains("1/3"));
        assertEquals(List.of("http1", "-", "-"), line(report, "http1").subList(0, 3));
    }

    @Test
    void shouldHaveShapeOfContractWhenWrittenAsJson()
    {
        final JsonObject json = new JsonObject(report(RunResults.ok("udp", 1, 9_000, 40_000)).toJson().encode());
        assertEquals(ENVIRONMENT, json.getJsonObject("environment"));
        final JsonObject run = json.getJsonArray("runs").getJsonObject(0);
        assertTrue(run.fieldNames().containsAll(Set.of(
            "system", "pattern", "payload_bytes", "rate_target_per_s", "status", "count", "achieved_per_s",
            "latency_ns", "client_alloc_bytes_per_op", "server_alloc_bytes_per_op", "repeat")), run.encode());
        assertEquals(
            Set.of("min", "p50", "p90", "p99", "p99_9", "p99_99", "max"),
            run.getJsonObject("latency_ns").fieldNames());
        assertEquals("udp", run.getString("system"));
        assertEquals("pingpong", run.getString("pattern"));
        assertEquals(32, run.getInteger("payload_bytes"));
        assertNull(run.getValue("rate_target_per_s"));
        assertEquals("OK", run.getString("status"));
        assertEquals(1000, run.getInteger("count"));
        assertEquals(0.0, run.getDouble("client_alloc_bytes_per_op"));
        assertEquals(1, run.getInteger("repeat"));
        assertTrue(run.fieldNames().containsAll(Set.of(
            "wait_strategy", "threading", "idle_strategy", "term_length_bytes", "mtu_bytes", "socket_buffer",
            "client_jvm_flags", "server_jvm_flags", "others_cpu_cores", "disturbed", "attempts")), run.encode());
    }
}
