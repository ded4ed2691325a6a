/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.systems;

import io.vertx.core.json.JsonObject;

/**
 * How a row waits and what its transport is set to; stated in the JSON of each of its runs.
 *
 * @param waitStrategy    how both ends wait for a message: "spin", "sleep" and the like.
 * @param threading       which threads do the work.
 * @param idleStrategy    what a thread does between two empty polls.
 * @param termLengthBytes length of an Aeron term, 0 where there is none.
 * @param mtuBytes        largest datagram or fragment, 0 where there is none.
 * @param socketBuffer    socket buffer lengths, or "default".
 * @param notes           anything else that a reader must know.
 */
public record RowSettings(
    String waitStrategy,
    String threading,
    String idleStrategy,
    int termLengthBytes,
    int mtuBytes,
    String socketBuffer,
    String notes)
{
    /**
     * Of a run that came to nothing.
     */
    public static final RowSettings UNKNOWN = new RowSettings("unknown", "unknown", "unknown", 0, 0, "unknown", "");

    /**
     * The fields as the JSON of a run has them.
     *
     * @return the settings as JSON.
     */
    public JsonObject toJson()
    {
        return new JsonObject()
            .put("wait_strategy", waitStrategy)
            .put("threading", threading)
            .put("idle_strategy", idleStrategy)
            .put("term_length_bytes", termLengthBytes == 0 ? null : termLengthBytes)
            .put("mtu_bytes", mtuBytes == 0 ? null : mtuBytes)
            .put("socket_buffer", socketBuffer)
            .put("notes", notes);
    }

    /**
     * What {@link #toJson()} made.
     *
     * @param json with the fields.
     * @return the settings.
     */
    public static RowSettings fromJson(final JsonObject json)
    {
        return new RowSettings(
            json.getString("wait_strategy"),
            json.getString("threading"),
            json.getString("idle_strategy"),
            orZero(json.getInteger("term_length_bytes")),
            orZero(json.getInteger("mtu_bytes")),
            json.getString("socket_buffer"),
            json.getString("notes"));
    }

    private static int orZero(final Integer value)
    {
        return value == null ? 0 : value;
    }
}
