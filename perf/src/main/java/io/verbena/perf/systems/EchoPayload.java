/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.systems;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

import java.nio.ByteOrder;

/**
 * The layout of an echo message, little endian:
 * <pre>
 *  0 stamp ns i64 | 8 sequence i64 | 16 filler to the payload length
 * </pre>
 */
public final class EchoPayload
{
    /**
     * Bytes that the stamp and the sequence number take; no payload is shorter.
     */
    public static final int MIN_LENGTH = 16;

    private static final int STAMP_OFFSET = 0;
    private static final int SEQUENCE_OFFSET = 8;
    private static final byte FILLER = 0x5A;

    private EchoPayload()
    {
    }

    /**
     * Writes the part that never changes; once for each buffer is enough.
     *
     * @param buffer to write to.
     * @param offset of the message.
     * @param length of the message in bytes, at least {@link #MIN_LENGTH}.
     */
    public static void fill(final MutableDirectBuffer buffer, final int offset, final int length)
    {
        buffer.setMemory(offset, length, FILLER);
    }

    /**
     * Writes the part that changes with each message.
     *
     * @param buffer   to write to.
     * @param offset   of the message.
     * @param stampNs  to carry.
     * @param sequence to carry.
     */
    public static void write(
        final MutableDirectBuffer buffer, final int offset, final long stampNs, final long sequence)
    {
        buffer.putLong(offset + STAMP_OFFSET, stampNs, ByteOrder.LITTLE_ENDIAN);
        buffer.putLong(offset + SEQUENCE_OFFSET, sequence, ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * The number that a message carries, after a look at its length and its last byte.
     *
     * @param buffer         with the message.
     * @param offset         of the message.
     * @param length         of the message in bytes.
     * @param expectedLength of the messages sent.
     * @return the sequence number.
     * @throws IllegalStateException when the message is not what was sent.
     */
    public static long sequenceOf(
        final DirectBuffer buffer, final int offset, final int length, final int expectedLength)
    {
        check(buffer, offset, length, expectedLength);
        return buffer.getLong(offset + SEQUENCE_OFFSET, ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * Hands an echo on, after a look at its length and its last byte.
     *
     * @param buffer         with the echo.
     * @param offset         of the echo.
     * @param length         of the echo in bytes.
     * @param expectedLength of the messages sent.
     * @param handler        to tell.
     * @throws IllegalStateException when the echo is not what was sent.
     */
    public static void deliver(
        final DirectBuffer buffer,
        final int offset,
        final int length,
        final int expectedLength,
        final EchoHandler handler)
    {
        check(buffer, offset, length, expectedLength);
        handler.onEcho(
            buffer.getLong(offset + STAMP_OFFSET, ByteOrder.LITTLE_ENDIAN),
            buffer.getLong(offset + SEQUENCE_OFFSET, ByteOrder.LITTLE_ENDIAN));
    }

    private static void check(
        final DirectBuffer buffer, final int offset, final int length, final int expectedLength)
    {
        if (length != expectedLength)
        {
            throw new IllegalStateException("echo of " + expectedLength + " bytes expected, found " + length);
        }
        if (length > MIN_LENGTH && buffer.getByte(offset + length - 1) != FILLER)
        {
            throw new IllegalStateException("echo is not what was sent: its last byte differs");
        }
    }
}
