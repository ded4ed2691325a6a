/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.samples.pricing;

/**
 * What the sample knows of one instrument: a mid price around which its market is made, and its tick.
 *
 * @param symbol      as callers name it.
 * @param midMantissa mid price, as the mantissa of a decimal.
 * @param exponent    of that decimal, -9 to 0.
 * @param tick        between neighbouring prices, as a mantissa of the same exponent; from 1.
 * @param maxQuantity the most that is quoted at once, in whole units.
 */
record Instrument(String symbol, long midMantissa, byte exponent, long tick, long maxQuantity)
{
    /** Units that are bid or asked at the best price; each level away has one more lot. */
    private static final long LOT = 100;

    /**
     * The bid of a level.
     *
     * @param level 0 for the best.
     * @return mantissa of the price.
     */
    long bid(final int level)
    {
        return midMantissa - tick * (level + 1);
    }

    /**
     * The ask of a level.
     *
     * @param level 0 for the best.
     * @return mantissa of the price.
     */
    long ask(final int level)
    {
        return midMantissa + tick * (level + 1);
    }

    /**
     * The quantity at a level.
     *
     * @param level 0 for the best.
     * @return whole units.
     */
    long quantity(final int level)
    {
        return LOT * (level + 1);
    }
}
