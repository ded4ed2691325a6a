/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.auto;

import io.verbena.aeron.AeronTransport;
import io.verbena.rpc.transport.LoopbackTransport;
import io.verbena.rpc.transport.Transport;
import io.verbena.rpc.transport.TransportException;

/**
 * Chooses the transport by the scheme of an address, so that one flag decides what calls run over:
 * <table>
 * <caption>Addresses</caption>
 * <tr><th>address</th><th>transport</th></tr>
 * <tr><td>{@code ipc:[driver-directory]?stream=N}</td><td>Aeron IPC, between processes of one host</td></tr>
 * <tr><td>{@code udp://host:port}</td><td>Aeron UDP</td></tr>
 * <tr><td>{@code loopback:name}</td><td>within one process</td></tr>
 * </table>
 * {@code rdma://} and {@code auto://} are reserved and are refused with a reason.
 */
public final class Transports
{
    private Transports()
    {
    }

    /**
     * A new transport with default settings for an address. One Aeron transport serves {@code ipc:} and
     * {@code udp://} addresses alike.
     *
     * @param address as a server listens on or a client connects to; only its scheme is looked at here.
     * @return the transport, for the caller to own or to hand to a client or server.
     * @throws TransportException if the scheme is unknown, or reserved for a transport that is not there yet.
     */
    public static Transport forAddress(final String address)
    {
        final int colon = address.indexOf(':');
        final String scheme = colon < 0 ? "" : address.substring(0, colon);
        return switch (scheme)
        {
            case "ipc", "udp" -> new AeronTransport();
            case "loopback" -> new LoopbackTransport();
            case "rdma" -> throw new TransportException(
                address + ": the RDMA transport is not in this version; use udp:// or ipc:");
            case "auto" -> throw new TransportException(
                address + ": auto:// needs the RDMA transport, which is not in this version; use udp:// or ipc:");
            default -> throw new TransportException(
                address + ": expected an address that begins with ipc:, udp:// or loopback:, found " +
                (scheme.isEmpty() ? "no scheme" : "scheme " + scheme));
        };
    }
}
