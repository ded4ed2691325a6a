/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.codegen.schema;

/**
 * A message of the schema that a service names. Immutable.
 *
 * @param name        in the schema.
 * @param id          template id.
 * @param description an empty string for none.
 * @param element     where it is declared.
 */
public record MessageModel(String name, int id, String description, XmlElement element)
{
    /**
     * The start of the names of its generated classes.
     *
     * @return for example Price, of PriceEncoder.
     */
    public String className()
    {
        return Names.upperFirst(name);
    }

    /**
     * The start of the names of methods and fields about it.
     *
     * @return for example unknownSymbol, of unknownSymbolEncoder.
     */
    public String propertyName()
    {
        return Names.lowerFirst(name);
    }
}
