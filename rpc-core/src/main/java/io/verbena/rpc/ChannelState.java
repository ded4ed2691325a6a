/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

/**
 * The life of an {@link RpcChannel}.
 */
public enum ChannelState
{
    /** A connection is being made. Calls from other threads wait, within their deadlines. */
    CONNECTING,

    /** Calls can be made. */
    READY,

    /** The last attempt failed or the connection ended; another attempt follows. Calls fail at once as unavailable. */
    BACKING_OFF,

    /** Closed by its owner. */
    CLOSED
}
