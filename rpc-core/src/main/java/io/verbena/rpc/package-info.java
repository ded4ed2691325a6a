/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
/**
 * The public API of Verbena RPC: servers, clients, calls, deadlines and status.
 */
package io.verbena.rpc;
