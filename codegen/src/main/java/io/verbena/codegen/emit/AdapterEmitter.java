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
import io.verbena.codegen.schema.CallKind;
import io.verbena.codegen.schema.MethodModel;
import io.verbena.codegen.schema.ServiceModel;
import java.util.function.Predicate;
import javax.lang.model.element.Modifier;

/**
 * Emits what stands between the server and the user's service: <code>PricingAdapter</code>. It checks each request,
 * decodes it and calls the handler.
 */
final class AdapterEmitter
{
    private final StubTypes types;
    private final DescriptorEmitter descriptors;

    AdapterEmitter(final StubTypes types, final DescriptorEmitter descriptors)
    {
        this.types = types;
        this.descriptors = descriptors;
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
            type.addField(StubTypes.flyweight(types.decoder(method.request()), request(method)));
            type.addField(StubTypes.flyweight(types.answering(method), answering(method)));
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
        if (service.methods().stream().anyMatch((method) -> CallKind.UNARY != method.kind()))
        {
            addStreamEvents(type, service);
        }
        type.addMethod(descriptors.descriptor(service));
        for (final MethodModel method : service.methods())
        {
            type.addMethod(dispatch(method));
            addStreamDispatches(type, method);
        }

        return type.build();
    }

    private static MethodSpec constant(final String name, final TypeName returned, final int value)
    {
        return StubTypes.override(name).returns(returned).addStatement("return $L", value).build();
    }

    private MethodSpec onRequest(final ServiceModel service)
    {
        final MethodSpec.Builder method = withMessage(StubTypes.override("onRequest"), true)
            .beginControlFlow("switch (methodId)");
        for (final MethodModel each : service.methods())
        {
            method.addCode("case $L:\n$>", each.id())
                .addStatement(each.kind().isClientStreaming() ?
                    "dispatch$L(call)" : "dispatch$L(call, buffer, offset, length)", each.className())
                .addStatement("break")
                .addCode("$<");
        }
        return unimplemented(method, service).build();
    }

    private static MethodSpec.Builder unimplemented(final MethodSpec.Builder method, final ServiceModel service)
    {
        return method.addCode("default:\n$>")
            .addStatement("call.fail($T.UNIMPLEMENTED, $S + methodId)", StubTypes.STATUS_CODE,
                "service " + service.name() + ": expected the id of one of its methods, found ")
            .addCode("$<")
            .endControlFlow();
    }

    private void addStreamEvents(final TypeSpec.Builder type, final ServiceModel service)
    {
        final MethodSpec.Builder kind = StubTypes.override("methodKind")
            .returns(StubTypes.METHOD_KIND)
            .addParameter(StubTypes.parameter(TypeName.INT, "methodId"))
            .beginControlFlow("switch (methodId)");
        service.methods().stream().filter((method) -> CallKind.UNARY != method.kind()).forEach((method) ->
            kind.addCode("case $L:\n$>", method.id())
                .addStatement("return $T.$L", StubTypes.METHOD_KIND, method.kind().name())
                .addCode("$<"));
        type.addMethod(kind.addCode("default:\n$>")
            .addStatement("return $T.UNARY", StubTypes.METHOD_KIND)
            .addCode("$<")
            .endControlFlow()
            .build());

        if (service.methods().stream().anyMatch((method) -> method.kind().isClientStreaming()))
        {
            addClientStreamEvents(type, service);
        }
        if (service.methods().stream().anyMatch((method) -> method.kind().isServerStreaming()))
        {
            type.addMethod(event(service, "onReady", "ready", (method) -> method.kind().isServerStreaming()));
        }
        final MethodSpec.Builder ended = StubTypes.override("onEnded")
            .addParameter(StubTypes.parameter(TypeName.LONG, "connectionId"))
            .addParameter(StubTypes.parameter(TypeName.LONG, "correlationId"))
            .addParameter(StubTypes.parameter(TypeName.INT, "methodId"))
            .addParameter(StubTypes.parameter(StubTypes.OBJECT, "attachment"))
            .addParameter(StubTypes.parameter(StubTypes.STATUS_CODE, "status"))
            .beginControlFlow("switch (methodId)");
        service.methods().stream().filter((method) -> CallKind.UNARY != method.kind()).forEach((method) ->
            ended.addCode("case $L:\n$>", method.id())
                .addStatement("service.on$LEnded(connectionId, correlationId, attachment, status)", method.className())
                .addStatement("break")
                .addCode("$<"));
        type.addMethod(noOther(ended).build());
    }

    private void addClientStreamEvents(final TypeSpec.Builder type, final ServiceModel service)
    {
        final MethodSpec.Builder item = withMessage(StubTypes.override("onItem"), true)
            .beginControlFlow("switch (methodId)");
        final MethodSpec.Builder grant = StubTypes.override("isGrantAutomatic")
            .returns(TypeName.BOOLEAN)
            .addParameter(StubTypes.parameter(TypeName.INT, "methodId"))
            .beginControlFlow("switch (methodId)");
        for (final MethodModel method : service.methods())
        {
            if (method.kind().isClientStreaming())
            {
                item.addCode("case $L:\n$>", method.id())
                    .addStatement("item$L(call, buffer, offset, length)", method.className())
                    .addStatement("break")
                    .addCode("$<");
                grant.addCode("case $L:\n$>", method.id())
                    .addStatement("return service.is$LGrantAutomatic()", method.className())
                    .addCode("$<");
            }
        }
        type.addMethod(unimplemented(item, service).build());
        type.addMethod(event(service, "onHalfClosed", "halfClosed", (method) -> method.kind().isClientStreaming()));
        type.addMethod(grant.addCode("default:\n$>")
            .addStatement("return true")
            .addCode("$<")
            .endControlFlow()
            .build());
    }

