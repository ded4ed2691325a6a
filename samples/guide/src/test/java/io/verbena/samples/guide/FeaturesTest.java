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
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Holds docs/features.md to what is there: the tests and places that it names, and no feature of the comparison without
 * a word on our side.
 */
@InterruptAfter(60)
class FeaturesTest
{
    private static final Path ROOT = Path.of("..", "..");
    private static final Path DOCS = ROOT.resolve("docs");
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#:]*)(?:#([^)]*))?\\)");
    private static final int FEATURE = 0;
    private static final int OURS = 2;
    private static final int DOCUMENTED = 3;
    private static final int TESTS = 4;
    private static final int COLUMNS = 5;

    @Test
    void shouldHaveSomethingOnOurSideWhenGrpcHas() throws IOException
    {
        final List<String[]> rows = rows();
        assertTrue(rows.size() > 40, () -> rows.size() + " rows");
        for (final String[] row : rows)
        {
            for (final int column : new int[]{OURS, DOCUMENTED, TESTS})
            {
                assertFalse(row[column].isEmpty() || row[column].startsWith("–"), row[FEATURE]);
            }
        }
    }

    @Test
    void shouldNameTestsThatExistWhenAFeatureIsTested() throws IOException
    {
        final Set<String> tests;
        try (Stream<Path> walk = Files.walk(ROOT))
        {
            tests = walk.map(file -> file.getFileName().toString()).filter(name -> name.endsWith("Test.java"))
                .map(name -> name.replace(".java", "")).collect(Collectors.toSet());
        }
        for (final String[] row : rows())
        {
            for (final String test : row[TESTS].split(", "))
            {
                assertTrue(tests.contains(test), row[FEATURE] + ": no test " + test);
            }
        }
    }

    @Test
    void shouldLeadSomewhereWhenADocumentHasALink() throws IOException
    {
        for (final String document : List.of("features.md", "rpc.md"))
        {
            final Matcher links = LINK.matcher(Files.readString(DOCS.resolve(document)));
            while (links.find())
            {
                final Path target = DOCS.resolve(links.group(1).isEmpty() ? document : links.group(1));
                assertTrue(Files.exists(target), document + ": " + links.group());
                if (links.group(2) != null)
                {
                    assertTrue(anchors(target).contains(links.group(2)), document + ": " + links.group());
                }
            }
        }
    }

    private static List<String[]> rows() throws IOException
    {
        final List<String[]> rows = new ArrayList<>();
        for (final String line : Files.readAllLines(DOCS.resolve("features.md")))
        {
            final String[] cells = line.split("\\|", -1);
            if (cells.length == COLUMNS + 2 && !line.startsWith("|---") && !line.startsWith("| feature"))
            {
                final String[] row = new String[COLUMNS];
                for (int i = 0; i < COLUMNS; i++)
                {
                    row[i] = cells[i + 1].strip();
                }
                rows.add(row);
            }
        }
        assertEquals("Unary calls", rows.get(0)[FEATURE]);
        return rows;
    }

    /**
     * The headings of a page, as links name them.
     */
    private static Set<String> anchors(final Path page) throws IOException
    {
        try (Stream<String> lines = Files.lines(page))
        {
            return lines.filter(line -> line.startsWith("#"))
                .map(line -> line.replaceAll("^#+ ", "").toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9 -]", "")
                .replace(' ', '-')).collect(Collectors.toSet());
        }
    }
}
