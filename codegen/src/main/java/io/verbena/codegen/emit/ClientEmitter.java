/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.codegen.emit;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.FieldSpec;
import com.palantir.javapoet.MethodSpec;
import com.palantir.javapoet.ParameterSpec;
import com.palantir.javapoet.ParameterizedTypeName;
import com.palantir.javapoet.TypeName;
import com.palantir.javapoet.TypeSpec;
import io.verbena.codegen.schema.MessageModel;
import io.verbena.codegen.schema.MethodModel;
import io.verbena.codegen.schema.ServiceModel;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import javax.lang.model.element.Modifier;

/**
 * Emits the client for any thread, with futures and blocking calls: <code>PricingClient</code>.
 */
final class ClientEmitter
{
    private static final int INITIAL_DATA_LENGTH = 256;

    private final StubTypes types;

    ClientEmitter(final StubTypes types)
    {
        this.types = types;
    }

    TypeSpec emit(final ServiceModel service)
    {
        final TypeSpec.Builder type = TypeSpec.classBuilder(types.service(service, "Client"))
            .addModifiers(Modifier.PUBLIC, Modifier.FINAL)
            .addJavadoc("Calls the service $L from any thread, with futures or blocking; blocking calls are meant " +
                "for virtual threads. It copies\nand allocates: where each microsecond counts, use {@link $T}.\n",
                service.name(), types.service(service, "Proxy"))
            .addField(FieldSpec.builder(StubTypes.RPC_CHANNEL, "channel", Modifier.PRIVATE, Modifier.FINAL).build())
            .addMethod(MethodSpec.constructorBuilder()
                .addModifiers(Modifier.PUBLIC)
                .addJavadoc("Calls over a channel.\n\n@param channel to the server.\n")
                .addParameter(StubTypes.parameter(StubTypes.RPC_CHANNEL, "channel"))
                .addStatement("this.channel = $T.requireNonNull(channel, $S)", java.util.Objects.class, "channel")
                .build());
        final ClassName proxy = types.service(service, "Proxy");
        for (final MethodModel method : service.methods())
        {
            type.addMethod(withDefault(method, proxy, true));
            type.addMethod(async(method, service));
            type.addMethod(withDefault(method, proxy, false));
            type.addMethod(blocking(method));
        }
        if (!service.methods().isEmpty())
        {
            type.addType(calls(service));
        }
        return type.build();
    }

    private TypeSpec calls(final ServiceModel service)
    {
        // In a class of their own, so that the names of a user's methods never meet theirs.
        final TypeSpec.Builder type = TypeSpec.classBuilder("Calls")
            .addModifiers(Modifier.PRIVATE, Modifier.STATIC, Modifier.FINAL)
            .addMethod(MethodSpec.constructorBuilder().addModifiers(Modifier.PRIVATE).build());
        for (final MethodModel method : service.methods())
        {
            type.addMethod(response(method));
            if (!method.errors().isEmpty())
            {
                type.addMethod(failure(method));
            }
        }
        ClientHelpers.addTo(type);
        return type.build();
    }

    private MethodSpec withDefault(final MethodModel method, final ClassName proxy, final boolean isAsync)
    {
        final String name = method.propertyName() + (isAsync ? "Async" : "");
        final MethodSpec.Builder builder = StubTypes.publicMethod(name)
            .returns(isAsync ? future(method) : types.decoder(method.response()))
            .addJavadoc("As {@link #$L($T, long)}, with the method's time-out.\n\n" +
                "@param request fills in the request, in the calling thread.\n", name, Consumer.class)
            .addParameter(request(method));
        addReturns(builder, isAsync);
        StubConstants.deprecate(builder, method);
        return builder.addStatement("return $L(request, $T.$L_TIMEOUT_NS)", name, proxy, method.constantName())
            .build();
    }

    private MethodSpec async(final MethodModel method, final ServiceModel service)
    {
        final ClassName proxy = types.service(service, "Proxy");
        final ClassName encoder = types.encoder(method.request());
        final String failures = method.errors().isEmpty() ? "failure -> failure" :
            "Calls::" + method.propertyName() + "Failure";
        final MethodSpec.Builder builder = documented(method, true)
            .addStatement("final $T buffer =\nnew $T($T.ENCODED_LENGTH + $T.BLOCK_LENGTH + $L)",
                StubTypes.EXPANDABLE_BUFFER, StubTypes.EXPANDABLE_BUFFER, types.headerEncoder(), encoder,
                INITIAL_DATA_LENGTH)
            .addStatement("final $T encoder =\nnew $T().wrapAndApplyHeader(buffer, 0, new $T())", encoder, encoder,
                types.headerEncoder())
            .addStatement("request.accept(encoder)")
            .addStatement("final int length = $T.ENCODED_LENGTH + encoder.encodedLength()", types.headerEncoder())
            .addStatement("buffer.checkLimit(length)")
            .addStatement("return Calls.convert(\nchannel.call($T.SERVICE_ID, $T.$L_METHOD_ID, buffer, 0, length, " +
                "timeoutNs),\nCalls::$LResponse,\n$L)", proxy, proxy, method.constantName(),
                method.propertyName(), failures);
        return builder.build();
    }

