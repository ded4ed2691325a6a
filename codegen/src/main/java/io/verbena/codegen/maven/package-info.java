/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
/**
 * The Maven goal <code>verbena:generate</code>.
 */
package io.verbena.codegen.maven;
