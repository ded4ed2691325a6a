/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.codegen.schema;

import java.util.List;

/**
 * A service. Immutable.
 *
 * @param name        as declared.
 * @param id          1 to 65535.
 * @param description an empty string for none.
 * @param methods     in source order.
 * @param element     where it is declared.
 */
public record ServiceModel(String name, int id, String description, List<MethodModel> methods, XmlElement element)
{
    /**
     * Copies the list of methods.
     */
    public ServiceModel
    {
        methods = List.copyOf(methods);
    }

    /**
     * The start of the names of its generated classes.
     *
     * @return for example Pricing, of PricingProxy.
     */
    public String className()
    {
        return Names.upperFirst(name);
    }
}
