/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc.codec;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.rpc.RpcHarness;
import io.verbena.rpc.StatusCode;
import io.verbena.rpc.test.InterruptAfter;
import io.verbena.rpc.test.RecordingHandler;
import io.verbena.rpc.transport.LoopbackTransport;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ZstdCodecTest
{
    @Test
    void shouldReturnWhatWasCompressedWhateverTheLengthAndLevel()
    {
        final Random random = new Random(1);
        for (final int level : new int[]{-3, 1, ZstdCodec.DEFAULT_LEVEL, 9})
        {
            try (ZstdCodec codec = new ZstdCodec(level))
            {
                assertEquals(1, codec.id());
                assertEquals("zstd", codec.name());
                for (final int length : new int[]{0, 1, 7, 1_000, 100_000})
                {
                    final byte[] source = new byte[length + 5];
                    random.nextBytes(source);
                    Arrays.fill(source, length / 4, length, (byte)'x');
                    final byte[] target = new byte[codec.maxCompressedLength(length) + 3];
                    final int compressed = codec.compress(source, 5, length, target, 3);
                    assertTrue(length < 1_000 || compressed < length / 2);
                    final byte[] found = new byte[length + 2];
                    assertEquals(length, codec.decompress(target, 3, compressed, found, 2, length));
                    assertArrayEquals(
                        Arrays.copyOfRange(source, 5, length + 5), Arrays.copyOfRange(found, 2, length + 2));
                }
            }
        }
        assertThrows(IllegalArgumentException.class, () -> new ZstdCodec(23));
    }

    @Test
    void shouldWriteNothingBeyondTheBoundWhenSourceIsHostile()
    {
        try (ZstdCodec codec = new ZstdCodec())
        {
            final byte[] target = new byte[codec.maxCompressedLength(1_000_000)];
            final int compressed = codec.compress(new byte[1_000_000], 0, 1_000_000, target, 0);
            final byte[] found = new byte[1_000];
            found[900] = 7;
            assertThrows(
                IllegalArgumentException.class, () -> codec.decompress(target, 0, compressed, found, 0, 900));
            assertEquals(7, found[900]);
            final Random random = new Random(2);
            for (int i = 0; i < 10_000; i++)
            {
                final byte[] spoiled = Arrays.copyOf(target, compressed);
                spoiled[random.nextInt(compressed)] = (byte)random.nextInt();
                try
                {
                    codec.decompress(spoiled, 0, 1 + random.nextInt(compressed), found, 0, 900);
                }
                catch (final IllegalArgumentException expected)
                {
                    assertTrue(expected.getMessage() != null);
                }
                assertEquals(7, found[900]);
            }
        }
    }

    @Test
    @InterruptAfter(20)
    void shouldCarryCallsWhenBothSidesHaveIt()
    {
        final RpcHarness rpc = new RpcHarness(LoopbackTransport::new, () -> "loopback:zstd");
        rpc.launchServer(context -> context.compression(new ZstdCodec(), 1_000).checksum(1_000))
            .launchClient(context -> context.compression(new ZstdCodec(), 1_000).checksum(1_000)).awaitReady();
        for (final int length : new int[]{999, 1_000, 50_000, 2_000_000})
        {
            final byte[] payload = new byte[length];
            Arrays.fill(payload, (byte)'x');
            final RecordingHandler.Outcome outcome = rpc.call(RpcHarness.ECHO_METHOD_ID, payload);
            assertEquals(StatusCode.OK, outcome.code(), outcome::toString);
            assertArrayEquals(payload, outcome.payload());
        }
        rpc.assertClean();
        rpc.close();
    }
}
