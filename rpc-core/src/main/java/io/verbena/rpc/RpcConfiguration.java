/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import org.agrona.SystemUtil;

/**
 * Names and defaults of the settings of clients and servers. Each is read from the system property of its name where
 * that is set, and may be set in a context.
 */
public final class RpcConfiguration
{
    /** Property: the most calls in flight on one connection. */
    public static final String MAX_CALLS_IN_FLIGHT_PROP_NAME = "verbena.rpc.max.calls.in.flight";

    /** Default of {@link #MAX_CALLS_IN_FLIGHT_PROP_NAME}: 1,024. */
    public static final int MAX_CALLS_IN_FLIGHT_DEFAULT = 1024;

    /** Property: the longest request or response in bytes; units such as 16m are understood. */
    public static final String MAX_MESSAGE_LENGTH_PROP_NAME = "verbena.rpc.max.message.length";

    /** Default of {@link #MAX_MESSAGE_LENGTH_PROP_NAME}: 16 MiB. */
    public static final int MAX_MESSAGE_LENGTH_DEFAULT = 16 * 1024 * 1024;

    /** Property: the longest metadata of a message in bytes; units such as 8k are understood. */
    public static final String MAX_METADATA_LENGTH_PROP_NAME = "verbena.rpc.max.metadata.length";

    /** Default of {@link #MAX_METADATA_LENGTH_PROP_NAME}: 8 KiB. */
    public static final int MAX_METADATA_LENGTH_DEFAULT = 8 * 1024;

    /** Property: length in bytes from which messages are sent with a checksum; 0 for none. */
    public static final String CHECKSUM_THRESHOLD_PROP_NAME = "verbena.rpc.checksum.threshold";

    /** Default of {@link #CHECKSUM_THRESHOLD_PROP_NAME}: 0, no checksums. */
    public static final int CHECKSUM_THRESHOLD_DEFAULT = 0;

    /** Property: the most bytes that wait for the transport on one connection. */
    public static final String MAX_QUEUED_BYTES_PROP_NAME = "verbena.rpc.max.queued.bytes";

    /** Default of {@link #MAX_QUEUED_BYTES_PROP_NAME}: 64 MiB. */
    public static final int MAX_QUEUED_BYTES_DEFAULT = 64 * 1024 * 1024;

    /** Property: the most bytes of long messages that are being joined on one connection. */
    public static final String MAX_ASSEMBLY_BYTES_PROP_NAME = "verbena.rpc.max.assembly.bytes";

    /** Default of {@link #MAX_ASSEMBLY_BYTES_PROP_NAME}: 64 MiB. */
    public static final int MAX_ASSEMBLY_BYTES_DEFAULT = 64 * 1024 * 1024;

    /** Property: the most bytes of idle buffers for long messages that a client or server keeps for reuse. */
    public static final String MAX_RETAINED_BUFFER_BYTES_PROP_NAME = "verbena.rpc.max.retained.buffer.bytes";

    /** Default of {@link #MAX_RETAINED_BUFFER_BYTES_PROP_NAME}: 64 MiB. */
    public static final int MAX_RETAINED_BUFFER_BYTES_DEFAULT = 64 * 1024 * 1024;

    /** Property: the items of one stream that its sender may be ahead of the receiver's grants. */
    public static final String STREAM_WINDOW_ITEMS_PROP_NAME = "verbena.rpc.stream.window.items";

    /** Default of {@link #STREAM_WINDOW_ITEMS_PROP_NAME}: 4,096. */
    public static final int STREAM_WINDOW_ITEMS_DEFAULT = 4096;

    /** Property: the bytes of one stream that its sender may be ahead of the receiver's grants. */
    public static final String STREAM_WINDOW_BYTES_PROP_NAME = "verbena.rpc.stream.window.bytes";

    /** Default of {@link #STREAM_WINDOW_BYTES_PROP_NAME}: 256 KiB. */
    public static final int STREAM_WINDOW_BYTES_DEFAULT = 256 * 1024;

    /** Property: the bytes of all streams of a connection that are under way at once in one direction. */
    public static final String CONNECTION_WINDOW_BYTES_PROP_NAME = "verbena.rpc.connection.window.bytes";

    /**
     * Default of {@link #CONNECTION_WINDOW_BYTES_PROP_NAME}: 4 KiB, for short calls' sake: what streams have on their
     * way lies ahead of a call. Measured over UDP on loopback, the p99 of a 64-byte call beside two saturating streams
     * of 1 MiB items was 2.5 times its idle p99 with 4 KiB at 124 MB/s, 3.5 with 8 KiB, and 9.6 with 256 KiB at
     * 158 MB/s. Where round trips are long and calls may wait, set bandwidth times round trip.
     */
    public static final long CONNECTION_WINDOW_BYTES_DEFAULT = 4 * 1024;

    /** Property: the most messages taken from a transport in one duty cycle. */
    public static final String POLL_LIMIT_PROP_NAME = "verbena.rpc.poll.limit";

    /** Default of {@link #POLL_LIMIT_PROP_NAME}: 16. */
    public static final int POLL_LIMIT_DEFAULT = 16;

