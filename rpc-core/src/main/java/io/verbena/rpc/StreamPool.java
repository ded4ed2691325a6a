/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import java.util.ArrayDeque;

/**
 * Idle stream objects of one client or server, so that streams that open and end allocate nothing. Agent's thread
 * alone.
 */
final class StreamPool
{
    private static final int MAX_FREE = 4096;

    private final ArrayDeque<StreamCall> free = new ArrayDeque<>();

    StreamCall acquire()
    {
        final StreamCall pooled = free.poll();
        return pooled != null ? pooled : new StreamCall(this);
    }

    void release(final StreamCall stream)
    {
        if (free.size() < MAX_FREE)
        {
            free.push(stream);
        }
    }
}
