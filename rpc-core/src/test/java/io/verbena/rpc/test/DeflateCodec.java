/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc.test;

import io.verbena.rpc.codec.PayloadCodec;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/**
 * A codec that needs no library, and counts.
 */
public final class DeflateCodec implements PayloadCodec
{
    private final int id;
    private final Deflater deflater = new Deflater(Deflater.BEST_SPEED);
    private final Inflater inflater = new Inflater();
    private int compressed;
    private int decompressed;
    private boolean isClosed;

    /**
     * Of an id.
     *
     * @param id on the wire.
     */
    public DeflateCodec(final int id)
    {
        this.id = id;
    }

    /**
     * How often it has compressed.
     *
     * @return a count.
     */
    public int compressed()
    {
        return compressed;
    }

    /**
     * How often it has decompressed.
     *
     * @return a count.
     */
    public int decompressed()
    {
        return decompressed;
    }

    /**
     * Whether its owner has closed it.
     *
     * @return true if so.
     */
    public boolean isClosed()
    {
        return isClosed;
    }

    @Override
    public int id()
    {
        return id;
    }

    @Override
    public String name()
    {
        return "deflate";
    }

    @Override
    public int maxCompressedLength(final int length)
    {
        return length + length / 1000 + 64;
    }

    @Override
    public int compress(
        final byte[] source,
        final int sourceOffset,
        final int sourceLength,
        final byte[] target,
        final int targetOffset)
    {
        compressed++;
        deflater.reset();
        deflater.setInput(source, sourceOffset, sourceLength);
        deflater.finish();
        return deflater.deflate(target, targetOffset, target.length - targetOffset);
    }

    @Override
    public int decompress(
        final byte[] source,
        final int sourceOffset,
        final int sourceLength,
        final byte[] target,
        final int targetOffset,
        final int maxLength)
    {
        decompressed++;
        inflater.reset();
        inflater.setInput(source, sourceOffset, sourceLength);
        try
        {
            final int length = inflater.inflate(target, targetOffset, maxLength);
            if (!inflater.finished() && inflater.inflate(new byte[1]) > 0)
            {
                throw new IllegalArgumentException("longer than the bound of " + maxLength + " bytes");
            }
            if (!inflater.finished())
            {
                throw new IllegalArgumentException("cut short");
            }
            return length;
        }
        catch (final DataFormatException ex)
        {
            throw new IllegalArgumentException("malformed", ex);
        }
    }

    @Override
    public void close()
    {
        isClosed = true;
        deflater.end();
        inflater.end();
    }
}
