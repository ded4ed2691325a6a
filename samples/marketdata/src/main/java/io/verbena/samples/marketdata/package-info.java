/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
/**
 * The market data sample: a service with a call of each kind that streams, whose server sends no faster than its
 * readers read, called through all three faces of its generated stub.
 */
package io.verbena.samples.marketdata;
