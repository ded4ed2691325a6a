/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
/**
 * HTTP by Vert.x, tuned: what Verbena's rows are compared with.
 */
package io.verbena.perf.systems.http;
