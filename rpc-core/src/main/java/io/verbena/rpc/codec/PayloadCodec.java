/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc.codec;

/**
 * Compresses whole payloads, before they are split into frames. Registered by
 * {@link io.verbena.rpc.AgentContext#compression(PayloadCodec, int)}; both sides of a connection need a codec of the
 * same id.
 * <p>
 * <b>Threading and ownership:</b> an instance belongs to one client or server, which calls it on its own thread alone
 * and closes it. It may keep state from call to call, but each payload must be decompressible by itself.
 */
public interface PayloadCodec extends AutoCloseable
{
    /** The highest id. */
    int MAX_ID = 30;

    /**
     * What names the codec on the wire.
     *
     * @return 1 to {@link #MAX_ID}, the same in all versions of the codec that read each other; 1 is
     *     {@link ZstdCodec}'s.
     */
    int id();

    /**
     * What names the codec for people.
     *
     * @return the name.
     */
    String name();

    /**
     * How long a payload may be once it is compressed.
     *
     * @param length of the payload in bytes, from 0.
     * @return the most bytes that {@link #compress} writes for it.
     */
    int maxCompressedLength(int length);

    /**
     * Compresses a payload.
     *
     * @param source       that holds the payload.
     * @param sourceOffset of the payload.
     * @param sourceLength of the payload in bytes.
     * @param target       to write to, with room for {@link #maxCompressedLength} bytes.
     * @param targetOffset to write from.
     * @return the bytes written.
     */
    int compress(byte[] source, int sourceOffset, int sourceLength, byte[] target, int targetOffset);

    /**
     * Decompresses a payload. It comes from a peer and may be anything: nothing may be written beyond the bound, and no
     * memory taken that is not bounded by it.
     *
     * @param source       that holds the compressed payload.
     * @param sourceOffset of it.
     * @param sourceLength of it in bytes.
     * @param target       to write to.
     * @param targetOffset to write from.
     * @param maxLength    the bound: the most bytes to write.
     * @return the bytes written.
     * @throws IllegalArgumentException if the source is malformed, or longer than the bound when it is decompressed.
     */
    int decompress(
        byte[] source, int sourceOffset, int sourceLength, byte[] target, int targetOffset, int maxLength);

    /**
     * Frees what the codec holds.
     */
    @Override
    default void close()
    {
    }
}
