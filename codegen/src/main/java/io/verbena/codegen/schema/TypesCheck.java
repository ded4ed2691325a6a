/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.codegen.schema;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Checks the types of a schema, and knows which there are.
 */
final class TypesCheck
{
    private static final String MEMBER_NAME =
        "a name of letters, digits and underscores that starts with a letter and is no Java keyword";
    private static final Set<String> PRIMITIVES = Set.of(
        "char", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float", "double");
    private static final Set<String> KINDS = Set.of("type", "composite", "enum", "set");

    private final XmlElement root;
    private final Diagnostics diagnostics;
    private final Map<String, XmlElement> declared = new HashMap<>();

    TypesCheck(final XmlElement root, final Diagnostics diagnostics)
    {
        this.root = root;
        this.diagnostics = diagnostics;
    }

    /**
     * A type that the schema declares.
     *
     * @param name of the type.
     * @return null when there is none.
     */
    XmlElement declared(final String name)
    {
        return declared.get(name);
    }

    boolean isKnown(final String name)
    {
        return PRIMITIVES.contains(name) || declared.containsKey(name);
    }

    void reportUnknown(final XmlElement element, final String attribute, final String name)
    {
        final List<String> candidates = new ArrayList<>(declared.keySet());
        candidates.addAll(PRIMITIVES);
        candidates.sort(null);
        diagnostics.report(DiagnosticCode.UNKNOWN_TYPE, element, attribute, "the name of a type",
            Diagnostics.quote(name) + Names.didYouMean(name, candidates));
    }

    void check()
    {
        final List<XmlElement> elements = new ArrayList<>();
        for (final XmlElement types : root.children("types"))
        {
            for (final XmlElement element : types.children())
            {
                if (KINDS.contains(element.name()))
                {
                    declare(element);
                    elements.add(element);
                }
            }
        }
        // References may point forward, so all must be declared before any is checked.
        elements.forEach(this::checkType);
    }

    private void declare(final XmlElement element)
    {
        final String name = checkName(element, diagnostics);
        final XmlElement first = null == name ? null : declared.putIfAbsent(name, element);
        if (null != first)
        {
            // Published schemas repeat a type word for word; that does no harm.
            diagnostics.report(
                first.isSameAs(element) ? DiagnosticCode.REPEATED_TYPE : DiagnosticCode.DUPLICATE_TYPE_NAME,
                element, "name", "a name that no other type has",
                Diagnostics.quote(name) + ", which is at line " + first.line() + " already");
        }
    }

    private void checkType(final XmlElement element)
    {
        switch (element.name())
        {
            case "type" -> checkReference(element, "primitiveType", false);
            case "enum", "set" ->
            {
                checkReference(element, "encodingType", true);
                checkValues(element);
            }
            case "ref" -> checkReference(element, "type", true);
            case "composite" -> checkComposite(element);
            default ->
            {
                // sbe-tool knows what else may stand here.
            }
        }
    }

    private void checkComposite(final XmlElement composite)
    {
        final Set<String> names = new HashSet<>();
        for (final XmlElement member : composite.children())
        {
            final boolean isMember = KINDS.contains(member.name()) || "ref".equals(member.name());
            final String name = isMember ? checkMemberName(member, diagnostics) : null;
            if (null != name && !names.add(Names.lowerFirst(name)))
            {
                diagnostics.report(DiagnosticCode.DUPLICATE_MEMBER, member, "name",
                    "a name that no other member of the composite has", Diagnostics.quote(name));
            }
            checkType(member);
        }
    }

    private void checkReference(final XmlElement element, final String attribute, final boolean isDeclaredAllowed)
    {
        final String name = element.attribute(attribute);
        if (null == name || name.isEmpty())
        {
            diagnostics.report(DiagnosticCode.BAD_SCHEMA_ATTRIBUTE, element, "an attribute " + attribute, "none");
        }
        else if (isDeclaredAllowed ? !isKnown(name) : !PRIMITIVES.contains(name))
        {
            reportUnknown(element, attribute, name);
        }
    }

    private void checkValues(final XmlElement element)
    {
        for (final XmlElement value : element.children())
        {
            if ("choice".equals(value.name()))
            {
                checkMemberName(value, diagnostics);
            }
            else if ("validValue".equals(value.name()))
            {
                checkName(value, Names::isConstant, MEMBER_NAME, diagnostics);
            }
        }
    }

    /**
     * Checks that an element has a name of which a class name can be made.
     *
     * @param element     to check.
     * @param diagnostics take what is wrong.
     * @return the name, or null when there is none that can be used.
     */
    static String checkName(final XmlElement element, final Diagnostics diagnostics)
    {
        return checkName(element, Names::isSymbol,
            "a name of letters, digits and underscores that starts with a letter", diagnostics);
    }

    /**
     * Checks that an element has a name that can become that of a Java member.
     *
     * @param element     to check.
     * @param diagnostics take what is wrong.
     * @return the name, or null when there is none that can be used.
     */
    static String checkMemberName(final XmlElement element, final Diagnostics diagnostics)
    {
        return checkName(element, Names::isMember, MEMBER_NAME, diagnostics);
    }

    private static String checkName(
        final XmlElement element,
        final Predicate<String> isRight,
        final String expected,
        final Diagnostics diagnostics)
    {
        final String name = element.attribute("name");
        if (null == name || name.isEmpty())
        {
            diagnostics.report(DiagnosticCode.BAD_SCHEMA_ATTRIBUTE, element, "an attribute name", "none");
            return null;
        }
        if (!isRight.test(name))
        {
            diagnostics.report(DiagnosticCode.BAD_NAME, element, "name", expected, Diagnostics.quote(name));
            return null;
        }
        return name;
    }
}
