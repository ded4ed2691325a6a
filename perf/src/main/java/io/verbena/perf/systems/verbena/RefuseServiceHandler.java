/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.systems.verbena;

import io.verbena.perf.generated.RefuseService;
import io.verbena.perf.generated.WorkRequestDecoder;
import io.verbena.perf.generated.WorkResponseResponder;

/**
 * Keeps the one call that the server's limits let through, for ever, so that each further one is refused.
 */
final class RefuseServiceHandler implements RefuseService
{
    private WorkResponseResponder kept;

    @Override
    public void onOccupy(final WorkRequestDecoder request, final WorkResponseResponder responder)
    {
        if (kept != null)
        {
            throw new IllegalStateException("a refused call reached its handler");
        }
        kept = responder.detach();
    }
}
