/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import org.agrona.DirectBuffer;

/**
 * Called for a call that streams in one or both directions, on the client's duty cycle. What a call is told comes in
 * this order: items, in the order they were sent; then, exactly once and as the last, one of {@link #onCompleted},
 * {@link #onResponse} and {@link #onError}.
 */
public interface StreamHandler extends ResponseHandler
{
    /**
     * An item of the stream of responses has arrived. With automatic grants its credit goes back to the server when
     * this method has returned.
     *
     * @param correlationId of the call.
     * @param methodId      of the method.
     * @param buffer        that holds the SBE message header and body; valid until this method returns.
     * @param offset        of the SBE message header, 8-byte aligned.
     * @param length        of header and body in bytes.
     */
    void onItem(long correlationId, int methodId, DirectBuffer buffer, int offset, int length);

    /**
     * Items can be sent again, after one was refused for want of credit or by back pressure. It may be refused again
     * all the same.
     *
     * @param correlationId of the call.
     * @param methodId      of the method.
     */
    default void onReady(final long correlationId, final int methodId)
    {
    }

    /**
     * The stream of responses has ended well, after all of its items.
     *
     * @param correlationId of the call.
     * @param methodId      of the method.
     */
    void onCompleted(long correlationId, int methodId);

    /**
     * The one response of a client stream: the call has ended well. Never called for a stream of responses.
     *
     * {@inheritDoc}
     */
    @Override
    void onResponse(long correlationId, int methodId, DirectBuffer buffer, int offset, int length);

    /**
     * Whether credit for an item goes back to the server by itself once {@link #onItem} has returned. Asked once, when
     * the call begins.
     *
     * @return true, the default; false where the reader grants by {@code RpcChannel.grant}: the server then
     *     sends the initial window, and beyond that what was granted.
     */
    default boolean isGrantAutomatic()
    {
        return true;
    }
}
