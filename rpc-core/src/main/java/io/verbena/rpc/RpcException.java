/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import org.agrona.DirectBuffer;

/**
 * A call that did not succeed: its status, a text for people, and a typed detail where the service declares one.
 * Thrown by the blocking face, completes futures, and may be thrown by a handler to end its call with this status.
 */
public class RpcException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    private final StatusCode code;
    private final String text;
    private final transient DirectBuffer detail;
    private final long pushbackNs;
    private final boolean isNotStarted;

    /**
     * Without a detail.
     *
     * @param code how the call ended; not {@link StatusCode#OK}.
     * @param text for people.
     */
    public RpcException(final StatusCode code, final String text)
    {
        this(code, text, null);
    }

    /**
     * With a detail.
     *
     * @param code   how the call ended; not {@link StatusCode#OK}.
     * @param text   for people.
     * @param detail SBE message header and body from index 0, owned by this exception; null for none.
     */
    public RpcException(final StatusCode code, final String text, final DirectBuffer detail)
    {
        this(code, text, detail, 0, false);
    }

    /**
     * With what is known about making the call again.
     *
     * @param code         how the call ended; not {@link StatusCode#OK}.
     * @param text         for people.
     * @param detail       SBE message header and body from index 0, owned by this exception; null for none.
     * @param pushbackNs   nanoseconds to wait at least before the call is made again; 0 for nothing said; negative:
     *                     don't. Thrown by a handler, it goes to the caller.
     * @param isNotStarted whether no handler has seen the call, for certain. Thrown by a handler, it does not go to the
     *                     caller, whose call a handler has seen.
     */
    public RpcException(
        final StatusCode code,
        final String text,
        final DirectBuffer detail,
        final long pushbackNs,
        final boolean isNotStarted)
    {
        super(message(code, text));
        this.code = code;
        this.text = text;
        this.detail = detail;
        this.pushbackNs = pushbackNs;
        this.isNotStarted = isNotStarted;
    }

    /**
     * For typed errors: the same status, text and detail as another one.
     *
     * @param other to take over; becomes the cause.
     */
    public RpcException(final RpcException other)
    {
        super(other.getMessage(), other);
        this.code = other.code;
        this.text = other.text;
        this.detail = other.detail;
        this.pushbackNs = other.pushbackNs;
        this.isNotStarted = other.isNotStarted;
    }

    /**
     * How the call ended.
     *
     * @return the code, never {@link StatusCode#OK}.
     */
    public final StatusCode code()
    {
        return code;
    }

    /**
     * What people should read.
     *
     * @return the text, empty if there is none.
     */
    public final String text()
    {
        return text == null ? "" : text;
    }

    /**
     * The typed detail.
     *
     * @return SBE message header and body from index 0, or null where there is none.
     */
    public final DirectBuffer detail()
    {
        return detail;
    }

    /**
     * What the server says about making the call again.
     *
     * @return nanoseconds to wait at least before that; 0 where it says nothing; negative: don't.
     */
    public final long pushbackNs()
    {
        return pushbackNs;
    }

    /**
     * Whether no handler has seen the call, for certain, so that it may be made again even where its method is not
     * idempotent.
     *
     * @return true if so.
     */
    public final boolean isNotStarted()
    {
        return isNotStarted;
    }

    private static String message(final StatusCode code, final String text)
    {
        if (code == null || code == StatusCode.OK)
        {
            throw new IllegalArgumentException("an RpcException needs a status other than OK, found " + code);
        }
        return text == null || text.isEmpty() ? code.name() : code.name() + ": " + text;
    }
}
