/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
/**
 * The replicated log. This module is reserved: the broker is not there yet, see CHANGELOG.md.
 */
package io.verbena.log;
