/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc.sim;

import static org.junit.jupiter.api.Assertions.assertTrue;

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
    private static final int DEFAULT_COUNT = 1_000;

    @Test
    @InterruptAfter(600)
    void shouldKeepItsPromisesWhenNetworkAndCallsAreRandom()
    {
        final Long only = Long.getLong(SEED_PROPERTY);
        if (only != null)
        {
            run(only);
            return;
        }
        long items = 0;
        long calls = 0;
        for (int seed = 1; seed <= Integer.getInteger(COUNT_PROPERTY, DEFAULT_COUNT); seed++)
        {
            final Run done = run(seed);
            items += done.witness().items();
            calls += done.started();
        }
        assertTrue(calls > 0 && items > calls, calls + " calls and " + items + " items prove little");
    }

    private static Run run(final long seed)
    {
        final Run run = new Run(seed);
        try (run)
        {
            run.run();
        }
        catch (final Throwable failure)
        {
            throw new AssertionError("seed " + seed + " (" + run + "): " + failure.getMessage() +
                "\nreplay: mvn -q -pl rpc-core -am test -Dtest=SimulationTest -Dsurefire.failIfNoSpecifiedTests=false -D" +
                SEED_PROPERTY + "=" + seed, failure);
        }
        return run;
    }
}
