/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc.sim;

import io.verbena.rpc.StatusCode;

/**
 * What the server has seen and done of one call.
 */
final class ServerSide
{
    /** Null before the first message of a stream of requests tells. */
    Plan plan;
    long key;
    int methodId;
    long correlationId;
    int received;
    int sent;
    int held;
    boolean isHalfClosed;
    /** How the service ended it, while it was open; null if it did not. */
    StatusCode outcome;
    int endings;

    @Override
    public String toString()
    {
        return "server side: received " + received + ", sent " + sent + ", half-closed " + isHalfClosed + ", outcome " +
            outcome + ", endings " + endings;
    }
}
