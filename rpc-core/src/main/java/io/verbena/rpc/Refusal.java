/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import io.verbena.rpc.protocol.ErrorPayload;
import io.verbena.rpc.protocol.FrameFlags;
import io.verbena.rpc.protocol.FrameType;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * An error that is sent so often that it must cost little: encoded once.
 */
final class Refusal
{
    private final StatusCode code;
    private final String text;
    private final UnsafeBuffer payload;

    Refusal(final StatusCode code, final String text)
    {
        this.code = code;
        this.text = text;
        final byte[] textBytes = ErrorPayload.textBytes(text);
        final int length = ErrorPayload.detailOffset(textBytes.length);
        payload = new UnsafeBuffer(new byte[length]);
        ErrorPayload.encode(payload, 0, textBytes, 0);
    }

    StatusCode code()
    {
        return code;
    }

    /**
     * Ends a call that has no service yet, in one frame right away where the transport takes it.
     *
     * @param pushbackNs after which the client may try again.
     */
    void send(
        final ServerSession session,
        final long correlationId,
        final int serviceId,
        final int methodId,
        final long pushbackNs)
    {
        if (session.link().trySend(
            FrameType.ERROR, FrameFlags.NOT_STARTED, serviceId, methodId, correlationId, pushbackNs, code.value(),
            payload, 0, payload.capacity()) < 0)
        {
            session.sendError(
                correlationId, serviceId, methodId, code, text, null, 0, FrameFlags.NOT_STARTED, null, null,
                pushbackNs);
        }
    }
}
