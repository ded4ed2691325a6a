/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc.protocol;

/**
 * The bits of a frame's flags field.
 */
public final class FrameFlags
{
    /** The first frame of a message. */
    public static final int FIRST = 1;

    /** The last frame of a message. */
    public static final int LAST = 1 << 1;

    /** An error's text or detail was longer than fits and has been cut. */
    public static final int CUT = 1 << 2;

    /** The payload is compressed: it begins with a {@link CodedPayload} header. */
    public static final int COMPRESSED = 1 << 3;

    /** The payload has a checksum: it begins with a {@link CodedPayload} header. */
    public static final int CHECKSUM = 1 << 4;

    /** An error came about before any handler saw the call. */
    public static final int NOT_STARTED = 1 << 5;

    /** The payload begins with a {@link CodedPayload} header. */
    public static final int CODED = COMPRESSED | CHECKSUM;

    /** A message that is whole in one frame. */
    public static final int WHOLE = FIRST | LAST;

    private FrameFlags()
    {
    }

    /**
     * Whether a frame is a message of its own.
     *
     * @param flags of the frame.
     * @return true if it is both first and last.
     */
    public static boolean isWhole(final int flags)
    {
        return (flags & WHOLE) == WHOLE;
    }
}
