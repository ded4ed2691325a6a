/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.codegen.schema;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads the services of one schema, wherever they stand: inside the schema or in files that name it. Every breach of
 * the grammar is reported; what remains is read all the same, so that one run shows all of them.
 */
public final class ServicesParser
{
    /** The namespace of the services grammar. */
    public static final String NAMESPACE = "urn:verbena:rpc:1";

    private static final int MAX_ID = 65535;
    private static final Set<String> SERVICES_ATTRIBUTES = Set.of("schema", "description");
    private static final Set<String> INLINE_SERVICES_ATTRIBUTES = Set.of("description");
    private static final Set<String> SERVICE_ATTRIBUTES = Set.of("name", "id", "description");
    private static final Set<String> METHOD_ATTRIBUTES = Set.of(
        "name", "id", "request", "response", "kind", "errors", "idempotent", "timeout", "since-version", "deprecated",
        "description", RetryParser.RETRY_ATTEMPTS, RetryParser.RETRY_BACKOFF, RetryParser.RETRY_MAX_BACKOFF,
        RetryParser.RETRY_CODES, RetryParser.HEDGE_ATTEMPTS, RetryParser.HEDGE_DELAY);

    private final SchemaModel schema;
    private final Diagnostics diagnostics;
    private final RetryParser retries;
    private final Map<String, XmlElement> serviceNames = new LinkedHashMap<>();
    private final Map<Integer, XmlElement> serviceIds = new HashMap<>();

    /**
     * For one schema.
     *
     * @param schema      that the services name.
     * @param diagnostics take what is wrong.
     */
    public ServicesParser(final SchemaModel schema, final Diagnostics diagnostics)
    {
        this.schema = schema;
        this.diagnostics = diagnostics;
        this.retries = new RetryParser(diagnostics);
    }

    /**
     * Is this element the root, or the inline start, of services?
     *
     * @param element to look at.
     * @return true for services in our namespace.
     */
    public static boolean isServices(final XmlElement element)
    {
        return NAMESPACE.equals(element.namespace()) && "services".equals(element.name());
    }

    /**
     * May this element stand inside a message schema: a services element, or a service by itself?
     *
     * @param element to look at.
     * @return true for either in our namespace.
     */
    public static boolean isInline(final XmlElement element)
    {
        return isServices(element) || isService(element);
    }

    /**
     * Reads all services of the schema.
     *
     * @param containers the services elements, and services that stand in the schema by themselves.
     * @return the services in source order; only meaningful when no errors were reported.
     */
    public List<ServiceModel> parse(final List<XmlElement> containers)
    {
        final List<ServiceModel> services = new ArrayList<>();
        for (final XmlElement container : containers)
        {
            if (isService(container))
            {
                add(services, container);
                continue;
            }
            checkAttributes(container, null == container.parent() ? SERVICES_ATTRIBUTES : INLINE_SERVICES_ATTRIBUTES);
            checkNoText(container);
            for (final XmlElement child : container.children())
            {
                if (isGrammar(child, "service"))
                {
                    add(services, child);
                }
            }
        }
        new NameClashes(schema, services, diagnostics).check();

        return services;
    }

    private static boolean isService(final XmlElement element)
    {
        return NAMESPACE.equals(element.namespace()) && "service".equals(element.name());
    }

    private void add(final List<ServiceModel> services, final XmlElement element)
    {
        final ServiceModel service = service(element);
        if (null != service)
        {
            services.add(service);
        }
    }

    private ServiceModel service(final XmlElement element)
    {
        checkAttributes(element, SERVICE_ATTRIBUTES);
        checkNoText(element);
        final String name = name(element, serviceNames, "service of the schema");
        final int id = id(element, serviceIds, "service of the schema");

        final Map<String, XmlElement> methodNames = new LinkedHashMap<>();
        final Map<Integer, XmlElement> methodIds = new HashMap<>();
        final List<MethodModel> methods = new ArrayList<>();
        boolean isEmpty = true;
        for (final XmlElement child : element.children())
        {
            if (isGrammar(child, "method"))
            {
                isEmpty = false;
                final MethodModel method = method(child, methodNames, methodIds);
                if (null != method)
                {
                    methods.add(method);
                }
            }
        }
        if (isEmpty)
        {
            diagnostics.report(DiagnosticCode.EMPTY_SERVICE, element, "at least one rpc:method", "none");
        }

        return null == name ? null : new ServiceModel(name, id, description(element), methods, element);
    }

