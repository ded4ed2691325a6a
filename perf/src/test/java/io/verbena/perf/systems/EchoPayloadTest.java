/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.systems;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

@Timeout(10)
class EchoPayloadTest
{
    private static final int OFFSET = 8;
    private static final int LENGTH = 32;

    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[64]);
    private long stampNs;
    private long sequence;
    private final EchoHandler handler = (stamp, number) ->
    {
        stampNs = stamp;
        sequence = number;
    };

    @BeforeEach
    void write()
    {
        EchoPayload.fill(buffer, OFFSET, LENGTH);
        EchoPayload.write(buffer, OFFSET, 123, 456);
    }

    @Test
    void shouldDeliverWhatWasWrittenWhenEchoIsWhole()
    {
        EchoPayload.deliver(buffer, OFFSET, LENGTH, LENGTH, handler);
        assertEquals(123, stampNs);
        assertEquals(456, sequence);
    }

    @Test
    void shouldDeliverWhenPayloadIsShortest()
    {
        EchoPayload.deliver(buffer, OFFSET, EchoPayload.MIN_LENGTH, EchoPayload.MIN_LENGTH, handler);
        assertEquals(456, sequence);
    }

    @Test
    void shouldThrowWhenLengthDiffers()
    {
        assertThrows(
            IllegalStateException.class, () -> EchoPayload.deliver(buffer, OFFSET, LENGTH - 1, LENGTH, handler));
    }

    @Test
    void shouldThrowWhenLastByteDiffers()
    {
        buffer.putByte(OFFSET + LENGTH - 1, (byte)0);
        assertThrows(IllegalStateException.class, () -> EchoPayload.deliver(buffer, OFFSET, LENGTH, LENGTH, handler));
    }
}
