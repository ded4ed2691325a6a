/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.codegen.emit;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.MethodSpec;
import com.palantir.javapoet.ParameterSpec;
import com.palantir.javapoet.ParameterizedTypeName;
import com.palantir.javapoet.TypeName;
import com.palantir.javapoet.TypeSpec;
import io.verbena.codegen.schema.CallKind;
import io.verbena.codegen.schema.MethodModel;
import io.verbena.codegen.schema.ServiceModel;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * Emits what a client for any thread has for methods that stream: the methods that begin a call.
 */
final class ClientStreamEmitter
{
    private final StubTypes types;
    private final ServiceModel service;
    private final ClassName proxy;

    ClientStreamEmitter(final StubTypes types, final ServiceModel service)
    {
        this.types = types;
        this.service = service;
        this.proxy = types.service(service, "Proxy");
    }

    void addTo(final TypeSpec.Builder type, final MethodModel method)
    {
        final ClassName stream = types.service(service, "Client").nestedClass(method.className() + "Stream");
        final boolean hasRequest = CallKind.SERVER_STREAM == method.kind();
        type.addMethod(beginReturning(begin(method, stream), method)
            .addStatement("return $L($L$L)", method.propertyName(), hasRequest ? "request, " : "",
                ClientOptions.constant(method))
            .build());
        final MethodSpec.Builder begin = begin(method, stream);
        ClientOptions.addOptions(begin, method);
        beginReturning(begin, method);
        if (hasRequest)
        {
            begin.addStatement("final $T payload = Calls.$LRequest(request)", StubTypes.DIRECT_BUFFER,
                method.propertyName());
        }
        type.addMethod(begin
            .addStatement("return new $T(caller.stream(\n$T.SERVICE_ID, $T.$L_METHOD_ID, $T.$L, $L, options))",
                stream, proxy, proxy, method.constantName(), StubTypes.METHOD_KIND, method.kind().name(),
                hasRequest ? "payload, 0, payload.capacity()" : "null, 0, 0")
            .build());
        if (hasRequest)
        {
            type.addMethod(pushReturning(push(method), method)
                .addStatement("return $LAsync(request, items, $L)", method.propertyName(),
                    ClientOptions.constant(method))
                .build());
            type.addMethod(pushWithOptions(method));
        }
        type.addType(new ClientStreamTypeEmitter(types, method, stream).emit());
    }

    private MethodSpec.Builder begin(final MethodModel method, final ClassName stream)
    {
        final MethodSpec.Builder builder = StubTypes.publicMethod(method.propertyName())
            .returns(stream)
            .addJavadoc("$L\n\n", StubTypes.sentence(method.description(), "Calls " + method.name()));
        if (CallKind.SERVER_STREAM == method.kind())
        {
            builder.addJavadoc("@param request   fills in the request, in the calling thread.\n");
            builder.addParameter(consumer(types.encoder(method.request()), "request"));
        }
        return builder;
    }

    private static MethodSpec.Builder beginReturning(final MethodSpec.Builder builder, final MethodModel method)
    {
        builder.addJavadoc("@return the call, which has begun; close it. If it could not begin, it has ended with " +
            "the reason.\n");
        StubConstants.deprecate(builder, method);
        return builder;
    }

    private MethodSpec.Builder push(final MethodModel method)
    {
        return StubTypes.publicMethod(method.propertyName() + "Async")
            .returns(ParameterizedTypeName.get(CompletableFuture.class, Void.class))
            .addJavadoc("$L Items are pushed.\n\n@param request   fills in the request, in the calling thread.\n" +
                "@param items     takes each item, on the client's thread: it must not block, and the decoder is " +
                "valid until it\n                  returns. If it throws, the call is cancelled.\n",
                StubTypes.sentence(method.description(), "Calls " + method.name()))
            .addParameter(consumer(types.encoder(method.request()), "request"))
            .addParameter(consumer(types.decoder(method.response()), "items"));
    }

    private static MethodSpec.Builder pushReturning(final MethodSpec.Builder builder, final MethodModel method)
    {
        builder.addJavadoc("@return completes after the last item, or with an RpcException (of the error's own type " +
            "for a declared error);\n        cancelling it cancels the call.\n");
        StubConstants.deprecate(builder, method);
        return builder;
    }

    private MethodSpec pushWithOptions(final MethodModel method)
    {
        final MethodSpec.Builder builder = push(method);
        ClientOptions.addOptions(builder, method);
        return pushReturning(builder, method)
            .addStatement("final $T payload = Calls.$LRequest(request)", StubTypes.DIRECT_BUFFER,
                method.propertyName())
            .addStatement("final $T result = new $T<>()",
                ParameterizedTypeName.get(CompletableFuture.class, Void.class), CompletableFuture.class)
            .addStatement("final $T stream = caller.stream(\n$T.SERVICE_ID, $T.$L_METHOD_ID, $T.$L, payload, 0, " +
                "payload.capacity(), options,\n(item) -> Calls.push(result, item, Calls::$LResponse, items))",
                StubTypes.CLIENT_STREAM, proxy, proxy, method.constantName(), StubTypes.METHOD_KIND,
                method.kind().name(), method.propertyName())
            .addStatement("return Calls.follow(result, stream.result(), stream::cancel, (end) -> null, $L)",
                ClientHelpers.failures(method))
            .build();
    }

    static ParameterSpec consumer(final TypeName type, final String name)
    {
        return StubTypes.parameter(ParameterizedTypeName.get(ClassName.get(Consumer.class), type), name);
    }
}
