/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.codegen.emit;

import io.verbena.codegen.schema.MessageModel;
import io.verbena.codegen.schema.MethodModel;
import io.verbena.codegen.schema.SchemaModel;
import io.verbena.codegen.schema.ServiceModel;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import uk.co.real_logic.sbe.ir.Ir;

/**
 * Emits all stubs of the services of one schema.
 */
public final class StubEmitter
{
    private StubEmitter()
    {
    }

    /**
     * Emits the stubs.
     *
     * @param schema   that the services use.
     * @param ir       of the schema.
     * @param services of the schema, without errors.
     * @param files    take the sources.
     */
    public static void emit(
        final SchemaModel schema, final Ir ir, final List<ServiceModel> services, final GeneratedFiles files)
    {
        final StubTypes types = new StubTypes(schema, ir.headerStructure());
        final ServiceEmitter serviceEmitter = new ServiceEmitter(types);
        final DescriptorEmitter descriptorEmitter = new DescriptorEmitter(types);
        final AdapterEmitter adapterEmitter = new AdapterEmitter(types, descriptorEmitter);
        final ListenerEmitter listenerEmitter = new ListenerEmitter(types);
        final ProxyEmitter proxyEmitter = new ProxyEmitter(types);
        final ClientEmitter clientEmitter = new ClientEmitter(types);
        for (final ServiceModel service : services)
        {
            types.write(serviceEmitter.emit(service), files);
            types.write(adapterEmitter.emit(service), files);
            types.write(listenerEmitter.emit(service), files);
            types.write(proxyEmitter.emit(service), files);
            types.write(clientEmitter.emit(service), files);
        }

        if (!services.isEmpty())
        {
            types.write(descriptorEmitter.schemaIr(ir), files);
            emitMessages(types, ir, services, files);
        }
    }

    private static void emitMessages(
        final StubTypes types, final Ir ir, final List<ServiceModel> services, final GeneratedFiles files)
    {
        // Methods that share a response share its responder or stream, which then offers the errors of all of them.
        final Map<MessageModel, Answer> responders = new LinkedHashMap<>();
        final Map<MessageModel, Answer> streams = new LinkedHashMap<>();
        final Set<MessageModel> errors = new LinkedHashSet<>();
        final Set<MessageModel> messages = new LinkedHashSet<>();
        for (final ServiceModel service : services)
        {
            for (final MethodModel method : service.methods())
            {
                (method.kind().isServerStreaming() ? streams : responders)
                    .computeIfAbsent(method.response(), (response) -> new Answer())
                    .add(method);
                errors.addAll(method.errors());
                messages.add(method.request());
                messages.add(method.response());
                messages.addAll(method.errors());
            }
        }
        final ResponderEmitter responderEmitter = new ResponderEmitter(types);
        responders.forEach((response, answer) -> types.write(
            responderEmitter.emit(response, new ArrayList<>(answer.errors), answer.isClientStreaming), files));
        final StreamEmitter streamEmitter = new StreamEmitter(types);
        streams.forEach((response, answer) -> types.write(
            streamEmitter.emit(response, new ArrayList<>(answer.errors), answer.isClientStreaming), files));
        final ExceptionEmitter exceptionEmitter = new ExceptionEmitter(types);
        errors.forEach((error) -> types.write(exceptionEmitter.emit(error), files));
        final CheckEmitter checkEmitter = new CheckEmitter(types, ir);
        messages.forEach((message) -> types.write(checkEmitter.emit(message), files));
    }

    /**
     * What the methods that share a response need of its responder or stream.
     */
    private static final class Answer
    {
        private final Set<MessageModel> errors = new LinkedHashSet<>();
        private boolean isClientStreaming;

        private void add(final MethodModel method)
        {
            errors.addAll(method.errors());
            isClientStreaming |= method.kind().isClientStreaming();
        }
    }
}
