/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
/**
 * Emitters: one class for each kind of generated file. Codecs come from sbe-tool, stubs from here.
 */
package io.verbena.codegen.emit;
