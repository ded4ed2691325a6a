/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.rig;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Makes the runs of a plan one after the other. A run during which others used the CPU is repeated a few times; one
 * that fails does not keep the rest from being made.
 */
public final class Campaign
{
    private final CampaignPlan plan;
    private final Function<RunSpec, RunResult> runner;

    /**
     * A campaign with a fresh pair of processes for each run.
     *
     * @param plan of it.
     */
    public Campaign(final CampaignPlan plan)
    {
        this(plan, spec -> new ProcessPair(spec).run());
    }

    Campaign(final CampaignPlan plan, final Function<RunSpec, RunResult> runner)
    {
        this.plan = plan;
        this.runner = runner;
    }

    /**
     * Told how far the campaign is.
     */
    public interface Progress
    {
        /**
         * A run begins, perhaps not for the first time.
         *
         * @param index   of the run, from 1.
         * @param total   number of runs.
         * @param spec    of the run.
         * @param attempt from 1.
         */
        void onStart(int index, int total, RunSpec spec, int attempt);

        /**
         * A run is over.
         *
         * @param index  of the run, from 1.
         * @param total  number of runs.
         * @param result of the run.
         */
        void onEnd(int index, int total, RunResult result);
    }

    /**
     * Makes all the runs.
     *
     * @param progress to tell.
     * @return the results, in the order of the runs.
     */
    public List<RunResult> run(final Progress progress)
    {
        final List<RunSpec> specs = plan.runs();
        final List<RunResult> results = new ArrayList<>(specs.size());
        for (final RunSpec spec : specs)
        {
            final int index = results.size() + 1;
            int attempt = 1;
            progress.onStart(index, specs.size(), spec, attempt);
            RunResult result = runner.apply(spec);
            while (isDisturbed(result) && attempt <= plan.retries())
            {
                attempt++;
                progress.onStart(index, specs.size(), spec, attempt);
                result = lessDisturbed(result, runner.apply(spec));
            }
            result = result.withAttempts(attempt, isDisturbed(result));
            results.add(result);
            progress.onEnd(index, specs.size(), result);
        }
        return results;
    }

    private static RunResult lessDisturbed(final RunResult one, final RunResult other)
    {
        if (one.others() == null || other.others() == null)
        {
            return other;
        }
        return one.others().othersCores() < other.others().othersCores() ? one : other;
    }

    private boolean isDisturbed(final RunResult result)
    {
        return result.others() != null && result.others().othersCores() > plan.othersLimit();
    }
}
