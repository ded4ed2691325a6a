/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import io.verbena.rpc.protocol.FrameFlags;
import io.verbena.rpc.protocol.FrameHeader;
import io.verbena.rpc.protocol.FrameType;
import org.agrona.DirectBuffer;

/**
 * What came with a response, item, end or error besides its payload and status: valid inside the callback of a
 * {@link ResponseHandler} or {@link StreamHandler}, told by {@link RpcChannel#responseInfo()}. One instance for each
 * channel, reused.
 * <p>
 * <b>Threading:</b> the client's thread alone.
 */
public final class ResponseInfo
{
    private final Metadata metadata = new Metadata(0);
    private long pushbackNs;
    private boolean isNotStarted;
    private boolean isCut;
    /** Whether there is anything but the defaults. */
    private boolean isSet;

    ResponseInfo()
    {
        metadata.wrapNothing();
    }

    /**
     * The metadata that the server sent with it.
     *
     * @return the metadata, empty if there is none; not to be changed, valid until the callback returns.
     */
    public Metadata metadata()
    {
        return metadata;
    }

    /**
     * What the server says about calling again, with an error.
     *
     * @return nanoseconds to wait at least before that; 0 where it says nothing; negative: don't.
     */
    public long pushbackNs()
    {
        return pushbackNs;
    }

    /**
     * Whether no handler at the server has seen the call, for certain, so that it may be made again even where its
     * method is not idempotent.
     *
     * @return true if so; only ever with an error.
     */
    public boolean isNotStarted()
    {
        return isNotStarted;
    }

    /**
     * Whether the error's text or detail was too long: the text is cut then, the detail left out.
     *
     * @return true if so.
     */
    public boolean isCut()
    {
        return isCut;
    }

    /**
     * For an end that this side has come to by itself.
     */
    void clear()
    {
        if (isSet)
        {
            isSet = false;
            metadata.wrapNothing();
            pushbackNs = 0;
            isNotStarted = false;
            isCut = false;
        }
    }

    /**
     * For an end that this side has come to by itself, of a call of which nothing was sent.
     */
    void setNotStarted()
    {
        clear();
        isSet = true;
        isNotStarted = true;
    }

    /**
     * For an end that this side has come to by itself, about another try.
     */
    void setPushbackNs(final long newPushbackNs)
    {
        isSet = true;
        pushbackNs = newPushbackNs;
    }

    /**
     * For a message that came in one frame.
     */
    void set(final DirectBuffer buffer, final int frameOffset)
    {
        clear();
        setMetadata(buffer, frameOffset + FrameHeader.LENGTH, FrameHeader.metadataLength(buffer, frameOffset));
        setError(buffer, frameOffset);
    }

    /**
     * For a message that came in several frames.
     *
     * @param assemblies that hold it, whole.
     * @param frameOffset of the last frame.
     */
    void set(final Assemblies assemblies, final DirectBuffer buffer, final int frameOffset)
    {
        clear();
        setMetadata(assemblies.metadata(), 0, assemblies.metadataLength());
        setError(buffer, frameOffset);
    }

    private void setMetadata(final DirectBuffer buffer, final int offset, final int length)
    {
        if (length > 0)
        {
            isSet = true;
            metadata.wrap(buffer, offset, length);
        }
    }

    private void setError(final DirectBuffer buffer, final int frameOffset)
    {
        if (FrameHeader.frameType(buffer, frameOffset) == FrameType.ERROR)
        {
            final int flags = FrameHeader.flags(buffer, frameOffset);
            isSet = true;
            pushbackNs = FrameHeader.timeoutNs(buffer, frameOffset);
            isNotStarted = (flags & FrameFlags.NOT_STARTED) != 0;
            isCut = (flags & FrameFlags.CUT) != 0;
        }
    }
}
