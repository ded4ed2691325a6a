/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import io.verbena.rpc.codec.PayloadCodec;
import io.verbena.rpc.protocol.CodedPayload;
import io.verbena.rpc.protocol.FrameFlags;
import io.verbena.rpc.protocol.FrameHeader;
import java.util.zip.CRC32C;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Compresses the long payloads that are sent on one connection and puts a checksum before them, as far as this side
 * wants and the peer can read it. Exists only where that is so. Agent's thread.
 */
final class PayloadEncoder
{
    private final BufferPool pool;
    private final PayloadCodec codec;
    private final int compressionThreshold;
    private final int checksumThreshold;
    private final int threshold;
    private final CRC32C crc = new CRC32C();
    private int flags;
    private int length;

    private final RpcCounters counters;

    private PayloadEncoder(
        final BufferPool pool,
        final RpcCounters counters,
        final PayloadCodec codec,
        final int compressionThreshold,
        final int checksumThreshold)
    {
        this.pool = pool;
        this.counters = counters;
        this.codec = codec;
        this.compressionThreshold = compressionThreshold;
        this.checksumThreshold = checksumThreshold;
        this.threshold = Math.min(compressionThreshold, checksumThreshold);
    }

    /**
     * For a connection.
     *
     * @param context    of this side.
     * @param pool       of this side's buffers.
     * @param peerCodecs that the peer's HELLO tells.
     * @return the encoder, or null if nothing is to be coded.
     */
    static PayloadEncoder of(final PayloadContext<?> context, final BufferPool pool, final int peerCodecs)
    {
        PayloadCodec chosen = null;
        int compressionThreshold = Integer.MAX_VALUE;
        for (int i = context.codecs().size() - 1; i >= 0; i--)
        {
            if ((peerCodecs & 1 << context.codecs().get(i).id()) != 0)
            {
                chosen = context.codecs().get(i);
                compressionThreshold = context.compressionThreshold(i);
            }
        }
        final boolean isChecked =
            context.checksumThreshold() > 0 && (peerCodecs & PayloadDecoder.VERIFIES_CHECKSUMS) != 0;
        return chosen == null && !isChecked ? null :
            new PayloadEncoder(
                pool, context.counters(), chosen, compressionThreshold,
                isChecked ? context.checksumThreshold() : Integer.MAX_VALUE);
    }

    /**
     * Whether a payload is long enough for anything to be done to it.
     */
    boolean applies(final int payloadLength)
    {
        return payloadLength >= threshold;
    }

    /**
     * Codes a payload.
     *
     * @param source        pooled, with the payload behind a frame header and padded metadata; released if another is
     *                      returned.
     * @param start         of the payload.
     * @param payloadLength in bytes.
     * @return what to send instead, with the coded payload at the same place; then {@link #length()} and
     *     {@link #flags()}.
     */
    UnsafeBuffer encode(final UnsafeBuffer source, final int start, final int payloadLength)
    {
        final boolean isChecked = payloadLength >= checksumThreshold;
        UnsafeBuffer coded = null;
        flags = 0;
        length = payloadLength;
        if (payloadLength >= compressionThreshold)
        {
            coded = compress(source, start, payloadLength, isChecked);
        }
        if (isChecked)
        {
            if (coded == null)
            {
                coded = pool.acquire(start + CodedPayload.HEADER_LENGTH + payloadLength);
                CodedPayload.encode(coded, start, 0, payloadLength);
                coded.putBytes(start + CodedPayload.HEADER_LENGTH, source, start, payloadLength);
                length = CodedPayload.HEADER_LENGTH + payloadLength;
            }
            flags |= FrameFlags.CHECKSUM;
            crc.reset();
            crc.update(
                coded.byteArray(), start + CodedPayload.CHECKED_OFFSET, length - CodedPayload.CHECKED_OFFSET);
            CodedPayload.encodeChecksum(coded, start, (int)crc.getValue());
        }
        if (coded == null)
        {
            return source;
        }
        coded.putBytes(FrameHeader.LENGTH, source, FrameHeader.LENGTH, start - FrameHeader.LENGTH);
        pool.release(source);
        return coded;
    }

    /**
     * Flags of the message that was coded last.
     */
    int flags()
    {
        return flags;
    }

    /**
     * Length of the payload that was coded last, in bytes.
     */
    int length()
    {
        return length;
    }

    private UnsafeBuffer compress(
        final UnsafeBuffer source, final int start, final int payloadLength, final boolean isChecked)
    {
        final int bodyStart = start + CodedPayload.HEADER_LENGTH;
        final UnsafeBuffer target = pool.acquire(bodyStart + codec.maxCompressedLength(payloadLength));
        boolean isKept = false;
        try
        {
            final int compressed =
                codec.compress(source.byteArray(), start, payloadLength, target.byteArray(), bodyStart);
            // what does not get shorter goes as it is: the peer would work for nothing
            if (compressed + (isChecked ? 0 : CodedPayload.HEADER_LENGTH) < payloadLength)
            {
                CodedPayload.encode(target, start, codec.id(), payloadLength);
                length = CodedPayload.HEADER_LENGTH + compressed;
                counters.compressed(payloadLength, length);
                flags = FrameFlags.COMPRESSED;
                isKept = true;
            }
        }
        finally
        {
            if (!isKept)
            {
                pool.release(target);
            }
        }
        return isKept ? target : null;
    }
}
