/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

/**
 * Keeps retries from multiplying the load of a server that fails: the throttling of gRPC's retry design (gRPC proposal
 * A6, "Throttling Retry Attempts and Hedged RPCs"). It holds tokens, at first and at most a given number; an attempt
 * that fails as its policy would try again, or that the server asks not to repeat, takes one; one that succeeds gives
 * a part of one back. While no more than half are left, nothing is tried again.
 * <p>
 * Counts in thousandths, so that nothing is lost by rounding.
 */
final class RetryBudget
{
    private static final int UNIT = 1000;

    private final int maxThousandths;
    private final int successThousandths;
    private int thousandths;

    RetryBudget(final int maxTokens, final int successThousandths)
    {
        this.maxThousandths = maxTokens * UNIT;
        this.successThousandths = successThousandths;
        this.thousandths = maxThousandths;
    }

    void onSuccess()
    {
        thousandths = Math.min(maxThousandths, thousandths + successThousandths);
    }

    void onFailure()
    {
        thousandths = Math.max(0, thousandths - UNIT);
    }

    boolean allowsRetry()
    {
        return thousandths > maxThousandths / 2;
    }
}
