/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import java.util.List;
import java.util.Objects;

/**
 * What a {@link ServiceDescriptor} says of one method. Immutable.
 *
 * @param name         as its schema has it.
 * @param id           1 to 65535.
 * @param kind         how many messages it has in each direction.
 * @param isIdempotent whether calling it again does no harm.
 * @param request      name of the message that the client sends: the request, or each item of its stream.
 * @param response     name of the message that the server sends: the response, or each item of its stream.
 * @param errors       names of the messages that it declares as errors.
 */
public record MethodDescriptor(
    String name,
    int id,
    MethodKind kind,
    boolean isIdempotent,
    String request,
    String response,
    List<String> errors)
{
    /**
     * Copies the list of errors.
     */
    public MethodDescriptor
    {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(request, "request");
        Objects.requireNonNull(response, "response");
        errors = List.copyOf(errors);
    }
}
