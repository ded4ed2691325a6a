/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.samples.guide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.rpc.test.InterruptAfter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Holds the blocks of docs/rpc.md equal to regions of the sources of this module, which compile and run. A block of
 * Java or XML has {@code <!-- snippet: name -->} on the line before it; its region lies between lines that say {@code
 * region name} and {@code endregion}. Regions lose the indentation that their lines have in common.
 */
@InterruptAfter(60)
class GuideTest
{
    private static final Path ROOT = Path.of("..", "..");
    private static final Path GUIDE = ROOT.resolve("docs").resolve("rpc.md");
    private static final String SNIPPET = "<!-- snippet: ";

    @Test
    void shouldShowWhatCompilesWhenABlockIsCode() throws IOException
    {
        final Map<String, String> regions = regions();
        final Map<String, String> snippets = snippets();
        for (final Map.Entry<String, String> snippet : snippets.entrySet())
        {
            assertTrue(regions.containsKey(snippet.getKey()), "no region " + snippet.getKey());
            assertEquals(regions.get(snippet.getKey()), snippet.getValue(), "the snippet " + snippet.getKey());
        }
        final TreeSet<String> unused = new TreeSet<>(regions.keySet());
        unused.removeAll(snippets.keySet());
        assertTrue(unused.isEmpty(), "regions that the guide does not show: " + unused);
    }

    @Test
    void shouldNameASnippetWhenABlockIsCode() throws IOException
    {
        final List<String> lines = Files.readAllLines(GUIDE);
        for (int i = 0; i < lines.size(); i++)
        {
            if (lines.get(i).equals("```java") || lines.get(i).equals("```xml"))
            {
                assertTrue(lines.get(i - 1).startsWith(SNIPPET), "docs/rpc.md:" + (i + 1) + ": a block of no snippet");
            }
        }
    }

    private static Map<String, String> snippets() throws IOException
    {
        final Map<String, String> snippets = new TreeMap<>();
        final List<String> lines = Files.readAllLines(GUIDE);
        for (int i = 0; i < lines.size(); i++)
        {
            if (lines.get(i).startsWith(SNIPPET))
            {
                final String name = lines.get(i).substring(SNIPPET.length()).replace(" -->", "");
                assertTrue(lines.get(i + 1).startsWith("```"), "docs/rpc.md:" + (i + 2) + ": expected a block");
                final StringBuilder block = new StringBuilder();
                for (i += 2; !lines.get(i).equals("```"); i++)
                {
                    block.append(lines.get(i)).append('\n');
                }
                snippets.put(name, block.toString());
            }
        }
        assertFalse(snippets.isEmpty());
        return snippets;
    }

    private static Map<String, String> regions() throws IOException
    {
        final Map<String, String> regions = new TreeMap<>();
        final List<Path> files;
        try (Stream<Path> walk = Files.walk(Path.of("src")))
        {
            files = walk.filter(Files::isRegularFile).sorted().toList();
        }
        for (final Path file : files)
        {
            String name = null;
            final List<String> region = new ArrayList<>();
            for (final String line : Files.readAllLines(file))
            {
                final String text = line.strip().replace("<!-- ", "// ").replace(" -->", "");
                if (text.equals("// endregion"))
                {
                    assertEquals(null, regions.put(name, joined(region)), "two regions " + name);
                    name = null;
                    region.clear();
                }
                else if (text.startsWith("// region "))
                {
                    name = text.substring("// region ".length());
                }
                else if (name != null)
                {
                    region.add(line);
                }
            }
            assertEquals(null, name, file + ": a region without an end");
        }
        return regions;
    }

    private static String joined(final List<String> lines)
    {
        final int indentation = lines.stream().filter(line -> !line.isBlank())
            .mapToInt(line -> line.length() - line.stripLeading().length()).min().orElse(0);
        final StringBuilder text = new StringBuilder();
        for (final String line : lines)
        {
            text.append(line.isBlank() ? "" : line.substring(indentation)).append('\n');
        }
        return text.toString();
    }
}
