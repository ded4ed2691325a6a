/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
/**
 * Bare Aeron, with the settings of Verbena's own Aeron transport: what Verbena's rows are judged against.
 */
package io.verbena.perf.systems.aeron;
