/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.verbena.rpc.protocol.MetadataBlock;
import io.verbena.rpc.test.InterruptAfter;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class MetadataTest
{
    private static final String ALL_KEY_CHARACTERS = "abcdefghijklmnopqrstuvwxyz0123456789-_.";

    private final Metadata metadata = new Metadata();

    @Test
    void shouldKeepEntriesInOrderWhenKeysOccurTwice()
    {
        assertTrue(metadata.isEmpty());
        assertEquals(-1, metadata.first());
        metadata.add("user", "ann").addBinary("trace-bin", new byte[]{1, 0, -1}).add("user", "").add("z.y_x", "a b~ ");
        assertEquals(4, metadata.size());
        assertEquals(4 * 4 + 4 + 3 + 9 + 3 + 4 + 5 + 5, metadata.length());
        final List<String> seen = new ArrayList<>();
        for (int entry = metadata.first(); entry >= 0; entry = metadata.next(entry))
        {
            seen.add(metadata.key(entry) + (metadata.isBinary(entry) ? "#" : "=") + metadata.valueLength(entry));
        }
        assertEquals(List.of("user=3", "trace-bin#3", "user=0", "z.y_x=5"), seen);
        assertEquals("ann", metadata.get("user"));
        assertEquals("a b~ ", metadata.get("z.y_x"));
        assertNull(metadata.get("trace-bin"), "binary");
        assertNull(metadata.get("use"));
        assertNull(metadata.get("users"));
        final int second = metadata.findNext(metadata.find("user"), "user");
        assertEquals("", metadata.text(second));
        assertEquals(-1, metadata.findNext(second, "user"));
        final int binary = metadata.find("trace-bin");
        assertArrayEquals(new byte[]{1, 0, -1}, metadata.bytes(binary));
        assertEquals(-1, metadata.buffer().getByte(metadata.valueOffset(binary) + 2));
        assertEquals("[user=ann, trace-bin=(3 bytes), user=, z.y_x=a b~ ]", metadata.toString());
    }

    @Test
    void shouldRemoveAllOfAKeyWhenItIsSetOrRemoved()
    {
        metadata.add("a", "1").add("b", "2").add("a", "3").add("c", "4");
        assertEquals(2, metadata.remove("a"));
        assertEquals(0, metadata.remove("a"));
        assertEquals("[b=2, c=4]", metadata.toString());
        metadata.set("b", "22");
        assertEquals("[c=4, b=22]", metadata.toString());
        assertEquals(2, metadata.size());
        metadata.clear();
        assertTrue(metadata.isEmpty());
        assertEquals(0, metadata.size());
        assertEquals(-1, metadata.find("b"));
        metadata.add("d", "5");
        assertEquals("[d=5]", metadata.toString());
    }

    @Test
    void shouldTakeKeysOfTheirCharactersAndLengths()
    {
        for (int character = 0; character < 0x180; character++)
        {
            final String key = "k" + (char)character;
            if (ALL_KEY_CHARACTERS.indexOf(character) >= 0)
            {
                metadata.add(key, "v");
                assertEquals("v", metadata.get(key));
            }
            else
            {
                final int size = metadata.size();
                final IllegalArgumentException failure =
                    assertThrows(IllegalArgumentException.class, () -> metadata.add(key, "v"), key);
                assertTrue(failure.getMessage().contains(key), failure::getMessage);
                assertEquals(size, metadata.size());
            }
        }
        metadata.clear();
        final String longest = "k".repeat(255);
        metadata.add(longest, "v");
        assertEquals("v", metadata.get(longest));
        assertEquals(longest, metadata.key(0));
        assertThrows(IllegalArgumentException.class, () -> metadata.add("k".repeat(256), "v"));
        assertThrows(IllegalArgumentException.class, () -> metadata.add("", "v"));
        assertThrows(IllegalArgumentException.class, () -> metadata.addBinary("Key", new byte[1]));
        assertEquals(1, metadata.size());
    }

    @Test
    void shouldTakeTextOfPrintableAsciiOnly()
    {
        for (int character = 0; character < 0x180; character++)
        {
            final String text = "t" + (char)character;
            if (character >= 0x20 && character < 0x7F)
            {
                metadata.clear().add("k", text);
                assertEquals(text, metadata.get("k"));
            }
            else
            {
                assertThrows(IllegalArgumentException.class, () -> metadata.clear().add("k", text));
                assertTrue(metadata.isEmpty());
            }
        }
        final IllegalArgumentException failure =
            assertThrows(IllegalArgumentException.class, () -> metadata.add("k", "caf\u00e9"));
        assertEquals("text of metadata k: expected printable ASCII, found U+00e9 at index 3", failure.getMessage());
    }

    @Test
    void shouldRefuseWhatExceedsItsLimit()
    {
        final Metadata bounded = new Metadata(20);
        bounded.add("abc", "0123456789012");
        assertEquals(20, bounded.length());
        bounded.clear();
        final RpcException failure =
            assertThrows(RpcException.class, () -> bounded.add("abc", "01234567890123"));
        assertEquals(StatusCode.RESOURCE_EXHAUSTED, failure.code());
        assertEquals(
            "the metadata of 21 bytes exceeds the limit of 20 bytes (verbena.rpc.max.metadata.length)",
            failure.text());
        assertTrue(bounded.isEmpty());
        bounded.add("k", "v");
        assertThrows(RpcException.class, () -> bounded.addAll(new Metadata().add("k", "0123456789")));
        assertEquals("[k=v]", bounded.toString());
        assertThrows(IllegalArgumentException.class, () -> new Metadata(65_529));
        assertThrows(IllegalArgumentException.class, () -> new Metadata(-1));
        final Metadata largest = new Metadata(Metadata.MAX_LENGTH);
        largest.addBinary("k", new byte[Metadata.MAX_LENGTH - 5]);
        assertEquals(Metadata.MAX_LENGTH, largest.length());
        assertThrows(RpcException.class, () -> largest.addBinary("k", new byte[0]));
        assertThrows(RpcException.class, () -> new Metadata().addBinary("k", new byte[70_000]));
        final UnsafeBuffer value = new UnsafeBuffer(new byte[4]);
        assertThrows(IndexOutOfBoundsException.class, () -> metadata.addBinary("k", value, 2, 3));
        assertThrows(IndexOutOfBoundsException.class, () -> metadata.addBinary("k", value, 2, -1));
        assertTrue(metadata.isEmpty());
    }

    @Test
    void shouldBeReadOnlyWhenReceivedAndChangeableWhenCopied()
    {
        metadata.add("a", "1").addBinary("b", new byte[]{7});
        final UnsafeBuffer frame = new UnsafeBuffer(new byte[64]);
        frame.setMemory(0, 64, (byte)-1);
        metadata.encode(frame, 8);
        assertEquals(16, metadata.paddedLength());
        assertEquals(12, metadata.length());
        assertEquals(0, frame.getInt(8 + 12), "padding");
        assertEquals(-1, frame.getByte(8 + 16));
        final Metadata received = new Metadata(0);
        received.wrap(frame, 8, 12);
        assertEquals(metadata.toString(), received.toString());
        assertEquals(2, received.size());
        assertThrows(IllegalStateException.class, () -> received.add("c", "2"));
        assertThrows(IllegalStateException.class, received::clear);
        assertThrows(IllegalStateException.class, () -> received.remove("a"));
        assertThrows(IllegalStateException.class, () -> received.addAll(metadata));
        final Metadata copy = received.copy();
        frame.setMemory(0, 64, (byte)0);
        assertEquals("1", copy.get("a"));
        assertEquals("[a=1, b=(1 bytes), c=2]", copy.add("c", "2").toString());
    }

    @Test
    void shouldTellMalformedBlocksFromWellFormedOnes()
    {
        metadata.add("key", "text").addBinary("bin", new byte[]{-1, 0});
        final UnsafeBuffer block = new UnsafeBuffer(new byte[64]);
        metadata.encode(block, 8);
        final int length = metadata.length();
        assertTrue(MetadataBlock.isWellFormed(block, 8, length));
        assertTrue(MetadataBlock.isWellFormed(block, 8, 0));
        assertTrue(MetadataBlock.isWellFormed(block, 8, 11), "the first entry alone");
        for (int cut = 1; cut < length; cut++)
        {
            assertEquals(cut == 11, MetadataBlock.isWellFormed(block, 8, cut), "cut to " + cut);
        }
        assertFalse(MetadataBlock.isWellFormed(block, 8, length + 1));
        assertSpoiled(block, length, 8, 0, "no key");
        assertSpoiled(block, length, 8, 4, "another length of the key");
        assertSpoiled(block, length, 9, 2, "another kind");
        assertSpoiled(block, length, 10, 200, "a value that lies outside");
        assertSpoiled(block, length, 12, 'K', "a character of the key");
        assertSpoiled(block, length, 15, 0x1F, "a character of the text");
        assertSpoiled(block, length, 15, 0x80, "a character of the text");
    }

    private static void assertSpoiled(
        final UnsafeBuffer block, final int length, final int index, final int value, final String what)
    {
        final byte good = block.getByte(index);
        block.putByte(index, (byte)value);
        assertFalse(MetadataBlock.isWellFormed(block, 8, length), what);
        block.putByte(index, good);
        assertTrue(MetadataBlock.isWellFormed(block, 8, length));
    }

    @Test
    @InterruptAfter(20)
    void shouldNeverReadBeyondABlockWhenItIsRandom()
    {
        final Random random = new Random(42);
        for (int i = 0; i < 200_000; i++)
        {
            final int length = random.nextInt(24);
            final UnsafeBuffer block = new UnsafeBuffer(new byte[length]);
            for (int j = 0; j < length; j++)
            {
                block.putByte(j, (byte)(random.nextBoolean() ? random.nextInt(8) : 'a' + random.nextInt(26)));
            }
            if (MetadataBlock.isWellFormed(block, 0, length))
            {
                final Metadata received = new Metadata(0);
                received.wrap(block, 0, length);
                int end = 0;
                for (int entry = received.first(); entry >= 0; entry = received.next(entry))
                {
                    assertEquals(end, entry);
                    end = received.valueOffset(entry) + received.valueLength(entry);
                }
                assertEquals(length, end);
            }
        }
    }

    @Test
    @InterruptAfter(20)
    void shouldAllocateNothingWhenFilledEncodedAndReadAgain()
    {
        final UnsafeBuffer frame = new UnsafeBuffer(new byte[256]);
        final Metadata received = new Metadata(0);
        final UnsafeBuffer binary = new UnsafeBuffer("0123456789abcdef".getBytes(StandardCharsets.US_ASCII));
        final StringBuilder text = new StringBuilder("00-0123456789abcdef");
        long found = 0;
        final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
        long before = 0;
        for (int i = 0; i < 400_000; i++)
        {
            if (i == 200_000)
            {
                before = threads.getCurrentThreadAllocatedBytes();
            }
            metadata.clear().add("traceparent", text).addBinary("id", binary, 0, 16).set("user", "ann");
            metadata.encode(frame, 0);
            assertTrue(MetadataBlock.isWellFormed(frame, 0, metadata.length()));
            received.wrap(frame, 0, metadata.length());
            for (int entry = received.first(); entry >= 0; entry = received.next(entry))
            {
                found += received.isKey(entry, "user") ? 1 : 0;
            }
            found += received.buffer().getByte(received.valueOffset(received.find("id"))) == '0' ? 1 : 0;
        }
        final long allocated = threads.getCurrentThreadAllocatedBytes() - before;
        assertTrue(allocated < 10_000, () -> allocated + " bytes");
        assertEquals(800_000, found);
    }
}
