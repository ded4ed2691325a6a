/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
/**
 * The wire protocol: the frame header and the control frames that both ends of a connection exchange.
 */
package io.verbena.rpc.protocol;