    /** Property: the most tasks of other threads that wait for the thread of a client or server. */
    public static final String TASK_QUEUE_LENGTH_PROP_NAME = "verbena.rpc.task.queue.length";

    /** Default of {@link #TASK_QUEUE_LENGTH_PROP_NAME}: 4,096. */
    public static final int TASK_QUEUE_LENGTH_DEFAULT = 4096;

    /** Property: how long the peer may take for its part of the handshake; units such as 5s are understood. */
    public static final String HANDSHAKE_TIMEOUT_PROP_NAME = "verbena.rpc.handshake.timeout";

    /** Default of {@link #HANDSHAKE_TIMEOUT_PROP_NAME}: 5 s. */
    public static final long HANDSHAKE_TIMEOUT_DEFAULT_NS = 5_000_000_000L;

    /** Property: how long closing may take to send what was written. */
    public static final String CLOSE_TIMEOUT_PROP_NAME = "verbena.rpc.close.timeout";

    /** Default of {@link #CLOSE_TIMEOUT_PROP_NAME}: 2 s. */
    public static final long CLOSE_TIMEOUT_DEFAULT_NS = 2_000_000_000L;

    /** Property: the most calls from other threads that wait on one channel. */
    public static final String ASYNC_QUEUE_LENGTH_PROP_NAME = "verbena.rpc.client.async.queue.length";

    /** Default of {@link #ASYNC_QUEUE_LENGTH_PROP_NAME}: 4,096. */
    public static final int ASYNC_QUEUE_LENGTH_DEFAULT = 4096;

    /** Property: the timeout of calls that name none. */
    public static final String DEFAULT_TIMEOUT_PROP_NAME = "verbena.rpc.client.default.timeout";

    /** Default of {@link #DEFAULT_TIMEOUT_PROP_NAME}: 10 s. */
    public static final long DEFAULT_TIMEOUT_DEFAULT_NS = 10_000_000_000L;

    /** Property: the shortest wait before connecting again. */
    public static final String RECONNECT_MIN_BACKOFF_PROP_NAME = "verbena.rpc.client.reconnect.min.backoff";

    /** Default of {@link #RECONNECT_MIN_BACKOFF_PROP_NAME}: 50 ms. */
    public static final long RECONNECT_MIN_BACKOFF_DEFAULT_NS = 50_000_000L;

    /** Property: the longest wait before connecting again. */
    public static final String RECONNECT_MAX_BACKOFF_PROP_NAME = "verbena.rpc.client.reconnect.max.backoff";

    /** Default of {@link #RECONNECT_MAX_BACKOFF_PROP_NAME}: 2 s. */
    public static final long RECONNECT_MAX_BACKOFF_DEFAULT_NS = 2_000_000_000L;

    /** Property: the tokens of a channel's retry budget. */
    public static final String RETRY_MAX_TOKENS_PROP_NAME = "verbena.rpc.client.retry.max.tokens";

    /** Default of {@link #RETRY_MAX_TOKENS_PROP_NAME}: 100. */
    public static final int RETRY_MAX_TOKENS_DEFAULT = 100;

    /** Property: the thousandths of a token that a success gives back to the retry budget. */
    public static final String RETRY_TOKEN_THOUSANDTHS_PROP_NAME = "verbena.rpc.client.retry.token.thousandths";

    /** Default of {@link #RETRY_TOKEN_THOUSANDTHS_PROP_NAME}: 100, a tenth of a token. */
    public static final int RETRY_TOKEN_THOUSANDTHS_DEFAULT = 100;

    /** Property: the most bytes of requests that one channel keeps so that they can be sent again. */
    public static final String RETRY_BUFFER_BYTES_PROP_NAME = "verbena.rpc.client.retry.buffer.bytes";

    /** Default of {@link #RETRY_BUFFER_BYTES_PROP_NAME}: 16 MiB. */
    public static final int RETRY_BUFFER_BYTES_DEFAULT = 16 * 1024 * 1024;

    /** Property: the most endpoints of one group. */
    public static final String MAX_ENDPOINTS_PROP_NAME = "verbena.rpc.client.max.endpoints";

    /** Default of {@link #MAX_ENDPOINTS_PROP_NAME}: 64. */
    public static final int MAX_ENDPOINTS_DEFAULT = 64;

    /** Property: how long the calls of an endpoint that was removed from its group may go on. */
    public static final String REMOVED_DRAIN_TIMEOUT_PROP_NAME = "verbena.rpc.client.removed.drain.timeout";

    /** Default of {@link #REMOVED_DRAIN_TIMEOUT_PROP_NAME}: 60 s. */
    public static final long REMOVED_DRAIN_TIMEOUT_DEFAULT_NS = 60_000_000_000L;

    /** Property: the most connections that a server takes. */
    public static final String MAX_CONNECTIONS_PROP_NAME = "verbena.rpc.server.max.connections";

    /** Default of {@link #MAX_CONNECTIONS_PROP_NAME}: 1,024. */
    public static final int MAX_CONNECTIONS_DEFAULT = 1024;

