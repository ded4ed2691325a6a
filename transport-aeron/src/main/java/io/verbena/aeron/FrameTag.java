/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.aeron;

/**
 * What the reserved value of each frame's header says on a {@link StreamPair}: whose the frame is, and, of an empty
 * one, what it means. Aeron carries those 8 bytes in any case, so connections that share a pair cost a message nothing.
 * <pre>
 *   63            40 39        32 31                                    0
 *  +----------------+------------+---------------------------------------+
 *  |       0        |    kind    |      slot of the connection           |
 *  +----------------+------------+---------------------------------------+
 *
 *   frame            kind  slot        sent by     meaning
 *   with a payload   0     1 to 65535  either      a message of the connection
 *   empty            0     0           either      GOODBYE: the pair ends, everything was sent
 *   empty            1     1 to 65535  the opener  OPEN: a new connection asks for the slot
 *   empty            2     1 to 65535  the other   ACCEPT: the connection stands
 *   empty            3     1 to 65535  either      CLOSE: the last frame of this side for the slot
 * </pre>
 * A connection may send messages from ACCEPT on. Who reads CLOSE answers with CLOSE if it has not sent its own; when
 * both have passed, the slot is free for another OPEN. The order of the streams makes that safe without a generation.
 */
final class FrameTag
{
    static final long GOODBYE = 0;
    static final int OPEN = 1;
    static final int ACCEPT = 2;
    static final int CLOSE = 3;

    /** Slots begin with 1: a frame whose sender knows nothing of tags belongs to no connection. */
    static final int MIN_SLOT = 1;
    static final int MAX_SLOT = 65_535;

    private FrameTag()
    {
    }

    static long message(final int slot)
    {
        return slot;
    }

    static long control(final int kind, final int slot)
    {
        return (long)kind << Integer.SIZE | slot;
    }

    /** Which of the above, or a number that is none of them. */
    static long kind(final long tag)
    {
        return tag >>> Integer.SIZE;
    }

    static long slot(final long tag)
    {
        return tag & 0xFFFF_FFFFL;
    }
}
