/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import io.verbena.rpc.builtin.BooleanType;
import io.verbena.rpc.builtin.CallKind;
import io.verbena.rpc.builtin.SchemaCatalogService;
import io.verbena.rpc.builtin.SchemaRequestDecoder;
import io.verbena.rpc.builtin.ServiceListEncoder;
import io.verbena.rpc.builtin.ServiceListResponder;
import io.verbena.rpc.builtin.ServiceSchemaEncoder;
import io.verbena.rpc.builtin.ServiceSchemaResponder;
import io.verbena.rpc.builtin.ServicesRequestDecoder;
import java.util.List;

/**
 * Tells clients what a server's services are: the implementation of the generated schema service. Server's thread.
 */
final class SchemaCatalog implements SchemaCatalogService
{
    private static final byte[] NO_SCHEMA = new byte[0];

    private final List<ServiceAdapter> services;

    SchemaCatalog(final List<ServiceAdapter> services)
    {
        this.services = services;
    }

    @Override
    public void onList(final ServicesRequestDecoder request, final ServiceListResponder responder)
    {
        final ServiceListEncoder.ServicesEncoder list = responder.encoder().servicesCount(services.size());
        for (final ServiceAdapter service : services)
        {
            list.next().serviceId(service.serviceId()).schemaId(service.schemaId())
                .schemaVersion(service.schemaVersion()).name(service.serviceName());
        }
        responder.send();
    }

    @Override
    public void onDescribe(final SchemaRequestDecoder request, final ServiceSchemaResponder responder)
    {
        final int serviceId = request.serviceId();
        for (final ServiceAdapter service : services)
        {
            if (service.serviceId() == serviceId)
            {
                describe(service, responder);
                return;
            }
        }
        responder.fail(StatusCode.NOT_FOUND, "no service with id " + serviceId + " here");
    }

    private static void describe(final ServiceAdapter service, final ServiceSchemaResponder responder)
    {
        final ServiceDescriptor descriptor = service.descriptor();
        final List<MethodDescriptor> methods = descriptor == null ? List.of() : descriptor.methods();
        final ServiceSchemaEncoder schema = responder.encoder()
            .serviceId(service.serviceId()).schemaId(service.schemaId()).schemaVersion(service.schemaVersion());
        final ServiceSchemaEncoder.MethodsEncoder list = schema.methodsCount(methods.size());
        for (final MethodDescriptor method : methods)
        {
            list.next().methodId(method.id()).kind(kind(method.kind()))
                .idempotent(method.isIdempotent() ? BooleanType.YES : BooleanType.NO)
                .name(method.name()).request(method.request()).response(method.response())
                .errors(String.join(" ", method.errors()));
        }
        final byte[] ir = descriptor == null ? NO_SCHEMA : descriptor.schemaIr();
        schema.name(service.serviceName()).putSchemaIr(ir, 0, ir.length);
        responder.send();
    }

    private static CallKind kind(final MethodKind kind)
    {
        return switch (kind)
        {
            case UNARY -> CallKind.UNARY;
            case SERVER_STREAM -> CallKind.SERVER_STREAM;
            case CLIENT_STREAM -> CallKind.CLIENT_STREAM;
            case BIDI -> CallKind.BIDI;
        };
    }
}
