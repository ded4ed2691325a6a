/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.codegen.emit;

import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.MethodSpec;
import com.palantir.javapoet.TypeName;
import com.palantir.javapoet.TypeSpec;
import io.verbena.codegen.schema.MessageModel;
import io.verbena.codegen.schema.MethodModel;
import io.verbena.codegen.schema.ServiceModel;

/**
 * Emits the methods of a zero-copy client that are for streams: opening calls whose client streams, sending their
 * items, and credit.
 */
final class ProxyStreamEmitter
{
    private static final String CODES = "@return positive; or a negative code of RpcChannel or Connection, nothing " +
        "being open then: CREDIT_EXHAUSTED or\n        BACK_PRESSURED until the listener is told that the call is " +
        "ready, CALL_ENDED, or MESSAGE_TOO_LONG, and the call has\n        then ended with RESOURCE_EXHAUSTED.\n";

    private final StubTypes types;

    ProxyStreamEmitter(final StubTypes types)
    {
        this.types = types;
    }

    /**
     * What receives the events of a call, as an expression.
     */
    static CodeBlock handler(final MethodModel method)
    {
        return method.kind().isServerStreaming() ?
            CodeBlock.of("listener.is$LGrantAutomatic() ? handler : manualHandler", method.className()) :
            CodeBlock.of("handler");
    }

    void addClientStream(final TypeSpec.Builder type, final MethodModel method)
    {
        type.addMethod(openWithDefault(method));
        type.addMethod(open(method));
        type.addMethod(claim(method));
        type.addMethod(new ProxyEmitter(types).encoder(method));
        type.addMethod(offer(method));
        type.addMethod(halfClose(method));
    }

    void addCommon(final TypeSpec.Builder type, final ServiceModel service)
    {
        if (service.methods().stream().anyMatch((method) -> method.kind().isServerStreaming()))
        {
            type.addMethod(StubTypes.publicMethod("grant")
                .returns(TypeName.BOOLEAN)
                .addJavadoc("Lets the server send more items of a call, where the listener said that credit is not " +
                    "given back by itself.\n\n@param correlationId of the call.\n" +
                    "@param items         further items, from 1.\n@return false if the call has ended.\n")
                .addParameter(StubTypes.parameter(TypeName.LONG, "correlationId"))
                .addParameter(StubTypes.parameter(TypeName.INT, "items"))
                .addStatement("return channel.grant(correlationId, items)")
                .build());
        }
        if (service.methods().stream().anyMatch((method) -> method.kind().isClientStreaming()))
        {
            type.addMethod(StubTypes.publicMethod("isReady")
                .returns(TypeName.BOOLEAN)
                .addJavadoc("Would an item of a call be taken now?\n\n@param correlationId of the call.\n" +
                    "@return true if there is credit for one and no item waits for the transport.\n")
                .addParameter(StubTypes.parameter(TypeName.LONG, "correlationId"))
                .addStatement("return channel.isReady(correlationId)")
                .build());
        }
        service.methods().stream().filter((method) -> method.kind().isClientStreaming())
            .map(MethodModel::request).distinct().forEach((item) -> type.addMethod(checkSent(item)));
    }

    private MethodSpec openWithDefault(final MethodModel method)
    {
        final MethodSpec.Builder builder = StubTypes.publicMethod(method.propertyName() + "Open")
            .returns(TypeName.LONG)
            .addJavadoc("As {@link #$LOpen(long)}, with the method's time-out.\n\n" +
                "@return the call's correlation id, or a negative code of RpcChannel or Connection.\n",
                method.propertyName());
        StubConstants.deprecate(builder, method);
        return builder
            .addStatement("return $LOpen($L_TIMEOUT_NS)", method.propertyName(), method.constantName())
            .build();
    }

    private static MethodSpec open(final MethodModel method)
    {
        final MethodSpec.Builder builder = StubTypes.publicMethod(method.propertyName() + "Open")
            .returns(TypeName.LONG)
            .addJavadoc("$L\n<p>\nBegins a call. Send its items with {@link #$LClaim} and {@link #commit()}, then " +
                "{@link #$LHalfClose}.\n\n",
                StubTypes.sentence(method.description(), "Calls " + method.name()), method.propertyName(),
                method.propertyName())
            .addJavadoc("@param timeoutNs nanoseconds for the whole call; RpcChannel.NO_TIMEOUT for none,\n" +
                "                  RpcChannel.DEFAULT_TIMEOUT for the channel's.\n" +
                "@return the call's correlation id, or a negative code of RpcChannel or Connection: there is no call " +
                "then.\n");
        StubConstants.deprecate(builder, method);
        return builder
            .addParameter(StubTypes.parameter(TypeName.LONG, "timeoutNs"))
            .addStatement("return channel.openStream(\nSERVICE_ID, $L_METHOD_ID, $T.$L, timeoutNs, $L)",
                method.constantName(), StubTypes.METHOD_KIND, method.kind().name(), handler(method))
            .build();
    }

