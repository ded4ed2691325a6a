/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
/**
 * RDMA reliable connections. This module is reserved: the transport is not there yet, see CHANGELOG.md.
 */
package io.verbena.rdma;
