/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
/**
 * The Aeron transport: RPC connections over UDP and over shared memory, with an embedded or an external media driver.
 * {@link io.verbena.aeron.AeronTransport} is the way in; its options stand in its context and in
 * {@link io.verbena.aeron.AeronConfiguration}.
 */
package io.verbena.aeron;
