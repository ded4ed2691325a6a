/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.codegen.emit;

import com.palantir.javapoet.MethodSpec;
import com.palantir.javapoet.TypeName;
import com.palantir.javapoet.TypeSpec;
import io.verbena.codegen.schema.MessageModel;
import io.verbena.codegen.schema.MethodModel;
import io.verbena.codegen.schema.ServiceModel;
import javax.lang.model.element.Modifier;

/**
 * Emits what the user of a proxy implements: <code>PricingListener</code>.
 */
final class ListenerEmitter
{
    private final StubTypes types;

    ListenerEmitter(final StubTypes types)
    {
        this.types = types;
    }

    TypeSpec emit(final ServiceModel service)
    {
        final TypeSpec.Builder type = TypeSpec.interfaceBuilder(types.service(service, "Listener"))
            .addModifiers(Modifier.PUBLIC)
            .addJavadoc("Takes the answers to calls made through {@link $T}. Each call ends in exactly one of these " +
                "methods, on the\nclient's agent thread. Decoders are valid until the method returns.\n",
                types.service(service, "Proxy"));
        for (final MethodModel method : service.methods())
        {
            type.addMethod(onResponse(method));
            for (final MessageModel error : method.errors())
            {
                type.addMethod(onDeclaredError(service, method, error));
            }
        }
        type.addMethod(MethodSpec.methodBuilder("onError")
            .addModifiers(Modifier.PUBLIC, Modifier.ABSTRACT)
            .addJavadoc("A call ended without a response, or with one that cannot be read (status INTERNAL).\n\n" +
                "@param correlationId of the call.\n@param methodId      of the call.\n" +
                "@param code          its status, not OK.\n@param text          for a person; may be empty.\n")
            .addParameter(StubTypes.interfaceParameter(TypeName.LONG, "correlationId"))
            .addParameter(StubTypes.interfaceParameter(TypeName.INT, "methodId"))
            .addParameter(StubTypes.interfaceParameter(StubTypes.STATUS_CODE, "code"))
            .addParameter(StubTypes.interfaceParameter(StubTypes.STRING, "text"))
            .build());

        return type.build();
    }

    private MethodSpec onResponse(final MethodModel method)
    {
        return MethodSpec.methodBuilder("on" + method.className() + "Response")
            .addModifiers(Modifier.PUBLIC, Modifier.ABSTRACT)
            .addJavadoc("A call of $L was answered.\n\n@param correlationId of the call.\n" +
                "@param response      the response; valid until this method returns.\n", method.name())
            .addParameter(StubTypes.interfaceParameter(TypeName.LONG, "correlationId"))
            .addParameter(StubTypes.interfaceParameter(types.decoder(method.response()), "response"))
            .build();
    }

    private MethodSpec onDeclaredError(final ServiceModel service, final MethodModel method, final MessageModel error)
    {
        return MethodSpec.methodBuilder("on" + method.className() + error.className())
            .addModifiers(Modifier.PUBLIC, Modifier.DEFAULT)
            .addJavadoc("A call of $L ended with the declared error $L. Unless overridden, it goes to " +
                "{@link #onError}.\n\n@param correlationId of the call.\n@param code          its status, not OK.\n" +
                "@param text          for a person; may be empty.\n" +
                "@param error         the error; valid until this method returns.\n", method.name(), error.name())
            .addParameter(StubTypes.interfaceParameter(TypeName.LONG, "correlationId"))
            .addParameter(StubTypes.interfaceParameter(StubTypes.STATUS_CODE, "code"))
            .addParameter(StubTypes.interfaceParameter(StubTypes.STRING, "text"))
            .addParameter(StubTypes.interfaceParameter(types.decoder(error), "error"))
            .addStatement("onError(correlationId, $T.$L_METHOD_ID, code, text)", types.service(service, "Proxy"),
                method.constantName())
            .build();
    }
}
