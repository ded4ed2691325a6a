/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import io.verbena.rpc.codec.PayloadCodec;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;

/**
 * What clients and servers have in common about what messages carry: metadata, compression and checksums.
 *
 * @param <C> the context itself, so that setters chain.
 */
abstract class PayloadContext<C extends PayloadContext<C>> extends KeepAliveContext<C>
{
    private int maxMetadataLength = RpcConfiguration.size(
        RpcConfiguration.MAX_METADATA_LENGTH_PROP_NAME, RpcConfiguration.MAX_METADATA_LENGTH_DEFAULT);
    private int checksumThreshold = RpcConfiguration.size(
        RpcConfiguration.CHECKSUM_THRESHOLD_PROP_NAME, RpcConfiguration.CHECKSUM_THRESHOLD_DEFAULT);
    private final List<PayloadCodec> codecs = new ArrayList<>();
    private final List<Integer> compressionThresholds = new ArrayList<>();

    PayloadContext()
    {
    }

    /**
     * Sets the longest metadata of a message, sent or received; the peer's limit and the transport's longest message
     * count too.
     *
     * @param maxMetadataLength bytes, 0 to 65528.
     * @return this.
     */
    public C maxMetadataLength(final int maxMetadataLength)
    {
        this.maxMetadataLength = maxMetadataLength;
        return self();
    }

    /**
     * Tells the longest metadata of a message, sent or received.
     *
     * @return bytes, 0 to 65528.
     */
    public int maxMetadataLength()
    {
        return maxMetadataLength;
    }

    /**
     * Adds a codec: payloads that the peer has compressed by it can be read, and those sent from here are compressed if
     * they are long enough and the peer can read them; by the first that it can, where several are added. Off by
     * default. Compression happens on the client's or server's thread and costs a copy.
     *
     * @param codec          for this context alone, which closes it.
     * @param thresholdBytes length from which requests, responses and items are compressed, from 1;
     *                       {@link Integer#MAX_VALUE} to compress none and only read.
     * @return this.
     */
    public C compression(final PayloadCodec codec, final int thresholdBytes)
    {
        codecs.add(Objects.requireNonNull(codec, "codec"));
        compressionThresholds.add(thresholdBytes);
        return self();
    }

    /**
     * Sets the length from which requests, responses and items are sent with a CRC32C checksum; it costs a copy. Those
     * that the peer sends are verified always.
     *
     * @param thresholdBytes from 1; 0, the default, for no checksums.
     * @return this.
     */
    public C checksum(final int thresholdBytes)
    {
        this.checksumThreshold = thresholdBytes;
        return self();
    }

    /**
     * Tells the length from which requests, responses and items are sent with a CRC32C checksum.
     *
     * @return bytes; 0 for no checksums.
     */
    public int checksumThreshold()
    {
        return checksumThreshold;
    }

    /**
     * Tells the codecs.
     *
     * @return the codecs, in the order they were added.
     */
    public List<PayloadCodec> codecs()
    {
        return Collections.unmodifiableList(codecs);
    }

    int compressionThreshold(final int index)
    {
        return compressionThresholds.get(index);
    }

    void concludePayload()
    {
        Limits.require("maxMetadataLength", maxMetadataLength, 0, Metadata.MAX_LENGTH);
        Limits.require("checksum", checksumThreshold, 0, Integer.MAX_VALUE);
        for (int i = 0; i < codecs.size(); i++)
        {
            final PayloadCodec codec = codecs.get(i);
            Limits.require("compression: id of " + codec.name(), codec.id(), 1, PayloadCodec.MAX_ID);
            Limits.require(
                "compression: threshold of " + codec.name(), compressionThresholds.get(i), 1, Integer.MAX_VALUE);
            for (int j = 0; j < i; j++)
            {
                if (codecs.get(j).id() == codec.id())
                {
                    throw new IllegalStateException(
                        "compression: expected ids that differ, found id " + codec.id() + " in " +
                        codecs.get(j).name() + " and " + codec.name());
                }
            }
        }
    }
}
