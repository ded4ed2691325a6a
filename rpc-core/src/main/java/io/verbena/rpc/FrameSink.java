/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import io.verbena.rpc.protocol.FrameHeader;
import org.agrona.DirectBuffer;

/**
 * What takes the frames of a connection.
 */
interface FrameSink
{
    /**
     * A frame has arrived; nothing of it was checked.
     *
     * @param buffer that holds it; valid until this method returns.
     * @param offset of the frame.
     * @param length from there to the end of its message, in bytes; at least that of the frame, if it is well-formed.
     */
    void onFrame(DirectBuffer buffer, int offset, int length);

    /**
     * Takes a message apart into its frames, of which most have one.
     *
     * @param buffer that holds it.
     * @param offset of the message.
     * @param length in bytes.
     */
    default void onMessage(final DirectBuffer buffer, final int offset, final int length)
    {
        final int end = offset + length;
        int position = offset;
        do
        {
            final int next = FrameHeader.nextFrame(buffer, position, end);
            onFrame(buffer, position, end - position);
            position = next;
        }
        while (position < end);
    }
}
