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
                "methods, on the\nclient's agent thread, and hears of its items before that. Decoders are valid " +
                "until the method returns.\n",
                types.service(service, "Proxy"));
        for (final MethodModel method : service.methods())
        {
            if (method.kind().isServerStreaming())
            {
                type.addMethod(onItem(method));
                type.addMethod(onCompleted(method));
            }
            else
            {
                type.addMethod(onResponse(method));
            }
            if (method.kind().isClientStreaming())
            {
                type.addMethod(onReady(method));
            }
            for (final MessageModel error : method.errors())
            {
                type.addMethod(onDeclaredError(service, method, error));
            }
            if (method.kind().isServerStreaming())
            {
                type.addMethod(ServiceEmitter.grantAutomatic(method.className(), "the server's"));
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

    private MethodSpec onItem(final MethodModel method)
    {
        return MethodSpec.methodBuilder("on" + method.className() + "Item")
            .addModifiers(Modifier.PUBLIC, Modifier.ABSTRACT)
            .addJavadoc("An item of a call of $L has arrived.\n\n@param correlationId of the call.\n" +
                "@param item          the item; valid until this method returns.\n", method.name())
            .addParameter(StubTypes.interfaceParameter(TypeName.LONG, "correlationId"))
            .addParameter(StubTypes.interfaceParameter(types.decoder(method.response()), "item"))
            .build();
    }

    private static MethodSpec onCompleted(final MethodModel method)
    {
        return MethodSpec.methodBuilder("on" + method.className() + "Completed")
            .addModifiers(Modifier.PUBLIC, Modifier.ABSTRACT)
            .addJavadoc("A call of $L has ended well, after all of its items.\n\n@param correlationId of the call.\n",
                method.name())
            .addParameter(StubTypes.interfaceParameter(TypeName.LONG, "correlationId"))
            .build();
    }

    private static MethodSpec onReady(final MethodModel method)
    {
        return MethodSpec.methodBuilder("on" + method.className() + "Ready")
            .addModifiers(Modifier.PUBLIC, Modifier.DEFAULT)
            .addJavadoc("Items of a call of $L can be sent again, after one was refused for want of credit or by " +
                "back pressure.\n\n@param correlationId of the call.\n", method.name())
            .addParameter(StubTypes.interfaceParameter(TypeName.LONG, "correlationId"))
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
