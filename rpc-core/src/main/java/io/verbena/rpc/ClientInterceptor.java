/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import org.agrona.DirectBuffer;

/**
 * Told of every call that a client makes, over whichever of its channels and faces: to add metadata, to refuse calls,
 * to measure and trace. Registered by {@link RpcClient.Context#interceptor(ClientInterceptor)}; several are told in the
 * order of their registration.
 * <p>
 * These are hooks rather than wrappers around the call: flow control and readiness can't be hidden by them.
 * <p>
 * <b>Failures:</b> a hook that throws an {@link RpcException} ends the call with its status; anything else ends it as
 * {@link StatusCode#INTERNAL} and goes to the error handler too. What {@link #onEnd} throws goes to the error handler
 * only.
 * <p>
 * <b>Threading:</b> the client's thread. Buffers and arguments are valid until the hook returns. A hook must not make
 * calls on the channel.
 */
public interface ClientInterceptor
{
    /**
     * A call begins: before its request is encoded.
     *
     * @param call            that begins.
     * @param requestMetadata that goes with the request, to be added to.
     * @throws RpcException to refuse the call: whoever makes it gets the exception or, through a future, its failure.
     *                      Those behind this interceptor hear nothing of the call.
     */
    default void onStart(final CallInfo call, final Metadata requestMetadata)
    {
    }

    /**
     * The request of the call is about to be sent. Not called for a method whose client streams.
     *
     * @param call   that it is of.
     * @param buffer that holds the SBE message header and body.
     * @param offset of the SBE message header.
     * @param length of header and body in bytes.
     */
    default void onRequest(final CallInfo call, final DirectBuffer buffer, final int offset, final int length)
    {
    }

    /**
     * An item of this side's stream is about to be sent.
     *
     * @param call   that it is of.
     * @param buffer that holds the SBE message header and body.
     * @param offset of the SBE message header.
     * @param length of header and body in bytes.
     */
    default void onItemSent(final CallInfo call, final DirectBuffer buffer, final int offset, final int length)
    {
    }

    /**
     * An item of the server's stream has arrived, and its handler has not seen it yet.
     *
     * @param call   that it is of.
     * @param buffer that holds the SBE message header and body.
     * @param offset of the SBE message header.
     * @param length of header and body in bytes.
     */
    default void onItemReceived(final CallInfo call, final DirectBuffer buffer, final int offset, final int length)
    {
    }

    /**
     * The one response of a call has arrived, and its handler has not seen it yet.
     *
     * @param call   that it is of.
     * @param buffer that holds the SBE message header and body.
     * @param offset of the SBE message header.
     * @param length of header and body in bytes.
     */
    default void onResponse(final CallInfo call, final DirectBuffer buffer, final int offset, final int length)
    {
    }

    /**
     * A call has ended, before its handler is told: exactly once for each call of {@link #onStart}, also where that
     * threw, and where a request was claimed and then aborted ({@link StatusCode#CANCELLED}).
     *
     * @param call     that has ended.
     * @param status   how it ended.
     * @param text     of the error; empty where it ended as {@link StatusCode#OK}.
     * @param trailers the metadata that came with its end; empty if there is none.
     */
    default void onEnd(final CallInfo call, final StatusCode status, final String text, final Metadata trailers)
    {
    }
}
