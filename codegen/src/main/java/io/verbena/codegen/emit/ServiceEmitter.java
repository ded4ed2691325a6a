/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.codegen.emit;

import com.palantir.javapoet.MethodSpec;
import com.palantir.javapoet.TypeName;
import com.palantir.javapoet.TypeSpec;
import io.verbena.codegen.schema.MethodModel;
import io.verbena.codegen.schema.ServiceModel;
import javax.lang.model.element.Modifier;

/**
 * Emits the interface that the user of a service implements: <code>PricingService</code>.
 */
final class ServiceEmitter
{
    private final StubTypes types;

    ServiceEmitter(final StubTypes types)
    {
        this.types = types;
    }

    TypeSpec emit(final ServiceModel service)
    {
        final TypeSpec.Builder type = TypeSpec.interfaceBuilder(types.service(service, "Service"))
            .addModifiers(Modifier.PUBLIC)
            .addJavadoc("$L\n<p>\nTo be implemented by the server, and served through {@link $T}. All methods are " +
                "called on the server's agent thread\nand must not block it.\n",
                StubTypes.sentence(service.description(), "The service " + service.name()),
                types.service(service, "Adapter"));
        service.methods().forEach((method) -> type.addMethod(handler(method)));
        type.addMethod(onCancelled());

        return type.build();
    }

    private MethodSpec handler(final MethodModel method)
    {
        return MethodSpec.methodBuilder("on" + method.className())
            .addModifiers(Modifier.PUBLIC, Modifier.ABSTRACT)
            .addJavadoc("$L\n\n", StubTypes.sentence(method.description(), "Handles a call of " + method.name()))
            .addJavadoc("@param request   the request; valid until this method returns, its bytes checked to hold " +
                "the whole message.\n")
            .addJavadoc("@param responder takes the one answer to the call; valid until this method returns: {@link " +
                "$T#detach()} makes\n                  one that outlives it.\n", types.responder(method.response()))
            .addParameter(StubTypes.interfaceParameter(types.decoder(method.request()), "request"))
            .addParameter(StubTypes.interfaceParameter(types.responder(method.response()), "responder"))
            .build();
    }

    private MethodSpec onCancelled()
    {
        return MethodSpec.methodBuilder("onCancelled")
            .addModifiers(Modifier.PUBLIC, Modifier.DEFAULT)
            .addJavadoc("A call ended before it was answered: its deadline passed, its client cancelled it, or the " +
                "connection was\nlost. Called once for such a call; an answer to it will not be sent.\n\n")
            .addJavadoc("@param connectionId  of the client's connection.\n")
            .addJavadoc("@param correlationId of the call.\n")
            .addJavadoc("@param methodId      of the call.\n")
            .addJavadoc("@param cause         why: deadline exceeded, cancelled or unavailable.\n")
            .addParameter(StubTypes.interfaceParameter(TypeName.LONG, "connectionId"))
            .addParameter(StubTypes.interfaceParameter(TypeName.LONG, "correlationId"))
            .addParameter(StubTypes.interfaceParameter(TypeName.INT, "methodId"))
            .addParameter(StubTypes.interfaceParameter(StubTypes.STATUS_CODE, "cause"))
            .build();
    }
}