    private MethodModel method(
        final XmlElement element, final Map<String, XmlElement> names, final Map<Integer, XmlElement> ids)
    {
        checkAttributes(element, METHOD_ATTRIBUTES);
        checkNoText(element);
        for (final XmlElement child : element.children())
        {
            diagnostics.report(DiagnosticCode.UNKNOWN_ELEMENT, child, "no element inside a method", child.name());
        }

        final String name = name(element, names, "method of the service");
        final int id = id(element, ids, "method of the service");
        final MessageModel request = message(element, "request");
        final MessageModel response = message(element, "response");
        final List<MessageModel> errors = errors(element);
        final CallKind kind = kind(element);
        final boolean isIdempotent = idempotent(element);
        final long timeoutNs = timeoutNs(element);
        retries.check(element, kind, isIdempotent);
        final RetryModel retry = retries.retry(element);
        final HedgeModel hedge = retries.hedge(element);
        final int sinceVersion = version(element, "since-version", 0);
        final int deprecated = version(element, "deprecated", MethodModel.NOT_DEPRECATED);
        if (null == name || null == request || null == response)
        {
            return null;
        }

        return new MethodModel(name, id, description(element), kind, request, response, errors, isIdempotent,
            timeoutNs, retry, hedge, sinceVersion, deprecated, element);
    }

    private String name(final XmlElement element, final Map<String, XmlElement> known, final String owner)
    {
        final String name = required(element, "name");
        if (null == name)
        {
            return null;
        }
        if (!Names.isMember(name))
        {
            diagnostics.report(DiagnosticCode.BAD_NAME, element, "name",
                "a name of letters, digits and underscores that starts with a letter and is no Java keyword",
                Diagnostics.quote(name));
            return null;
        }
        // Names that differ in the case of their first letter alone would become one Java name.
        final XmlElement first = known.putIfAbsent(Names.lowerFirst(name), element);
        if (null != first)
        {
            final boolean isSame = name.equals(first.attribute("name"));
            diagnostics.report(DiagnosticCode.DUPLICATE_NAME, element, "name",
                "a name that no other " + owner + " has" +
                (isSame ? "" : " (the case of the first letter does not count)"),
                Diagnostics.quote(name) + ", which is at " + place(first) + " already");
            return null;
        }
        return name;
    }

    private int id(final XmlElement element, final Map<Integer, XmlElement> known, final String owner)
    {
        final String text = required(element, "id");
        if (null == text)
        {
            return 0;
        }

        final int id = Numbers.parse(text, 1, MAX_ID);
        if (id < 0)
        {
            diagnostics.report(DiagnosticCode.BAD_ID, element, "id",
                "a number from 1 to " + MAX_ID + " (0 is reserved, so that a zeroed frame names nothing)",
                Diagnostics.quote(text));
            return 0;
        }
        final XmlElement first = known.putIfAbsent(id, element);
        if (null != first)
        {
            diagnostics.report(DiagnosticCode.DUPLICATE_ID, element, "id", "an id that no other " + owner + " has",
                id + ", which " + Diagnostics.quote(first.attribute("name")) + " at " + place(first) + " has already");
        }
        return id;
    }

    private MessageModel message(final XmlElement element, final String attribute)
    {
        final String name = required(element, attribute);
        return null == name ? null : message(element, attribute, name);
    }

    private MessageModel message(final XmlElement element, final String attribute, final String name)
    {
        final MessageModel message = schema.messages().get(name);
        if (null == message)
        {
            diagnostics.report(DiagnosticCode.UNKNOWN_MESSAGE, element, attribute,
                "the name of a message of the schema",
                Diagnostics.quote(name) + Names.didYouMean(name, schema.messages().keySet()));
        }
        return message;
    }

