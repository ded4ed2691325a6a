/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
/**
 * Compression of large payloads, by choice: the interface that codecs are written to, and one on zstd whose library is
 * an optional dependency.
 */
package io.verbena.rpc.codec;
