/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.aeron;

import io.aeron.ExclusivePublication;
import io.aeron.Publication;
import io.aeron.ReservedValueSupplier;
import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.protocol.DataHeaderFlyweight;
import io.verbena.rpc.transport.MessageClaim;
import org.agrona.BitUtil;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Short claims on shared memory, encoded beside the log and published in one go.
 * <p>
 * Design note: a claim in the log writes the frame's header when it begins and its length when it is committed, and the
 * peer's core polls that very cache line in between. While the message is being encoded the line would wander to the
 * peer and back, which costs more than copying two or three lines that lie in this core's cache. So a claim is only
 * counted here: this thread alone adds to an exclusive publication, hence room that is there stays there. Over UDP the
 * reader of the log is this very thread, and claims lie in the log.
 */
final class StagedClaim
{
    /** Longer claims lie in the log: copying them would cost more than the line. In bytes. */
    static final int MAX_LENGTH = 256;

    private static final String IPC_CHANNEL = "aeron:ipc";

    private final UnsafeBuffer staging =
        new UnsafeBuffer(BufferUtil.allocateDirectAligned(MAX_LENGTH, BitUtil.CACHE_LINE_LENGTH));
    private int keptLength;

    /**
     * One for a publication that it suits.
     *
     * @param publication that claims are for.
     * @return the claim, or null where claims should lie in the log.
     */
    static StagedClaim forPublication(final ExclusivePublication publication)
    {
        return publication.channel().startsWith(IPC_CHANNEL) ? new StagedClaim() : null;
    }

    /**
     * Takes the one place for a claim, if a message of this length can be published for certain later. Connections that
     * share the log keep away from what is counted here, see {@link #isKept}.
     *
     * @param publication to publish with.
     * @param length      of the message in bytes.
     * @return true if it is short, no other claim is staged, and there is room for it and for the rest of a term that
     *     it may have to skip.
     */
    boolean tryStage(final ExclusivePublication publication, final int length)
    {
        if (length > MAX_LENGTH || keptLength != 0)
        {
            return false;
        }
        final int needed = roomFor(length, MAX_LENGTH);
        if (publication.availableWindow() <= needed)
        {
            return false;
        }
        keptLength = needed;
        return true;
    }

    /** The claim ends. */
    void unstage()
    {
        keptLength = 0;
    }

    /**
     * Whether a message of another connection would take the room that an open claim counts on.
     *
     * @param publication to publish with.
     * @param length      of the message in bytes.
     * @return true if it must wait.
     */
    boolean isKept(final ExclusivePublication publication, final int length)
    {
        return keptLength != 0 &&
            publication.availableWindow() <= keptLength + roomFor(length, publication.maxPayloadLength());
    }

    /** Frames of a message, and as much again: the rest of a term that it may have to skip is shorter than it. */
    private static int roomFor(final int length, final int maxPayloadLength)
    {
        final int fragments = Math.max(1, (length + maxPayloadLength - 1) / maxPayloadLength);
        return 2 * fragments * BitUtil.align(
            Math.min(length, maxPayloadLength) + DataHeaderFlyweight.HEADER_LENGTH, FrameDescriptor.FRAME_ALIGNMENT);
    }

    /**
     * Opens a claim over zeros: nothing of an earlier message can leave with this one.
     *
     * @param claim      to open.
     * @param length     of the message in bytes.
     * @param completion told when it ends.
     */
    void open(final MessageClaim claim, final int length, final MessageClaim.Completion completion)
    {
        staging.setMemory(0, length, (byte)0);
        claim.view().wrap(staging, 0, length);
        claim.open(claim.view(), 0, length, completion);
    }

    /**
     * Publishes what has been encoded.
     *
     * @param publication to publish with.
     * @param length      of the message in bytes.
     * @param tag         tells whose it is.
     * @return false if the publication can take nothing any more. A peer that is gone is none of that: what was
     *     accepted for it is lost with the connection.
     */
    boolean publish(final ExclusivePublication publication, final int length, final ReservedValueSupplier tag)
    {
        long result = publication.offer(staging, 0, length, tag);
        if (result == Publication.ADMIN_ACTION)
        {
            // The log has just been rotated: there is room now.
            result = publication.offer(staging, 0, length, tag);
        }
        return result > 0 || result == Publication.NOT_CONNECTED;
    }
}
