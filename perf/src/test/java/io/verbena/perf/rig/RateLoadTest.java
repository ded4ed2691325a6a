/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.rig;

import io.verbena.perf.systems.PacedLoad;
import org.HdrHistogram.Histogram;
import org.agrona.concurrent.CachedNanoClock;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

@Timeout(10)
class RateLoadTest
{
    private static final long START_NS = 1_000_000_007L;
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long RATE = 10_000;
    private static final long INTERVAL_NS = 100_000;

    private final CachedNanoClock clock = new CachedNanoClock();
    private final Histogram histogram = Histograms.create();

    @BeforeEach
    void startClock()
    {
        clock.update(START_NS);
    }

    private RateLoad load(final long durationNs)
    {
        return new RateLoad(clock, histogram, 50, durationNs, RATE);
    }

    @Test
    void shouldSpaceMessagesEvenlyWhenRateDividesSecond()
    {
        final RateLoad load = load(SECOND_NS);
        assertEquals(START_NS, load.dueStampNs(clock.nanoTime()));
        load.onSent();
        clock.advance(INTERVAL_NS - 1);
        assertEquals(PacedLoad.NOT_DUE, load.dueStampNs(clock.nanoTime()));
        clock.advance(1);
        assertEquals(START_NS + INTERVAL_NS, load.dueStampNs(clock.nanoTime()));
    }

    @Test
    void shouldStampIntendedTimeWhenSenderIsLate()
    {
        final RateLoad load = load(SECOND_NS);
        clock.advance(10 * INTERVAL_NS);
        for (int i = 0; i <= 10; i++)
        {
            assertEquals(START_NS + i * INTERVAL_NS, load.dueStampNs(clock.nanoTime()));
            load.onSent();
        }
        assertEquals(PacedLoad.NOT_DUE, load.dueStampNs(clock.nanoTime()));
    }

    @Test
    void shouldCountLatenessAsLatencyWhenEchoArrives()
    {
        final RateLoad load = load(SECOND_NS);
        clock.advance(5_000_000);
        final long stampNs = load.dueStampNs(clock.nanoTime());
        final long sequence = load.nextSequence();
        load.onSent();
        clock.advance(1_000);
        load.onEcho(stampNs, sequence);
        assertEquals(5_001_000, histogram.getMaxValue(), 5_001_000 / 1000.0);
    }

    @Test
    void shouldNotDriftWhenRateDoesNotDivideSecond()
    {
        assertEquals(SECOND_NS, RateLoad.dueOffsetNs(3, 3));
        assertEquals(333_333_333, RateLoad.dueOffsetNs(1, 3));
        assertEquals(3600 * SECOND_NS, RateLoad.dueOffsetNs(3600L * 100_000_000, 100_000_000));
        assertEquals(360_000_000_000L, RateLoad.total(3600 * SECOND_NS, 100_000_000));
        assertEquals(1, RateLoad.total(SECOND_NS / 2, 3));
    }

    @Test
    void shouldBeDoneWhenAllIsEchoed()
    {
        final RateLoad load = load(2 * INTERVAL_NS);
        assertEquals(2, load.total());
        clock.advance(INTERVAL_NS);
        load.onSent();
        load.onSent();
        assertEquals(PacedLoad.NOT_DUE, load.dueStampNs(clock.nanoTime()));
        load.onEcho(START_NS, 50);
        assertFalse(load.isDone(clock.nanoTime()));
        load.onEcho(START_NS, 51);
        assertTrue(load.isDone(clock.nanoTime()));
        assertEquals(2, load.received());
        assertEquals(2 * INTERVAL_NS, load.elapsedNs());
    }

    @Test
    void shouldGiveUpWhenEchoesStayAway()
    {
        final RateLoad load = load(SECOND_NS);
        load.onSent();
        clock.advance(SECOND_NS + RateLoad.GRACE_NS - 1);
        assertFalse(load.isDone(clock.nanoTime()));
        clock.advance(1);
        assertTrue(load.isDone(clock.nanoTime()));
        assertEquals(0, load.received());
    }

    @Test
    void shouldLengthenWindowWhenLastEchoIsLate()
    {
        final RateLoad load = load(INTERVAL_NS);
        load.onSent();
        clock.advance(SECOND_NS);
        load.onEcho(START_NS, 50);
        assertEquals(SECOND_NS, load.elapsedNs());
    }

    @Test
    void shouldPassOverEchoWhenItIsOfEarlierLoad()
    {
        final RateLoad load = load(SECOND_NS);
        load.onEcho(0, 49);
        assertEquals(0, load.received());
        assertEquals(0, histogram.getTotalCount());
    }

    @Test
    void shouldCountEchoWhenItOvertakesAnother()
    {
        final RateLoad load = load(SECOND_NS);
        load.onSent();
        load.onSent();
        load.onEcho(START_NS, 51);
        load.onEcho(START_NS, 50);
        assertEquals(2, load.received());
        assertEquals(2, load.outOfOrder());
        assertTrue(load.isEachEchoedOnce());
    }

    @Test
    void shouldNoticeWhenEchoIsLostAndAnotherDoubled()
    {
        final RateLoad load = load(SECOND_NS);
        load.onSent();
        load.onSent();
        load.onEcho(START_NS, 51);
        load.onEcho(START_NS, 51);
        assertFalse(load.isEachEchoedOnce());
    }

    @Test
    void shouldThrowWhenMessageOfEchoWasNotSent()
    {
        final RateLoad load = load(SECOND_NS);
        load.onSent();
        assertThrows(IllegalStateException.class, () -> load.onEcho(START_NS, 51));
        load.onEcho(START_NS, 50);
        assertThrows(IllegalStateException.class, () -> load.onEcho(START_NS, 50));
    }
}
