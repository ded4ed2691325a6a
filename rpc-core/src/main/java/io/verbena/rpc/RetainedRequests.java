/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

/**
 * The requests of calls in flight that are kept, so that they can be sent again: bounded in bytes. What does not fit is
 * let go of, and its call is made once. Agent's thread.
 */
final class RetainedRequests
{
    private final long maxBytes;
    private long bytes;

    RetainedRequests(final long maxBytes)
    {
        this.maxBytes = maxBytes;
    }

    long bytes()
    {
        return bytes;
    }

    /**
     * A call was sent.
     */
    void keep(final AsyncCall call)
    {
        if (!call.isRetained && call.request != null)
        {
            if (bytes + call.length <= maxBytes)
            {
                call.isRetained = true;
                bytes += call.length;
            }
            else
            {
                call.request = null;
            }
        }
    }

    /**
     * A call will not be sent again.
     */
    void drop(final AsyncCall call)
    {
        call.request = null;
        if (call.isRetained)
        {
            call.isRetained = false;
            bytes -= call.length;
        }
    }
}
