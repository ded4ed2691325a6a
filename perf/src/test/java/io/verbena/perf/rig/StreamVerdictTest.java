/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.rig;

import io.verbena.perf.systems.RowSettings;
import io.verbena.perf.systems.Workload;
import io.verbena.rpc.MethodKind;
import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.List;
import java.util.Set;

import static org.junit.jupiter.api.Assertions.assertEquals;

@Timeout(10)
class StreamVerdictTest
{
    private static final long SECOND_NS = 1_000_000_000L;

    private final JsonObject message = new JsonObject()
        .put("received", 3000L)
        .put("sent", 0L)
        .put("elapsed_ns", 2 * SECOND_NS)
        .put("allocated_bytes", 300L)
        .put("total_received", 5000L)
        .put("total_sent", 0L)
        .put("out_of_order", 0L)
        .put("warmup_ns", 0L)
        .put("settings", RowSettings.UNKNOWN.toJson())
        .put("latency_ns", Histograms.toJson(Histograms.create()));
    private final Marks marks = new Marks(Set.of());

    private void mark(final String name, final long timeNs, final long sent, final long received)
    {
        marks.put(name, new JsonObject()
            .put("nano_time", timeNs)
            .put("allocated_bytes", timeNs / SECOND_NS)
            .put("sent", sent)
            .put("received", received)
            .put("out_of_order", 0L));
    }

    private RunResult judge(final MethodKind kind)
    {
        final RunSpec spec =
            new RunSpec("udp", LoadPattern.PINGPONG, 0, 32, 0, SECOND_NS, 1, Workload.stream(kind));
        return Verdict.of(spec).result(spec, message, marks, List.of());
    }

    @Test
    void shouldTakeClientsRateWhenServerStreams()
    {
        mark(ClientControl.WINDOW_START, 0, 1000, 0);
        mark(ClientControl.WINDOW_END, 2 * SECOND_NS, 5000, 0);
        mark(StreamExperiment.END_MARK, 3 * SECOND_NS, 5000, 0);
        final RunResult result = judge(MethodKind.SERVER_STREAM);
        assertEquals(RunStatus.OK, result.status(), result.reason());
        assertEquals(1500, result.achievedPerS());
        assertEquals(3000, result.count());
        assertEquals(0.1, result.clientAllocPerOp());
        assertEquals(2 / 4000.0, result.serverAllocPerOp());
        assertEquals("server-stream", result.toJson().getString("kind"));
    }

    @Test
    void shouldAddBothDirectionsWhenBidi()
    {
        message.put("sent", 1000L).put("total_sent", 1200L);
        mark(ClientControl.WINDOW_START, SECOND_NS, 0, 100);
        mark(ClientControl.WINDOW_END, 2 * SECOND_NS, 0, 600);
        mark(StreamExperiment.END_MARK, 3 * SECOND_NS, 5000, 1200);
        final RunResult result = judge(MethodKind.BIDI);
        assertEquals(RunStatus.OK, result.status(), result.reason());
        assertEquals(2000, result.achievedPerS());
        assertEquals(1500, result.detail("items_to_client_per_s"));
        assertEquals(500, result.detail("items_to_server_per_s"));
    }

    @Test
    void shouldFailWhenItemIsLostOnItsWayToClient()
    {
        mark(StreamExperiment.END_MARK, SECOND_NS, 5001, 0);
        assertEquals("5000 of 5001 items arrived at the client", judge(MethodKind.SERVER_STREAM).reason());
    }

    @Test
    void shouldFailWhenItemIsLostOnItsWayToServer()
    {
        message.put("total_received", 0L).put("total_sent", 10L);
        mark(StreamExperiment.END_MARK, SECOND_NS, 0, 9);
        final RunResult result = judge(MethodKind.CLIENT_STREAM);
        assertEquals(RunStatus.FAIL, result.status());
        assertEquals("9 of 10 items arrived at the server", result.reason());
    }

    @Test
    void shouldFailWhenNothingArrives()
    {
        message.put("total_received", 0L);
        mark(StreamExperiment.END_MARK, SECOND_NS, 0, 0);
        assertEquals("no item arrived at the client", judge(MethodKind.SERVER_STREAM).reason());
        assertEquals("no item arrived at the server", judge(MethodKind.CLIENT_STREAM).reason());
    }

    @Test
    void shouldFailWhenItemsAreOutOfOrder()
    {
        message.put("out_of_order", 2L);
        mark(StreamExperiment.END_MARK, SECOND_NS, 5000, 0);
        final RunResult result = judge(MethodKind.SERVER_STREAM);
        assertEquals("2 items out of order", result.reason());
        assertEquals(2, result.outOfOrder());
    }
}
