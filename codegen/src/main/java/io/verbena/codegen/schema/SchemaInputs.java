/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.codegen.schema;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The files of a run, read and sorted: which are schemas, which are services, and which belong together. A schema that
 * services name is read even when it was not given itself.
 */
public final class SchemaInputs
{
    private final Diagnostics diagnostics;
    private final Map<Path, XmlElement> roots = new LinkedHashMap<>();
    private final Map<Path, List<XmlElement>> services = new LinkedHashMap<>();
    /** All that was read or tried; null where there is a diagnostic instead. */
    private final TreeMap<Path, XmlElement> read = new TreeMap<>();

    private SchemaInputs(final Diagnostics diagnostics)
    {
        this.diagnostics = diagnostics;
    }

    /**
     * Reads files.
     *
     * @param paths       schemas and services, as the user names them.
     * @param diagnostics take what is wrong.
     * @return what could be read.
     */
    public static SchemaInputs read(final List<Path> paths, final Diagnostics diagnostics)
    {
        final SchemaInputs inputs = new SchemaInputs(diagnostics);
        final Map<Path, XmlElement> servicesFiles = new LinkedHashMap<>();
        for (final Path path : paths)
        {
            final Path key = key(path);
            if (!inputs.read.containsKey(key))
            {
                final XmlElement root = inputs.read(path, key);
                if (null == root)
                {
                    continue;
                }
                if (ServicesParser.isServices(root))
                {
                    servicesFiles.put(path, root);
                }
                else if (SchemaCheck.isSchema(root))
                {
                    inputs.addSchema(key, root);
                }
                else
                {
                    diagnostics.report(DiagnosticCode.UNKNOWN_ROOT, root,
                        "messageSchema, or services of " + ServicesParser.NAMESPACE, root.name());
                }
            }
        }
        servicesFiles.forEach(inputs::attach);

        return inputs;
    }

    /**
     * The schemas with their services, in the order in which they were given.
     *
     * @return a new list.
     */
    public List<SchemaInput> schemas()
    {
        final List<SchemaInput> schemas = new ArrayList<>();
        roots.forEach((key, root) ->
        {
            final List<XmlElement> all = new ArrayList<>();
            root.children().stream().filter(ServicesParser::isInline).forEach(all::add);
            all.addAll(services.getOrDefault(key, List.of()));
            schemas.add(new SchemaInput(root, all));
        });
        return schemas;
    }

    /**
     * All files that were read, or tried, schemas that services name included.
     *
     * @return absolute paths, sorted.
     */
    public List<Path> files()
    {
        return Collections.unmodifiableList(new ArrayList<>(read.keySet()));
    }

    private XmlElement read(final Path path, final Path key)
    {
        if (!read.containsKey(key))
        {
            read.put(key, XmlReader.read(path, path.toString(), diagnostics));
        }
        return read.get(key);
    }

    private void addSchema(final Path key, final XmlElement root)
    {
        roots.put(key, root);
        checkPlaces(root);
    }

    /**
     * Elements of the services grammar that stand anywhere but inside services would be overlooked.
     */
    private void checkPlaces(final XmlElement element)
    {
        for (final XmlElement child : element.children())
        {
            final boolean isAtRoot = null == element.parent();
            if (!ServicesParser.NAMESPACE.equals(child.namespace()))
            {
                checkPlaces(child);
            }
            else if (!isAtRoot || !ServicesParser.isInline(child))
            {
                diagnostics.report(DiagnosticCode.UNKNOWN_ELEMENT, child,
                    isAtRoot ? "rpc:services or rpc:service" : "rpc:services directly inside messageSchema",
                    "rpc:" + child.name());
            }
        }
    }

    private void attach(final Path path, final XmlElement root)
    {
        final String reference = root.attribute("schema");
        if (null == reference || reference.isBlank())
        {
            diagnostics.report(DiagnosticCode.MISSING_ATTRIBUTE, root, "an attribute schema", "none");
            return;
        }

        final Path schema = resolve(path, root, reference);
        if (null == schema)
        {
            return;
        }
        final Path key = key(schema);
        final XmlElement schemaRoot = read(schema, key);
        if (null != schemaRoot && !SchemaCheck.isSchema(schemaRoot))
        {
            diagnostics.report(DiagnosticCode.BAD_SCHEMA_REFERENCE, root, "schema",
                "the relative path of a messageSchema", Diagnostics.quote(reference) + ", a " + schemaRoot.name());
        }
        else if (null != schemaRoot && !roots.containsKey(key))
        {
            addSchema(key, schemaRoot);
        }
        services.computeIfAbsent(key, (ignored) -> new ArrayList<>()).add(root);
    }

    private Path resolve(final Path path, final XmlElement root, final String reference)
    {
        try
        {
            final Path relative = Path.of(reference);
            final Path schema = path.resolveSibling(relative).normalize();
            if (!relative.isAbsolute() && Files.isRegularFile(schema))
            {
                return schema;
            }
        }
        catch (final InvalidPathException ignored)
        {
            // Reported below: it is no file either.
        }
        diagnostics.report(DiagnosticCode.BAD_SCHEMA_REFERENCE, root, "schema",
            "the path of a schema file, relative to the services file", Diagnostics.quote(reference));
        return null;
    }

    private static Path key(final Path path)
    {
        return path.toAbsolutePath().normalize();
    }
}
