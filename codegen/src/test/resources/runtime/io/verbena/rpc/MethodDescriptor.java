/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import java.util.List;

/** Test double with the signatures that generated code uses. */
public record MethodDescriptor(
    String name,
    int id,
    MethodKind kind,
    boolean isIdempotent,
    String request,
    String response,
    List<String> errors)
{
}
