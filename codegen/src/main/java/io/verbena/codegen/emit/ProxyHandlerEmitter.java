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
import io.verbena.codegen.schema.MessageModel;
import io.verbena.codegen.schema.MethodModel;
import io.verbena.codegen.schema.ServiceModel;
import java.util.LinkedHashSet;
import java.util.Set;
import javax.lang.model.element.Modifier;

/**
 * Emits the class inside a proxy that checks and decodes responses and errors.
 */
final class ProxyHandlerEmitter
{
    private final StubTypes types;

    ProxyHandlerEmitter(final StubTypes types)
    {
        this.types = types;
    }

    TypeSpec emit(final ServiceModel service, final ClassName listener)
    {
        final boolean isStreaming = service.methods().stream().anyMatch((method) -> CallKind.UNARY != method.kind());
        final TypeSpec.Builder type = TypeSpec.classBuilder("Handler")
            .addModifiers(Modifier.PRIVATE, Modifier.STATIC, Modifier.FINAL)
            .addSuperinterface(isStreaming ? StubTypes.STREAM_HANDLER : StubTypes.RESPONSE_HANDLER);
        if (isStreaming)
        {
            type.addField(FieldSpec.builder(StubTypes.RPC_CHANNEL, "channel", Modifier.PRIVATE, Modifier.FINAL)
                .build());
            type.addField(FieldSpec.builder(TypeName.BOOLEAN, "isGrantAutomatic", Modifier.PRIVATE, Modifier.FINAL)
                .build());
        }
        type.addField(FieldSpec.builder(listener, "listener", Modifier.PRIVATE, Modifier.FINAL).build())
            .addField(StubTypes.view("view"))
            .addField(StubTypes.flyweight(types.headerDecoder(), "header"));
        final Set<MessageModel> messages = new LinkedHashSet<>();
        service.methods().forEach((method) -> messages.add(method.response()));
        service.methods().forEach((method) -> messages.addAll(method.errors()));
        messages.forEach((message) -> type.addField(
            StubTypes.flyweight(types.decoder(message), message.propertyName() + "Decoder")));

        type.addMethod(constructor(listener, isStreaming));
        type.addMethod(onResponse(service));
        type.addMethod(onError(service));
        if (isStreaming)
        {
            addStreamEvents(type, service);
        }
        for (final MethodModel method : service.methods())
        {
            type.addMethod(method.kind().isServerStreaming() ? item(method) : response(method));
            if (!method.errors().isEmpty())
            {
                type.addMethod(declaredError(method));
            }
        }
        return type.build();
    }

    private static MethodSpec constructor(final ClassName listener, final boolean isStreaming)
    {
        final MethodSpec.Builder constructor = MethodSpec.constructorBuilder();
        if (isStreaming)
        {
            constructor.addParameter(StubTypes.parameter(StubTypes.RPC_CHANNEL, "channel"))
                .addParameter(StubTypes.parameter(listener, "listener"))
                .addParameter(StubTypes.parameter(TypeName.BOOLEAN, "isGrantAutomatic"))
                .addStatement("this.channel = channel")
                .addStatement("this.isGrantAutomatic = isGrantAutomatic");
        }
        else
        {
            constructor.addParameter(StubTypes.parameter(listener, "listener"));
        }
        return constructor.addStatement("this.listener = listener").build();
    }

