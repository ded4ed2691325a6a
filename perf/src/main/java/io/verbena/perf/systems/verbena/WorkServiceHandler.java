/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.systems.verbena;

import io.verbena.perf.generated.WorkRequestDecoder;
import io.verbena.perf.generated.WorkResponseEncoder;
import io.verbena.perf.generated.WorkResponseResponder;
import io.verbena.perf.generated.WorkService;

/**
 * Spins as long as a call asks for, then echoes it.
 */
final class WorkServiceHandler implements WorkService
{
    @Override
    public void onWork(final WorkRequestDecoder request, final WorkResponseResponder responder)
    {
        final long workNs = request.workNs();
        if (workNs > 0)
        {
            final long startNs = System.nanoTime();
            while (System.nanoTime() - startNs < workNs)
            {
                Thread.onSpinWait();
            }
        }
        responder.claim(WorkResponseEncoder.BLOCK_LENGTH)
            .timestamp(request.timestamp())
            .workNs(workNs)
            .putFiller(
                request.buffer(),
                request.offset() + WorkRequestDecoder.fillerEncodingOffset(),
                WorkRequestDecoder.fillerLength());
        responder.send();
    }
}
