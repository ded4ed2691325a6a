/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
/**
 * Verbena's own rows: the echo service that the build generates from a schema, called by its zero-copy stub.
 */
package io.verbena.perf.systems.verbena;