    private MethodSpec blocking(final MethodModel method)
    {
        return documented(method, false)
            .addStatement("return Calls.await($LAsync(request, timeoutNs))", method.propertyName())
            .build();
    }

    private MethodSpec.Builder documented(final MethodModel method, final boolean isAsync)
    {
        final MethodSpec.Builder builder = StubTypes
            .publicMethod(method.propertyName() + (isAsync ? "Async" : ""))
            .returns(isAsync ? future(method) : types.decoder(method.response()))
            .addJavadoc("$L\n\n@param request   fills in the request, in the calling thread.\n" +
                "@param timeoutNs nanoseconds for the whole call; RpcChannel.NO_TIMEOUT for none,\n" +
                "                  RpcChannel.DEFAULT_TIMEOUT for the channel's.\n",
                StubTypes.sentence(method.description(), "Calls " + method.name()))
            .addParameter(request(method))
            .addParameter(StubTypes.parameter(TypeName.LONG, "timeoutNs"));
        addReturns(builder, isAsync);
        StubConstants.deprecate(builder, method);
        return builder;
    }

    private static void addReturns(final MethodSpec.Builder builder, final boolean isAsync)
    {
        if (isAsync)
        {
            builder.addJavadoc("@return completes with a decoder over the caller's own copy of the response, or " +
                "with an RpcException (of the error's\n        own type for a declared error); cancelling it cancels " +
                "the call.\n");
        }
        else
        {
            builder.addJavadoc("@return a decoder over the caller's own copy of the response.\n" +
                "@throws $T if the call fails (of the error's own type for a declared error), or with status " +
                "CANCELLED\n        if the thread is interrupted, which stays marked.\n", StubTypes.RPC_EXCEPTION);
        }
    }

    private MethodSpec response(final MethodModel method)
    {
        final MessageModel message = method.response();
        return MethodSpec.methodBuilder(method.propertyName() + "Response")
            .addModifiers(Modifier.STATIC)
            .returns(types.decoder(message))
            .addParameter(StubTypes.parameter(StubTypes.DIRECT_BUFFER, "payload"))
            .addStatement("final $T header = new $T()", types.headerDecoder(), types.headerDecoder())
            .addStatement("final $T fault = $T.fault(header, payload, payload.capacity())", StubTypes.STRING,
                types.check(message))
            .beginControlFlow("if (null != fault)")
            .addStatement("throw new $T($T.INTERNAL, fault)", StubTypes.RPC_EXCEPTION, StubTypes.STATUS_CODE)
            .endControlFlow()
            .addStatement("return $L", types.wrapDecoder(
                "new " + types.decoder(message).simpleName() + "()", "header", "payload"))
            .build();
    }

    private MethodSpec failure(final MethodModel method)
    {
        final MethodSpec.Builder builder = MethodSpec.methodBuilder(method.propertyName() + "Failure")
            .addModifiers(Modifier.STATIC)
            .returns(StubTypes.RPC_EXCEPTION)
            .addParameter(StubTypes.parameter(StubTypes.RPC_EXCEPTION, "failure"))
            .addStatement("final $T detail = failure.detail()", StubTypes.DIRECT_BUFFER)
            .beginControlFlow("if (null != detail)")
            .addStatement("final $T header = new $T()", types.headerDecoder(), types.headerDecoder());
        for (final MessageModel error : method.errors())
        {
            builder.beginControlFlow("if (null == $T.fault(header, detail, detail.capacity()))", types.check(error))
                .addStatement("return new $T(failure)", types.exception(error))
                .endControlFlow();
        }
        return builder.endControlFlow().addStatement("return failure").build();
    }

    private TypeName future(final MethodModel method)
    {
        return ParameterizedTypeName.get(ClassName.get(CompletableFuture.class), types.decoder(method.response()));
    }

    private ParameterSpec request(final MethodModel method)
    {
        return StubTypes.parameter(
            ParameterizedTypeName.get(ClassName.get(Consumer.class), types.encoder(method.request())), "request");
    }
}
