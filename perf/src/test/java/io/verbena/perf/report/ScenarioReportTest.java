/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.report;

import io.verbena.perf.rig.RunResult;
import io.verbena.perf.rig.RunResults;
import io.verbena.perf.systems.Workload;
import io.verbena.rpc.MethodKind;
import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

@Timeout(10)
class ScenarioReportTest
{
    private static final Workload STREAM = Workload.stream(MethodKind.SERVER_STREAM);

    private static Report report(final RunResult... results)
    {
        return Report.of(new JsonObject(), List.of(results));
    }

    private static List<String> line(final Report report, final String row)
    {
        return report.toText().lines()
            .filter(line -> line.startsWith(row + " "))
            .findFirst()
            .map(line -> List.of(line.substring(row.length()).strip().split(" +")))
            .orElseThrow();
    }

    private static JsonObject summary(final Report report, final int index)
    {
        return report.toJson().getJsonArray("summary").getJsonObject(index);
    }

    private static RunResult stream(final String system, final int repeat, final double perSecond)
    {
        return RunResults.of(system, repeat, STREAM, perSecond, new JsonObject()
            .put("items_to_client_per_s", perSecond)
            .put("items_to_server_per_s", 0.0));
    }

    @Test
    void shouldRelateStreamsToRawWithinEachRepeat()
    {
        final Report report = report(
            stream("raw-aeron-ipc", 1, 10_000_000), stream("ipc", 1, 7_000_000),
            stream("raw-aeron-ipc", 2, 2_000_000), stream("ipc", 2, 1_600_000),
            stream("raw-aeron-ipc", 3, 20_000_000), stream("ipc", 3, 10_000_000));
        assertEquals(List.of("7000000", "7000000", "0", "0.70"), line(report, "ipc").subList(0, 4));
        assertEquals("-", line(report, "raw-aeron-ipc").get(3));
        assertEquals(0.7, summary(report, 1).getDouble("rate_ratio_to_raw"));
        assertEquals(7_000_000, summary(report, 1).getDouble("items_per_s"));
        assertEquals(0.25, summary(report, 1).getDouble("server_alloc_bytes_per_item"));
        assertNull(summary(report, 0).getValue("rate_ratio_to_raw"));
        assertTrue(report.toText().contains("ipc: 0.70 times the rate of raw-aeron-ipc (wanted: at least 0.6)"));
    }

    @Test
    void shouldHaveNoRatioWhenRawRowIsAbsent()
    {
        final Report report = report(stream("udp", 1, 1_000_000), stream("loopback", 1, 5_000_000));
        assertEquals("-", line(report, "udp").get(3));
        assertNull(summary(report, 0).getValue("rate_ratio_to_raw"));
    }

    private static RunResult connections(final int count, final int repeat, final long p50Ns, final Double bytes)
    {
        return RunResults.of("udp", repeat, Workload.connections(count), 1, new JsonObject()
            .put("latency_ns", new JsonObject().put("p50", p50Ns).put("p99", 2 * p50Ns))
            .put("connections", count)
            .put("connect_ns", 3_000_000L * (count - 1))
            .put("server_bytes_per_idle_connection", bytes));
    }

    @Test
    void shouldRelateConnectionsToOne()
    {
        final Report report = report(
            connections(1, 1, 10_000, null), connections(10, 1, 15_000, 2048.0),
            connections(1, 2, 20_000, null), connections(10, 2, 22_000, 1024.0));
        assertEquals(List.of("15.00", "30.00", "1.00", "-", "0.0", "2/2", "OK"), line(report, "udp 1"));
        assertEquals(List.of("18.50", "37.00", "1.30", "1.5", "27.0", "2/2", "OK"), line(report, "udp 10"));
        final JsonObject ten = summary(report, 1);
        assertEquals("udp", ten.getString("system"));
        assertEquals(10, ten.getInteger("connections"));
        assertEquals(1.3, ten.getDouble("p50_ratio_to_one"), 1e-9);
        assertEquals(1536, ten.getDouble("server_bytes_per_idle_connection"));
        assertEquals(27_000_000, ten.getDouble("connect_ns"));
    }

    @Test
    void shouldHaveNoRatioWhenOneConnectionWasNotMeasured()
    {
        assertEquals("-", line(report(connections(10, 1, 15_000, 2048.0)), "udp 10").get(2));
    }

    @Test
    void shouldTellBothLatenciesWhenStreamsAreInBackground()
    {
        final Report report = report(RunResults.of("udp", 1, Workload.background(1 << 20), 1, new JsonObject()
            .put("idle_p50_ns", 14_000)
            .put("idle_p99_ns", 50_000)
            .put("loaded_p50_ns", 40_000)
            .put("loaded_p99_ns", 120_000)
            .put("p99_ratio_loaded_to_idle", 2.4)
            .put("background_bytes_per_s", 500e6)));
        assertEquals(
            List.of("14.00", "50.00", "40.00", "120.00", "2.40", "500.0", "1/1", "OK"), line(report, "udp"));
        assertEquals(2.4, summary(report, 0).getDouble("p99_ratio_loaded_to_idle"));
        assertEquals(500e6, summary(report, 0).getDouble("background_bytes_per_s"));
    }

    @Test
    void shouldTellGoodputAndCostWhenOverloaded()
    {
        final Report report = report(RunResults.of("ipc", 1, Workload.overload(20_000, 10_000_000), 1, new JsonObject()
            .put("peak_goodput_per_s", 45_000)
            .put("goodput_ratio_1x", 0.99)
            .put("goodput_ratio_2x", 0.97)
            .put("goodput_ratio_3x", 0.95)
            .put("refused_per_s_3x", 90_000)
            .put("expired_per_s_3x", 12)
            .put("server_ns_per_echo", 400)
            .put("server_ns_per_refusal", 300)
            .put("refusal_cost_ratio_to_echo", 0.75)));
        assertEquals(
            List.of("45000", "0.99", "0.97", "0.95", "90000", "12", "400", "300", "0.75", "1/1", "OK"),
            line(report, "ipc"));
        assertEquals(0.95, summary(report, 0).getDouble("goodput_ratio_3x"));
        assertEquals(0.75, summary(report, 0).getDouble("refusal_cost_ratio_to_echo"));
    }
}
