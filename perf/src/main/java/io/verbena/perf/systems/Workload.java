/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.systems;

import io.verbena.rpc.MethodKind;
import io.vertx.core.json.JsonObject;

import java.util.Locale;

/**
 * What a run is about, with the settings that belong to it; those of other scenarios are 0.
 *
 * @param scenario         that is run.
 * @param kind             of the calls.
 * @param backgroundLength of each message of the streams in the background, in bytes.
 * @param connections      of one client to the server, idle ones included.
 * @param workNs           that the server's handler is busy with a call, in nanoseconds.
 * @param deadlineNs       of each call under overload, in nanoseconds.
 */
public record Workload(
    Scenario scenario, MethodKind kind, int backgroundLength, int connections, long workNs, long deadlineNs)
{
    /** The plain echo. */
    public static final Workload ECHO = new Workload(Scenario.ECHO, MethodKind.UNARY, 0, 1, 0, 0);

    /**
     * Items of streams.
     *
     * @param kind that is not unary.
     * @return the workload.
     */
    public static Workload stream(final MethodKind kind)
    {
        return new Workload(Scenario.STREAM, kind, 0, 1, 0, 0);
    }

    /**
     * An echo beside long messages.
     *
     * @param length of such a message in bytes.
     * @return the workload.
     */
    public static Workload background(final int length)
    {
        return new Workload(Scenario.BACKGROUND, MethodKind.UNARY, length, 1, 0, 0);
    }

    /**
     * An echo beside idle connections.
     *
     * @param count of connections, the busy one included.
     * @return the workload.
     */
    public static Workload connections(final int count)
    {
        return new Workload(Scenario.CONNECTIONS, MethodKind.UNARY, 0, count, 0, 0);
    }

    /**
     * More calls than can be served.
     *
     * @param workNs     that a call keeps the server busy, in nanoseconds.
     * @param deadlineNs of each call, in nanoseconds.
     * @return the workload.
     */
    public static Workload overload(final long workNs, final long deadlineNs)
    {
        return new Workload(Scenario.OVERLOAD, MethodKind.UNARY, 0, 1, workNs, deadlineNs);
    }

    /**
     * The name of a kind on the command line and in the JSON.
     *
     * @param kind to name.
     * @return such as {@code server-stream}.
     */
    public static String label(final MethodKind kind)
    {
        return kind.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * The kind of a name.
     *
     * @param label to look up.
     * @return the kind, or null when there is none of that name.
     */
    public static MethodKind kindOf(final String label)
    {
        for (final MethodKind kind : MethodKind.values())
        {
            if (label(kind).equals(label))
            {
                return kind;
            }
        }
        return null;
    }

    /**
     * For a child process.
     *
     * @return the workload as JSON.
     */
    public JsonObject toJson()
    {
        return new JsonObject()
            .put("scenario", scenario.name())
            .put("kind", label(kind))
            .put("background_bytes", backgroundLength)
            .put("connections", connections)
            .put("work_ns", workNs)
            .put("deadline_ns", deadlineNs);
    }

    /**
     * What {@link #toJson()} made.
     *
     * @param json with the fields.
     * @return the workload.
     */
    public static Workload fromJson(final JsonObject json)
    {
        return new Workload(
            Scenario.valueOf(json.getString("scenario")),
            kindOf(json.getString("kind")),
            json.getInteger("background_bytes"),
            json.getInteger("connections"),
            json.getLong("work_ns"),
            json.getLong("deadline_ns"));
    }
}
