/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc.codec;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;

/**
 * Zstandard, by the library com.github.luben:zstd-jni, which is an optional dependency: who uses this class adds it.
 */
public final class ZstdCodec implements PayloadCodec
{
    /** What names the codec on the wire. */
    public static final int ID = 1;

    /** The level that is used where none is named. */
    public static final int DEFAULT_LEVEL = 3;

    private final ZstdCompressCtx compressor = new ZstdCompressCtx();
    private final ZstdDecompressCtx decompressor = new ZstdDecompressCtx();

    /**
     * Of the default level.
     */
    public ZstdCodec()
    {
        this(DEFAULT_LEVEL);
    }

    /**
     * Of a level.
     *
     * @param level of compression, from the fastest, negative ones, to 22, the strongest. Of no account to the side
     *              that decompresses.
     * @throws IllegalArgumentException if the library does not know the level.
     */
    public ZstdCodec(final int level)
    {
        if (level < Zstd.minCompressionLevel() || level > Zstd.maxCompressionLevel())
        {
            throw new IllegalArgumentException(
                "level: expected " + Zstd.minCompressionLevel() + " to " + Zstd.maxCompressionLevel() + ", found " +
                level);
        }
        compressor.setLevel(level);
    }

    @Override
    public int id()
    {
        return ID;
    }

    @Override
    public String name()
    {
        return "zstd";
    }

    @Override
    public int maxCompressedLength(final int length)
    {
        return Math.toIntExact(Zstd.compressBound(length));
    }

    @Override
    public int compress(
        final byte[] source,
        final int sourceOffset,
        final int sourceLength,
        final byte[] target,
        final int targetOffset)
    {
        return compressor.compressByteArray(
            target, targetOffset, target.length - targetOffset, source, sourceOffset, sourceLength);
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
        try
        {
            return decompressor.decompressByteArray(
                target, targetOffset, maxLength, source, sourceOffset, sourceLength);
        }
        catch (final ZstdException ex)
        {
            throw new IllegalArgumentException(ex.getMessage(), ex);
        }
    }

    @Override
    public void close()
    {
        compressor.close();
        decompressor.close();
    }
}
