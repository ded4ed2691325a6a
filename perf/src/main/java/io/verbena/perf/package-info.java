/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
/**
 * The command {@code verbena perf}: it measures Verbena beside raw transports and tuned HTTP, in one run.
 */
package io.verbena.perf;
