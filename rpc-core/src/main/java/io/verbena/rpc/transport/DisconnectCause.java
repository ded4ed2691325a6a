/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc.transport;

/**
 * Why a connection ended, as far as this side can tell.
 */
public enum DisconnectCause
{
    /** This side closed it. */
    CLOSED_LOCALLY,

    /** The peer closed it in order: everything it had written before was delivered. */
    CLOSED_BY_PEER,

    /** No connection came about within the connect timeout: nobody listens there, or the way is cut. */
    CONNECT_TIMEOUT,

    /** The peer said no: its limit of connections is reached, or it speaks another version. */
    REJECTED,

    /** The peer was silent for the liveness timeout: dead, stopped or cut off. */
    PEER_TIMEOUT,

    /** The peer is alive but has taken nothing off the connection for the stall timeout. */
    PEER_STALLED,

    /** The media driver or device under the transport went away; a new connection may succeed later. */
    DRIVER_LOST,

    /** The peer broke the protocol. */
    PROTOCOL_ERROR,

    /** Something else failed under the transport; its error handler has the details. */
    TRANSPORT_ERROR
}
