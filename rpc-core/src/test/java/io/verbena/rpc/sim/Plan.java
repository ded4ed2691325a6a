/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc.sim;

import java.util.Random;

import io.verbena.rpc.MethodKind;
import io.verbena.rpc.RpcChannel;
import io.verbena.rpc.StatusCode;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * What one call is to do at both ends, all of it from one number that its messages carry, so that the server knows it
 * too and each end can tell what the other should have sent.
 */
final class Plan
{
    /**
     * How the server ends the call.
     */
    enum Ending
    {
        /** Well, when it has all. */
        OK,
        /** With {@link #code}, after {@link #itemsBeforeEnd}. */
        FAIL,
        /** By an exception of the handler. */
        THROW,
        /** Not at all. */
        NEVER
    }

    static final int UNARY = 1;
    static final int SERVER_STREAM = 2;
    static final int CLIENT_STREAM = 3;
    static final int CLIENT_STREAM_MANUAL = 4;
    static final int BIDI = 5;
    static final int BIDI_MANUAL = 6;

    static final int REQUEST = 0;
    static final int RESPONSE = 1;
    static final int CLIENT_ITEM = 1_000;
    static final int SERVER_ITEM = 10_000;

    /** Each message begins with: the key of the call, and the number of the message. */
    static final int HEADER = 2 * Long.BYTES;

    private static final StatusCode[] CODES =
        {StatusCode.ABORTED, StatusCode.NOT_FOUND, StatusCode.FAILED_PRECONDITION, StatusCode.DATA_LOSS};
    private static final int LONG = 6_000;
    private static final int SHORT = 200;

    final long number;
    final int methodId;
    final Ending ending;
    final StatusCode code;
    final int clientItems;
    final int serverItems;
    final int itemsBeforeEnd;
    final long timeoutNs;
    final boolean isManual;
    final boolean isLate;
    final boolean isCancelled;
    private final int longest;

    Plan(final long number)
    {
        final Random random = new Random(number);
        // The first numbers of neighbouring seeds are alike.
        random.nextLong();
        this.number = number;
        methodId = 1 + random.nextInt(BIDI_MANUAL);
        final int dice = random.nextInt(12);
        ending = dice < 8 ? Ending.OK : dice < 10 ? Ending.FAIL : dice == 10 ? Ending.THROW : Ending.NEVER;
        code = CODES[random.nextInt(CODES.length)];
        clientItems = random.nextInt(40);
        serverItems = random.nextInt(60);
        itemsBeforeEnd = random.nextInt(20);
        final int time = random.nextInt(4);
        timeoutNs = time == 0 ? RpcChannel.NO_TIMEOUT :
            (time == 1 ? 300_000L : 30_000_000L) + random.nextInt(1_000_000);
        isManual = random.nextBoolean();
        isLate = random.nextInt(3) == 0;
        isCancelled = random.nextInt(5) == 0;
        longest = random.nextInt(4) == 0 ? LONG : SHORT;
    }

    static MethodKind kind(final int methodId)
    {
        return switch (methodId)
        {
            case SERVER_STREAM -> MethodKind.SERVER_STREAM;
            case CLIENT_STREAM, CLIENT_STREAM_MANUAL -> MethodKind.CLIENT_STREAM;
            case BIDI, BIDI_MANUAL -> MethodKind.BIDI;
            default -> MethodKind.UNARY;
        };
    }

    MethodKind kind()
    {
        return kind(methodId);
    }

    /** Length of a message, the same at both ends. */
    int length(final int index)
    {
        return HEADER + mix(number * 31 + index) % longest;
    }

    /** What tells a call from all others of a run: its plan, and how often that was tried. */
    long key(final int attempt)
    {
        return number << 8 | attempt;
    }

    static Plan ofKey(final long key)
    {
        return new Plan(key >>> 8);
    }

    int encode(final MutableDirectBuffer buffer, final int offset, final long key, final int index)
    {
        final int length = length(index);
        buffer.putLong(offset, key);
        buffer.putLong(offset + Long.BYTES, index);
        for (int i = HEADER; i < length; i++)
        {
            buffer.putByte(offset + i, filler(index, i));
        }
        return length;
    }

    /**
     * Whether a message is the one that was sent.
     *
     * @return null, or what is wrong.
     */
    String check(final DirectBuffer buffer, final int offset, final int length, final long key, final int index)
    {
        if (length != length(index) || buffer.getLong(offset) != key ||
            buffer.getLong(offset + Long.BYTES) != index)
        {
            return "expected message " + index + " of " + length(index) + " bytes, found " +
                (length < HEADER ? "less than a header" : "message " + buffer.getLong(offset + Long.BYTES)) +
                " of " + length + " bytes";
        }
        for (int i = HEADER; i < length; i++)
        {
            if (buffer.getByte(offset + i) != filler(index, i))
            {
                return "byte " + i + " of message " + index + " is another one";
            }
        }
        return null;
    }

    private byte filler(final int index, final int place)
    {
        return (byte)(number * 17 + index * 31L + place * 7L);
    }

    private static int mix(final long value)
    {
        final long mixed = (value ^ value >>> 31) * 0x9E3779B97F4A7C15L;
        return (int)(mixed >>> 34);
    }

    @Override
    public String toString()
    {
        return "plan " + number + ": " + kind() + " method " + methodId + ", " + ending + ' ' + code +
            ", client items " + clientItems + ", server items " + serverItems + ", before end " + itemsBeforeEnd +
            ", timeout " + timeoutNs;
    }
}
