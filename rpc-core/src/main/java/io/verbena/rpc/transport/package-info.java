/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
/**
 * The transport SPI: what a transport gives and what its caller may rely on, and the in-process loopback transport.
 */
package io.verbena.rpc.transport;
