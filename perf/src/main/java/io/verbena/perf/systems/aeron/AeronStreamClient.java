/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.systems.aeron;

import io.verbena.perf.systems.StreamClient;
import io.verbena.perf.systems.StreamTally;

/**
 * The client's end of a run with bare Aeron streams. Aeron has no word for the end of what was sent while its
 * publication stays open: silence tells it.
 */
record AeronStreamClient(AeronEndpoint endpoint, AeronStreamEnd end) implements StreamClient
{
    @Override
    public int poll()
    {
        return end.poll();
    }

    @Override
    public void stopSending()
    {
        end.stopSending();
    }

    @Override
    public boolean isEnded()
    {
        return false;
    }

    @Override
    public boolean tellsEnd()
    {
        return false;
    }

    @Override
    public StreamTally tally()
    {
        return end.tally();
    }

    @Override
    public void close()
    {
        endpoint.close();
    }
}