    private MethodSpec claim(final MethodModel method)
    {
        final MessageModel item = method.request();
        return StubTypes.publicMethod(method.propertyName() + "Claim")
            .returns(TypeName.LONG)
            .addJavadoc("Opens a region for an item of a call of $L; fill it in with {@link #$LEncoder()}, then " +
                "{@link #commit()} or\n{@link #abort()}. Writing past the region throws " +
                "IndexOutOfBoundsException.\n\n@param correlationId of the call.\n" +
                "@param bodyLength    bytes of the item without its header, at most: block length, groups and data." +
                "\n", method.name(), method.propertyName())
            .addJavadoc(CODES)
            .addJavadoc("@throws IllegalArgumentException if bodyLength is less than the item's block length.\n" +
                "@throws IllegalStateException    if a claim is open already.\n")
            .addParameter(StubTypes.parameter(TypeName.LONG, "correlationId"))
            .addParameter(StubTypes.parameter(TypeName.INT, "bodyLength"))
            .addCode(types.checkBodyLength(item))
            .addCode("\n")
            .addStatement("final int length = $T.ENCODED_LENGTH + bodyLength", types.headerEncoder())
            .addStatement("final long result = channel.claimItem(correlationId, length)")
            .beginControlFlow("if (result > 0)")
            .addCode(StubTypes.wrapRegion("channel"))
            .addStatement("$LEncoder.wrapAndApplyHeader(view, 0, header)", method.propertyName())
            .addStatement("openMethodId = $L_METHOD_ID", method.constantName())
            .addStatement("return result")
            .endControlFlow()
            .addStatement("return $L(correlationId, result, length)", checkSentName(item))
            .build();
    }

    private static MethodSpec offer(final MethodModel method)
    {
        return StubTypes.publicMethod(method.propertyName() + "Offer")
            .returns(TypeName.LONG)
            .addJavadoc("Sends an item of a call of $L that is encoded already; it is copied.\n\n" +
                "@param correlationId of the call.\n@param message       holds the message header and the item.\n" +
                "@param offset        of the header.\n@param length        bytes of header and item.\n",
                method.name())
            .addJavadoc(CODES)
            .addParameter(StubTypes.parameter(TypeName.LONG, "correlationId"))
            .addParameter(StubTypes.parameter(StubTypes.DIRECT_BUFFER, "message"))
            .addParameter(StubTypes.parameter(TypeName.INT, "offset"))
            .addParameter(StubTypes.parameter(TypeName.INT, "length"))
            .addStatement("return $L(\ncorrelationId, channel.offerItem(correlationId, message, offset, length), " +
                "length)", checkSentName(method.request()))
            .build();
    }

    private static MethodSpec halfClose(final MethodModel method)
    {
        return StubTypes.publicMethod(method.propertyName() + "HalfClose")
            .returns(TypeName.BOOLEAN)
            .addJavadoc("Says that no more items of a call of $L will be sent.\n\n@param correlationId of the call.\n" +
                "@return false if the call has ended or was half-closed already.\n", method.name())
            .addParameter(StubTypes.parameter(TypeName.LONG, "correlationId"))
            .addStatement("return channel.halfClose(correlationId)")
            .build();
    }

    private static MethodSpec checkSent(final MessageModel item)
    {
        return MethodSpec.methodBuilder(checkSentName(item))
            .addModifiers(javax.lang.model.element.Modifier.PRIVATE)
            .returns(TypeName.LONG)
            .addParameter(StubTypes.parameter(TypeName.LONG, "correlationId"))
            .addParameter(StubTypes.parameter(TypeName.LONG, "result"))
            .addParameter(StubTypes.parameter(TypeName.INT, "length"))
            .beginControlFlow("if ($T.MESSAGE_TOO_LONG == result)", StubTypes.RPC_CHANNEL)
            .addStatement("channel.cancel(correlationId, $T.RESOURCE_EXHAUSTED,\n$S + length + $S +\n" +
                "channel.maxMessageLength() + $S)", StubTypes.STATUS_CODE, "the item " + item.name() + " of ",
                " bytes exceeds the limit of ", " bytes")
            .endControlFlow()
            .addStatement("return result")
            .build();
    }

    private static String checkSentName(final MessageModel item)
    {
        return "checkSent" + item.className();
    }
}
