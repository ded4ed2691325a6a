/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.samples.pricing;

import io.verbena.samples.pricing.generated.Venue;
import java.util.EnumMap;
import java.util.Map;
import org.agrona.DirectBuffer;

/**
 * The instruments of all venues. Looked up by the bytes of a symbol as they lie in the request, so that a look-up
 * makes no String.
 */
final class PriceBook
{
    private final Map<Venue, Instrument[]> byVenue = new EnumMap<>(Venue.class);

    /**
     * The instruments that the sample trades.
     *
     * @return a new book.
     */
    static PriceBook ofSample()
    {
        final PriceBook book = new PriceBook();
        book.byVenue.put(Venue.LONDON, new Instrument[]{
            new Instrument("VOD", 7_215, (byte)-2, 1, 50_000),
            new Instrument("BARC", 29_840, (byte)-2, 5, 20_000)});
        book.byVenue.put(Venue.NEW_YORK, new Instrument[]{
            new Instrument("ACME", 10_125, (byte)-2, 1, 10_000),
            new Instrument("VRB", 421_375, (byte)-4, 25, 5_000)});
        book.byVenue.put(Venue.TOKYO, new Instrument[]{
            new Instrument("7203", 2_817, (byte)0, 1, 1_000)});
        return book;
    }

    /**
     * Finds an instrument.
     *
     * @param venue  where it trades; a value that this side does not know finds nothing.
     * @param buffer that holds the symbol in UTF-8.
     * @param offset of the symbol, in bytes.
     * @param length of the symbol, in bytes.
     * @return the instrument, or null.
     */
    Instrument find(final Venue venue, final DirectBuffer buffer, final int offset, final int length)
    {
        final Instrument[] instruments = byVenue.get(venue);
        if (instruments != null)
        {
            for (final Instrument instrument : instruments)
            {
                if (matches(instrument.symbol(), buffer, offset, length))
                {
                    return instrument;
                }
            }
        }
        return null;
    }

    private static boolean matches(
        final String symbol, final DirectBuffer buffer, final int offset, final int length)
    {
        // the sample's symbols are ASCII, so a character is a byte
        if (symbol.length() != length)
        {
            return false;
        }
        for (int i = 0; i < length; i++)
        {
            if (buffer.getByte(offset + i) != (byte)symbol.charAt(i))
            {
                return false;
            }
        }
        return true;
    }
}
