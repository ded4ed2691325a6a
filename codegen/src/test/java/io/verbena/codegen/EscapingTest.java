/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.codegen;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.codegen.schema.JavaText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Free text of a schema reaches Java source only as text.
 */
@Timeout(30)
class EscapingTest
{
    /** A backslash before a u, unless another backslash escapes it. */
    private static final Pattern UNICODE_ESCAPE = Pattern.compile("(?<!\\\\)(?:\\\\\\\\)*\\\\u");

    @TempDir
    private Path directory;

    private static final String ENDS_WITH_BACKSLASH = "ends with \\";
    private static final String[] TEXTS = {
        "*/ static { System.exit(7); } /*",
        "\\u002a/ static { System.exit(7); } /*",
        "\\u002a\\u002f static { System.exit(7); } /\\u002a",
        "*\\u002f int x; /*",
        "\\\\u002a/ int x; /*",
        "$L $T $S $N $W $$ $> $[",
        "{@code unclosed {@link nowhere} @param x",
        "<script>&nosuch; </p> <b>",
        "\\uZZZZ",
        "quote \" and ' and \\\" ; int x; //",
        "line&#10;break&#13;and&#9;tab",
    };

    @Test
    void shouldCompileWhateverTheTextsHold() throws IOException
    {
        // One that ends a comment, one that escapes what follows it, and all together.
        final String[] texts = {TEXTS[0], ENDS_WITH_BACKSLASH, String.join(" ", TEXTS)};
        final Map<String, String> sources = new TreeMap<>(Fixtures.runtime());
        for (int i = 0; i < texts.length; i++)
        {
            final String text = texts[i];
            final Map<String, String> generated = Fixtures.generate(schema("test.small" + i, text));
            assertTrue(generated.size() > 10);
            sources.putAll(generated);
            generated.forEach((path, source) ->
            {
                final String code = withoutCommentsAndLiterals(source);
                assertTrue(!code.contains("exit") && !code.contains("int x"), path + " of " + text);
            });
        }
        final List<String> messages = new InMemoryCompiler().compile(sources).stream()
            .filter((message) -> !message.contains("/io/verbena/rpc/")).toList();
        assertEquals(List.of(), messages);
    }

    @Test
    void shouldKeepTheWordsOfADescription() throws IOException
    {
        final String service = Fixtures.generate(schema("test.small", "The *best* price, in $ or <less>")).get(
            "test/small/SService.java");
        assertTrue(service.contains("The &#42;best&#42; price, in $ or &#60;less&#62;."), service);
    }

    @Test
    void shouldEscapeForJavadocAndLiteral()
    {
        assertEquals("a &#42;/ b &#92;u002a", JavaText.javadoc("  a */\n\tb \\u002a "));
        assertEquals("&#64;see &#123;x&#125; &#38;", JavaText.javadoc("@see {x} &"));
        assertEquals("a\\\"b\\\\c\\n\\td ", JavaText.literal("a\"b\\c\n\td\u0001"));
    }

    private Path schema(final String packageName, final String text) throws IOException
    {
        final String value = text.replace("&", "&amp;").replace("&amp;#", "&#").replace("<", "&lt;")
            .replace("\"", "&quot;");
        final String schema = Fixtures.services(
            "<rpc:service name='S' id='1' description=\"" + value + "\">" +
            "<rpc:method name='m' id='1' request='Ask' response='Answer' errors='Fault' description=\"" + value +
            "\"/></rpc:service>")
            .replace("<sbe:message ", "<sbe:message semanticType=\"" + value + "\" description=\"" + value + "\" ")
            .replace("<field ", "<field semanticType=\"" + value + "\" description=\"" + value + "\" ")
            .replace("<composite ", "<composite semanticType=\"" + value + "\" description=\"" + value + "\" ")
            .replace("package=", "semanticVersion=\"" + value + "\" description=\"" + value + "\" package=")
            .replace("test.small", packageName);
        return Files.writeString(directory.resolve("schema.xml"), schema);
    }

    /**
     * What the compiler takes for code: it sees through unicode escapes, so none may stand in the source at all.
     */
    private static String withoutCommentsAndLiterals(final String source)
    {
        assertFalse(UNICODE_ESCAPE.matcher(source).find(), "a unicode escape");
        final StringBuilder code = new StringBuilder();
        for (int i = 0; i < source.length(); i++)
        {
            if (source.startsWith("/*", i))
            {
                i = source.indexOf("*/", i + 2) + 1;
            }
            else if (source.startsWith("//", i))
            {
                i = source.indexOf('\n', i);
            }
            else if ('"' == source.charAt(i) || '\'' == source.charAt(i))
            {
                i = endOfLiteral(source, i);
            }
            else
            {
                code.append(source.charAt(i));
            }
        }
        return code.toString();
    }

    private static int endOfLiteral(final String source, final int start)
    {
        int end = start + 1;
        while (source.charAt(end) != source.charAt(start))
        {
            end += '\\' == source.charAt(end) ? 2 : 1;
        }
        return end;
    }
}
