/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
/**
 * The systems that the rig measures: an echo server and an echo client for each, behind one interface, so that every
 * row is loaded by the same code.
 */
package io.verbena.perf.systems;
