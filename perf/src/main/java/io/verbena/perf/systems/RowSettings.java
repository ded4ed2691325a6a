/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.systems;

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
}
