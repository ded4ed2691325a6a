/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc.sim;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

import io.verbena.rpc.protocol.FrameHeader;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Stands between a peer and the network, and makes a hostile one of it: what it sends is changed, cut, doubled, held
 * back, left out, or replaced by what never was a frame.
 */
final class Tamper
{
    private static final int MAX_KEPT = 16;
    private static final int FIELDS = 48;

    private final Random random;
    private final int oneIn;
    private final List<byte[]> kept = new ArrayList<>();

    Tamper(final Random random)
    {
        this.random = random;
        oneIn = 1 + random.nextInt(40);
    }

    /**
     * What really goes out.
     *
     * @param frame as its sender made it.
     * @param most  bytes of a message.
     * @return frames, none perhaps.
     */
    List<byte[]> pass(final byte[] frame, final int most)
    {
        keep(frame);
        if (random.nextInt(oneIn) != 0)
        {
            return List.of(frame);
        }
        final byte[] other = kept.get(random.nextInt(kept.size())).clone();
        return switch (random.nextInt(9))
        {
            case 0 -> List.of();
            case 1 -> List.of(frame, frame.clone());
            case 2 -> List.of(other, frame);
            case 3 -> List.of(frame, guarded(noise(1 + random.nextInt(most))));
            case 4 -> List.of(guarded(Arrays.copyOf(frame, 1 + random.nextInt(frame.length))));
            case 5 -> List.of(guarded(Arrays.copyOf(frame, Math.min(most, frame.length + random.nextInt(64)))));
            case 6 -> List.of(guarded(newField(frame.clone())));
            case 7 -> List.of(frame, guarded(newField(other)));
            default -> List.of(guarded(flipped(frame.clone())));
        };
    }

    private void keep(final byte[] frame)
    {
        if (kept.size() == MAX_KEPT)
        {
            kept.remove(random.nextInt(MAX_KEPT));
        }
        kept.add(frame.clone());
    }

    private byte[] noise(final int length)
    {
        final byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        if (random.nextBoolean())
        {
            // A version that is looked at further.
            bytes[0] = FrameHeader.VERSION;
        }
        return bytes;
    }

    private byte[] flipped(final byte[] bytes)
    {
        for (int i = random.nextInt(4); i >= 0; i--)
        {
            bytes[random.nextInt(Math.min(bytes.length, FIELDS))] ^= (byte)(1 << random.nextInt(8));
        }
        return bytes;
    }

    /** One field of the header becomes another value, a likely one or an extreme one. */
    private byte[] newField(final byte[] bytes)
    {
        if (bytes.length < FrameHeader.LENGTH)
        {
            return bytes;
        }
        final UnsafeBuffer buffer = new UnsafeBuffer(bytes);
        switch (random.nextInt(7))
        {
            case 0 -> buffer.putByte(1, (byte)random.nextInt(16));
            case 1 -> buffer.putShort(2, (short)(random.nextBoolean() ? random.nextInt(4) : random.nextInt()));
            case 2 -> buffer.putShort(6, (short)random.nextInt(8));
            case 3 -> buffer.putLong(8, buffer.getLong(8) + random.nextInt(5) - 2);
            case 4 -> buffer.putLong(16, extreme());
            case 5 -> buffer.putInt(24, (int)extreme());
            default -> buffer.putInt(28, (int)extreme());
        }
        if (bytes.length >= FrameHeader.LENGTH + 16 && random.nextInt(4) == 0)
        {
            buffer.putLong(FrameHeader.LENGTH + 8 * random.nextInt(2), extreme());
        }
        return bytes;
    }

    private long extreme()
    {
        final long[] values =
            {0, 1, -1, 2, 7, Long.MAX_VALUE, Long.MIN_VALUE, Integer.MAX_VALUE, random.nextInt(5_000)};
        return values[random.nextInt(values.length)];
    }

    /** Never to the service of the calls whose every byte is checked. */
    private static byte[] guarded(final byte[] bytes)
    {
        if (bytes.length >= FrameHeader.LENGTH &&
            FrameHeader.serviceId(new UnsafeBuffer(bytes), 0) == SimService.ID)
        {
            bytes[4] ^= 1;
        }
        return bytes;
    }
}
