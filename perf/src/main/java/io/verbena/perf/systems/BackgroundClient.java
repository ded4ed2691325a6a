/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.systems;

/**
 * A client whose calls can be disturbed: by streams of long messages from the server on the same connection.
 */
public interface BackgroundClient extends PolledClient
{
    /**
     * Starts the streams, or those that are not running yet.
     *
     * @return false if not all could be started now: poll and ask again.
     */
    boolean tryStartBackground();

    /**
     * Cancels the streams.
     */
    void stopBackground();

    /**
     * What the streams have brought so far.
     *
     * @return bytes of whole messages received.
     * @throws IllegalStateException when a stream ended by itself.
     */
    long backgroundBytes();
}
