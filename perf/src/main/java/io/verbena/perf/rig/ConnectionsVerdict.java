/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.rig;

import io.vertx.core.json.JsonObject;

import java.util.List;

/**
 * Of round trips beside idle connections.
 */
final class ConnectionsVerdict extends Verdict
{
    @Override
    long longestNs(final RunSpec spec)
    {
        return super.longestNs(spec) + ConnectionsExperiment.CONNECT_TIMEOUT_NS;
    }

    @Override
    RunResult result(
        final RunSpec spec, final JsonObject message, final Marks marks, final List<String> jvmFlags)
    {
        final int idle = spec.workload().connections() - 1;
        return EchoVerdict.result(spec, message, marks, jvmFlags, new JsonObject()
            .put("connections", spec.workload().connections())
            .put("connect_ns", message.getLong("connect_ns"))
            .put("server_bytes_per_idle_connection", idle == 0 ? null :
                (heldBytes(marks, ConnectionsExperiment.ALL_MARK) - heldBytes(marks, ConnectionsExperiment.ONE_MARK)) /
                (double)idle)
            .put("server_heap_bytes", marks.server(ConnectionsExperiment.ALL_MARK, MemoryMeter.HEAP_BYTES))
            .put("server_direct_bytes", marks.server(ConnectionsExperiment.ALL_MARK, MemoryMeter.DIRECT_BYTES))
            .put("server_file_bytes", marks.server(ConnectionsExperiment.ALL_MARK, MemoryMeter.FILE_BYTES)));
    }

    private static long heldBytes(final Marks marks, final String mark)
    {
        return marks.server(mark, MemoryMeter.HEAP_BYTES) +
            marks.server(mark, MemoryMeter.DIRECT_BYTES) +
            marks.server(mark, MemoryMeter.FILE_BYTES);
    }
}
