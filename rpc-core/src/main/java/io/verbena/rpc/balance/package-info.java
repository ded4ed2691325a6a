/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
/**
 * Where the addresses of a group of endpoints come from, and which of them has the next call.
 */
package io.verbena.rpc.balance;
