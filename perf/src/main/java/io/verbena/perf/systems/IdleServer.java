/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.systems;

/**
 * The server of a system that has none: all of it happens in the client's process.
 *
 * @param address to report.
 */
public record IdleServer(String address) implements EchoServer
{
    @Override
    public int poll()
    {
        return 0;
    }

    @Override
    public boolean isPolled()
    {
        return false;
    }

    @Override
    public void close()
    {
        // Nothing is held.
    }
}