    private static void addStreamEvents(final TypeSpec.Builder type, final ServiceModel service)
    {
        final MethodSpec.Builder items = message("onItem").beginControlFlow("switch (methodId)");
        final MethodSpec.Builder completed = StubTypes.override("onCompleted")
            .addParameter(StubTypes.parameter(TypeName.LONG, "correlationId"))
            .addParameter(StubTypes.parameter(TypeName.INT, "methodId"))
            .beginControlFlow("switch (methodId)");
        final MethodSpec.Builder ready = StubTypes.override("onReady")
            .addParameter(StubTypes.parameter(TypeName.LONG, "correlationId"))
            .addParameter(StubTypes.parameter(TypeName.INT, "methodId"))
            .beginControlFlow("switch (methodId)");
        for (final MethodModel method : service.methods())
        {
            if (method.kind().isServerStreaming())
            {
                forward(items, method, "on$LItem(correlationId, length)");
                forward(completed, method, "listener.on$LCompleted(correlationId)");
            }
            if (method.kind().isClientStreaming())
            {
                forward(ready, method, "listener.on$LReady(correlationId)");
            }
        }
        final String text = "service " + service.name() + ": expected a stream of responses of one of its methods " +
            "that have one, found method ";
        type.addMethod(items.addCode("default:\n$>")
            .addStatement("channel.cancel(correlationId, $T.INTERNAL,\n$S + methodId)", StubTypes.STATUS_CODE, text)
            .addCode("$<")
            .endControlFlow()
            .build());
        type.addMethod(completed.addCode("default:\n$>")
            .addStatement("listener.onError(correlationId, methodId, $T.INTERNAL,\n$S + methodId)",
                StubTypes.STATUS_CODE, text)
            .addCode("$<")
            .endControlFlow()
            .build());
        type.addMethod(ready.addCode("default:\n$>")
            .addStatement("break")
            .addCode("$<")
            .endControlFlow()
            .build());
        type.addMethod(StubTypes.override("isGrantAutomatic")
            .returns(TypeName.BOOLEAN)
            .addStatement("return isGrantAutomatic")
            .build());
    }

    private static void forward(final MethodSpec.Builder event, final MethodModel method, final String statement)
    {
        event.addCode("case $L_METHOD_ID:\n$>", method.constantName())
            .addStatement(statement, method.className())
            .addStatement("break")
            .addCode("$<");
    }

    private static MethodSpec.Builder message(final String name)
    {
        return StubTypes.override(name)
            .addParameter(StubTypes.parameter(TypeName.LONG, "correlationId"))
            .addParameter(StubTypes.parameter(TypeName.INT, "methodId"))
            .addParameter(StubTypes.parameter(StubTypes.DIRECT_BUFFER, "buffer"))
            .addParameter(StubTypes.parameter(TypeName.INT, "offset"))
            .addParameter(StubTypes.parameter(TypeName.INT, "length"))
            .addStatement("view.wrap(buffer, offset, length)");
    }

    private static MethodSpec onResponse(final ServiceModel service)
    {
        final MethodSpec.Builder method = message("onResponse").beginControlFlow("switch (methodId)");
        for (final MethodModel each : service.methods())
        {
            if (!each.kind().isServerStreaming())
            {
                forward(method, each, "on$LResponse(correlationId, length)");
            }
        }
        return method.addCode("default:\n$>")
            .addStatement("listener.onError(correlationId, methodId, $T.INTERNAL,\n$S + methodId)",
                StubTypes.STATUS_CODE,
                "service " + service.name() + ": expected a response to one of its methods, found one to method ")
            .addCode("$<")
            .endControlFlow()
            .build();
    }

    private static MethodSpec onError(final ServiceModel service)
    {
        final MethodSpec.Builder method = StubTypes.override("onError")
            .addParameter(StubTypes.parameter(TypeName.LONG, "correlationId"))
            .addParameter(StubTypes.parameter(TypeName.INT, "methodId"))
            .addParameter(StubTypes.parameter(StubTypes.STATUS_CODE, "code"))
            .addParameter(StubTypes.parameter(StubTypes.STRING, "text"))
            .addParameter(StubTypes.parameter(StubTypes.DIRECT_BUFFER, "detail"))
            .addParameter(StubTypes.parameter(TypeName.INT, "detailOffset"))
            .addParameter(StubTypes.parameter(TypeName.INT, "detailLength"));
        if (service.methods().stream().anyMatch((each) -> !each.errors().isEmpty()))
        {
            method.addStatement("boolean isDeclared = false")
                .beginControlFlow("if (detailLength > 0)")
                .addStatement("view.wrap(detail, detailOffset, detailLength)")
                .beginControlFlow("switch (methodId)");
            for (final MethodModel each : service.methods())
            {
                if (!each.errors().isEmpty())
                {
                    method.addCode("case $L_METHOD_ID:\n$>", each.constantName())
                        .addStatement("isDeclared = on$LError(correlationId, code, text, detailLength)",
                            each.className())
                        .addStatement("break")
                        .addCode("$<");
                }
            }
            method.addCode("default:\n$>")
                .addStatement("break")
                .addCode("$<")
                .endControlFlow()
                .endControlFlow()
                .beginControlFlow("if (!isDeclared)")
                .addStatement("listener.onError(correlationId, methodId, code, text)")
                .endControlFlow();
        }
        else
        {
            method.addStatement("listener.onError(correlationId, methodId, code, text)");
        }
        return method.build();
    }

