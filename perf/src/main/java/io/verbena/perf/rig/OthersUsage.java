/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.rig;

/**
 * What processes that are no part of the measurement did during a run.
 *
 * @param othersCores cores that they kept busy, on average.
 * @param stealCores  cores that the hypervisor kept, on average.
 * @param busiest     the busiest of them, or empty.
 */
public record OthersUsage(double othersCores, double stealCores, String busiest)
{
}
