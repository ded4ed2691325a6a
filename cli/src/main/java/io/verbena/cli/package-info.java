/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
/**
 * The commands of {@code bin/verbena}.
 */
package io.verbena.cli;
