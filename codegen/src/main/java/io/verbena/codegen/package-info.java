/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
/**
 * From SBE schemas and service declarations to Java sources: the generator and its command.
 */
package io.verbena.codegen;
