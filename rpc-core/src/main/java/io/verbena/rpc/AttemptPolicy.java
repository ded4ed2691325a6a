/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import java.util.Random;
import org.agrona.concurrent.NanoClock;

/**
 * What comes after an attempt: whether a call moves, is tried again, is hedged, or ends. Agent's thread.
 * <p>
 * The one rule above all: what may have begun at a server is sent again only if its method is declared idempotent.
 */
final class AttemptPolicy
{
    /**
     * How often a call moves at most after servers refused it: each was going away, so that more in a row say that
     * something else is wrong.
     */
    static final int MAX_MOVES = 8;

    private final AsyncCalls calls;
    private final NanoClock clock;
    private final Random random;
    private final RetryBudget budget;
    private final RpcCounters counters;

    AttemptPolicy(final AsyncCalls calls, final ClientCore core)
    {
        this.calls = calls;
        this.clock = core.clock();
        this.random = core.random();
        this.counters = core.counters();
        this.budget = new RetryBudget(core.context().retryMaxTokens(), core.context().retryTokenThousandths());
    }

    void onSuccess()
    {
        budget.onSuccess();
    }

    /**
     * An attempt is on its way.
     */
    void onSent(final AsyncCall call, final long nowNs)
    {
        if (call.isMoving)
        {
            call.isMoving = false;
        }
        else
        {
            call.attemptCount++;
        }
        if (mayHedge(call))
        {
            calls.schedule(call, nowNs + call.options.hedging().delayNs());
        }
    }

    /**
     * The moment for one more attempt beside those in flight has come.
     */
    void hedge(final AsyncCall call)
    {
        if (mayHedge(call) && isAllowed() && calls.requeue(call))
        {
            counters.hedged();
        }
    }

    /**
     * An attempt has failed, and the call has not ended.
     */
    void onFailure(final AsyncCall call, final RpcException failure)
    {
        if (mayMove(call, failure))
        {
            if (calls.requeue(call))
            {
                counters.transparentlyRetried();
                call.isMoving = true;
                call.moveCount++;
                return;
            }
        }
        if (call.options.hedging() != null)
        {
            onHedgeFailure(call, failure);
        }
        else if (!isTriedAgain(call, failure))
        {
            calls.end(call, failure);
        }
    }

    /**
     * No server could be reached, and the call has nothing in flight.
     */
    void onUnreachable(final AsyncCall call, final RpcException failure)
    {
        call.attemptCount++;
        call.isMoving = false;
        if (!isTriedAgain(call, failure))
        {
            calls.end(call, failure);
        }
    }

    private static boolean mayMove(final AsyncCall call, final RpcException failure)
    {
        return failure.isNotStarted() && failure.code() == StatusCode.UNAVAILABLE && failure.pushbackNs() == 0 &&
            call.request != null && call.moveCount < MAX_MOVES && !call.isQueued && !call.isLastAttempt;
    }

    private boolean isTriedAgain(final AsyncCall call, final RpcException failure)
    {
        final RetryPolicy policy = call.options.retry();
        if (policy == null)
        {
            return false;
        }
        final long pushbackNs = failure.pushbackNs();
        final boolean isRetryable = policy.isRetryable(failure.code());
        if (isRetryable || pushbackNs < 0)
        {
            budget.onFailure();
        }
        if (!isRetryable || pushbackNs < 0 || call.request == null || call.attemptCount >= policy.attempts() ||
            !call.options.isIdempotent() && !failure.isNotStarted() || !isAllowed())
        {
            return false;
        }
        final long waitNs = pushbackNs > 0 ? pushbackNs : backoffNs(policy, call.backoffCount);
        call.backoffCount = pushbackNs > 0 ? 0 : call.backoffCount + 1;
        final long nowNs = clock.nanoTime();
        // one that could not be sent before the deadline would only turn a telling failure into a timeout
        if (waitNs < call.remainingNs(nowNs) && calls.requeueAt(call, nowNs + waitNs))
        {
            counters.retried();
            return true;
        }
        return false;
    }

    private boolean isAllowed()
    {
        final boolean isAllowed = budget.allowsRetry();
        if (!isAllowed)
        {
            counters.retryBudgetRefused();
        }
        return isAllowed;
    }

    private long backoffNs(final RetryPolicy policy, final int count)
    {
        final long wholeNs = Math.min(policy.maxBackoffNs(), policy.backoffNs() << count);
        // jitter of the upper half, as for connecting
        final long halfNs = Math.max(1, wholeNs / 2);
        return halfNs + random.nextLong(halfNs);
    }

    private void onHedgeFailure(final AsyncCall call, final RpcException failure)
    {
        final long pushbackNs = failure.pushbackNs();
        final boolean isNonFatal = call.options.hedging().isNonFatal(failure.code());
        if (isNonFatal || pushbackNs < 0)
        {
            budget.onFailure();
        }
        if (pushbackNs < 0)
        {
            call.isLastAttempt = true;
            calls.unschedule(call);
        }
        if (!isNonFatal)
        {
            calls.end(call, failure);
            return;
        }
        if (!call.isQueued && mayHedge(call) && isAllowed())
        {
            next(call, pushbackNs);
        }
        if (call.attempts().isEmpty() && !call.isQueued)
        {
            calls.end(call, failure);
        }
    }

    private void next(final AsyncCall call, final long pushbackNs)
    {
        final long nowNs = clock.nanoTime();
        calls.unschedule(call);
        if (pushbackNs == 0)
        {
            counters.hedged();
            calls.requeue(call);
        }
        else if (pushbackNs < call.remainingNs(nowNs))
        {
            if (call.attempts().isEmpty())
            {
                counters.hedged();
                calls.requeueAt(call, nowNs + pushbackNs);
            }
            else
            {
                calls.schedule(call, nowNs + pushbackNs);
            }
        }
    }

    private static boolean mayHedge(final AsyncCall call)
    {
        final HedgingPolicy policy = call.options.hedging();
        return policy != null && call.request != null && !call.isLastAttempt &&
            call.attemptCount < policy.attempts() && !call.hasEnded();
    }
}
