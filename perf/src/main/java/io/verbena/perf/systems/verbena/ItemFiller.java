/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.systems.verbena;

import io.verbena.perf.generated.Item32Encoder;
import io.verbena.perf.generated.ItemEncoder;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Fills in items: those with a body of 32 bytes have fixed fields, any other carries data.
 */
final class ItemFiller
{
    static final byte FILLER = 0x5A;

    private static final int MIN_DATA_BODY_LENGTH = ItemEncoder.BLOCK_LENGTH + ItemEncoder.payloadHeaderLength();

    private final boolean isFixed;
    private final UnsafeBuffer filler;

    /**
     * For bodies of one length.
     *
     * @param bodyLength in bytes.
     */
    ItemFiller(final int bodyLength)
    {
        isFixed = bodyLength == Item32Encoder.BLOCK_LENGTH;
        filler = new UnsafeBuffer(
            new byte[isFixed ? Item32Encoder.fillerLength() : bodyLength - MIN_DATA_BODY_LENGTH]);
        filler.setMemory(0, filler.capacity(), FILLER);
    }

    /**
     * For items that carry so much data.
     *
     * @param dataLength in bytes.
     * @return the filler.
     */
    static ItemFiller ofData(final int dataLength)
    {
        return new ItemFiller(dataLength + MIN_DATA_BODY_LENGTH);
    }

    boolean isFixed()
    {
        return isFixed;
    }

    int bodyLength()
    {
        return isFixed ? Item32Encoder.BLOCK_LENGTH : MIN_DATA_BODY_LENGTH + filler.capacity();
    }

    int dataLength()
    {
        return filler.capacity();
    }

    void fill(final Item32Encoder item, final long sequence)
    {
        item.timestamp(0).sequence(sequence).putFiller(filler, 0, filler.capacity());
    }

    void fill(final ItemEncoder item, final long sequence)
    {
        item.sequence(sequence).putPayload(filler, 0, filler.capacity());
    }
}
