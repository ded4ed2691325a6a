/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.codegen.schema;

import java.util.List;

/**
 * A schema and the services that name it.
 *
 * @param root     of the schema.
 * @param services the services elements, those inside the schema first.
 */
public record SchemaInput(XmlElement root, List<XmlElement> services)
{
    /**
     * Copies the list of services.
     */
    public SchemaInput
    {
        services = List.copyOf(services);
    }
}
