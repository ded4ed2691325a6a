/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import java.util.Locale;

/**
 * What a client or a server counts, all since its launch. A count only grows; a gauge goes up and down. In the memory
 * that {@link RpcCounters#reader()} shows and in the transport's, a gauge or the number of calls in flight may be late
 * by {@value RpcCounters#PUBLISH_CYCLES} duty cycles.
 * <p>
 * The {@link #typeId()} is the number by which tools find a counter; each keeps its number for ever.
 */
public enum RpcCounter
{
    /** Calls begun: at the client when the request is handed to the connection, at the server when it is taken in. */
    CALLS_STARTED(7001, Side.BOTH, false),

    /** Gauge: calls begun and not ended, streams included. */
    CALLS_IN_FLIGHT(7002, Side.BOTH, true),

    /** Gauge: those of the calls in flight that are not unary. */
    STREAMS_OPEN(7003, Side.BOTH, true),

    /** Items of streams that were handed to the connection to be sent. */
    ITEMS_SENT(7004, Side.BOTH, false),

    /** Items of streams received, whole and in order. */
    ITEMS_RECEIVED(7005, Side.BOTH, false),

    /** Items refused for want of credit, the stream's or the connection's. */
    CREDIT_STALLS(7006, Side.BOTH, false),

    /** Grants of credit sent. */
    CREDIT_GRANTS(7007, Side.BOTH, false),

    /** Messages that the transport did not take at once, and that were refused or queued for it. */
    CLAIMS_BACK_PRESSURED(7008, Side.BOTH, false),

    /** Messages that went by the connection's queue: long ones, errors, and what the transport pushed back. */
    MESSAGES_QUEUED(7009, Side.BOTH, false),

    /** Gauge: bytes that wait for the transport, over all connections, with the overhead of each message. */
    BYTES_QUEUED(7010, Side.BOTH, true),

    /** Messages refused, sent or received, because they exceed a limit of length. */
    MESSAGES_TOO_LONG(7011, Side.BOTH, false),

    /** Calls that the peer's sending beyond its credit ended. */
    FLOW_CONTROL_ERRORS(7012, Side.BOTH, false),

    /** Breaches of the protocol by the peer that ended a connection or a call. */
    PROTOCOL_ERRORS(7013, Side.BOTH, false),

    /** Frames for calls that had ended already. */
    STALE_FRAMES(7014, Side.BOTH, false),

    /** Gauge: connections whose handshake succeeded and that have not ended. */
    CONNECTIONS_OPEN(7015, Side.BOTH, true),

    /** Connections whose handshake succeeded. */
    CONNECTIONS_OPENED(7016, Side.BOTH, false),

    /** Connections that neither side closed in order: timeouts, failures, breaches of the protocol. */
    CONNECTIONS_LOST(7017, Side.BOTH, false),

    /** Connections that never opened: at the server refused, at the client refused or not come about. */
    CONNECTIONS_REFUSED(7018, Side.BOTH, false),

    /** Attempts to connect again after a connection was lost or did not come about. */
    RECONNECT_ATTEMPTS(7019, Side.CLIENT, false),

    /** Connections ended because the peer did not answer a keep-alive in time. */
    KEEP_ALIVE_TIMEOUTS(7020, Side.BOTH, false),

    /** Go-aways: sent by a server, received by a client. */
    GO_AWAYS(7021, Side.BOTH, false),

    /** Attempts that a retry policy made after the first. */
    RETRIES(7022, Side.CLIENT, false),

    /** Attempts made again because the server provably had not started the call. */
    TRANSPARENT_RETRIES(7023, Side.CLIENT, false),

    /** Attempts that a hedging policy made beside the first. */
    HEDGES(7024, Side.CLIENT, false),

    /** Retries and hedges that the budget forbade. */
    RETRY_BUDGET_REFUSALS(7025, Side.CLIENT, false),

    /** Calls that admission control refused. */
    ADMISSION_REFUSALS(7026, Side.SERVER, false),

    /** Calls that admission control queued. */
    ADMISSION_QUEUED(7027, Side.SERVER, false),

    /** Gauge: calls that wait in the queue of admission control. */
    ADMISSION_WAITING(7028, Side.SERVER, true),

    /** Calls refused because the server drains or closes. */
    DRAIN_REFUSALS(7029, Side.SERVER, false),

    /** Calls in flight that finished, in whatever way, while the server drained. */
    CALLS_DRAINED(7030, Side.SERVER, false),

    /** Bytes of payload given to compression. */
    COMPRESSION_BYTES_IN(7031, Side.BOTH, false),

    /** Bytes that compression made of them. */
    COMPRESSION_BYTES_OUT(7032, Side.BOTH, false),

    /** Compressed bytes received. */
    DECOMPRESSION_BYTES_IN(7033, Side.BOTH, false),

    /** Bytes of payload that they became. */
    DECOMPRESSION_BYTES_OUT(7034, Side.BOTH, false),

    /** Messages received that could not be decompressed. */
    DECOMPRESSION_FAILURES(7035, Side.BOTH, false),

    /** Messages received whose checksum was wrong. */
    CHECKSUM_FAILURES(7036, Side.BOTH, false),

    /** Calls that a deadline ended by this side's own clock. */
    DEADLINES_EXPIRED(7037, Side.BOTH, false),

