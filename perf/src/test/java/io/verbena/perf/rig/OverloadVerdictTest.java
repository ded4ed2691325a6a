/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.rig;

import io.verbena.perf.systems.RowSettings;
import io.verbena.perf.systems.Workload;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.List;
import java.util.Set;

import static org.junit.jupiter.api.Assertions.assertEquals;

@Timeout(10)
class OverloadVerdictTest
{
    private static final double PEAK = 40_000;

    private final Marks marks = new Marks(Set.of());
    private final JsonObject message = new JsonObject()
        .put("capacity_per_s", 41_000.0)
        .put("peak_goodput_per_s", PEAK)
        .put("ended", 100L)
        .put("received", 76_000L)
        .put("elapsed_ns", 2_000_000_000L)
        .put("allocated_bytes", 0L)
        .put("echoes", 1000L)
        .put("refusals", 2000L)
        .put("unrefused", 0L)
        .put("warmup_ns", 0L)
        .put("settings", RowSettings.UNKNOWN.toJson())
        .put("latency_ns", Histograms.toJson(Histograms.create()));

    @BeforeEach
    void setUp()
    {
        offers(39_600, 38_800, 38_000);
        busy(OverloadExperiment.ECHO_START, 0);
        busy(OverloadExperiment.ECHO_END, 500_000);
        busy(OverloadExperiment.REFUSAL_START, 600_000);
        busy(OverloadExperiment.REFUSAL_END, 1_400_000);
    }

    private void offers(final double... goodputs)
    {
        final JsonArray offers = new JsonArray();
        for (final double goodput : goodputs)
        {
            offers.add(new JsonObject()
                .put("multiple", offers.size() + 1)
                .put("goodput_per_s", goodput)
                .put("refused_per_s", 10.0)
                .put("expired_per_s", 1.0));
        }
        message.put("offers", offers);
    }

    private void busy(final String mark, final long busyNs)
    {
        marks.put(mark, new JsonObject().put(OverloadVerdict.BUSY_NS, busyNs));
    }

    private RunResult judge()
    {
        final RunSpec spec = new RunSpec(
            "udp", LoadPattern.PINGPONG, 0, 32, 0, 1_000_000_000, 1, Workload.overload(20_000, 10_000_000));
        return Verdict.of(spec).result(spec, message, marks, List.of());
    }

    @Test
    void shouldRelateGoodputToPeakAndRefusalToEcho()
    {
        final RunResult result = judge();
        assertEquals(RunStatus.OK, result.status(), result.reason());
        assertEquals(0.99, result.detail("goodput_ratio_1x"));
        assertEquals(0.95, result.detail("goodput_ratio_3x"));
        assertEquals(500, result.detail("server_ns_per_echo"));
        assertEquals(400, result.detail("server_ns_per_refusal"));
        assertEquals(0.8, result.detail("refusal_cost_ratio_to_echo"));
        assertEquals(38_000, result.achievedPerS());
    }

    @Test
    void shouldFailWhenGoodputPassesPeak()
    {
        offers(PEAK, 1.2 * PEAK, PEAK);
        assertEquals("", judge().reason());
        offers(PEAK, 1.2 * PEAK + 1, PEAK);
        assertEquals("the peak was not found: goodput of 48001/s beyond it", judge().reason());
    }

    @Test
    void shouldFailWhenFullServiceDidNotRefuse()
    {
        message.put("unrefused", 3L);
        assertEquals("3 calls to a full service were not refused", judge().reason());
        assertEquals(RunStatus.FAIL, judge().status());
    }

    @Test
    void shouldFailWhenNothingWasGood()
    {
        message.put("peak_goodput_per_s", 0.0);
        assertEquals("no call was answered within its deadline", judge().reason());
    }
}
