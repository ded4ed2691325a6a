/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.samples.marketdata;

import io.verbena.samples.marketdata.generated.TickEncoder;

/**
 * How far the ticks of one instrument have been told to one reader. It is all that the server keeps for a reader: a
 * slow one makes it wait, and nothing pile up.
 */
final class Cursor
{
    private final Instrument instrument;
    private final long count;
    private long told;

    Cursor(final Instrument instrument, final long count)
    {
        this.instrument = instrument;
        this.count = count;
    }

    boolean isAtEnd()
    {
        return told >= count;
    }

    /**
     * Fills in the next tick and moves on.
     */
    void tell(final TickEncoder tick)
    {
        told++;
        tick.sequence(told)
            .price(instrument.price(told))
            .quantity(instrument.quantity(told))
            .symbol(instrument.symbol());
    }
}
