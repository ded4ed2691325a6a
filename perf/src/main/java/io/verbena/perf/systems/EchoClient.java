/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.systems;

/**
 * The client side of a system, connected.
 */
public sealed interface EchoClient extends AutoCloseable permits PolledClient, EventClient, StreamClient, CallClient
{
    /**
     * Frees what the client holds.
     */
    @Override
    void close();
}