    private MethodSpec response(final MethodModel method)
    {
        final String decoder = method.response().propertyName() + "Decoder";
        return MethodSpec.methodBuilder("on" + method.className() + "Response")
            .addModifiers(Modifier.PRIVATE)
            .addParameter(StubTypes.parameter(TypeName.LONG, "correlationId"))
            .addParameter(StubTypes.parameter(TypeName.INT, "length"))
            .addStatement("final $T fault = $T.fault(header, view, length)", StubTypes.STRING,
                types.check(method.response()))
            .beginControlFlow("if (null != fault)")
            .addStatement("listener.onError(correlationId, $L_METHOD_ID, $T.INTERNAL, fault)", method.constantName(),
                StubTypes.STATUS_CODE)
            .addStatement("return")
            .endControlFlow()
            .addCode("\n")
            .addStatement(types.wrapDecoder(decoder, "header", "view"))
            .addStatement("listener.on$LResponse(correlationId, $L)", method.className(), decoder)
            .build();
    }

    private MethodSpec item(final MethodModel method)
    {
        final String decoder = method.response().propertyName() + "Decoder";
        return MethodSpec.methodBuilder("on" + method.className() + "Item")
            .addModifiers(Modifier.PRIVATE)
            .addParameter(StubTypes.parameter(TypeName.LONG, "correlationId"))
            .addParameter(StubTypes.parameter(TypeName.INT, "length"))
            .addStatement("final $T fault = $T.fault(header, view, length)", StubTypes.STRING,
                types.check(method.response()))
            .beginControlFlow("if (null != fault)")
            .addStatement("channel.cancel(correlationId, $T.INTERNAL, fault)", StubTypes.STATUS_CODE)
            .addStatement("return")
            .endControlFlow()
            .addCode("\n")
            .addStatement(types.wrapDecoder(decoder, "header", "view"))
            .addStatement("listener.on$LItem(correlationId, $L)", method.className(), decoder)
            .build();
    }

    private MethodSpec declaredError(final MethodModel method)
    {
        final MethodSpec.Builder builder = MethodSpec.methodBuilder("on" + method.className() + "Error")
            .addModifiers(Modifier.PRIVATE)
            .returns(TypeName.BOOLEAN)
            .addParameter(StubTypes.parameter(TypeName.LONG, "correlationId"))
            .addParameter(StubTypes.parameter(StubTypes.STATUS_CODE, "code"))
            .addParameter(StubTypes.parameter(StubTypes.STRING, "text"))
            .addParameter(StubTypes.parameter(TypeName.INT, "length"));
        for (final MessageModel error : method.errors())
        {
            final String decoder = error.propertyName() + "Decoder";
            builder.beginControlFlow("if (null == $T.fault(header, view, length))", types.check(error))
                .addStatement(types.wrapDecoder(decoder, "header", "view"))
                .addStatement("listener.on$L$L(correlationId, code, text, $L)", method.className(), error.className(),
                    decoder)
                .addStatement("return true")
                .endControlFlow();
        }
        return builder.addStatement("return false").build();
    }
}
