/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc.transport;

import org.agrona.concurrent.status.AtomicCounter;

/**
 * An optional capability of a {@link Transport}: counters in memory that other processes read, such as the counters
 * file of an Aeron media driver. A client or server keeps counters of its own in any case; where its transport has this
 * capability it also writes them here, so that the transport's own tools show them.
 * <p>
 * <b>Threading:</b> the transport's thread alone.
 * <p>
 * <b>Ownership:</b> the transport owns the counters and frees them when it closes; they are not written after that.
 */
public interface CountersSource
{
    /**
     * The counter with a type id and a label, made when it is first asked for. Never blocks: making one may take until
     * a later duty cycle, so this is asked again then.
     *
     * @param typeId of the counter: see {@link io.verbena.rpc.RpcCounter}.
     * @param label  for people; at most 380 characters of ASCII.
     * @return the counter, the same for the same type id and label; null while it is being made, and for ever where
     *     there is no room for it. A lack of room is no error.
     */
    AtomicCounter counter(int typeId, String label);
}
