/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.aeron;

import io.aeron.ExclusivePublication;

/**
 * Watches whether the peer of one connection takes anything at all while this side has more for it: a peer that is
 * alive and does not read moves no limit.
 */
final class StallWatch
{
    private boolean isBlocked;
    private long limit = Long.MIN_VALUE;
    private long sinceNs;

    /** The publication pushed back just now. */
    void blocked()
    {
        isBlocked = true;
    }

    /**
     * Whether the publication's limit has stood still for longer than it may.
     *
     * @param publication that is watched.
     * @param nowNs       the time.
     * @param timeoutNs   how long it may stand.
     * @return true if the peer is connected and has taken nothing for that long.
     */
    boolean isStalled(final ExclusivePublication publication, final long nowNs, final long timeoutNs)
    {
        if (!isBlocked)
        {
            return false;
        }
        if (hasMoved(publication))
        {
            sinceNs = nowNs;
            isBlocked = publication.availableWindow() <= 0;
            return false;
        }
        return publication.isConnected() && nowNs - sinceNs > timeoutNs;
    }

    /**
     * Whether the peer has taken anything since this was last asked.
     *
     * @param publication that is watched.
     * @return true if the limit is another one now.
     */
    boolean hasMoved(final ExclusivePublication publication)
    {
        final long newLimit = publication.positionLimit();
        final boolean moved = newLimit != limit;
        limit = newLimit;
        return moved;
    }
}
