/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
/**
 * Reading schemas and services: safe XML with positions, checks, located diagnostics, and the models that emitters use.
 */
package io.verbena.codegen.schema;
