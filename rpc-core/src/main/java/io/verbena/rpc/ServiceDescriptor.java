/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import java.util.List;
import java.util.Objects;

/**
 * What a service is, for tools and people that were not there when it was generated: names and ids, and its SBE schema
 * in the intermediate representation that SBE's own tools read. Generated adapters make it. Immutable.
 */
public final class ServiceDescriptor
{
    private final String name;
    private final int id;
    private final int schemaId;
    private final int schemaVersion;
    private final List<MethodDescriptor> methods;
    private final byte[] schemaIr;

    /**
     * With all that it says.
     *
     * @param name          as its schema has it.
     * @param id            1 to 65535.
     * @param schemaId      of the SBE schema that its messages are of; 0 to 65535.
     * @param schemaVersion of that schema; 0 to 65535.
     * @param methods       in the order of the schema; copied.
     * @param schemaIr      that schema as SBE IR, little endian; copied.
     */
    public ServiceDescriptor(
        final String name,
        final int id,
        final int schemaId,
        final int schemaVersion,
        final List<MethodDescriptor> methods,
        final byte[] schemaIr)
    {
        this.name = Objects.requireNonNull(name, "name");
        this.id = id;
        this.schemaId = schemaId;
        this.schemaVersion = schemaVersion;
        this.methods = List.copyOf(methods);
        this.schemaIr = schemaIr.clone();
    }

    /**
     * The service's name.
     *
     * @return as its schema has it.
     */
    public String name()
    {
        return name;
    }

    /**
     * The service's id.
     *
     * @return 1 to 65535.
     */
    public int id()
    {
        return id;
    }

    /**
     * The id of the SBE schema that its messages are of.
     *
     * @return 0 to 65535.
     */
    public int schemaId()
    {
        return schemaId;
    }

    /**
     * The version of that schema.
     *
     * @return 0 to 65535.
     */
    public int schemaVersion()
    {
        return schemaVersion;
    }

    /**
     * The methods.
     *
     * @return in the order of the schema; cannot be changed.
     */
    public List<MethodDescriptor> methods()
    {
        return methods;
    }

    /**
     * The whole schema, all of its messages, as SBE IR: the frame and tokens that SBE's tools write and read
     * ({@code .sbeir} files).
     *
     * @return a copy.
     */
    public byte[] schemaIr()
    {
        return schemaIr.clone();
    }

    /**
     * {@inheritDoc}
     */
    @Override
    public String toString()
    {
        return name + " (id " + id + ", schema " + schemaId + " version " + schemaVersion + ")";
    }
}