    private static MethodSpec event(
        final ServiceModel service, final String name, final String prefix, final Predicate<MethodModel> methods)
    {
        final MethodSpec.Builder event = StubTypes.override(name)
            .addParameter(StubTypes.parameter(StubTypes.SERVER_CALL, "call"))
            .addParameter(StubTypes.parameter(TypeName.INT, "methodId"))
            .beginControlFlow("switch (methodId)");
        service.methods().stream().filter(methods).forEach((method) ->
            event.addCode("case $L:\n$>", method.id())
                .addStatement("$L$L(call)", prefix, method.className())
                .addStatement("break")
                .addCode("$<"));
        return noOther(event).build();
    }

    private static MethodSpec.Builder noOther(final MethodSpec.Builder method)
    {
        return method.addCode("default:\n$>").addStatement("break").addCode("$<").endControlFlow();
    }

    private MethodSpec dispatch(final MethodModel method)
    {
        final MethodSpec.Builder builder = MethodSpec.methodBuilder("dispatch" + method.className())
            .addModifiers(Modifier.PRIVATE);
        if (method.kind().isClientStreaming())
        {
            builder.addParameter(StubTypes.parameter(StubTypes.SERVER_CALL, "call"));
            return answer(builder, method, "service.on$L($L)", method.className(), answering(method)).build();
        }
        return answer(check(withMessage(builder, false), method), method, "service.on$L($L, $L)", method.className(),
            request(method), answering(method)).build();
    }

    private void addStreamDispatches(final TypeSpec.Builder type, final MethodModel method)
    {
        if (method.kind().isClientStreaming())
        {
            final MethodSpec.Builder item = withMessage(
                MethodSpec.methodBuilder("item" + method.className()).addModifiers(Modifier.PRIVATE), false);
            type.addMethod(answer(check(item, method), method, "service.on$LItem($L, $L)", method.className(),
                request(method), answering(method)).build());
            type.addMethod(forward(method, "halfClosed", "HalfClosed"));
        }
        if (method.kind().isServerStreaming())
        {
            type.addMethod(forward(method, "ready", "Ready"));
        }
    }

    private MethodSpec forward(final MethodModel method, final String prefix, final String suffix)
    {
        final MethodSpec.Builder builder = MethodSpec.methodBuilder(prefix + method.className())
            .addModifiers(Modifier.PRIVATE)
            .addParameter(StubTypes.parameter(StubTypes.SERVER_CALL, "call"));
        return answer(builder, method, "service.on$L$L($L)", method.className(), suffix, answering(method)).build();
    }

    private static MethodSpec.Builder withMessage(final MethodSpec.Builder method, final boolean isForAnyMethod)
    {
        method.addParameter(StubTypes.parameter(StubTypes.SERVER_CALL, "call"));
        if (isForAnyMethod)
        {
            method.addParameter(StubTypes.parameter(TypeName.INT, "methodId"));
        }
        return method.addParameter(StubTypes.parameter(StubTypes.DIRECT_BUFFER, "buffer"))
            .addParameter(StubTypes.parameter(TypeName.INT, "offset"))
            .addParameter(StubTypes.parameter(TypeName.INT, "length"));
    }

    private MethodSpec.Builder check(final MethodSpec.Builder builder, final MethodModel method)
    {
        return builder
            .addStatement("view.wrap(buffer, offset, length)")
            .addStatement("final $T fault = $T.fault(header, view, length)", StubTypes.STRING,
                types.check(method.request()))
            .beginControlFlow("if (null != fault)")
            .addStatement("call.fail($T.INVALID_ARGUMENT, fault)", StubTypes.STATUS_CODE)
            .addStatement("return")
            .endControlFlow()
            .addCode("\n")
            .addStatement(types.wrapDecoder(request(method), "header", "view"));
    }

    private static MethodSpec.Builder answer(
        final MethodSpec.Builder builder, final MethodModel method, final String statement, final Object... arguments)
    {
        final String answering = answering(method);
        return builder
            .addStatement("$L.wrap(call)", answering)
            .beginControlFlow("try")
            .addStatement(statement, arguments)
            .addStatement("$L.failIfOpen()", answering)
            .nextControlFlow("finally")
            .addStatement("$L.unwrap()", answering)
            .endControlFlow();
    }

    private static String request(final MethodModel method)
    {
        return method.propertyName() + (method.kind().isClientStreaming() ? "Item" : "Request");
    }

    private static String answering(final MethodModel method)
    {
        return method.propertyName() + (method.kind().isServerStreaming() ? "Stream" : "Responder");
    }
}
