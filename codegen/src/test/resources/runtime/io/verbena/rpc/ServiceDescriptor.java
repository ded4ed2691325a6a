/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import java.util.List;

/** Test double with the signatures that generated code uses. */
public record ServiceDescriptor(
    String name, int id, int schemaId, int schemaVersion, List<MethodDescriptor> methods, byte[] schemaIr)
{
}
