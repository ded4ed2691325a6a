/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc.transport;

/**
 * The life of a {@link Connection}; it moves forward only.
 */
public enum ConnectionState
{
    /** Asked for, not yet usable: sending answers {@link Connection#NOT_CONNECTED}. */
    CONNECTING,

    /** Usable in both directions. */
    CONNECTED,

    /** Ended, by either side or by a fault: sending answers {@link Connection#CLOSED}. */
    CLOSED
}
