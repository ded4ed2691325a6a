/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.rig;

import io.verbena.perf.systems.Scenario;
import io.verbena.perf.systems.Workload;
import io.vertx.core.json.JsonObject;

/**
 * One run: a system, a load and how long. It travels to the two processes as JSON.
 *
 * @param system        the system's name.
 * @param pattern       of the load.
 * @param ratePerSecond messages a second, 0 in a closed loop.
 * @param payloadLength bytes of a message.
 * @param warmupNs      that is thrown away, in nanoseconds.
 * @param durationNs    that is recorded, in nanoseconds.
 * @param repeat        which repeat this is, from 1.
 * @param workload      what the run is about.
 */
public record RunSpec(
    String system,
    LoadPattern pattern,
    long ratePerSecond,
    int payloadLength,
    long warmupNs,
    long durationNs,
    int repeat,
    Workload workload)
{
    /**
     * The row that the run is part of: the system, and where it is measured at several points, the point.
     *
     * @return such as {@code udp}, or {@code udp 10}.
     */
    public String rowName()
    {
        return workload.scenario() == Scenario.CONNECTIONS ? system + " " + workload.connections() : system;
    }

    JsonObject toJson()
    {
        return new JsonObject()
            .put("system", system)
            .put("pattern", pattern.label())
            .put("rate", ratePerSecond)
            .put("payload", payloadLength)
            .put("warmup_ns", warmupNs)
            .put("duration_ns", durationNs)
            .put("repeat", repeat)
            .put("workload", workload.toJson());
    }

    static RunSpec fromJson(final JsonObject json)
    {
        return new RunSpec(
            json.getString("system"),
            LoadPattern.find(json.getString("pattern")),
            json.getLong("rate"),
            json.getInteger("payload"),
            json.getLong("warmup_ns"),
            json.getLong("duration_ns"),
            json.getInteger("repeat"),
            Workload.fromJson(json.getJsonObject("workload")));
    }

    boolean isClosedLoop()
    {
        return pattern == LoadPattern.PINGPONG;
    }
}
