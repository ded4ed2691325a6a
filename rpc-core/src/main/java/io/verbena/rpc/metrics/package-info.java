/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
/**
 * Measurements for people and dashboards, each a class of its own with an optional dependency: latency histograms for
 * each method need {@code org.hdrhistogram:HdrHistogram}, the binding to Micrometer needs that and
 * {@code io.micrometer:micrometer-core}. What clients and servers count by themselves is
 * {@link io.verbena.rpc.RpcCounters}, and needs neither.
 */
package io.verbena.rpc.metrics;