    private List<MessageModel> errors(final XmlElement element)
    {
        final List<MessageModel> errors = new ArrayList<>();
        final String names = element.attribute("errors");
        if (null == names)
        {
            return errors;
        }
        for (final String name : names.strip().split("\\s+"))
        {
            if (name.isEmpty())
            {
                diagnostics.report(DiagnosticCode.MISSING_ATTRIBUTE, element, "errors",
                    "names of messages, separated by spaces (or no such attribute)", "an empty value");
                continue;
            }
            final MessageModel message = message(element, "errors", name);
            if (null != message && errors.contains(message))
            {
                diagnostics.report(DiagnosticCode.DUPLICATE_ERROR, element, "errors", "each error once",
                    Diagnostics.quote(name) + " again");
            }
            else if (null != message)
            {
                errors.add(message);
            }
        }
        return errors;
    }

    private CallKind kind(final XmlElement element)
    {
        final String text = element.attribute("kind");
        if (null == text)
        {
            return CallKind.UNARY;
        }

        final CallKind kind = CallKind.of(text);
        if (null == kind)
        {
            diagnostics.report(DiagnosticCode.BAD_KIND, element, "kind",
                "one of " + String.join(", ", CallKind.texts()), Diagnostics.quote(text));
            return CallKind.UNARY;
        }
        return kind;
    }

    private boolean idempotent(final XmlElement element)
    {
        final String text = element.attribute("idempotent");
        if (null != text && !"true".equals(text) && !"false".equals(text))
        {
            diagnostics.report(DiagnosticCode.BAD_BOOLEAN, element, "idempotent", "true or false",
                Diagnostics.quote(text));
        }
        return "true".equals(text);
    }

    private long timeoutNs(final XmlElement element)
    {
        final String text = element.attribute("timeout");
        if (null == text)
        {
            return MethodModel.NO_TIMEOUT_DECLARED;
        }

        final long timeoutNs = Durations.parseNs(text);
        if (timeoutNs < 0)
        {
            diagnostics.report(DiagnosticCode.BAD_DURATION, element, "timeout", Durations.EXPECTED,
                Diagnostics.quote(text));
        }
        return timeoutNs;
    }

    private int version(final XmlElement element, final String attribute, final int absent)
    {
        final String text = element.attribute(attribute);
        if (null == text)
        {
            return absent;
        }

        final int version = Numbers.parse(text, 0, schema.version());
        if (version < 0)
        {
            diagnostics.report(DiagnosticCode.BAD_VERSION, element, attribute,
                "a version from 0 to " + schema.version() + ", the version of the schema", Diagnostics.quote(text));
        }
        return version;
    }

    private String required(final XmlElement element, final String attribute)
    {
        final String value = element.attribute(attribute);
        if (null == value || value.isBlank())
        {
            diagnostics.report(DiagnosticCode.MISSING_ATTRIBUTE, element, "an attribute " + attribute,
                null == value ? "none" : "an empty one");
            return null;
        }
        return value;
    }

    private boolean isGrammar(final XmlElement element, final String name)
    {
        if (NAMESPACE.equals(element.namespace()) && name.equals(element.name()))
        {
            return true;
        }
        diagnostics.report(DiagnosticCode.UNKNOWN_ELEMENT, element, "rpc:" + name + " (of " + NAMESPACE + ")",
            element.name() + (element.namespace().isEmpty() ? " of no namespace" : " of " + element.namespace()));
        return false;
    }

    private void checkAttributes(final XmlElement element, final Set<String> known)
    {
        for (final String name : element.attributes().keySet())
        {
            // Attributes of foreign namespaces, such as xml:base or an editor's notes, are none of our business.
            final boolean isOurs = !name.startsWith("{") || name.startsWith("{" + NAMESPACE + "}");
            if (isOurs && !known.contains(name))
            {
                diagnostics.report(DiagnosticCode.UNKNOWN_ATTRIBUTE, element,
                    "only the attributes " + String.join(", ", known.stream().sorted().toList()),
                    Diagnostics.quote(name) + Names.didYouMean(name, known));
            }
        }
    }

    private void checkNoText(final XmlElement element)
    {
        if (!element.text().isBlank())
        {
            diagnostics.report(DiagnosticCode.UNEXPECTED_TEXT, element, "no text",
                Diagnostics.quote(element.text().strip()));
        }
    }

    private static String description(final XmlElement element)
    {
        final String description = element.attribute("description");
        return null == description ? "" : description.strip();
    }

    private static String place(final XmlElement element)
    {
        return element.file() + ":" + element.line();
    }
}
