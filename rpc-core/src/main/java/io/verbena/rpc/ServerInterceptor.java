/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import org.agrona.DirectBuffer;

/**
 * Told of every call that comes to a service of a server: to check metadata, to refuse calls, to measure and trace.
 * Registered by {@link RpcServer.Context#interceptor(ServerInterceptor)}; several are told in the order of their
 * registration.
 * <p>
 * These are hooks rather than wrappers around the call: flow control and readiness can't be hidden by them.
 * <p>
 * <b>Failures:</b> a hook that throws an {@link RpcException} ends the call with its status; anything else ends it as
 * {@link StatusCode#INTERNAL} and goes to the error handler too. What {@link #onEnd} throws goes to the error handler
 * only.
 * <p>
 * <b>Threading:</b> the server's thread. Buffers and arguments are valid until the hook returns.
 */
public interface ServerInterceptor
{
    /**
     * A request has arrived, and its service has not seen it yet. To refuse it, end the call by
     * {@link ServerCall#fail(StatusCode, CharSequence)} or by throwing: the service and the interceptors behind this
     * one then never see it, and the caller is told so.
     *
     * @param call     to refuse it with, or to add metadata to the response; nothing else may be sent.
     * @param info     of the call.
     * @param metadata that came with the request; empty if there is none.
     * @param buffer   that holds the SBE message header and body.
     * @param offset   of the SBE message header.
     * @param length   of header and body in bytes; 0 for a method whose client streams.
     */
    default void onRequest(
        final ServerCall call,
        final CallInfo info,
        final Metadata metadata,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
    }

    /**
     * An item of the client's stream has arrived, and its service has not seen it yet.
     *
     * @param info   of the call.
     * @param buffer that holds the SBE message header and body.
     * @param offset of the SBE message header.
     * @param length of header and body in bytes.
     */
    default void onItemReceived(final CallInfo info, final DirectBuffer buffer, final int offset, final int length)
    {
    }

    /**
     * An item of this side's stream is about to be sent.
     *
     * @param info   of the call.
     * @param buffer that holds the SBE message header and body.
     * @param offset of the SBE message header.
     * @param length of header and body in bytes.
     */
    default void onItemSent(final CallInfo info, final DirectBuffer buffer, final int offset, final int length)
    {
    }

    /**
     * The one response of a call is about to be sent.
     *
     * @param info   of the call.
     * @param buffer that holds the SBE message header and body.
     * @param offset of the SBE message header.
     * @param length of header and body in bytes.
     */
    default void onResponse(final CallInfo info, final DirectBuffer buffer, final int offset, final int length)
    {
    }

    /**
     * A call has ended: exactly once for each call of {@link #onRequest}, also where that threw or refused.
     *
     * @param info   of the call.
     * @param status how it ended; {@link StatusCode#OK} if it was answered.
     */
    default void onEnd(final CallInfo info, final StatusCode status)
    {
    }
}
