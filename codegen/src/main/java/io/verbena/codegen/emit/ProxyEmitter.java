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
import javax.lang.model.element.Modifier;

/**
 * Emits the zero-copy client: <code>PricingProxy</code>.
 */
final class ProxyEmitter
{
    private final StubTypes types;

    ProxyEmitter(final StubTypes types)
    {
        this.types = types;
    }

    TypeSpec emit(final ServiceModel service)
    {
        final ClassName listener = types.service(service, "Listener");
        final TypeSpec.Builder type = TypeSpec.classBuilder(types.service(service, "Proxy"))
            .addModifiers(Modifier.PUBLIC, Modifier.FINAL)
            .addJavadoc("Calls the service $L without copies: claim a region, fill in the request with the method's " +
                "encoder, {@link #commit()}.\nAnswers go to a {@link $T}. For the agent thread of its channel. In " +
                "steady state it allocates nothing.\n", service.name(), listener);
        new StubConstants(service).addTo(type);
        type.addField(FieldSpec.builder(TypeName.INT, "NOTHING_OPEN", Modifier.PRIVATE, Modifier.STATIC, Modifier.FINAL)
            .initializer("0")
            .build());
        type.addField(FieldSpec.builder(StubTypes.RPC_CHANNEL, "channel", Modifier.PRIVATE, Modifier.FINAL).build());
        final boolean isStreaming = service.methods().stream().anyMatch((method) -> CallKind.UNARY != method.kind());
        final boolean isServerStreaming =
            service.methods().stream().anyMatch((method) -> method.kind().isServerStreaming());
        final ClassName handler = isStreaming ? StubTypes.STREAM_HANDLER : StubTypes.RESPONSE_HANDLER;
        if (isServerStreaming)
        {
            type.addField(FieldSpec.builder(listener, "listener", Modifier.PRIVATE, Modifier.FINAL).build());
            type.addField(FieldSpec.builder(handler, "manualHandler", Modifier.PRIVATE, Modifier.FINAL).build());
        }
        type.addField(FieldSpec.builder(handler, "handler", Modifier.PRIVATE, Modifier.FINAL).build());
        type.addField(StubTypes.view("view"));
        type.addField(StubTypes.flyweight(types.headerEncoder(), "header"));
        for (final MethodModel method : service.methods())
        {
            type.addField(StubTypes.flyweight(types.encoder(method.request()), method.propertyName() + "Encoder"));
        }
        type.addField(FieldSpec.builder(TypeName.INT, "openMethodId", Modifier.PRIVATE).build());

        type.addMethod(constructor(service, listener, isStreaming, isServerStreaming));
        final ProxyStreamEmitter streams = new ProxyStreamEmitter(types);
        for (final MethodModel method : service.methods())
        {
            if (method.kind().isClientStreaming())
            {
                streams.addClientStream(type, method);
            }
            else
            {
                type.addMethod(claimWithDefault(method));
                type.addMethod(claim(method));
                type.addMethod(encoder(method));
                type.addMethod(offer(method));
            }
        }
        streams.addCommon(type, service);
        type.addMethod(commit(service));
        type.addMethod(abort());
        type.addMethod(StubTypes.publicMethod("cancel")
            .returns(TypeName.BOOLEAN)
            .addJavadoc("Cancels a call. Its listener is told as of any end of a call, if the call was still " +
                "open.\n\n@param correlationId of the call.\n@return true if the call was open.\n")
            .addParameter(StubTypes.parameter(TypeName.LONG, "correlationId"))
            .addStatement("return channel.cancel(correlationId)")
            .build());
        type.addType(new ProxyHandlerEmitter(types).emit(service, listener));

        return type.build();
    }

