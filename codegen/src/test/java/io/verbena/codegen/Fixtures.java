/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.codegen;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.verbena.codegen.emit.GeneratedFiles;
import io.verbena.codegen.schema.Diagnostic;
import io.verbena.codegen.schema.Diagnostics;
import io.verbena.codegen.schema.SchemaInputs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Schemas for tests, and the generator run over them.
 */
final class Fixtures
{
    static final Path RESOURCES = Path.of("src", "test", "resources");
    static final Path DIRECTORY = RESOURCES.resolve("fixtures");

    /** The types that nearly every schema starts with; 19 lines, so what follows starts on line 20. */
    private static final String HEAD = """
        <?xml version="1.0" encoding="UTF-8"?>
        <sbe:messageSchema xmlns:sbe="http://fixprotocol.io/2016/sbe" xmlns:rpc="urn:verbena:rpc:1"
                           package="test.small" id="1" version="2" byteOrder="littleEndian">
            <types>
                <composite name="messageHeader">
                    <type name="blockLength" primitiveType="uint16"/>
                    <type name="templateId" primitiveType="uint16"/>
                    <type name="schemaId" primitiveType="uint16"/>
                    <type name="version" primitiveType="uint16"/>
                </composite>
                <composite name="groupSizeEncoding">
                    <type name="blockLength" primitiveType="uint16"/>
                    <type name="numInGroup" primitiveType="uint16"/>
                </composite>
                <composite name="varDataEncoding">
                    <type name="length" primitiveType="uint16"/>
                    <type name="varData" primitiveType="uint8" length="0"/>
                </composite>
            </types>
        """;

    private Fixtures()
    {
    }

    /**
     * A schema whose body starts on line 20.
     *
     * @param body messages, and services if any.
     * @return the whole text.
     */
    static String schema(final String body)
    {
        return HEAD + body + "\n</sbe:messageSchema>\n";
    }

    /**
     * A schema with the messages Ask, Answer and Fault on lines 20 to 22, and inline services whose content starts on
     * line 24.
     *
     * @param services inside rpc:services.
     * @return the whole text.
     */
    static String services(final String services)
    {
        return schema("""
            <sbe:message name="Ask" id="1"><field name="number" id="1" type="int32"/></sbe:message>
            <sbe:message name="Answer" id="2"><field name="number" id="1" type="int32"/></sbe:message>
            <sbe:message name="Fault" id="3"><field name="number" id="1" type="int32"/></sbe:message>
            <rpc:services>
            """ + services + "\n</rpc:services>");
    }

    static List<Diagnostic> diagnose(final Path... inputs)
    {
        final Diagnostics diagnostics = new Diagnostics();
        final GeneratedFiles files =
            new CodeGenerator(null, diagnostics).generate(SchemaInputs.read(List.of(inputs), diagnostics));
        assertEquals(0 == diagnostics.errorCount(), null != files);
        return diagnostics.all();
    }

    static Map<String, String> generate(final Path... inputs)
    {
        final Diagnostics diagnostics = new Diagnostics();
        final GeneratedFiles files =
            new CodeGenerator(null, diagnostics).generate(SchemaInputs.read(List.of(inputs), diagnostics));
        assertNotNull(files, () -> diagnostics.all().toString());
        return files.contents();
    }

    /**
     * The test doubles of the types that generated code calls.
     */
    static Map<String, String> runtime() throws IOException
    {
        return sources(RESOURCES.resolve("runtime"));
    }

    static Map<String, String> sources(final Path root) throws IOException
    {
        final Map<String, String> sources = new TreeMap<>();
        final List<Path> files = new ArrayList<>();
        try (Stream<Path> walk = Files.walk(root))
        {
            walk.filter((path) -> path.toString().endsWith(".java")).forEach(files::add);
        }
        for (final Path file : files)
        {
            sources.put(root.relativize(file).toString().replace('\\', '/'), Files.readString(file));
        }
        return sources;
    }
}
