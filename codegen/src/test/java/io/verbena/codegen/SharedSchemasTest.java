/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.codegen;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.codegen.emit.GeneratedFiles;
import io.verbena.codegen.schema.Diagnostics;
import io.verbena.codegen.schema.SchemaInputs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Schemas from the world: those that sbe-tool can read are accepted, and none, right or wrong, ends in an exception.
 */
@Timeout(120)
@Tag("slow")
class SharedSchemasTest
{
    @Test
    void shouldAcceptSchemasOrSayWhere() throws IOException
    {
        final List<String> refused = new ArrayList<>();
        final int count = run("accept", refused);
        assertTrue(count - refused.size() >= 90, refused::toString);
    }

    @Test
    void shouldLocateEveryRefusal() throws IOException
    {
        assertTrue(run("refuse", new ArrayList<>()) > 100);
    }

    private static int run(final String folder, final List<String> refused) throws IOException
    {
        int count = 0;
        for (final Path schema : schemas(folder))
        {
            count++;
            final Diagnostics diagnostics = new Diagnostics();
            final GeneratedFiles files = new CodeGenerator("test.shared", diagnostics)
                .generate(SchemaInputs.read(List.of(schema), diagnostics));
            assertEquals(null == files, diagnostics.errorCount() > 0, schema::toString);
            diagnostics.all().forEach((each) -> assertTrue(each.line() > 0, each::format));
            if (null == files)
            {
                refused.add(schema.getFileName().toString());
            }
        }
        return count;
    }

    private static List<Path> schemas(final String folder) throws IOException
    {
        Path directory = Path.of("").toAbsolutePath();
        while (null != directory)
        {
            final Path schemas = directory.resolve("shared/schemas").resolve(folder);
            if (Files.isDirectory(schemas))
            {
                try (Stream<Path> files = Files.list(schemas))
                {
                    return files.filter((path) -> path.toString().endsWith(".xml")).sorted().toList();
                }
            }
            directory = directory.getParent();
        }
        Assumptions.abort("no folder shared/schemas beside the project: real schemas are not tried");
        return List.of();
    }
}
