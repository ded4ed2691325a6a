/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.codegen.schema;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Checks a message schema before sbe-tool sees it, and reads what services need of it. Only what can be said with
 * certainty is reported: sbe-tool checks the rest.
 */
public final class SchemaCheck
{
    private static final int MAX_NUMBER = Integer.MAX_VALUE;
    private static final int MAX_FIELD_ID = 65535;
    private static final String DEFAULT_HEADER = "messageHeader";
    private static final String DEFAULT_DIMENSION = "groupSizeEncoding";
    private static final List<String> HEADER_MEMBERS = List.of("blockLength", "templateId", "schemaId", "version");

    private final XmlElement root;
    private final String packageOverride;
    private final Diagnostics diagnostics;
    private final TypesCheck types;

    private SchemaCheck(final XmlElement root, final String packageOverride, final Diagnostics diagnostics)
    {
        this.root = root;
        this.packageOverride = packageOverride;
        this.diagnostics = diagnostics;
        this.types = new TypesCheck(root, diagnostics);
    }

    /**
     * Is this the root of a message schema?
     *
     * @param element to look at.
     * @return true if so.
     */
    public static boolean isSchema(final XmlElement element)
    {
        return "messageSchema".equals(element.name());
    }

    /**
     * Checks a schema.
     *
     * @param root            its root element.
     * @param packageOverride Java package to use instead of the schema's; null for none.
     * @param diagnostics     take what is wrong.
     * @return what could be read of it.
     */
    public static SchemaModel check(
        final XmlElement root, final String packageOverride, final Diagnostics diagnostics)
    {
        return new SchemaCheck(root, packageOverride, diagnostics).check();
    }

    private SchemaModel check()
    {
        final int id = number(root, "id", null, MAX_NUMBER);
        final int version = number(root, "version", "0", MAX_NUMBER);
        final String headerType = null == root.attribute("headerType") ? DEFAULT_HEADER : root.attribute("headerType");
        final SchemaModel schema = new SchemaModel(root, packageName(), id, version, headerType);
        types.check();
        checkHeader(headerType);
        checkByteOrder();
        checkMessages(schema);

        return schema;
    }

    private String packageName()
    {
        if (null != packageOverride)
        {
            return packageOverride;
        }

        final String name = root.attribute("package");
        if (!Names.isPackage(name))
        {
            diagnostics.report(DiagnosticCode.BAD_PACKAGE, root, "package",
                "a Java package name (or the option that overrides the package)", Diagnostics.quote(name));
        }
        return name;
    }

    private void checkByteOrder()
    {
        final String byteOrder = root.attribute("byteOrder");
        if (null != byteOrder && !"littleEndian".equals(byteOrder) && !"bigEndian".equals(byteOrder))
        {
            diagnostics.report(DiagnosticCode.BAD_SCHEMA_ATTRIBUTE, root, "byteOrder", "littleEndian or bigEndian",
                Diagnostics.quote(byteOrder));
        }
    }

    private void checkHeader(final String headerType)
    {
        final XmlElement header = types.declared(headerType);
        if (null == header || !"composite".equals(header.name()))
        {
            diagnostics.report(DiagnosticCode.BAD_HEADER, root,
                "a composite " + Diagnostics.quote(headerType) + " for the message header",
                null == header ? "no such type" : "a " + header.name());
            return;
        }

        for (final String name : HEADER_MEMBERS)
        {
            final XmlElement member = member(header, name);
            if (null == member)
            {
                diagnostics.report(DiagnosticCode.BAD_HEADER, header, "a member " + Diagnostics.quote(name), "none");
            }
            else if (!"schemaId".equals(name) && isWide(member.attribute("primitiveType")))
            {
                diagnostics.report(DiagnosticCode.BAD_HEADER, member, "primitiveType",
                    "a type that a Java int holds (uint16, say)",
                    Diagnostics.quote(member.attribute("primitiveType")));
            }
        }
    }

    private static boolean isWide(final String primitiveType)
    {
        // The codecs keep these numbers in a Java int, and so would not compile.
        return "uint32".equals(primitiveType) || "int64".equals(primitiveType) || "uint64".equals(primitiveType);
    }

