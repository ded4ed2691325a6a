/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.codegen.schema;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Finds generated Java names that two elements would share: class names in the package, and member names in the
 * classes of one service.
 */
final class NameClashes
{
    private static final String[] SERVICE_SUFFIXES = {"Service", "Adapter", "Proxy", "Listener", "Client"};

    private final SchemaModel schema;
    private final List<ServiceModel> services;
    private final Diagnostics diagnostics;
    private final Map<String, XmlElement> classes = new HashMap<>();

    NameClashes(final SchemaModel schema, final List<ServiceModel> services, final Diagnostics diagnostics)
    {
        this.schema = schema;
        this.services = services;
        this.diagnostics = diagnostics;
    }

    void check()
    {
        addCodecs();
        final Set<MessageModel> responses = new LinkedHashSet<>();
        final Set<MessageModel> streams = new LinkedHashSet<>();
        final Set<MessageModel> errors = new LinkedHashSet<>();
        final Set<MessageModel> messages = new LinkedHashSet<>();
        for (final ServiceModel service : services)
        {
            for (final String suffix : SERVICE_SUFFIXES)
            {
                addClass(service.className() + suffix, service.element());
            }
            for (final MethodModel method : service.methods())
            {
                (method.kind().isServerStreaming() ? streams : responses).add(method.response());
                errors.addAll(method.errors());
                messages.add(method.request());
            }
            checkMembers(service);
        }
        messages.addAll(responses);
        messages.addAll(streams);
        messages.addAll(errors);
        if (!services.isEmpty())
        {
            addClass(schema.irClassName(), schema.element());
        }
        responses.forEach((message) -> addClass(message.className() + "Responder", message.element()));
        streams.forEach((message) -> addClass(message.className() + "Stream", message.element()));
        errors.forEach((message) -> addClass(message.className() + "Exception", message.element()));
        messages.forEach((message) -> addClass(message.className() + "Check", message.element()));
    }

    private void addCodecs()
    {
        // Clashes among these are the schema's own, which SchemaCheck reports; here they are only what is taken.
        classes.put("metaattribute", schema.element());
        for (final XmlElement types : schema.element().children("types"))
        {
            for (final XmlElement type : types.children())
            {
                final String name = type.attribute("name");
                if (Names.isSymbol(name))
                {
                    takeCodec(name, type);
                }
            }
        }
        schema.messages().values().forEach((message) -> takeCodec(message.name(), message.element()));
    }

    private void takeCodec(final String name, final XmlElement element)
    {
        switch (element.name())
        {
            case "enum" -> classes.putIfAbsent(name.toLowerCase(Locale.ROOT), element);
            case "composite", "set", "message" ->
            {
                classes.putIfAbsent((name + "Encoder").toLowerCase(Locale.ROOT), element);
                classes.putIfAbsent((name + "Decoder").toLowerCase(Locale.ROOT), element);
            }
            default ->
            {
                // A plain type has no class.
            }
        }
    }

    private void addClass(final String name, final XmlElement element)
    {
        // Not by exact case: there are file systems that keep one file for both.
        final XmlElement first = classes.putIfAbsent(name.toLowerCase(Locale.ROOT), element);
        if (null != first && first != element)
        {
            report(element, name, first);
        }
    }

    private void checkMembers(final ServiceModel service)
    {
        final Map<String, XmlElement> handlers = new HashMap<>();
        final Map<String, XmlElement> listeners = new HashMap<>();
        final Map<String, XmlElement> proxy = new HashMap<>();
        final Map<String, XmlElement> client = new HashMap<>();
        final Map<String, XmlElement> constants = new HashMap<>();
        handlers.put("onCancelled", service.element());
        listeners.put("onError", service.element());
        for (final String name : new String[]{"commit", "abort", "cancel", "isReady", "grant"})
        {
            proxy.put(name, service.element());
        }

        for (final MethodModel method : service.methods())
        {
            final String upper = method.className();
            final String lower = method.propertyName();
            addMember(handlers, "on" + upper, method);
            addMember(listeners, "on" + upper + (method.kind().isServerStreaming() ? "Item" : "Response"), method);
            method.errors().forEach((error) -> addMember(listeners, "on" + upper + error.className(), method));
            addMember(proxy, lower + "Claim", method);
            addMember(proxy, lower + "Encoder", method);
            addMember(proxy, lower + "Offer", method);
            addMember(client, lower, method);
            if (!method.kind().isClientStreaming())
            {
                addMember(client, lower + "Async", method);
            }
            addMember(constants, method.constantName() + "_METHOD_ID", method);
            addStreamMembers(handlers, listeners, proxy, method);
        }
    }

    private void addStreamMembers(
        final Map<String, XmlElement> handlers,
        final Map<String, XmlElement> listeners,
        final Map<String, XmlElement> proxy,
        final MethodModel method)
    {
        final String upper = method.className();
        final CallKind kind = method.kind();
        if (CallKind.UNARY != kind)
        {
            addMember(handlers, "on" + upper + "Ended", method);
        }
        if (kind.isServerStreaming())
        {
            addMember(handlers, "on" + upper + "Ready", method);
            addMember(listeners, "on" + upper + "Completed", method);
            addMember(listeners, "is" + upper + "GrantAutomatic", method);
        }
        if (kind.isClientStreaming())
        {
            addMember(handlers, "on" + upper + "Item", method);
            addMember(handlers, "on" + upper + "HalfClosed", method);
            addMember(handlers, "is" + upper + "GrantAutomatic", method);
            addMember(listeners, "on" + upper + "Ready", method);
            addMember(proxy, method.propertyName() + "Open", method);
            addMember(proxy, method.propertyName() + "HalfClose", method);
        }
    }

    private void addMember(final Map<String, XmlElement> members, final String name, final MethodModel method)
    {
        final XmlElement first = members.putIfAbsent(name, method.element());
        if (null != first)
        {
            report(method.element(), name, first);
        }
    }

    private void report(final XmlElement element, final String name, final XmlElement first)
    {
        diagnostics.report(DiagnosticCode.NAME_CLASH, element, "a name whose generated Java names are free",
            "that it generates " + name + ", as " + first.path() + " at " + first.file() + ":" + first.line() +
            " does");
    }
}
