/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import io.verbena.rpc.codec.PayloadCodec;
import io.verbena.rpc.protocol.CodedPayload;
import io.verbena.rpc.protocol.FrameFlags;
import java.util.List;
import java.util.zip.CRC32C;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Checks and decompresses the payloads that a client or server receives. What is wrong with one ends its call alone.
 * Holds one payload at a time, until {@link #release()}. Agent's thread.
 */
final class PayloadDecoder
{
    /** Bit of HELLO's codecs. */
    static final int VERIFIES_CHECKSUMS = 1 << 31;

    private static final int CHUNK_LENGTH = 8192;

    private final BufferPool pool;
    private final RpcCounters counters;
    private final int maxMessageLength;
    private final PayloadCodec[] codecs = new PayloadCodec[PayloadCodec.MAX_ID + 1];
    private final CRC32C crc = new CRC32C();
    private byte[] chunk = new byte[0];
    private UnsafeBuffer decompressed;
    private DirectBuffer buffer;
    private int offset;
    private int length;

    PayloadDecoder(final PayloadContext<?> context, final BufferPool pool, final int maxMessageLength)
    {
        this.pool = pool;
        this.counters = context.counters();
        this.maxMessageLength = maxMessageLength;
        for (final PayloadCodec codec : context.codecs())
        {
            codecs[codec.id()] = codec;
        }
    }

    /**
     * What HELLO tells of a side with these codecs.
     */
    static int capabilities(final List<PayloadCodec> codecs)
    {
        int bits = VERIFIES_CHECKSUMS;
        for (final PayloadCodec codec : codecs)
        {
            bits |= 1 << codec.id();
        }
        return bits;
    }

    /**
     * Whether a message has to come by here.
     */
    static boolean isCoded(final int flags)
    {
        return (flags & FrameFlags.CODED) != 0;
    }

    /**
     * Takes a whole message.
     *
     * @return null, then {@link #buffer()} and the others are its payload until {@link #release()}; or what its call
     *     ends with.
     */
    RpcException decode(final int flags, final DirectBuffer source, final int start, final int sourceLength)
    {
        if (sourceLength < CodedPayload.HEADER_LENGTH)
        {
            return new RpcException(
                StatusCode.DATA_LOSS, "expected a payload of at least " + CodedPayload.HEADER_LENGTH +
                " bytes where it is compressed or has a checksum, found " + sourceLength);
        }
        if ((flags & FrameFlags.CHECKSUM) != 0)
        {
            final int expected = CodedPayload.checksum(source, start);
            final int found = checksum(
                source, start + CodedPayload.CHECKED_OFFSET, sourceLength - CodedPayload.CHECKED_OFFSET);
            if (expected != found)
            {
                counters.checksumFailed();
                return new RpcException(
                    StatusCode.DATA_LOSS, "expected a payload with the checksum " + Integer.toHexString(expected) +
                    ", found " + Integer.toHexString(found));
            }
        }
        final int originalLength = CodedPayload.length(source, start);
        final int bodyStart = start + CodedPayload.HEADER_LENGTH;
        final int bodyLength = sourceLength - CodedPayload.HEADER_LENGTH;
        if ((flags & FrameFlags.COMPRESSED) != 0)
        {
            final RpcException failure = decompress(
                CodedPayload.codecId(source, start), originalLength, source, bodyStart, bodyLength);
            if (failure == null)
            {
                counters.decompressed(sourceLength, originalLength);
            }
            else
            {
                counters.decompressionFailed();
            }
            return failure;
        }
        if (originalLength != bodyLength)
        {
            return new RpcException(
                StatusCode.DATA_LOSS, "expected a payload of " + originalLength + " bytes, found " + bodyLength);
        }
        buffer = source;
        offset = bodyStart;
        length = bodyLength;
        return null;
    }

    DirectBuffer buffer()
    {
        return buffer;
    }

    int offset()
    {
        return offset;
    }

    int length()
    {
        return length;
    }

    /**
     * Gives the payload back.
     */
    void release()
    {
        if (decompressed != null)
        {
            pool.release(decompressed);
            decompressed = null;
        }
        buffer = null;
    }

    private RpcException decompress(
        final int codecId,
        final int originalLength,
        final DirectBuffer source,
        final int start,
        final int sourceLength)
    {
        final PayloadCodec codec = codecId < codecs.length ? codecs[codecId] : null;
        if (codec == null)
        {
            return new RpcException(
                StatusCode.INTERNAL,
                "the payload is compressed by codec " + codecId + ", which this side has not told");
        }
        if (originalLength < 0 || originalLength > maxMessageLength)
        {
            return new RpcException(
                StatusCode.RESOURCE_EXHAUSTED, "the message of " + (originalLength & 0xFFFFFFFFL) +
                " bytes, decompressed, exceeds the limit of " + maxMessageLength + " bytes");
        }
        final UnsafeBuffer target = pool.acquire(originalLength);
        decompressed = target;
        final int found;
        UnsafeBuffer copy = null;
        try
        {
            if (source.byteArray() == null)
            {
                copy = pool.acquire(sourceLength);
                copy.putBytes(0, source, start, sourceLength);
            }
            found = codec.decompress(
                copy == null ? source.byteArray() : copy.byteArray(),
                copy == null ? start + source.wrapAdjustment() : 0,
                sourceLength,
                target.byteArray(), 0, originalLength);
        }
        catch (final RuntimeException ex)
        {
            release();
            return new RpcException(
                StatusCode.DATA_LOSS, "the payload can't be decompressed by " + codec.name() + ": " +
                Limits.describe(ex));
        }
        finally
        {
            if (copy != null)
            {
                pool.release(copy);
            }
        }
        if (found != originalLength)
        {
            release();
            return new RpcException(
                StatusCode.DATA_LOSS, "expected a payload that decompresses to " + originalLength + " bytes, found " +
                found);
        }
        buffer = target;
        offset = 0;
        length = originalLength;
        return null;
    }

    private int checksum(final DirectBuffer source, final int start, final int checkedLength)
    {
        crc.reset();
        if (source.byteArray() != null)
        {
            crc.update(source.byteArray(), start + source.wrapAdjustment(), checkedLength);
        }
        else
        {
            if (chunk.length == 0)
            {
                chunk = new byte[CHUNK_LENGTH];
            }
            for (int done = 0; done < checkedLength; done += CHUNK_LENGTH)
            {
                final int part = Math.min(CHUNK_LENGTH, checkedLength - done);
                source.getBytes(start + done, chunk, 0, part);
                crc.update(chunk, 0, part);
            }
        }
        return (int)crc.getValue();
    }
}
