/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.codegen.schema;

import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Writes a checked schema as the plain XML that sbe-tool takes: no prefixes, no services, and free text in a form
 * that cannot end the comment or the string literal into which sbe-tool copies it unchanged.
 */
final class SchemaWriter
{
    private static final Set<String> LITERAL_ATTRIBUTES =
        Set.of("semanticType", "semanticVersion", "epoch", "timeUnit", "characterEncoding");

    private final String packageName;
    private final Predicate<XmlElement> included;
    private final StringBuilder xml = new StringBuilder("<?xml version=\"1.0\" encoding=\"UTF-8\"?>");

    private SchemaWriter(final String packageName, final Predicate<XmlElement> included)
    {
        this.packageName = packageName;
        this.included = included;
    }

    /**
     * Writes a schema.
     *
     * @param root        of the schema.
     * @param packageName to write in place of its own.
     * @param included    elements to write; the others are left out with all inside them.
     * @return the XML, to be encoded in UTF-8.
     */
    static String write(final XmlElement root, final String packageName, final Predicate<XmlElement> included)
    {
        final SchemaWriter writer = new SchemaWriter(packageName, included);
        writer.element(root);
        return writer.xml.toString();
    }

    private void element(final XmlElement element)
    {
        xml.append('<').append(element.name());
        for (final Map.Entry<String, String> attribute : element.attributes().entrySet())
        {
            // Attributes of foreign namespaces are unknown to sbe-tool.
            if (!attribute.getKey().startsWith("{"))
            {
                attribute(attribute.getKey(), value(element, attribute.getKey(), attribute.getValue()));
            }
        }
        xml.append('>');
        if (!element.text().isBlank())
        {
            escape(element.text());
        }
        for (final XmlElement child : element.children())
        {
            if (!ServicesParser.NAMESPACE.equals(child.namespace()) && included.test(child))
            {
                element(child);
            }
        }
        xml.append("</").append(element.name()).append('>');
    }

    private String value(final XmlElement element, final String name, final String value)
    {
        if ("package".equals(name) && null == element.parent())
        {
            return packageName;
        }
        if ("description".equals(name))
        {
            return JavaText.javadoc(value);
        }
        return LITERAL_ATTRIBUTES.contains(name) ? JavaText.literal(value) : value;
    }

    private void attribute(final String name, final String value)
    {
        xml.append(' ').append(name).append("=\"");
        escape(value);
        xml.append('"');
    }

    private void escape(final String text)
    {
        for (int i = 0; i < text.length(); i++)
        {
            final char c = text.charAt(i);
            switch (c)
            {
                case '&' -> xml.append("&amp;");
                case '<' -> xml.append("&lt;");
                case '>' -> xml.append("&gt;");
                case '"' -> xml.append("&quot;");
                case '\n', '\t', '\r' -> xml.append("&#").append((int)c).append(';');
                default -> xml.append(c);
            }
        }
    }
}
