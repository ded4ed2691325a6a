/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package test.trading;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.rpc.ServerCall;
import io.verbena.rpc.StatusCode;
import java.nio.ByteOrder;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;

/** Sends requests that are cut, too long, of another type or simply random. */
public final class HostileFrameDriver
{
    private static final int OFFSET = 24;
    private static final ByteOrder ORDER = ByteOrder.LITTLE_ENDIAN;
    private static final int FILLER = 0x7F;

    private HostileFrameDriver()
    {
    }

    public static void shouldAcceptRequestOfExactLength()
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[512]);
        final int length = basket(buffer);
        assertEquals("", place(buffer, length));
    }

    public static void shouldRefuseEveryCutOfARequest()
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[512]);
        final int length = basket(buffer);
        for (int cut = 0; cut < length; cut++)
        {
            final String text = place(buffer, cut);
            assertTrue(text.startsWith("Basket: expected "), cut + ": " + text);
        }
    }

    public static void shouldSayWhatWasExpectedAndFound()
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[512]);
        final int length = basket(buffer);
        assertEquals("Basket: expected at least the 8 bytes of a message header, found 7", place(buffer, 7));
        assertEquals("Basket: expected a block length from 4 to the 3 bytes that follow the header, found 4",
            place(buffer, 11));
        assertEquals("Basket: expected tag to end inside the payload of " + (length - 1) +
            " bytes, found it cut off or too long", place(buffer, length - 1));

        buffer.putShort(OFFSET + 2, (short)9, ORDER);
        assertEquals("Basket: expected template id 3, found 9", place(buffer, length));
        buffer.putShort(OFFSET + 4, (short)8, ORDER);
        assertEquals("Basket: expected schema id 7, found 8", place(buffer, length));
    }

    public static void shouldRefuseBlockShorterThanItsVersionsFields()
    {
        final UnsafeBuffer buffer = ServerDriver.order();
        final int offset = 40;
        // Version 3 has limitPrice, which ends at 17; version 1 ends at 9.
        assertEquals("", order(buffer, offset, 17, 3));
        assertEquals("NewOrder: expected a block length from 17 to the 17 bytes that follow the header, found 16",
            order(buffer, offset, 16, 3));
        assertEquals("", order(buffer, offset, 9, 1));
        assertEquals("NewOrder: expected a block length from 9 to the 17 bytes that follow the header, found 8",
            order(buffer, offset, 8, 1));
        // A writer newer than us has a longer block; what we know of it stands where we look for it.
        assertEquals("", order(buffer, offset, 17, 9));
        assertEquals("NewOrder: expected a block length from 17 to the 17 bytes that follow the header, found 18",
            order(buffer, offset, 18, 9));
    }

    public static void shouldReadFieldNewerThanTheMessageAsAbsent()
    {
        final UnsafeBuffer buffer = ServerDriver.order();
        buffer.putShort(40, (short)9, ORDER);
        buffer.putShort(46, (short)1, ORDER);
        final long[] price = new long[1];
        final ServerCall call = new ServerCall(1, 1, 1);
        new OrdersAdapter(new ServerDriver.Service((request, responder) -> price[0] = request.limitPrice()))
            .onRequest(call, 1, buffer, 40, 8 + 9);
        assertEquals(StatusCode.OK, call.code, call.text);
        assertEquals(NewOrderDecoder.limitPriceNullValue(), price[0]);
    }

    public static void shouldWalkBasketOfOlderVersion()
    {
        // Version 1: no venue in the legs, no tag; the block of a leg is 4 bytes.
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[512]);
        new MessageHeaderEncoder().wrap(buffer, OFFSET).blockLength(4).templateId(3).schemaId(7).version(1);
        int position = OFFSET + 8;
        buffer.putInt(position, 55, ORDER);
        position = group(buffer, position + 4, 4, 2);
        for (int leg = 0; leg < 2; leg++)
        {
            buffer.putInt(position, 10 + leg, ORDER);
            position = group(buffer, position + 4, 8, 1);
            buffer.putLong(position, 1, ORDER);
            position += 8;
            buffer.putShort(position, (short)1, ORDER);
            buffer.putByte(position + 2, (byte)'x');
            position += 3;
        }
        buffer.putInt(position, 0, ORDER);
        final int length = position + 4 - OFFSET;
        assertEquals("", place(buffer, length));
        assertTrue(place(buffer, length - 1).contains("note"));
    }

    public static void shouldRefuseCountThatNoPayloadCanHold()
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[512]);
        final int length = basket(buffer);
        final int dimensions = OFFSET + 8 + 4;
        buffer.putShort(dimensions + 2, (short)0xFFFF, ORDER);
        assertTrue(place(buffer, length).contains("legs"));
        // Blocks of nothing: the fields of the entry would be read from what follows.
        buffer.putShort(dimensions, (short)0, ORDER);
        assertTrue(place(buffer, length).contains("legs"));
    }

    public static void shouldRefuseDataLengthBeyondThePayload()
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[512]);
        final int length = basket(buffer);
        // note: "hello" and its 4 bytes of length stand before the tag "t" with its 2.
        final int note = OFFSET + length - 3 - 5 - 4;
        assertEquals(5, buffer.getInt(note, ORDER));
        for (final int hostile : new int[]{9, 1000, Integer.MAX_VALUE, -1, Integer.MIN_VALUE})
        {
            buffer.putInt(note, hostile, ORDER);
            assertTrue(place(buffer, length).startsWith("Basket: expected "), "length " + hostile);
        }
    }

    public static void shouldNeverThrowNorReadBeyondThePayloadWhenFrameIsRandom()
    {
        final long seed = 20261201L;
        final Random random = new Random(seed);
        final byte[] bytes = new byte[512];
        final UnsafeBuffer buffer = new UnsafeBuffer(bytes);
        final int[] handled = new int[1];
        for (int i = 0; i < 100_000; i++)
        {
            final int length = basket(buffer);
            for (int change = 0, changes = 1 + random.nextInt(4); change < changes; change++)
            {
                bytes[OFFSET + random.nextInt(length)] = (byte)(random.nextBoolean() ? random.nextInt(8) : random.nextInt());
            }
            final int cut = random.nextBoolean() ? length : random.nextInt(length + 1);
            final ServerCall call = new ServerCall(1, 1, 1);
            final int round = i;
            final BasketsAdapter adapter = new BasketsAdapter((request, responder) ->
            {
                handled[0]++;
                assertEquals(cut, request.buffer().capacity(), () -> "seed " + seed + " round " + round);
                request.sbeSkip();
                assertTrue(request.limit() <= cut);
                readAll(request.sbeRewind());
            });
            adapter.onRequest(call, 1, buffer, OFFSET, cut);
            assertTrue(StatusCode.OK == call.code || StatusCode.INVALID_ARGUMENT == call.code);
        }
        assertTrue(handled[0] > 1000, "only " + handled[0] + " frames passed");
    }

    public static void shouldBoundTheDecodersBufferToThePayload()
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[512]);
        final int length = basket(buffer);
        new BasketsAdapter((request, responder) ->
        {
            readAll(request);
            // A handler that reads once more than there is.
            assertThrows(IndexOutOfBoundsException.class, request::tag);
        }).onRequest(new ServerCall(1, 1, 1), 1, buffer, OFFSET, length);
    }

    private static void readAll(final BasketDecoder request)
    {
        for (final BasketDecoder.LegsDecoder leg : request.legs())
        {
            leg.quantity();
            leg.venue();
            leg.fills().forEach(BasketDecoder.LegsDecoder.FillsDecoder::price);
            leg.symbol();
        }
        request.getNote(new byte[64], 0, 64);
        request.tag();
    }

    /** Writes a basket at OFFSET; bytes around it are filler. Returns the length of header and body. */
    static int basket(final UnsafeBuffer buffer)
    {
        buffer.setMemory(0, buffer.capacity(), (byte)FILLER);
        final BasketEncoder encoder = new BasketEncoder().wrapAndApplyHeader(buffer, OFFSET, new MessageHeaderEncoder());
        final BasketEncoder.LegsEncoder legs = encoder.basketId(55).legsCount(2);
        for (int leg = 0; leg < 2; leg++)
        {
            legs.next().quantity(10 + leg).venue((short)leg);
            legs.fillsCount(1).next().price(100);
            legs.symbol("ABC");
        }
        encoder.putNote(new byte[]{'h', 'e', 'l', 'l', 'o'}, 0, 5).tag("t");
        return 8 + encoder.encodedLength();
    }

    private static int group(final UnsafeBuffer buffer, final int position, final int blockLength, final int count)
    {
        buffer.putShort(position, (short)blockLength, ORDER);
        buffer.putShort(position + 2, (short)count, ORDER);
        return position + 4;
    }

    private static String place(final UnsafeBuffer buffer, final int length)
    {
        return status(2, buffer, OFFSET, length);
    }

    private static String order(final UnsafeBuffer buffer, final int offset, final int blockLength, final int version)
    {
        buffer.putShort(offset, (short)blockLength, ORDER);
        buffer.putShort(offset + 6, (short)version, ORDER);
        return status(1, buffer, offset, 8 + 17);
    }

    private static String status(final int methodId, final UnsafeBuffer buffer, final int offset, final int length)
    {
        final ServerCall call = new ServerCall(1, 1, methodId);
        final OrdersAdapter adapter = new OrdersAdapter(new ServerDriver.Service((request, responder) -> {}));
        adapter.onRequest(call, methodId, buffer, offset, length);
        assertEquals(call.text.isEmpty() ? StatusCode.OK : StatusCode.INVALID_ARGUMENT, call.code);
        return call.text;
    }
}
