/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

/**
 * How a call ended. The codes and their numbers are those that gRPC made common, so that dashboards and habits carry
 * over.
 */
public enum StatusCode
{
    /** It succeeded. */
    OK(0),

    /** The caller gave it up. */
    CANCELLED(1),

    /** It failed for a reason that has no better code. */
    UNKNOWN(2),

    /** The request makes no sense, whatever the state of the service. */
    INVALID_ARGUMENT(3),

    /** It did not end in time. It may have been executed. */
    DEADLINE_EXCEEDED(4),

    /** What was asked for is not there. */
    NOT_FOUND(5),

    /** What was to be made is there already. */
    ALREADY_EXISTS(6),

    /** The caller may not do this. */
    PERMISSION_DENIED(7),

    /** A limit is reached: message length, calls in flight, queue. */
    RESOURCE_EXHAUSTED(8),

    /** The state of the service does not allow it; repeating it does not help. */
    FAILED_PRECONDITION(9),

    /** A conflict ended it; repeating the whole operation may help. */
    ABORTED(10),

    /** Beyond the valid range. */
    OUT_OF_RANGE(11),

    /** The service or method is not there. */
    UNIMPLEMENTED(12),

    /** An invariant is broken: a handler threw, a response could not be encoded. */
    INTERNAL(13),

    /** The service can't be reached, or its connection ended. A call that was in flight may have been executed. */
    UNAVAILABLE(14),

    /** Data is lost or damaged for good. */
    DATA_LOSS(15),

    /** The caller has not proved who it is. */
    UNAUTHENTICATED(16);

    private static final StatusCode[] BY_VALUE = byValue();

    private final int value;

    StatusCode(final int value)
    {
        this.value = value;
    }

    /**
     * The number on the wire.
     *
     * @return 0 to 16.
     */
    public int value()
    {
        return value;
    }

    /**
     * The code of a number on the wire.
     *
     * @param value on the wire.
     * @return the code; {@link #UNKNOWN} for a number that a newer peer may know and this side does not.
     */
    public static StatusCode of(final int value)
    {
        return value >= 0 && value < BY_VALUE.length ? BY_VALUE[value] : UNKNOWN;
    }

    private static StatusCode[] byValue()
    {
        final StatusCode[] codes = new StatusCode[values().length];
        for (final StatusCode code : values())
        {
            codes[code.value] = code;
        }
        return codes;
    }
}