    private MethodSpec constructor(
        final ServiceModel service,
        final ClassName listener,
        final boolean isStreaming,
        final boolean isServerStreaming)
    {
        final MethodSpec.Builder constructor = MethodSpec.constructorBuilder()
            .addModifiers(Modifier.PUBLIC)
            .addJavadoc("Calls over a channel, which from then on minds that the server has a compatible version of " +
                "the service.\n\n@param channel  to the server.\n" +
                "@param listener takes the answers, on the channel's agent thread.\n")
            .addParameter(StubTypes.parameter(StubTypes.RPC_CHANNEL, "channel"))
            .addParameter(StubTypes.parameter(listener, "listener"))
            .addStatement("this.channel = $T.requireNonNull(channel, $S)", java.util.Objects.class, "channel");
        if (isServerStreaming)
        {
            constructor
                .addStatement("this.listener = $T.requireNonNull(listener, $S)", java.util.Objects.class, "listener")
                .addStatement("this.handler = new Handler(channel, listener, true)")
                .addStatement("this.manualHandler = new Handler(channel, listener, false)");
        }
        else
        {
            constructor.addStatement("this.handler = new Handler($L$T.requireNonNull(listener, $S)$L)",
                isStreaming ? "channel, " : "", java.util.Objects.class, "listener", isStreaming ? ", true" : "");
        }
        return constructor.addCode(types.require("channel", service, "SERVICE_ID")).build();
    }

    private MethodSpec claimWithDefault(final MethodModel method)
    {
        final MethodSpec.Builder builder = StubTypes.publicMethod(method.propertyName() + "Claim")
            .returns(TypeName.LONG)
            .addJavadoc("As {@link #$LClaim(int, long)}, with the method's time-out.\n\n" +
                "@param bodyLength bytes of the request without its header, at most: block length, groups and data.\n" +
                "@return the call's correlation id, or a negative code of RpcChannel or Connection.\n",
                method.propertyName());
        StubConstants.deprecate(builder, method);
        return builder
            .addParameter(StubTypes.parameter(TypeName.INT, "bodyLength"))
            .addStatement("return $LClaim(bodyLength, $L_TIMEOUT_NS)", method.propertyName(), method.constantName())
            .build();
    }

    private MethodSpec claim(final MethodModel method)
    {
        final MethodSpec.Builder builder = StubTypes.publicMethod(method.propertyName() + "Claim")
            .returns(TypeName.LONG)
            .addJavadoc("$L\n<p>\nOpens a region for the request; fill it in with {@link #$LEncoder()}, then {@link " +
                "#commit()} or {@link #abort()}.\nWriting past the region throws IndexOutOfBoundsException.\n\n",
                StubTypes.sentence(method.description(), "Calls " + method.name()), method.propertyName())
            .addJavadoc("@param bodyLength bytes of the request without its header, at most: block length, groups " +
                "and data.\n@param timeoutNs  nanoseconds for the whole call; RpcChannel.NO_TIMEOUT for none,\n" +
                "                   RpcChannel.DEFAULT_TIMEOUT for the channel's.\n" +
                "@return the call's correlation id, or a negative code of RpcChannel or Connection, nothing " +
                "being open then.\n" +
                "@throws IllegalArgumentException if bodyLength is less than the request's block length.\n" +
                "@throws IllegalStateException    if a claim is open already.\n");
        StubConstants.deprecate(builder, method);
        return builder
            .addParameter(StubTypes.parameter(TypeName.INT, "bodyLength"))
            .addParameter(StubTypes.parameter(TypeName.LONG, "timeoutNs"))
            .addCode(types.checkBodyLength(method.request()))
            .addCode("\n")
            .addStatement("final int length = $T.ENCODED_LENGTH + bodyLength", types.headerEncoder())
            .addStatement("final long correlationId =\n" +
                "channel.$L(SERVICE_ID, $L_METHOD_ID, length, timeoutNs, $L)",
                CallKind.UNARY == method.kind() ? "claim" : "claimStream", method.constantName(),
                ProxyStreamEmitter.handler(method))
            .beginControlFlow("if (correlationId > 0)")
            .addCode(StubTypes.wrapRegion("channel"))
            .addStatement("$LEncoder.wrapAndApplyHeader(view, 0, header)", method.propertyName())
            .addStatement("openMethodId = $L_METHOD_ID", method.constantName())
            .endControlFlow()
            .addStatement("return correlationId")
            .build();
    }

