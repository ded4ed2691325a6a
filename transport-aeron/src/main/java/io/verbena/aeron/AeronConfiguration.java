/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.aeron;

import java.io.File;

import org.agrona.SystemUtil;

/**
 * Names and defaults of the transport's options. Each getter reads the system property, or gives the default; sizes may
 * carry a unit ({@code 64k}), durations too ({@code 2s}). {@link AeronTransport.Context} starts from these.
 */
public final class AeronConfiguration
{
    /** Property: directory of the media driver, and what {@code ipc:} without a directory means. */
    public static final String DIRECTORY_PROP_NAME = "verbena.aeron.directory";

    /** Property: whether the transport runs its own media driver (true) or uses one that runs already (false). */
    public static final String EMBEDDED_PROP_NAME = "verbena.aeron.embedded";

    /** Property: whether the embedded driver works inside poll (true) or on a thread of its own (false). */
    public static final String DRIVER_INVOKER_PROP_NAME = "verbena.aeron.driver.invoker";

    /** Property: stream of requests; responses travel on the next one. From 1 to 2^31 - 2. */
    public static final String STREAM_PROP_NAME = "verbena.aeron.stream";

    /** Default of {@link #STREAM_PROP_NAME}: away from the streams that Aeron Archive and Cluster use. */
    public static final int STREAM_DEFAULT = 4200;

    /** Property: term length of UDP streams in bytes; a power of two from 64 KiB to 1 GiB. */
    public static final String UDP_TERM_LENGTH_PROP_NAME = "verbena.aeron.udp.term.length";

    /** Default of {@link #UDP_TERM_LENGTH_PROP_NAME}: 64 KiB, which allows messages of 8 KiB. */
    public static final int UDP_TERM_LENGTH_DEFAULT = 64 * 1024;

    /** Property: term length of IPC streams in bytes; a power of two from 64 KiB to 1 GiB. */
    public static final String IPC_TERM_LENGTH_PROP_NAME = "verbena.aeron.ipc.term.length";

    /** Default of {@link #IPC_TERM_LENGTH_PROP_NAME}: 128 KiB, which allows messages of 16 KiB. */
    public static final int IPC_TERM_LENGTH_DEFAULT = 128 * 1024;

    /** Property: largest UDP datagram in bytes; a multiple of 32 from 64 to 65,504, at most a quarter term. */
    public static final String UDP_MTU_PROP_NAME = "verbena.aeron.udp.mtu";

    /** Default of {@link #UDP_MTU_PROP_NAME}: 1,408, which fits an Ethernet frame. */
    public static final int UDP_MTU_DEFAULT = 1408;

    /** Property: largest IPC fragment in bytes; a multiple of 32 from 64 to 65,504, at most a quarter term. */
    public static final String IPC_MTU_PROP_NAME = "verbena.aeron.ipc.mtu";

    /** Default of {@link #IPC_MTU_PROP_NAME}: 8 KiB. */
    public static final int IPC_MTU_DEFAULT = 8 * 1024;

    /** Property: SO_SNDBUF of the sockets in bytes; 0 for the operating system's own. */
    public static final String SOCKET_SNDBUF_PROP_NAME = "verbena.aeron.socket.sndbuf";

    /** Default of {@link #SOCKET_SNDBUF_PROP_NAME}: the operating system's own. */
    public static final int SOCKET_SNDBUF_DEFAULT = 0;

    /** Property: SO_RCVBUF of the sockets in bytes; 0 for the operating system's own. */
    public static final String SOCKET_RCVBUF_PROP_NAME = "verbena.aeron.socket.rcvbuf";

    /** Default of {@link #SOCKET_RCVBUF_PROP_NAME}: the operating system's own. */
    public static final int SOCKET_RCVBUF_DEFAULT = 0;

    /** Property: how many connections to one address may share a pair of streams; from 1 to 65,535. */
    public static final String CONNECTIONS_PER_STREAM_PAIR_PROP_NAME = "verbena.aeron.connections.per.stream.pair";

    /** Default of {@link #CONNECTIONS_PER_STREAM_PAIR_PROP_NAME}. */
    public static final int CONNECTIONS_PER_STREAM_PAIR_DEFAULT = 4096;

    /** Property: silence after which a peer, a client or a driver counts as gone; from 100 ms to 1 h. */
    public static final String LIVENESS_TIMEOUT_PROP_NAME = "verbena.aeron.liveness.timeout";

    /** Default of {@link #LIVENESS_TIMEOUT_PROP_NAME}: 2 s, in nanoseconds. */
    public static final long LIVENESS_TIMEOUT_DEFAULT_NS = 2_000_000_000L;

    /** Property: how long a living peer may take nothing off a full connection; from 1 ms. */
    public static final String STALL_TIMEOUT_PROP_NAME = "verbena.aeron.stall.timeout";

    /** Default of {@link #STALL_TIMEOUT_PROP_NAME}: 3 s; above the liveness, so that a dead peer is called dead. */
    public static final long STALL_TIMEOUT_DEFAULT_NS = 3_000_000_000L;

    /** Property: how long connecting may take; from 1 ms. */
    public static final String CONNECT_TIMEOUT_PROP_NAME = "verbena.aeron.connect.timeout";

    /** Default of {@link #CONNECT_TIMEOUT_PROP_NAME}: 5 s, in nanoseconds. */
    public static final long CONNECT_TIMEOUT_DEFAULT_NS = 5_000_000_000L;

