/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.rpc.protocol.FrameFlags;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class AssembliesTest
{
    private final BufferPool pool = new BufferPool(1 << 20);

    private static UnsafeBuffer buffer(final int length)
    {
        return new UnsafeBuffer(new byte[length]);
    }

    @Test
    void shouldJoinInterleavedMessagesWhenTheirPartsComeInOrder()
    {
        for (long seed = 1; seed <= 100; seed++)
        {
            final Random random = new Random(seed);
            final Assemblies assemblies = new Assemblies(pool, 100_000, 1_000_000);
            final Map<Long, byte[]> messages = new HashMap<>();
            final Map<Long, Integer> sent = new HashMap<>();
            for (long id = 1; id <= 8; id++)
            {
                final byte[] message = new byte[random.nextInt(50_000)];
                random.nextBytes(message);
                messages.put(id, message);
                sent.put(id, 0);
            }
            final List<Long> open = new ArrayList<>(messages.keySet());
            while (!open.isEmpty())
            {
                final long id = open.get(random.nextInt(open.size()));
                final byte[] message = messages.get(id);
                final int from = sent.get(id);
                final int length = Math.min(message.length - from, 1 + random.nextInt(20_000));
                final boolean isLast = from + length == message.length;
                final int flags = (from == 0 ? FrameFlags.FIRST : 0) | (isLast ? FrameFlags.LAST : 0);
                final int result = assemblies.add(id, flags, new UnsafeBuffer(message), from, length);
                sent.put(id, from + length);
                assertEquals(isLast ? Assemblies.COMPLETE : Assemblies.INCOMPLETE, result);
                if (isLast)
                {
                    final byte[] joined = new byte[assemblies.length()];
                    assemblies.buffer().getBytes(0, joined);
                    assertArrayEquals(message, joined, "seed " + seed);
                    assemblies.drop(id);
                    open.remove(id);
                }
            }
            assertTrue(assemblies.isEmpty());
            assertEquals(0, pool.outstanding());
        }
    }

    @Test
    void shouldRefuseMessageWhenItPassesTheLimits()
    {
        final Assemblies assemblies = new Assemblies(pool, 100, 150);
        assertEquals(Assemblies.INCOMPLETE, assemblies.add(1, FrameFlags.FIRST, buffer(100), 0, 100));
        assertEquals(Assemblies.TOO_LONG, assemblies.add(1, FrameFlags.LAST, buffer(1), 0, 1));
        assertEquals(Assemblies.UNKNOWN, assemblies.add(1, FrameFlags.LAST, buffer(1), 0, 1));
        assertEquals(0, pool.outstanding());
        assertEquals(Assemblies.TOO_LONG, assemblies.add(1, FrameFlags.FIRST, buffer(101), 0, 101));
        assertEquals(Assemblies.INCOMPLETE, assemblies.add(1, FrameFlags.FIRST, buffer(100), 0, 100));
        assertEquals(Assemblies.INCOMPLETE, assemblies.add(2, FrameFlags.FIRST, buffer(50), 0, 50));
        assertEquals(Assemblies.NO_ROOM, assemblies.add(2, FrameFlags.LAST, buffer(1), 0, 1));
        assertEquals(Assemblies.COMPLETE, assemblies.add(1, FrameFlags.LAST, buffer(0), 0, 0));
        assertEquals(100, assemblies.length());
        assemblies.drop(1);
        assemblies.drop(1);
        assertEquals(0, pool.outstanding());
    }

    @Test
    void shouldBeginAnewWhenAFirstPartComesAgain()
    {
        final Assemblies assemblies = new Assemblies(pool, 100, 150);
        for (int i = 0; i < 100; i++)
        {
            assertEquals(Assemblies.INCOMPLETE, assemblies.add(1, FrameFlags.FIRST, buffer(100), 0, 100));
        }
        assertEquals(1, pool.outstanding());
        assemblies.clear();
        assertEquals(0, pool.outstanding());
        assertEquals(Assemblies.UNKNOWN, assemblies.add(1, 0, buffer(1), 0, 1));
    }

    @Test
    void shouldGiveTheSameBufferAgainWhenItWasReleased()
    {
        final BufferPool small = new BufferPool(1000);
        final UnsafeBuffer first = small.acquire(0);
        assertEquals(256 + 64, first.capacity());
        final UnsafeBuffer second = small.acquire(300);
        assertNotSame(first, second);
        assertEquals(2, small.outstanding());
        small.release(first);
        assertSame(first, small.acquire(320));
        assertEquals(512 + 64, small.acquire(321).capacity());
        assertEquals((1 << 24) + 64, small.acquire((1 << 24) + 32).capacity());
    }

    @Test
    void shouldKeepNoMoreThanItsLimitWhenBuffersComeBack()
    {
        final BufferPool small = new BufferPool(1000);
        final List<UnsafeBuffer> out = new ArrayList<>();
        for (int i = 0; i < 10; i++)
        {
            out.add(small.acquire(200));
        }
        final UnsafeBuffer large = small.acquire(5000);
        out.forEach(small::release);
        assertEquals(3 * 320, small.retainedBytes());
        small.release(large);
        assertEquals(3 * 320, small.retainedBytes());
        assertEquals(0, small.outstanding());
        for (int i = 0; i < 3; i++)
        {
            assertTrue(out.contains(small.acquire(1)));
        }
        assertEquals(0, small.retainedBytes());
    }
}
