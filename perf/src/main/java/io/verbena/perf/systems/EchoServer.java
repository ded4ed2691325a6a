/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.systems;

/**
 * The server side of a system: sends each message back as it came. Used by one thread, apart from {@link #close()}
 * of a server that has its own threads.
 */
public interface EchoServer extends AutoCloseable
{
    /**
     * Where it listens, in a form that the same system's client understands.
     *
     * @return the address, with the real port.
     */
    String address();

    /**
     * One duty cycle. Never blocks.
     *
     * @return the work done; 0 when idle.
     */
    int poll();

    /**
     * Whether the calling thread has to run {@link #poll()} all the time.
     *
     * @return false for a server that has threads of its own; its poll is not called.
     */
    default boolean isPolled()
    {
        return true;
    }

    /**
     * Frees what the server holds.
     */
    @Override
    void close();
}
