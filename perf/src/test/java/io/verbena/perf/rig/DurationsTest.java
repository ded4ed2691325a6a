/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.rig;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

@Timeout(10)
class DurationsTest
{
    @ParameterizedTest
    @CsvSource({
        "7ns,7", "20us,20000", "500ms,500000000", "3s,3000000000", "1.5s,1500000000", "2m,120000000000",
        "1h,3600000000000", "0s,0", "0.000000001s,1"})
    void shouldReadDurationWhenNumberHasUnit(final String text, final long expectedNs)
    {
        assertEquals(expectedNs, Durations.parseNs(text).orElseThrow());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "3", "s", "3 s", "-3s", "3S", "3sec", "1,5s", "1.s", ".5s", "999999999999h"})
    void shouldReadNothingWhenTextIsNoDuration(final String text)
    {
        assertTrue(Durations.parseNs(text).isEmpty());
    }

    @Test
    void shouldDropZerosWhenFormatting()
    {
        assertEquals("3 s", Durations.format(3_000_000_000L));
        assertEquals("0.1 s", Durations.format(100_000_000L));
        assertEquals("600 s", Durations.format(600_000_000_000L));
        assertEquals("0.001 s", Durations.format(1_000_000L));
        assertEquals("0 s", Durations.format(0));
    }

    @Test
    void shouldTellMicrosecondsWhenItIsShort()
    {
        assertEquals("999 µs", Durations.format(999_000L));
        assertEquals("100 µs", Durations.format(100_000L));
    }
}
