/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

import io.verbena.rpc.StatusCode;
import io.verbena.rpc.test.InterruptAfter;
import org.junit.jupiter.api.Test;

/**
 * Random calls over a random network, by seed: each ends once at both ends with a status that its history allows, in
 * order, within its windows, and nothing is left.
 */
class SimulationTest
{
    private static final String SEED_PROPERTY = "verbena.sim.seed";
    private static final String COUNT_PROPERTY = "verbena.sim.count";
    private static final int REPEATED = 40;
    private static final int DEFAULT_COUNT = 1_000;
    private static final Set<StatusCode> EXPECTED = EnumSet.of(
        StatusCode.OK, StatusCode.CANCELLED, StatusCode.DEADLINE_EXCEEDED, StatusCode.ABORTED, StatusCode.INTERNAL,
        StatusCode.UNAVAILABLE);

    @Test
    @InterruptAfter(600)
    void shouldKeepItsPromisesWhenNetworkAndCallsAreRandom()
    {
        final Long only = Long.getLong(SEED_PROPERTY);
        if (only != null)
        {
            run(only, false);
            return;
        }
        long items = 0;
        long calls = 0;
        final Map<StatusCode, Integer> endings = new EnumMap<>(StatusCode.class);
        for (int seed = 1; seed <= Integer.getInteger(COUNT_PROPERTY, DEFAULT_COUNT); seed++)
        {
            final Run done = run(seed, false);
            items += done.witness().items();
            calls += done.started();
            for (final StatusCode code : StatusCode.values())
            {
                endings.merge(code, done.endings(code), Integer::sum);
            }
        }
        // A simulation in which nothing happens proves nothing.
        final String summary = calls + " calls, " + items + " items, " + endings;
        assertTrue(items > calls, summary);
        for (final StatusCode code : EXPECTED)
        {
            assertTrue(endings.get(code) > calls / 100, summary);
        }
    }

    @Test
    @InterruptAfter(600)
    void shouldServeTheHonestWhenAnotherPeerIsHostile()
    {
        final Long only = Long.getLong(SEED_PROPERTY);
        if (only != null)
        {
            run(only, true);
            return;
        }
        long calls = 0;
        long hostileEvents = 0;
        final int count = Integer.getInteger(COUNT_PROPERTY, DEFAULT_COUNT);
        for (int seed = 1; seed <= count; seed++)
        {
            final Run done = run(seed, true);
            calls += done.started();
            hostileEvents += done.hostileEvents();
        }
        assertTrue(calls > 0 && hostileEvents > 10L * count, calls + " calls, " + hostileEvents + " hostile events");
    }

    @Test
    @InterruptAfter(120)
    void shouldGoTheSameWayWhenTheSeedIsTheSame()
    {
        for (long seed = 1; seed <= REPEATED; seed++)
        {
            final boolean isHostile = (seed & 1) == 0;
            assertEquals(run(seed, isHostile).fingerprint(), run(seed, isHostile).fingerprint(), "seed " + seed);
        }
    }

    private static Run run(final long seed, final boolean isHostile)
    {
        final Run run = new Run(seed, isHostile);
        try (run)
        {
            run.run();
        }
        catch (final Throwable failure)
        {
            throw new AssertionError("seed " + seed + " (" + run + "): " + failure.getMessage() +
                "\nreplay: mvn -q -pl rpc-core -am test -Dsurefire.failIfNoSpecifiedTests=false " +
                "'-Dtest=SimulationTest#" + (isHostile ? "shouldServe*' -D" : "shouldKeep*' -D") +
                SEED_PROPERTY + "=" + seed, failure);
        }
        return run;
    }
}
