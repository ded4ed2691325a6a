/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
/**
 * The load rig: it starts a fresh server and a fresh client process for each run, loads them in a closed loop or at a
 * fixed rate, and records latency, bytes allocated and who else used the CPU.
 */
package io.verbena.perf.rig;
