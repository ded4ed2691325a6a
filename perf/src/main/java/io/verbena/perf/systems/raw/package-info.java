/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
/**
 * The floor under every row: nothing at all, and sockets of java.nio that are polled without a pause.
 */
package io.verbena.perf.systems.raw;
