/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import java.util.concurrent.CompletableFuture;

/**
 * How a server goes away without breaking what is in flight: says so on each connection, refuses new calls, lets those
 * that are open end, and closes each connection that has none left. Server's thread alone.
 * <p>
 * Design note: a client may have sent requests before it read that the server goes away. Closing then would leave their
 * fate unknown to it, where "refused, not started" lets it send them elsewhere. So a PING goes out behind the GO_AWAY:
 * what the client sent before it had read that has arrived when the PONG has.
 */
final class Drain
{
    private final CompletableFuture<Boolean> result = new CompletableFuture<>();
    private boolean isBegun;
    private boolean isOver;
    private long deadlineNs;

    /**
     * Completed with true when all calls have ended by themselves, with false when some had to be ended.
     */
    CompletableFuture<Boolean> result()
    {
        return result;
    }

    boolean isBegun()
    {
        return isBegun;
    }

    /**
     * Begins, or, if it has begun, brings the deadline forward.
     *
     * @return true if it begins here.
     */
    boolean begin(final long newDeadlineNs)
    {
        final boolean isFirst = !isBegun;
        deadlineNs = isFirst || newDeadlineNs - deadlineNs < 0 ? newDeadlineNs : deadlineNs;
        isBegun = true;
        return isFirst;
    }

    /**
     * Whether there is still something to wait for.
     */
    boolean isUnderWay()
    {
        return isBegun && !isOver;
    }

    boolean isDue(final long nowNs)
    {
        return nowNs - deadlineNs >= 0;
    }

    void end(final boolean isClean)
    {
        isOver = true;
        result.complete(isClean);
    }
}
