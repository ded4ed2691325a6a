/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.aeron;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

class ErrorSinkTest
{
    private final List<Throwable> handed = new ArrayList<>();
    private long nowNs;
    private final ErrorSink sink = new ErrorSink(handed::add, () -> nowNs);

    @Test
    void shouldHandOnOnceASecondWhenOneErrorComesVeryOften()
    {
        for (int i = 0; i < 100_000; i++)
        {
            sink.onError(new IllegalStateException("client timed out, id " + i));
            if (i % 1_000 == 0)
            {
                sink.drain();
            }
        }
        sink.drain();
        assertEquals(1, handed.size());
        assertEquals(100_000, sink.count());
        nowNs += 1_000_000_001;
        sink.onError(new IllegalStateException("client timed out, id 7"));
        sink.drain();
        assertEquals(2, handed.size());
    }

    @Test
    void shouldHandOnEachWhenErrorsDiffer()
    {
        final Throwable first = new IllegalStateException("one");
        final Throwable second = new IllegalArgumentException("two");
        sink.onError(first);
        sink.onError(second);
        assertEquals(List.of(), handed, "on the draining thread alone");
        sink.drain();
        assertEquals(List.of(first, second), handed);
    }

    @Test
    void shouldGiveTheOldestAndForgetTheRestWhenTaken()
    {
        final Throwable first = new IllegalStateException("one");
        sink.onError(first);
        sink.onError(new IllegalArgumentException("two"));
        assertSame(first, sink.takeAll());
        assertNull(sink.takeAll());
        sink.drain();
        assertEquals(List.of(), handed);
    }
}
