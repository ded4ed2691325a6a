/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.systems;

/**
 * A client whose connection can get company: further connections of the same client to the same server, which carry no
 * calls.
 */
public interface ManyClient extends PolledClient
{
    /**
     * Begins to connect more; polls bring it about.
     *
     * @param count of them.
     */
    void addConnections(int count);

    /**
     * How many can carry calls now, the first one included.
     *
     * @return the number.
     */
    int connected();
}
