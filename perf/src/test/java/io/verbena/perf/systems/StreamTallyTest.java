/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.systems;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.junit.jupiter.api.Assertions.assertEquals;

@Timeout(10)
class StreamTallyTest
{
    private final StreamTally tally = new StreamTally();

    private long outOfOrder(final long... sequences)
    {
        for (final long sequence : sequences)
        {
            tally.onReceived(sequence);
        }
        tally.publish();
        assertEquals(sequences.length, tally.received());
        return tally.outOfOrder();
    }

    @Test
    void shouldCountNothingWhenItemsComeInTurn()
    {
        assertEquals(0, outOfOrder(0, 1, 2, 3));
    }

    @Test
    void shouldCountBothWhenItemsAreSwapped()
    {
        assertEquals(2, outOfOrder(0, 2, 1, 3));
    }

    @Test
    void shouldCountAllAfterItWhenItemIsMissing()
    {
        assertEquals(2, outOfOrder(0, 2, 3));
    }

    @Test
    void shouldCountWhenItemComesTwice()
    {
        assertEquals(2, outOfOrder(0, 0, 1));
    }

    @Test
    void shouldShowOthersNothingWhenItIsNotPublished()
    {
        tally.onSent();
        tally.onReceived(0);
        assertEquals(1, tally.nextSequence());
        assertEquals(1, tally.nowReceived());
        assertEquals(0, tally.sent());
        assertEquals(0, tally.received());
        tally.publish();
        assertEquals(1, tally.sent());
        assertEquals(1, tally.received());
    }
}