    /** Property: how long nothing may be heard from a peer before it is asked; 0 never asks. */
    public static final String KEEP_ALIVE_INTERVAL_PROP_NAME = "verbena.rpc.keep.alive.interval";

    /** Default of {@link #KEEP_ALIVE_INTERVAL_PROP_NAME}: 30 s. */
    public static final long KEEP_ALIVE_INTERVAL_DEFAULT_NS = 30_000_000_000L;

    /** Property: how long the peer may take to answer when it is asked. */
    public static final String KEEP_ALIVE_TIMEOUT_PROP_NAME = "verbena.rpc.keep.alive.timeout";

    /** Default of {@link #KEEP_ALIVE_TIMEOUT_PROP_NAME}: 20 s. */
    public static final long KEEP_ALIVE_TIMEOUT_DEFAULT_NS = 20_000_000_000L;

    /** Property: whether the peer is asked also while no calls are open; default false. */
    public static final String KEEP_ALIVE_WHEN_IDLE_PROP_NAME = "verbena.rpc.keep.alive.when.idle";

    /** Property: how often the peer may ask, in the mean; more costs it the connection; 0 lets it. */
    public static final String MIN_PING_INTERVAL_PROP_NAME = "verbena.rpc.min.ping.interval";

    /** Default of {@link #MIN_PING_INTERVAL_PROP_NAME}: 1 s. */
    public static final long MIN_PING_INTERVAL_DEFAULT_NS = 1_000_000_000L;

    /** Property: the most calls in progress under an {@link AdmissionControl}. */
    public static final String ADMISSION_MAX_IN_PROGRESS_PROP_NAME = "verbena.rpc.server.admission.max.in.progress";

    /** Default of {@link #ADMISSION_MAX_IN_PROGRESS_PROP_NAME}: 4,096. */
    public static final int ADMISSION_MAX_IN_PROGRESS_DEFAULT = 4096;

    /** Property: the most calls that wait under an {@link AdmissionControl}. */
    public static final String ADMISSION_MAX_QUEUED_PROP_NAME = "verbena.rpc.server.admission.max.queued";

    /** Default of {@link #ADMISSION_MAX_QUEUED_PROP_NAME}: 1,024. */
    public static final int ADMISSION_MAX_QUEUED_DEFAULT = 1024;

    /** Property: the most bytes of requests that wait under an {@link AdmissionControl}. */
    public static final String ADMISSION_MAX_QUEUED_BYTES_PROP_NAME =
        "verbena.rpc.server.admission.max.queued.bytes";

    /** Default of {@link #ADMISSION_MAX_QUEUED_BYTES_PROP_NAME}: 64 MiB. */
    public static final int ADMISSION_MAX_QUEUED_BYTES_DEFAULT = 64 * 1024 * 1024;

    /** Property: how long a call may wait under an {@link AdmissionControl} while the server is overloaded. */
    public static final String ADMISSION_TARGET_DELAY_PROP_NAME = "verbena.rpc.server.admission.target.delay";

    /** Default of {@link #ADMISSION_TARGET_DELAY_PROP_NAME}: 5 ms. */
    public static final long ADMISSION_TARGET_DELAY_DEFAULT_NS = 5_000_000L;

    /** Property: how long the queue of an {@link AdmissionControl} is not empty before that counts as overload. */
    public static final String ADMISSION_INTERVAL_PROP_NAME = "verbena.rpc.server.admission.interval";

    /** Default of {@link #ADMISSION_INTERVAL_PROP_NAME}: 100 ms. */
    public static final long ADMISSION_INTERVAL_DEFAULT_NS = 100_000_000L;

    private RpcConfiguration()
    {
    }

    static int count(final String property, final int defaultValue)
    {
        final String value = System.getProperty(property);
        if (value == null)
        {
            return defaultValue;
        }
        try
        {
            return Integer.parseInt(value.trim());
        }
        catch (final NumberFormatException ex)
        {
            throw new IllegalStateException(property + ": expected a whole number, found " + value, ex);
        }
    }

    static int size(final String property, final int defaultValue)
    {
        try
        {
            return SystemUtil.getSizeAsInt(property, defaultValue);
        }
        catch (final RuntimeException ex)
        {
            throw new IllegalStateException(
                property + ": expected a number of bytes such as 4096, 64k or 16m, found " +
                System.getProperty(property), ex);
        }
    }

    static long longSize(final String property, final long defaultValue)
    {
        try
        {
            return SystemUtil.getSizeAsLong(property, defaultValue);
        }
        catch (final RuntimeException ex)
        {
            throw new IllegalStateException(
                property + ": expected a number of bytes such as 4096, 64k or 16m, found " +
                System.getProperty(property), ex);
        }
    }

    static long duration(final String property, final long defaultValueNs)
    {
        try
        {
            return SystemUtil.getDurationInNanos(property, defaultValueNs);
        }
        catch (final RuntimeException ex)
        {
            throw new IllegalStateException(
                property + ": expected a duration such as 500ms, 2s or a number of nanoseconds, found " +
                System.getProperty(property), ex);
        }
    }
}
