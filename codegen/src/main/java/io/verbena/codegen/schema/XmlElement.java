/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.codegen.schema;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * An XML element with its place in the source: what checks look at, and what diagnostics name. Built by
 * {@link XmlReader}; not changed after.
 */
public final class XmlElement
{
    private final XmlElement parent;
    private final String file;
    private final int line;
    private final String namespace;
    private final String name;
    private final Map<String, String> attributes = new LinkedHashMap<>();
    private final List<XmlElement> children = new ArrayList<>();
    private final StringBuilder text = new StringBuilder();

    XmlElement(
        final XmlElement parent, final String file, final int line, final String namespace, final String name)
    {
        this.parent = parent;
        this.file = file;
        this.line = line;
        this.namespace = null == namespace ? "" : namespace;
        this.name = name;
        if (null != parent)
        {
            parent.children.add(this);
        }
    }

    void addAttribute(final String attributeNamespace, final String localName, final String value)
    {
        attributes.put(attributeKey(attributeNamespace, localName), value);
    }

    void addText(final String characters)
    {
        text.append(characters);
    }

    /**
     * The enclosing element.
     *
     * @return null for the root.
     */
    public XmlElement parent()
    {
        return parent;
    }

    /**
     * The file, as the user named it.
     *
     * @return never null.
     */
    public String file()
    {
        return file;
    }

    /**
     * The line on which the element's start tag begins.
     *
     * @return from 1.
     */
    public int line()
    {
        return line;
    }

    /**
     * The namespace.
     *
     * @return an empty string for none.
     */
    public String namespace()
    {
        return namespace;
    }

    /**
     * The name without its prefix.
     *
     * @return never null.
     */
    public String name()
    {
        return name;
    }

    /**
     * The value of an attribute that is in no namespace.
     *
     * @param localName of the attribute.
     * @return null when absent.
     */
    public String attribute(final String localName)
    {
        return attributes.get(localName);
    }

    /**
     * The attributes in source order. The key is the name, after <code>{namespace}</code> where it has one.
     *
     * @return unmodifiable.
     */
    public Map<String, String> attributes()
    {
        return Collections.unmodifiableMap(attributes);
    }

    /**
     * The elements inside, in source order.
     *
     * @return unmodifiable.
     */
    public List<XmlElement> children()
    {
        return Collections.unmodifiableList(children);
    }

    /**
     * The elements inside that have this name, in whatever namespace.
     *
     * @param localName to look for.
     * @return a new list, in source order.
     */
    public List<XmlElement> children(final String localName)
    {
        final List<XmlElement> matching = new ArrayList<>();
        for (final XmlElement child : children)
        {
            if (child.name.equals(localName))
            {
                matching.add(child);
            }
        }
        return matching;
    }

    /**
     * The text directly inside, not that of elements inside.
     *
     * @return as in the source, line ends as line feeds.
     */
    public String text()
    {
        return text.toString();
    }

    /**
     * Where the element stands, for a user: names from the root, each with its <code>name</code> attribute if it has
     * one.
     *
     * @return for example <code>messageSchema/types/composite[Decimal]/type[mantissa]</code>
     */
    public String path()
    {
        final StringBuilder path = new StringBuilder();
        appendPath(path);
        return path.toString();
    }

    /**
     * Does another element say the same, word for word, but for white space?
     *
     * @param other to compare with.
     * @return true if names, attributes, text and all inside are equal.
     */
    boolean isSameAs(final XmlElement other)
    {
        if (!name.equals(other.name) || !attributes.equals(other.attributes) ||
            !text.toString().strip().equals(other.text.toString().strip()) ||
            children.size() != other.children.size())
        {
            return false;
        }
        for (int i = 0; i < children.size(); i++)
        {
            if (!children.get(i).isSameAs(other.children.get(i)))
            {
                return false;
            }
        }
        return true;
    }

    private void appendPath(final StringBuilder path)
    {
        if (null != parent)
        {
            parent.appendPath(path);
            path.append('/');
        }
        path.append(name);
        final String label = attributes.get("name");
        if (null != label)
        {
            final String quoted = Diagnostics.quote(label);
            path.append('[').append(quoted, 1, quoted.length() - 1).append(']');
        }
    }

    private static String attributeKey(final String namespace, final String localName)
    {
        return null == namespace || namespace.isEmpty() ? localName : "{" + namespace + "}" + localName;
    }
}
