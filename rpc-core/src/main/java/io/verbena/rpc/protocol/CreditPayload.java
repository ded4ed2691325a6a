/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc.protocol;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

/**
 * The payload of CREDIT frames: what the receiver of this frame may send in addition. Little endian, 8-byte aligned.
 * <pre>
 *   0                   1                   2                   3
 *   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *  +---------------------------------------------------------------+
 *  |                             Items                             |
 *  |                                                               |
 *  +---------------------------------------------------------------+
 *  |                             Bytes                             |
 *  |                                                               |
 *  +---------------------------------------------------------------+
 * </pre>
 * Neither may be negative, and one must be positive. A frame whose correlation id holds the incarnation alone is about
 * the window of the connection, which counts bytes alone.
 */
public final class CreditPayload
{
    /** Length of the payload in bytes. */
    public static final int LENGTH = 16;

    private static final int BYTES_OFFSET = 8;

    private CreditPayload()
    {
    }

    /**
     * Writes the payload.
     *
     * @param buffer to write to.
     * @param offset of the payload, in bytes.
     * @param items  that may be sent in addition, from 0.
     * @param bytes  that may be sent in addition, from 0.
     */
    public static void encode(
        final MutableDirectBuffer buffer, final int offset, final long items, final long bytes)
    {
        buffer.putLong(offset, items, LITTLE_ENDIAN);
        buffer.putLong(offset + BYTES_OFFSET, bytes, LITTLE_ENDIAN);
    }

    /**
     * How many items may be sent in addition.
     *
     * @param buffer that holds the payload.
     * @param offset of the payload, in bytes.
     * @return the grant; not positive only from a peer that does not keep to the protocol, or where bytes are.
     */
    public static long items(final DirectBuffer buffer, final int offset)
    {
        return buffer.getLong(offset, LITTLE_ENDIAN);
    }

    /**
     * How many bytes may be sent in addition.
     *
     * @param buffer that holds the payload.
     * @param offset of the payload, in bytes.
     * @return the grant; not positive only from a peer that does not keep to the protocol, or where items are.
     */
    public static long bytes(final DirectBuffer buffer, final int offset)
    {
        return buffer.getLong(offset + BYTES_OFFSET, LITTLE_ENDIAN);
    }

    /**
     * Whether a grant for a stream grants something and takes nothing away.
     *
     * @param items granted.
     * @param bytes granted.
     * @return true if so.
     */
    public static boolean isGrant(final long items, final long bytes)
    {
        return items >= 0 && bytes >= 0 && (items | bytes) != 0;
    }
}
