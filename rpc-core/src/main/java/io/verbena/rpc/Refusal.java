/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import io.verbena.rpc.protocol.ErrorPayload;
import org.agrona.DirectBuffer;
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

    String text()
    {
        return text;
    }

    DirectBuffer payload()
    {
        return payload;
    }

    int length()
    {
        return payload.capacity();
    }
}
