/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

/**
 * How many messages a call has in each direction.
 */
public enum MethodKind
{
    /** One request, one response. */
    UNARY(false, false),

    /** One request, a stream of responses. */
    SERVER_STREAM(false, true),

    /** A stream of requests, one response. */
    CLIENT_STREAM(true, false),

    /** A stream of requests, a stream of responses, independent of each other. */
    BIDI(true, true);

    private final boolean isClientStreaming;
    private final boolean isServerStreaming;

    MethodKind(final boolean isClientStreaming, final boolean isServerStreaming)
    {
        this.isClientStreaming = isClientStreaming;
        this.isServerStreaming = isServerStreaming;
    }

    /**
     * Whether the client sends items until it half-closes, rather than one request.
     *
     * @return true for client streams and bidirectional calls.
     */
    public boolean isClientStreaming()
    {
        return isClientStreaming;
    }

    /**
     * Whether the server sends items until it completes, rather than one response.
     *
     * @return true for server streams and bidirectional calls.
     */
    public boolean isServerStreaming()
    {
        return isServerStreaming;
    }
}
