/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.codegen.emit;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.FieldSpec;
import com.palantir.javapoet.MethodSpec;
import com.palantir.javapoet.ParameterizedTypeName;
import com.palantir.javapoet.TypeName;
import com.palantir.javapoet.TypeSpec;
import io.verbena.codegen.schema.CallKind;
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
    private final StubTypes types;

    ClientEmitter(final StubTypes types)
    {
        this.types = types;
    }

    TypeSpec emit(final ServiceModel service)
    {
        final ClassName proxy = types.service(service, "Proxy");
        final TypeSpec.Builder type = TypeSpec.classBuilder(types.service(service, "Client"))
            .addModifiers(Modifier.PUBLIC, Modifier.FINAL)
            .addJavadoc("Calls the service $L from any thread, with futures or blocking; blocking calls are meant " +
                "for virtual threads. It copies\nand allocates: where each microsecond counts, use {@link $T}.\n",
                service.name(), proxy);
        for (final MethodModel method : service.methods())
        {
            type.addField(new ClientOptions(method).field(proxy));
        }
        type.addField(FieldSpec.builder(StubTypes.RPC_CALLER, "caller", Modifier.PRIVATE, Modifier.FINAL).build())
            .addMethod(MethodSpec.constructorBuilder()
                .addModifiers(Modifier.PUBLIC)
                .addJavadoc("Calls over a channel or a group of channels, which from then on mind that the server " +
                    "has a compatible version of\nthe service.\n\n@param caller the channel or group.\n")
                .addParameter(StubTypes.parameter(StubTypes.RPC_CALLER, "caller"))
                .addStatement("this.caller = $T.requireNonNull(caller, $S)", java.util.Objects.class, "caller")
                .addCode(types.require("caller", service, proxy.simpleName() + ".SERVICE_ID"))
                .build());
        final ClientStreamEmitter streams = new ClientStreamEmitter(types, service);
        for (final MethodModel method : service.methods())
        {
            if (CallKind.UNARY == method.kind())
            {
                addUnary(type, method, proxy);
            }
            else
            {
                streams.addTo(type, method);
            }
        }
        if (!service.methods().isEmpty())
        {
            type.addType(new ClientHelpers(types).emit(service));
        }
        return type.build();
    }

    private void addUnary(final TypeSpec.Builder type, final MethodModel method, final ClassName proxy)
    {
        final String options = ClientOptions.constant(method);
        for (final boolean isAsync : new boolean[]{true, false})
        {
            final String name = method.propertyName() + (isAsync ? "Async" : "");
            type.addMethod(returning(unary(method, isAsync), method, isAsync)
                .addStatement("return $L(request, $L)", name, options)
                .build());
            final MethodSpec.Builder timed = unary(method, isAsync);
            ClientOptions.addTimeout(timed);
            type.addMethod(returning(timed, method, isAsync)
                .addStatement("return $L(request, $L.timeoutNs(timeoutNs))", name, options)
                .build());
            final MethodSpec.Builder most = unary(method, isAsync);
            ClientOptions.addOptions(most, method);
            returning(most, method, isAsync);
            if (isAsync)
            {
                most.addStatement("final $T payload = Calls.$LRequest(request)", StubTypes.DIRECT_BUFFER,
                    method.propertyName())
                    .addStatement("final $T call = caller.call(\n$T.SERVICE_ID, $T.$L_METHOD_ID, payload, 0, " +
                        "payload.capacity(), options)", ClientHelpers.PAYLOAD_FUTURE, proxy, proxy,
                        method.constantName())
                    .addStatement("return Calls.convert(call, () -> call.cancel(true), Calls::$LResponse, $L)",
                        method.propertyName(), ClientHelpers.failures(method));
            }
            else
            {
                most.addStatement("return Calls.await($LAsync(request, options))", method.propertyName());
            }
            type.addMethod(most.build());
        }
    }

    private MethodSpec.Builder unary(final MethodModel method, final boolean isAsync)
    {
        final TypeName decoder = types.decoder(method.response());
        return StubTypes
            .publicMethod(method.propertyName() + (isAsync ? "Async" : ""))
            .returns(isAsync ? ParameterizedTypeName.get(ClassName.get(CompletableFuture.class), decoder) : decoder)
            .addJavadoc("$L\n\n@param request   fills in the request, in the calling thread.\n",
                StubTypes.sentence(method.description(), "Calls " + method.name()))
            .addParameter(StubTypes.parameter(
                ParameterizedTypeName.get(ClassName.get(Consumer.class), types.encoder(method.request())), "request"));
    }

    private static MethodSpec.Builder returning(
        final MethodSpec.Builder builder, final MethodModel method, final boolean isAsync)
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
        StubConstants.deprecate(builder, method);
        return builder;
    }
}