    /** Property: how long closing waits for peers to take what was accepted; from 0. */
    public static final String CLOSE_TIMEOUT_PROP_NAME = "verbena.aeron.close.timeout";

    /** Default of {@link #CLOSE_TIMEOUT_PROP_NAME}: 2 s, in nanoseconds. */
    public static final long CLOSE_TIMEOUT_DEFAULT_NS = 2_000_000_000L;

    private static final String SHARED_MEMORY = "/dev/shm";

    private AeronConfiguration()
    {
    }

    /**
     * The user's own directory: {@code verbena-USER} under the shared-memory folder, or else under java.io.tmpdir.
     *
     * @return an absolute path.
     */
    public static String defaultDirectory()
    {
        final File sharedMemory = new File(SHARED_MEMORY);
        final String parent = sharedMemory.isDirectory() && sharedMemory.canWrite() ?
            SHARED_MEMORY : System.getProperty("java.io.tmpdir");
        return new File(parent, "verbena-" + System.getProperty("user.name", "default")).getAbsolutePath();
    }

    /**
     * Directory of the driver.
     *
     * @return the property's value, or null: the user's own for IPC, one for each transport for UDP.
     */
    public static String directory()
    {
        return System.getProperty(DIRECTORY_PROP_NAME);
    }

    /**
     * Whether the transport runs its own driver.
     *
     * @return true by default.
     */
    public static boolean embedded()
    {
        return !"false".equals(System.getProperty(EMBEDDED_PROP_NAME));
    }

    /**
     * Whether the embedded driver works inside poll.
     *
     * @return true by default.
     */
    public static boolean driverInvoker()
    {
        return !"false".equals(System.getProperty(DRIVER_INVOKER_PROP_NAME));
    }

    /**
     * Stream of requests.
     *
     * @return an Aeron stream id.
     */
    public static int stream()
    {
        return Integer.getInteger(STREAM_PROP_NAME, STREAM_DEFAULT);
    }

    /**
     * Term length of UDP streams.
     *
     * @return bytes.
     */
    public static int udpTermLength()
    {
        return SystemUtil.getSizeAsInt(UDP_TERM_LENGTH_PROP_NAME, UDP_TERM_LENGTH_DEFAULT);
    }

    /**
     * Term length of IPC streams.
     *
     * @return bytes.
     */
    public static int ipcTermLength()
    {
        return SystemUtil.getSizeAsInt(IPC_TERM_LENGTH_PROP_NAME, IPC_TERM_LENGTH_DEFAULT);
    }

    /**
     * Largest UDP datagram.
     *
     * @return bytes.
     */
    public static int udpMtu()
    {
        return SystemUtil.getSizeAsInt(UDP_MTU_PROP_NAME, UDP_MTU_DEFAULT);
    }

    /**
     * Largest IPC fragment.
     *
     * @return bytes.
     */
    public static int ipcMtu()
    {
        return SystemUtil.getSizeAsInt(IPC_MTU_PROP_NAME, IPC_MTU_DEFAULT);
    }

    /**
     * SO_SNDBUF of the sockets.
     *
     * @return bytes; 0 for the operating system's own.
     */
    public static int socketSndbufLength()
    {
        return SystemUtil.getSizeAsInt(SOCKET_SNDBUF_PROP_NAME, SOCKET_SNDBUF_DEFAULT);
    }

    /**
     * SO_RCVBUF of the sockets.
     *
     * @return bytes; 0 for the operating system's own.
     */
    public static int socketRcvbufLength()
    {
        return SystemUtil.getSizeAsInt(SOCKET_RCVBUF_PROP_NAME, SOCKET_RCVBUF_DEFAULT);
    }

    /**
     * How many connections to one address may share a pair of streams.
     *
     * @return a count; 1 gives each connection a pair of its own.
     */
    public static int connectionsPerStreamPair()
    {
        return Integer.getInteger(CONNECTIONS_PER_STREAM_PAIR_PROP_NAME, CONNECTIONS_PER_STREAM_PAIR_DEFAULT);
    }

    /**
     * Silence after which a peer, a client or a driver counts as gone.
     *
     * @return nanoseconds.
     */
    public static long livenessTimeoutNs()
    {
        return SystemUtil.getDurationInNanos(LIVENESS_TIMEOUT_PROP_NAME, LIVENESS_TIMEOUT_DEFAULT_NS);
    }

    /**
     * How long a living peer may take nothing off a full connection.
     *
     * @return nanoseconds.
     */
    public static long stallTimeoutNs()
    {
        return SystemUtil.getDurationInNanos(STALL_TIMEOUT_PROP_NAME, STALL_TIMEOUT_DEFAULT_NS);
    }

    /**
     * How long connecting may take.
     *
     * @return nanoseconds.
     */
    public static long connectTimeoutNs()
    {
        return SystemUtil.getDurationInNanos(CONNECT_TIMEOUT_PROP_NAME, CONNECT_TIMEOUT_DEFAULT_NS);
    }

    /**
     * How long closing waits for peers to take what was accepted.
     *
     * @return nanoseconds.
     */
    public static long closeTimeoutNs()
    {
        return SystemUtil.getDurationInNanos(CLOSE_TIMEOUT_PROP_NAME, CLOSE_TIMEOUT_DEFAULT_NS);
    }
}
