/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.systems;

import io.vertx.core.json.JsonObject;

/**
 * A server that counts more than the rig can see from outside. Apart from {@link #poll()} and {@link #close()} its
 * methods are called by the rig's control thread, while the server runs.
 */
public interface WatchedServer extends EchoServer
{
    /**
     * Stops sending items, and ends the streams of its side. Returns at once.
     */
    void stopSending();

    /**
     * Whether the server has done so.
     *
     * @return true when no item follows.
     */
    boolean hasStopped();

    /**
     * Adds what was counted.
     *
     * @param counters to add to, one field for each figure.
     */
    void addCounters(JsonObject counters);
}
