/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.codegen.schema;

/**
 * How often a method is called once more while it has not been answered yet. Immutable.
 *
 * @param attempts calls at most, the first included; 2 to 5.
 * @param delayNs  from one call to the next, in nanoseconds; from 1.
 */
public record HedgeModel(int attempts, long delayNs)
{
}
