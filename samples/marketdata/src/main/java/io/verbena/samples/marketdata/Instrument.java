/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.samples.marketdata;

/**
 * An instrument, whose ticks follow from their numbers, so that the sample needs no market.
 *
 * @param symbol as readers name it, at most eight ASCII characters.
 * @param start  its price, in hundredths.
 */
record Instrument(String symbol, long start)
{
    private static final int SWING = 7;
    private static final long LOT = 100;

    long price(final long sequence)
    {
        return start + sequence % SWING;
    }

    long quantity(final long sequence)
    {
        return LOT * (1 + sequence % SWING);
    }
}
