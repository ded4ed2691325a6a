/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.rig;

import io.verbena.perf.systems.EchoHandler;
import io.verbena.perf.systems.PolledClient;
import io.verbena.perf.systems.Workload;
import org.HdrHistogram.Histogram;
import org.agrona.concurrent.CachedNanoClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

@Timeout(10)
class PolledDriverTest
{
    private static final long POLL_NS = 10;

    private final CachedNanoClock clock = new CachedNanoClock();
    private final Histogram histogram = Histograms.create();

    /**
     * Echoes after a number of polls, each of which takes 10 ns of the test's clock.
     */
    private final class DelayedClient implements PolledClient
    {
        private final int pollsToEcho;
        private int refusals;
        private int polls;
        private long stampNs;
        private long sequence;
        private boolean isPending;

        DelayedClient(final int pollsToEcho, final int refusals)
        {
            this.pollsToEcho = pollsToEcho;
            this.refusals = refusals;
        }

        @Override
        public boolean trySend(final long newStampNs, final long newSequence)
        {
            if (isPending || refusals-- > 0)
            {
                return false;
            }
            stampNs = newStampNs;
            sequence = newSequence;
            isPending = true;
            polls = 0;
            return true;
        }

        @Override
        public int poll(final EchoHandler handler)
        {
            clock.advance(POLL_NS);
            if (isPending && ++polls == pollsToEcho)
            {
                isPending = false;
                handler.onEcho(stampNs, sequence);
                return 1;
            }
            return 0;
        }

        @Override
        public void close()
        {
            isPending = false;
        }
    }

    @Test
    void shouldMeasureEachRoundTripWhenLoopIsClosed()
    {
        final ClosedLoad load = new ClosedLoad(clock, histogram, 0, 1000);
        new PolledDriver(new DelayedClient(5, 0), clock).run(load);
        assertEquals(20, load.received());
        assertEquals(50, histogram.getMinValue());
        assertEquals(50, histogram.getMaxValue());
        assertEquals(1000, load.elapsedNs());
    }

    @Test
    void shouldCountBackPressureAsLatencyWhenMessageIsNotTaken()
    {
        final ClosedLoad load = new ClosedLoad(clock, histogram, 0, 100);
        new PolledDriver(new DelayedClient(5, 3), clock).run(load);
        assertEquals(80, histogram.getMaxValue());
    }

    @Test
    void shouldFailWhenClosedLoopStalls()
    {
        final ClosedLoad load = new ClosedLoad(clock, histogram, 0, 100);
        final PolledDriver driver = new PolledDriver(new StoppedClient(), clock);
        final IllegalStateException failure = assertThrows(IllegalStateException.class, () -> driver.run(load));
        assertEquals("no echo within 5 s", failure.getMessage());
    }

    private final class StoppedClient implements PolledClient
    {
        @Override
        public boolean trySend(final long stampNs, final long sequence)
        {
            return true;
        }

        @Override
        public int poll(final EchoHandler handler)
        {
            clock.advance(1_000_000);
            return 0;
        }

        @Override
        public void close()
        {
            clock.advance(0);
        }
    }

    @Test
    void shouldShowQueueingWhenSystemIsSlowerThanRate()
    {
        // A message takes 50 ns and one is due every 25 ns: the last of 40 waits for about 40 * 25 ns.
        final RateLoad load = new RateLoad(clock, histogram, 0, 1000, 40_000_000);
        new PolledDriver(new DelayedClient(5, 0), clock).run(load);
        assertEquals(40, load.received());
        assertTrue(histogram.getMaxValue() >= 1000, "max " + histogram.getMaxValue());
        assertEquals(2000, load.elapsedNs(), POLL_NS * 5);
        final double achievedPerS = load.received() * 1e9 / load.elapsedNs();
        final RunSpec spec = new RunSpec("udp", LoadPattern.RATE, 40_000_000, 32, 0, 1000, 1, Workload.ECHO);
        assertTrue(RunResult.verdict(spec, load.total(), load.received(), load.isEachEchoedOnce(), achievedPerS)
            .startsWith("missed its rate"));
    }
}
