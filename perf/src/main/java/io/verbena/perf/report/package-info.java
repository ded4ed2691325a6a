/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
/**
 * What the rig found, as JSON and as a table.
 */
package io.verbena.perf.report;
