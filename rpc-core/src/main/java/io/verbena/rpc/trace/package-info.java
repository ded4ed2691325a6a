/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
/**
 * Trace contexts that travel with calls, as the W3C recommendation
 * <a href="https://www.w3.org/TR/2021/REC-trace-context-1-20211123/">Trace Context, Level 1</a> has them, version 00:
 * read and written without allocation, taken from a request at the server and passed on with the calls that its handler
 * makes. A bridge to OpenTelemetry is a class of its own, and needs {@code io.opentelemetry:opentelemetry-api}.
 */
package io.verbena.rpc.trace;