    /** Calls cancelled: at the client by the caller, at the server by the client. */
    CANCELS(7038, Side.BOTH, false),

    /** Calls that an interceptor refused. */
    INTERCEPTOR_REFUSALS(7039, Side.BOTH, false),

    /** Handlers, listeners and interceptors that threw something that is no status. */
    HANDLER_FAILURES(7040, Side.BOTH, false),

    /** Services of stubs whose server has another version of their schema, at each connection: no error. */
    SCHEMA_VERSIONS_DIFFERENT(7041, Side.CLIENT, false),

    /** Calls ended as OK. */
    ENDED_OK(StatusCode.OK),

    /** Calls ended as CANCELLED. */
    ENDED_CANCELLED(StatusCode.CANCELLED),

    /** Calls ended as UNKNOWN. */
    ENDED_UNKNOWN(StatusCode.UNKNOWN),

    /** Calls ended as INVALID_ARGUMENT. */
    ENDED_INVALID_ARGUMENT(StatusCode.INVALID_ARGUMENT),

    /** Calls ended as DEADLINE_EXCEEDED. */
    ENDED_DEADLINE_EXCEEDED(StatusCode.DEADLINE_EXCEEDED),

    /** Calls ended as NOT_FOUND. */
    ENDED_NOT_FOUND(StatusCode.NOT_FOUND),

    /** Calls ended as ALREADY_EXISTS. */
    ENDED_ALREADY_EXISTS(StatusCode.ALREADY_EXISTS),

    /** Calls ended as PERMISSION_DENIED. */
    ENDED_PERMISSION_DENIED(StatusCode.PERMISSION_DENIED),

    /** Calls ended as RESOURCE_EXHAUSTED. */
    ENDED_RESOURCE_EXHAUSTED(StatusCode.RESOURCE_EXHAUSTED),

    /** Calls ended as FAILED_PRECONDITION. */
    ENDED_FAILED_PRECONDITION(StatusCode.FAILED_PRECONDITION),

    /** Calls ended as ABORTED. */
    ENDED_ABORTED(StatusCode.ABORTED),

    /** Calls ended as OUT_OF_RANGE. */
    ENDED_OUT_OF_RANGE(StatusCode.OUT_OF_RANGE),

    /** Calls ended as UNIMPLEMENTED. */
    ENDED_UNIMPLEMENTED(StatusCode.UNIMPLEMENTED),

    /** Calls ended as INTERNAL. */
    ENDED_INTERNAL(StatusCode.INTERNAL),

    /** Calls ended as UNAVAILABLE. */
    ENDED_UNAVAILABLE(StatusCode.UNAVAILABLE),

    /** Calls ended as DATA_LOSS. */
    ENDED_DATA_LOSS(StatusCode.DATA_LOSS),

    /** Calls ended as UNAUTHENTICATED. */
    ENDED_UNAUTHENTICATED(StatusCode.UNAUTHENTICATED);

    private static final int ENDED_TYPE_ID_BASE = 7100;
    private static final RpcCounter[] BY_STATUS = byStatus();

    private final int typeId;
    private final Side side;
    private final boolean isGauge;
    private final StatusCode status;
    private final String label;

    RpcCounter(final int typeId, final Side side, final boolean isGauge)
    {
        this.typeId = typeId;
        this.side = side;
        this.isGauge = isGauge;
        this.status = null;
        this.label = name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    RpcCounter(final StatusCode status)
    {
        this.typeId = ENDED_TYPE_ID_BASE + status.value();
        this.side = Side.BOTH;
        this.isGauge = false;
        this.status = status;
        this.label = "calls ended " + status.name();
    }

    /**
     * The number by which tools find this counter. Those of calls ended are 7100 and the status' number.
     *
     * @return 7001 to 7116, beyond what Aeron uses itself.
     */
    public int typeId()
    {
        return typeId;
    }

    /**
     * What tools show, after the name of the agent and a colon.
     *
     * @return a few words.
     */
    public String label()
    {
        return label;
    }

    /**
     * Whether it goes up and down.
     *
     * @return true for a gauge, false for a count.
     */
    public boolean isGauge()
    {
        return isGauge;
    }

    /**
     * Whether a client counts this.
     *
     * @return false if it is a server's alone.
     */
    public boolean isClients()
    {
        return side != Side.SERVER;
    }

    /**
     * Whether a server counts this.
     *
     * @return false if it is a client's alone.
     */
    public boolean isServers()
    {
        return side != Side.CLIENT;
    }

    /**
     * The status of the calls that this counts.
     *
     * @return the status; null if this counts something else than calls ended.
     */
    public StatusCode status()
    {
        return status;
    }

    /**
     * The count of calls that ended so.
     *
     * @param status of the calls.
     * @return its counter.
     */
    public static RpcCounter ended(final StatusCode status)
    {
        return BY_STATUS[status.value()];
    }

    private static RpcCounter[] byStatus()
    {
        final RpcCounter[] counters = new RpcCounter[StatusCode.values().length];
        for (final RpcCounter counter : values())
        {
            if (counter.status != null)
            {
                counters[counter.typeId - ENDED_TYPE_ID_BASE] = counter;
            }
        }
        return counters;
    }

    private enum Side
    {
        CLIENT, SERVER, BOTH
    }
}
