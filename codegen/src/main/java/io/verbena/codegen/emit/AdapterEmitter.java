/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.codegen.emit;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.FieldSpec;
import com.palantir.javapoet.MethodSpec;
import com.palantir.javapoet.TypeName;
import com.palantir.javapoet.TypeSpec;
import io.verbena.codegen.schema.MethodModel;
import io.verbena.codegen.schema.ServiceModel;
import javax.lang.model.element.Modifier;

/**
 * Emits what stands between the server and the user's service: <code>PricingAdapter</code>. It checks each request,
 * decodes it and calls the handler.
 */
final class AdapterEmitter
{
    private final StubTypes types;

    AdapterEmitter(final StubTypes types)
    {
        this.types = types;
    }

    TypeSpec emit(final ServiceModel service)
    {
        final ClassName serviceType = types.service(service, "Service");
        final TypeSpec.Builder type = TypeSpec.classBuilder(types.service(service, "Adapter"))
            .addModifiers(Modifier.PUBLIC, Modifier.FINAL)
            .addSuperinterface(StubTypes.SERVICE_ADAPTER)
            .addJavadoc("Serves a {@link $T}: checks requests, decodes them and calls its methods. Created by the " +
                "application and given to\none server, on whose agent thread it works. In steady state it allocates " +
                "nothing.\n<p>\nA request is handed on only when its header names the expected message and all of " +
                "the message, groups and variable\nlength data included, lies inside the bytes that arrived; the " +
                "decoder's buffer ends where these end. Anything else is\nanswered with INVALID_ARGUMENT.\n",
                serviceType)
            .addField(FieldSpec.builder(serviceType, "service", Modifier.PRIVATE, Modifier.FINAL).build())
            .addField(StubTypes.view("view"))
            .addField(StubTypes.flyweight(types.headerDecoder(), "header"));
        for (final MethodModel method : service.methods())
        {
            type.addField(StubTypes.flyweight(types.decoder(method.request()), method.propertyName() + "Request"));
            type.addField(StubTypes.flyweight(types.responder(method.response()), method.propertyName() + "Responder"));
        }

        type.addMethod(MethodSpec.constructorBuilder()
            .addModifiers(Modifier.PUBLIC)
            .addJavadoc("Serves a service.\n\n@param service to call.\n")
            .addParameter(StubTypes.parameter(serviceType, "service"))
            .addStatement("this.service = $T.requireNonNull(service, $S)", java.util.Objects.class, "service")
            .build());
        type.addMethod(constant("serviceId", TypeName.INT, service.id()));
        type.addMethod(StubTypes.override("serviceName")
            .returns(StubTypes.STRING)
            .addStatement("return $S", service.name())
            .build());
        type.addMethod(constant("schemaId", TypeName.INT, types.schema().id()));
        type.addMethod(constant("schemaVersion", TypeName.INT, types.schema().version()));
        type.addMethod(onRequest(service));
        type.addMethod(StubTypes.override("onCancelled")
            .addParameter(StubTypes.parameter(TypeName.LONG, "connectionId"))
            .addParameter(StubTypes.parameter(TypeName.LONG, "correlationId"))
            .addParameter(StubTypes.parameter(TypeName.INT, "methodId"))
            .addParameter(StubTypes.parameter(StubTypes.STATUS_CODE, "cause"))
            .addStatement("service.onCancelled(connectionId, correlationId, methodId, cause)")
            .build());
        service.methods().forEach((method) -> type.addMethod(dispatch(method)));

        return type.build();
    }

    private static MethodSpec constant(final String name, final TypeName returned, final int value)
    {
        return StubTypes.override(name).returns(returned).addStatement("return $L", value).build();
    }

    private MethodSpec onRequest(final ServiceModel service)
    {
        final MethodSpec.Builder method = StubTypes.override("onRequest")
            .addParameter(StubTypes.parameter(StubTypes.SERVER_CALL, "call"))
            .addParameter(StubTypes.parameter(TypeName.INT, "methodId"))
            .addParameter(StubTypes.parameter(StubTypes.DIRECT_BUFFER, "buffer"))
            .addParameter(StubTypes.parameter(TypeName.INT, "offset"))
            .addParameter(StubTypes.parameter(TypeName.INT, "length"))
            .beginControlFlow("switch (methodId)");
        for (final MethodModel each : service.methods())
        {
            method.addCode("case $L:\n$>", each.id())
                .addStatement("dispatch$L(call, buffer, offset, length)", each.className())
                .addStatement("break")
                .addCode("$<");
        }
        return method.addCode("default:\n$>")
            .addStatement("call.fail($T.UNIMPLEMENTED, $S + methodId)", StubTypes.STATUS_CODE,
                "service " + service.name() + ": expected the id of one of its methods, found ")
            .addCode("$<")
            .endControlFlow()
            .build();
    }

    private MethodSpec dispatch(final MethodModel method)
    {
        final String request = method.propertyName() + "Request";
        final String responder = method.propertyName() + "Responder";
        return MethodSpec.methodBuilder("dispatch" + method.className())
            .addModifiers(Modifier.PRIVATE)
            .addParameter(StubTypes.parameter(StubTypes.SERVER_CALL, "call"))
            .addParameter(StubTypes.parameter(StubTypes.DIRECT_BUFFER, "buffer"))
            .addParameter(StubTypes.parameter(TypeName.INT, "offset"))
            .addParameter(StubTypes.parameter(TypeName.INT, "length"))
            .addStatement("view.wrap(buffer, offset, length)")
            .addStatement("final $T fault = $T.fault(header, view, length)", StubTypes.STRING,
                types.check(method.request()))
            .beginControlFlow("if (null != fault)")
            .addStatement("call.fail($T.INVALID_ARGUMENT, fault)", StubTypes.STATUS_CODE)
            .addStatement("return")
            .endControlFlow()
            .addCode("\n")
            .addStatement(types.wrapDecoder(request, "header", "view"))
            .addStatement("$L.wrap(call)", responder)
            .beginControlFlow("try")
            .addStatement("service.on$L($L, $L)", method.className(), request, responder)
            .addStatement("$L.failIfOpen()", responder)
            .nextControlFlow("finally")
            .addStatement("$L.unwrap()", responder)
            .endControlFlow()
            .build();
    }
}