    private static XmlElement member(final XmlElement composite, final String name)
    {
        for (final XmlElement child : composite.children())
        {
            if (name.equals(child.attribute("name")))
            {
                return child;
            }
        }
        return null;
    }

    private void checkMessages(final SchemaModel schema)
    {
        final Map<Integer, XmlElement> ids = new HashMap<>();
        final Map<String, XmlElement> names = new HashMap<>();
        for (final XmlElement element : root.children("message"))
        {
            final String name = TypesCheck.checkName(element, diagnostics);
            final int id = number(element, "id", null, MAX_NUMBER);
            if (null != name)
            {
                final XmlElement first = names.putIfAbsent(Names.upperFirst(name), element);
                if (null != first)
                {
                    diagnostics.report(DiagnosticCode.DUPLICATE_MESSAGE_NAME, element, "name",
                        "a name that no other message has (the case of the first letter does not count)",
                        Diagnostics.quote(name) + ", which is at line " + first.line() + " already");
                }
                final String description = element.attribute("description");
                schema.add(
                    new MessageModel(name, Math.max(0, id), null == description ? "" : description.strip(), element));
            }
            if (id >= 0)
            {
                final XmlElement first = ids.putIfAbsent(id, element);
                if (null != first)
                {
                    diagnostics.report(DiagnosticCode.DUPLICATE_MESSAGE_ID, element, "id",
                        "an id that no other message has",
                        id + ", which " + Diagnostics.quote(first.attribute("name")) + " at line " + first.line() +
                        " has already");
                }
            }
            checkBlock(element);
        }
    }

    private void checkBlock(final XmlElement block)
    {
        final Map<String, XmlElement> names = new HashMap<>();
        for (final XmlElement member : block.children())
        {
            final boolean isMember = switch (member.name())
            {
                case "field" -> checkType(member, false);
                case "data" -> checkType(member, true);
                case "group" -> checkGroup(member);
                default -> false;
            };
            if (!isMember)
            {
                continue;
            }

            number(member, "id", null, MAX_FIELD_ID);
            final String name = TypesCheck.checkMemberName(member, diagnostics);
            final XmlElement first = null == name ? null : names.putIfAbsent(Names.lowerFirst(name), member);
            if (null != first)
            {
                diagnostics.report(DiagnosticCode.DUPLICATE_MEMBER, member, "name",
                    "a name that no other member of the " + block.name() + " has",
                    Diagnostics.quote(name) + ", which is at line " + first.line() + " already");
            }
        }
    }

    private boolean checkGroup(final XmlElement group)
    {
        final String declared = group.attribute("dimensionType");
        final String dimension = null == declared ? DEFAULT_DIMENSION : declared;
        checkComposite(group, "dimensionType", dimension);
        checkBlock(group);

        return true;
    }

    private boolean checkType(final XmlElement member, final boolean isData)
    {
        final String type = member.attribute("type");
        if (null == type || type.isEmpty())
        {
            diagnostics.report(DiagnosticCode.BAD_SCHEMA_ATTRIBUTE, member, "an attribute type", "none");
        }
        else if (isData)
        {
            checkComposite(member, "type", type);
        }
        else if (!types.isKnown(type))
        {
            types.reportUnknown(member, "type", type);
        }
        return true;
    }

    private void checkComposite(final XmlElement member, final String attribute, final String type)
    {
        final XmlElement composite = types.declared(type);
        if (null == composite)
        {
            types.reportUnknown(member, attribute, type);
        }
        else if (!"composite".equals(composite.name()))
        {
            diagnostics.report(DiagnosticCode.BAD_SCHEMA_ATTRIBUTE, member, attribute, "the name of a composite",
                Diagnostics.quote(type) + ", a " + composite.name());
        }
    }

    private int number(final XmlElement element, final String attribute, final String absent, final int max)
    {
        final String text = null == element.attribute(attribute) ? absent : element.attribute(attribute);
        final int value = Numbers.parse(text, 0, max);
        if (value < 0)
        {
            diagnostics.report(DiagnosticCode.BAD_NUMBER, element, attribute, "a number from 0 to " + max,
                Diagnostics.quote(text));
        }
        return value;
    }
}
