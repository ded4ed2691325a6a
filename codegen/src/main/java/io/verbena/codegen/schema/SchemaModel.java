/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.codegen.schema;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What services need to know of a message schema.
 */
public final class SchemaModel
{
    private final XmlElement element;
    private final String packageName;
    private final int id;
    private final int version;
    private final String headerType;
    private final Map<String, MessageModel> messages = new LinkedHashMap<>();

    SchemaModel(
        final XmlElement element,
        final String packageName,
        final int id,
        final int version,
        final String headerType)
    {
        this.element = element;
        this.packageName = packageName;
        this.id = id;
        this.version = version;
        this.headerType = headerType;
    }

    void add(final MessageModel message)
    {
        messages.putIfAbsent(message.name(), message);
    }

    /**
     * The root element.
     *
     * @return never null.
     */
    public XmlElement element()
    {
        return element;
    }

    /**
     * The Java package of everything generated.
     *
     * @return the schema's, or the one that overrides it.
     */
    public String packageName()
    {
        return packageName;
    }

    /**
     * The schema id.
     *
     * @return as declared.
     */
    public int id()
    {
        return id;
    }

    /**
     * The schema version.
     *
     * @return as declared.
     */
    public int version()
    {
        return version;
    }

    /**
     * The start of the names of the message header's classes.
     *
     * @return for example MessageHeader, of MessageHeaderEncoder.
     */
    public String headerClassName()
    {
        return Names.upperFirst(headerType);
    }

    /**
     * The name of the class that holds the schema's intermediate representation.
     *
     * @return for example Schema100Ir, for the schema with id 100.
     */
    public String irClassName()
    {
        return "Schema" + id + "Ir";
    }

    /**
     * The messages by name, in source order.
     *
     * @return unmodifiable.
     */
    public Map<String, MessageModel> messages()
    {
        return Collections.unmodifiableMap(messages);
    }
}
