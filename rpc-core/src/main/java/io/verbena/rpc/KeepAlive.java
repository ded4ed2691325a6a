/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

/**
 * Tells a dead peer from a silent one, on one connection, at either end; and holds the peer to a bearable number of
 * PINGs. Agent's thread alone.
 * <p>
 * Design note: a frame that comes in sets a flag and no more; the clock is read by who checks. So what was heard counts
 * from the next check on.
 */
final class KeepAlive
{
    /** The correlation id of the PINGs of keep-alive. */
    static final long PING_ID = 1;

    /** How many PINGs a peer may send at once. */
    static final int PING_BURST = 16;

    /**
     * What to do about the connection.
     */
    enum Verdict
    {
        FINE, ASK, DEAD
    }

    private final long intervalNs;
    private final long timeoutNs;
    private final boolean isAskedWhenIdle;
    private final long minPingIntervalNs;
    private boolean isHeard;
    private long heardNs;
    private boolean isAsked;
    private long askedNs;
    private int pingsLeft = PING_BURST;
    private long pingsCountedNs;

    KeepAlive(final KeepAliveContext<?> context, final long nowNs)
    {
        intervalNs = context.keepAliveIntervalNs();
        timeoutNs = context.keepAliveTimeoutNs();
        isAskedWhenIdle = context.keepAliveWhenIdle();
        minPingIntervalNs = context.minPingIntervalNs();
        heardNs = nowNs;
        pingsCountedNs = nowNs;
    }

    /**
     * A frame has come in.
     */
    void onFrame()
    {
        isHeard = true;
    }

    /**
     * Looks at how long nothing was heard.
     *
     * @param hasCalls whether calls are open.
     * @return what to do: nothing, send a PING with {@link #PING_ID}, or close.
     */
    Verdict check(final long nowNs, final boolean hasCalls)
    {
        if (isHeard || !isAsked && !hasCalls && !isAskedWhenIdle)
        {
            isHeard = false;
            isAsked = false;
            heardNs = nowNs;
            return Verdict.FINE;
        }
        if (isAsked)
        {
            return nowNs - askedNs >= timeoutNs ? Verdict.DEAD : Verdict.FINE;
        }
        if (intervalNs > 0 && nowNs - heardNs >= intervalNs)
        {
            isAsked = true;
            askedNs = nowNs;
            return Verdict.ASK;
        }
        return Verdict.FINE;
    }

    /**
     * Counts a PING of the peer's.
     *
     * @return false if there were too many.
     */
    boolean mayAsk(final long nowNs)
    {
        if (minPingIntervalNs == 0)
        {
            return true;
        }
        final long earned = (nowNs - pingsCountedNs) / minPingIntervalNs;
        if (pingsLeft + earned >= PING_BURST)
        {
            pingsLeft = PING_BURST;
            pingsCountedNs = nowNs;
        }
        else
        {
            pingsLeft += (int)earned;
            pingsCountedNs += earned * minPingIntervalNs;
        }
        if (pingsLeft == 0)
        {
            return false;
        }
        pingsLeft--;
        return true;
    }

    String deadText()
    {
        return "nothing was heard for " + (intervalNs + timeoutNs) + " ns: neither within the keep-alive interval " +
            "nor in answer to a PING";
    }

    String tooManyPingsText()
    {
        return "more PINGs than one in " + minPingIntervalNs + " ns (" + RpcConfiguration.MIN_PING_INTERVAL_PROP_NAME +
            ")";
    }
}