    MethodSpec encoder(final MethodModel method)
    {
        return StubTypes.publicMethod(method.propertyName() + "Encoder")
            .returns(types.encoder(method.request()))
            .addJavadoc("What the open claim of $L is filled in with.\n\n@return the encoder, its header written; " +
                "valid until commit or abort.\n@throws IllegalStateException if no such claim is " +
                "open.\n", method.name())
            .beginControlFlow("if ($L_METHOD_ID != openMethodId)", method.constantName())
            .addStatement("throw new $T($S)", IllegalStateException.class,
                method.propertyName() + "Encoder: expected an open claim of " + method.name() + ", found none")
            .endControlFlow()
            .addStatement("return $LEncoder", method.propertyName())
            .build();
    }

    private MethodSpec offer(final MethodModel method)
    {
        final MethodSpec.Builder builder = StubTypes.publicMethod(method.propertyName() + "Offer")
            .returns(TypeName.LONG)
            .addJavadoc("Calls $L with a request that is encoded already; it is copied.\n\n" +
                "@param message   holds the message header and the request.\n@param offset    of the header.\n" +
                "@param length    bytes of header and request.\n" +
                "@param timeoutNs nanoseconds for the whole call; RpcChannel.NO_TIMEOUT for none,\n" +
                "                  RpcChannel.DEFAULT_TIMEOUT for the channel's.\n" +
                "@return the call's correlation id, or a negative code of RpcChannel or Connection.\n", method.name());
        StubConstants.deprecate(builder, method);
        return builder
            .addParameter(StubTypes.parameter(StubTypes.DIRECT_BUFFER, "message"))
            .addParameter(StubTypes.parameter(TypeName.INT, "offset"))
            .addParameter(StubTypes.parameter(TypeName.INT, "length"))
            .addParameter(StubTypes.parameter(TypeName.LONG, "timeoutNs"))
            .addStatement("return channel.$L(\nSERVICE_ID, $L_METHOD_ID, message, offset, length, timeoutNs, $L)",
                CallKind.UNARY == method.kind() ? "offer" : "offerStream", method.constantName(),
                ProxyStreamEmitter.handler(method))
            .build();
    }

    private MethodSpec commit(final ServiceModel service)
    {
        final MethodSpec.Builder method = StubTypes.publicMethod("commit")
            .addJavadoc("Sends what was claimed; its length is what was encoded.\n\n" +
                "@throws IllegalStateException if no claim is open.\n")
            .addStatement("final int bodyLength")
            .beginControlFlow("switch (openMethodId)");
        for (final MethodModel each : service.methods())
        {
            method.addCode("case $L_METHOD_ID:\n$>", each.constantName())
                .addStatement("bodyLength = $LEncoder.encodedLength()", each.propertyName())
                .addStatement("break")
                .addCode("$<");
        }
        return method.addCode("default:\n$>")
            .addStatement("throw new $T($S)", IllegalStateException.class,
                "commit: expected an open claim, found none")
            .addCode("$<")
            .endControlFlow()
            .addCode("\n")
            .addStatement("openMethodId = NOTHING_OPEN")
            .addStatement("channel.commit($T.ENCODED_LENGTH + bodyLength)", types.headerEncoder())
            .build();
    }

    private static MethodSpec abort()
    {
        return StubTypes.publicMethod("abort")
            .addJavadoc("Gives up the open claim: nothing is sent, and no listener hears of it. Does nothing when " +
                "none is open.\n")
            .beginControlFlow("if (NOTHING_OPEN != openMethodId)")
            .addStatement("openMethodId = NOTHING_OPEN")
            .addStatement("channel.abort()")
            .endControlFlow()
            .build();
    }
}
