/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.systems.verbena;

import io.verbena.perf.generated.Echo32RequestDecoder;
import io.verbena.perf.generated.Echo32ResponseEncoder;
import io.verbena.perf.generated.Echo32ResponseResponder;
import io.verbena.perf.generated.EchoRequestDecoder;
import io.verbena.perf.generated.EchoResponseEncoder;
import io.verbena.perf.generated.EchoResponseResponder;
import io.verbena.perf.generated.EchoService;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The echo service as a user would write it. Used by the server's one thread.
 */
final class EchoServiceHandler implements EchoService
{
    private final UnsafeBuffer payload = new UnsafeBuffer(0, 0);

    @Override
    public void onEcho(final EchoRequestDecoder request, final EchoResponseResponder responder)
    {
        final long timestamp = request.timestamp();
        request.wrapPayload(payload);
        final int length = payload.capacity();
        responder
            .claim(EchoResponseEncoder.BLOCK_LENGTH + EchoResponseEncoder.payloadHeaderLength() + length)
            .timestamp(timestamp)
            .putPayload(payload, 0, length);
        responder.send();
    }

    @Override
    public void onEcho32(final Echo32RequestDecoder request, final Echo32ResponseResponder responder)
    {
        responder.claim(Echo32ResponseEncoder.BLOCK_LENGTH)
            .timestamp(request.timestamp())
            .sequence(request.sequence())
            .putFiller(
                request.buffer(),
                request.offset() + Echo32RequestDecoder.fillerEncodingOffset(),
                Echo32RequestDecoder.fillerLength());
        responder.send();
    }
}
