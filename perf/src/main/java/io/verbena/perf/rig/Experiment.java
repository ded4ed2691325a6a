/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.rig;

import io.vertx.core.json.JsonObject;

/**
 * What the client process does in a run, once it is connected.
 */
interface Experiment
{
    /**
     * Runs it to its end.
     *
     * @return what was measured at the client, for the coordinator.
     * @throws InterruptedException  when the process is to end.
     * @throws IllegalStateException when the system did not do its part.
     */
    JsonObject run() throws InterruptedException;
}
