/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
/**
 * The pricing sample: a unary service with composites, an enum, groups, text and declared errors, served over any
 * transport and called through all three faces of its generated stub.
 */
package io.verbena.samples.pricing;
