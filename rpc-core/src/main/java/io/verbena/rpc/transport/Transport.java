/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc.transport;

/**
 * Moves messages over connections: reliable, ordered, message boundaries kept.
 * <p>
 * <b>Threading:</b> one instance belongs to one thread. That thread calls every method here and on the transport's
 * {@link Connection}s; nothing is synchronised. Callbacks run inside {@link #poll(TransportListener, int)} and nowhere
 * else: events that arise on other threads are queued first.
 * <p>
 * <b>Steady state:</b> sending and polling neither block nor allocate.
 * <p>
 * <b>Ownership:</b> a transport owns its connections and listeners; {@link #close()} ends them all.
 */
public interface Transport extends AutoCloseable
{
    /**
     * Default time after which a silent peer counts as gone, in nanoseconds: 2 s.
     */
    long DEFAULT_LIVENESS_TIMEOUT_NS = 2_000_000_000L;

    /**
     * Starts to accept connections.
     *
     * @param address URI of a scheme that this transport serves, such as {@code udp://host:port}; port 0 asks for a
     *                free one, which {@link Listener#address()} then tells.
     * @return a handle with the bound address.
     * @throws TransportException if the address is malformed, of a foreign scheme or already in use; the message says
     *                            which, what was expected and what was found.
     */
    Listener listen(String address);

    /**
     * Starts to connect and returns at once with a connection in state {@link ConnectionState#CONNECTING}.
     * {@link TransportListener#onConnected(Connection)} follows from a later poll, or
     * {@link TransportListener#onDisconnected(Connection, DisconnectCause)} where no connection comes about within
     * the transport's connect timeout.
     *
     * @param address URI of the listening peer.
     * @return the connection, already owned by this transport.
     * @throws TransportException if the address is malformed or of a foreign scheme. An unreachable peer is no
     *                            exception but a disconnect.
     */
    Connection connect(String address);

    /**
     * Does the transport's work: delivers arrived messages and connection events to the listener, keeps the links
     * alive, moves queued data on. Never blocks. Call it often, also when nothing is expected: a transport that is not
     * polled for its liveness timeout is taken for dead by its peers.
     *
     * @param listener     called back within this call alone.
     * @param messageLimit the most messages to deliver in this call; at least 1. Connection events do not count.
     * @return the number of messages delivered and events handled; 0 when idle.
     */
    int poll(TransportListener listener, int messageLimit);

    /**
     * Sends on what was accepted from {@link Connection#offer} and committed claims, for a bounded time, then
     * disconnects everything and frees all resources. Idempotent. No callbacks are made.
     */
    @Override
    void close();
}
