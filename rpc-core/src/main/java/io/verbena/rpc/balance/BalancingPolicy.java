/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc.balance;

/**
 * Which endpoint of a group has the next call. Endpoints that are not ready are passed over by all of them.
 */
public enum BalancingPolicy
{
    /**
     * One endpoint has all calls: the first that is ready in the resolver's order, and that one for as long as it is
     * ready. The connections to the others are kept, so that a move costs nothing.
     */
    PICK_FIRST,

    /** One after the other. */
    ROUND_ROBIN,

    /**
     * The one with the fewest calls of this client in flight; of several, one after the other. Prefers endpoints that
     * are quick, those that fail quickly included.
     */
    LEAST_OUTSTANDING
}
