/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

/** Test double with the signatures that generated code uses. */
public record HedgingPolicy(int attempts, long delayNs)
{
}
