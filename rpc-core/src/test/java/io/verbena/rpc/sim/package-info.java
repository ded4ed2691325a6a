/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
/**
 * The seeded simulation: a client and a server on one thread, with a clock and a network that follow a random number
 * generator, so that each run can be had again by its seed.
 */
package io.verbena.rpc.sim;
