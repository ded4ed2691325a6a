/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
/**
 * From an address to the transport that serves it.
 */
package io.verbena.auto;
