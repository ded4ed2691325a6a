/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import org.agrona.concurrent.NanoClock;

/**
 * What a server sees to besides its calls: silent peers, going away, and who watches its health. Server's thread, but
 * for {@link #drain()}'s result.
 */
final class ServerUpkeep
{
    /** Silent peers are looked for in every so many cycles: nobody misses them before long. */
    private static final int KEEP_ALIVE_CYCLE_MASK = 63;

    private final ServerCore core;
    private final NanoClock clock;
    private final Drain drain = new Drain();
    private final HealthService health;
    private final long keepAlivePeriodNs;
    private long nextKeepAliveNs;
    private int work;

    ServerUpkeep(final ServerCore core, final HealthService health)
    {
        final RpcServer.Context context = core.context();
        this.core = core;
        this.clock = core.clock();
        this.health = health;
        this.keepAlivePeriodNs = Math.min(context.keepAliveIntervalNs(), context.keepAliveTimeoutNs()) / 4;
        this.nextKeepAliveNs = clock.nanoTime();
    }

    Drain drain()
    {
        return drain;
    }

    /**
     * Begins to go away: see {@link RpcServer#drain(long)}.
     */
    void drain(final long timeoutNs)
    {
        if (drain.begin(clock.nanoTime() + timeoutNs))
        {
            if (health != null)
            {
                health.goAway();
            }
            core.forEachSession(ServerSession::beginDrain);
        }
    }

    /**
     * Does what is due.
     *
     * @param cycle of the server, a multiple of 8.
     * @return a count of work done.
     */
    int doWork(final long cycle)
    {
        work = health == null ? 0 : health.doWork();
        if ((cycle & KEEP_ALIVE_CYCLE_MASK) == 0 && core.context().keepAliveIntervalNs() > 0)
        {
            checkKeepAlive();
        }
        if (drain.isUnderWay())
        {
            goOnDraining();
        }
        return work;
    }

    private void checkKeepAlive()
    {
        final long nowNs = clock.nanoTime();
        if (nowNs - nextKeepAliveNs >= 0)
        {
            nextKeepAliveNs = nowNs + keepAlivePeriodNs;
            core.forEachSession(session -> work += session.checkKeepAlive(nowNs));
        }
    }

    private void goOnDraining()
    {
        final boolean isDue = drain.isDue(clock.nanoTime());
        core.forEachSession(session -> work += session.goOnDraining(isDue) ? 1 : 0);
        if (core.acceptedCount() == 0 || isDue)
        {
            drain.end(core.acceptedCount() == 0);
            work++;
        }
    }
}
