/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.codegen.emit;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.MethodSpec;
import com.palantir.javapoet.ParameterizedTypeName;
import com.palantir.javapoet.TypeName;
import com.palantir.javapoet.TypeSpec;
import com.palantir.javapoet.TypeVariableName;
import io.verbena.codegen.schema.CallKind;
import io.verbena.codegen.schema.MessageModel;
import io.verbena.codegen.schema.MethodModel;
import io.verbena.codegen.schema.ServiceModel;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import javax.lang.model.element.Modifier;

/**
 * Emits what every client has to itself: requests encoded, responses decoded, from the channel's future to the user's,
 * and from that to a blocking call.
 */
final class ClientHelpers
{
    private static final TypeVariableName T = TypeVariableName.get("T");
    private static final ClassName FUTURE = ClassName.get(CompletableFuture.class);
    static final TypeName PAYLOAD_FUTURE = ParameterizedTypeName.get(FUTURE, StubTypes.DIRECT_BUFFER);
    private static final TypeName RESULT_FUTURE = ParameterizedTypeName.get(FUTURE, T);
    private static final TypeName FAILURES =
        ParameterizedTypeName.get(ClassName.get(UnaryOperator.class), StubTypes.RPC_EXCEPTION);

    private static final int INITIAL_DATA_LENGTH = 256;

    private final StubTypes types;

    ClientHelpers(final StubTypes types)
    {
        this.types = types;
    }

    /**
     * From a failed call to the exception that the user sees, as an expression.
     */
    static String failures(final MethodModel method)
    {
        return method.errors().isEmpty() ? "(failure) -> failure" : "Calls::" + method.propertyName() + "Failure";
    }

    TypeSpec emit(final ServiceModel service)
    {
        // In a class of their own, so that the names of a user's methods never meet theirs.
        final TypeSpec.Builder type = TypeSpec.classBuilder("Calls")
            .addModifiers(Modifier.PRIVATE, Modifier.STATIC, Modifier.FINAL)
            .addMethod(MethodSpec.constructorBuilder().addModifiers(Modifier.PRIVATE).build());
        for (final MethodModel method : service.methods())
        {
            type.addMethod(request(method));
            type.addMethod(response(method));
            if (!method.errors().isEmpty())
            {
                type.addMethod(failure(method));
            }
        }
        final boolean hasResponses =
            service.methods().stream().anyMatch((method) -> !method.kind().isServerStreaming());
        final boolean hasPush =
            service.methods().stream().anyMatch((method) -> CallKind.SERVER_STREAM == method.kind());
        if (hasResponses)
        {
            type.addMethod(convert());
            type.addMethod(await());
        }
        if (hasPush)
        {
            type.addMethod(push());
        }
        if (hasResponses || hasPush)
        {
            type.addMethod(follow());
            type.addMethod(complete());
            type.addMethod(asRpcException());
        }
        if (service.methods().stream().anyMatch((method) -> method.kind().isServerStreaming()))
        {
            type.addMethod(iterate());
        }
        return type.build();
    }

    private MethodSpec request(final MethodModel method)
    {
        final ClassName encoder = types.encoder(method.request());
        return MethodSpec.methodBuilder(method.propertyName() + "Request")
            .addModifiers(Modifier.STATIC)
            .returns(StubTypes.DIRECT_BUFFER)
            .addParameter(StubTypes.parameter(
                ParameterizedTypeName.get(ClassName.get(Consumer.class), encoder), "request"))
            .addStatement("final $T buffer =\nnew $T($T.ENCODED_LENGTH + $T.BLOCK_LENGTH + $L)",
                StubTypes.EXPANDABLE_BUFFER, StubTypes.EXPANDABLE_BUFFER, types.headerEncoder(), encoder,
                INITIAL_DATA_LENGTH)
            .addStatement("final $T encoder =\nnew $T().wrapAndApplyHeader(buffer, 0, new $T())", encoder, encoder,
                types.headerEncoder())
            .addStatement("request.accept(encoder)")
            .addStatement("final int length = $T.ENCODED_LENGTH + encoder.encodedLength()", types.headerEncoder())
            .addStatement("buffer.checkLimit(length)")
            .addStatement("return new $T(buffer, 0, length)", StubTypes.UNSAFE_BUFFER)
            .build();
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

    private static MethodSpec convert()
    {
        return following("convert")
            .addStatement("return follow(new $T<>(), call, cancel, responses, failures)", FUTURE)
            .build();
    }

    private static MethodSpec follow()
    {
        return following("follow")
            .addStatement("call.whenComplete((payload, cause) -> complete(result, payload, cause, responses, " +
                "failures))")
            .beginControlFlow("result.whenComplete((response, cause) ->")
            .beginControlFlow("if (result.isCancelled())")
            .addStatement("cancel.run()")
            .endControlFlow()
            .endControlFlow(")")
            .addStatement("return result")
            .build();
    }

    private static MethodSpec.Builder following(final String name)
    {
        final MethodSpec.Builder builder = MethodSpec.methodBuilder(name)
            .addModifiers(Modifier.STATIC)
            .addTypeVariable(T)
            .returns(RESULT_FUTURE);
        if ("follow".equals(name))
        {
            builder.addParameter(StubTypes.parameter(RESULT_FUTURE, "result"));
        }
        return builder
            .addParameter(StubTypes.parameter(PAYLOAD_FUTURE, "call"))
            .addParameter(StubTypes.parameter(ClassName.get(Runnable.class), "cancel"))
            .addParameter(StubTypes.parameter(responses(), "responses"))
            .addParameter(StubTypes.parameter(FAILURES, "failures"));
    }

    private static MethodSpec push()
    {
        return MethodSpec.methodBuilder("push")
            .addModifiers(Modifier.STATIC)
            .addTypeVariable(T)
            .addParameter(StubTypes.parameter(ParameterizedTypeName.get(CompletableFuture.class, Void.class),
                "result"))
            .addParameter(StubTypes.parameter(StubTypes.DIRECT_BUFFER, "payload"))
            .addParameter(StubTypes.parameter(responses(), "responses"))
            .addParameter(StubTypes.parameter(ParameterizedTypeName.get(ClassName.get(Consumer.class), T), "items"))
            .beginControlFlow("try")
            .addStatement("items.accept(responses.apply(payload))")
            .nextControlFlow("catch (final $T ex)", RuntimeException.class)
            .addComment("Before the call is cancelled for it: the result says why.")
            .addStatement("result.completeExceptionally(asRpcException(ex))")
            .addStatement("throw ex")
            .endControlFlow()
            .build();
    }

    private static MethodSpec iterate()
    {
        final TypeSpec iterator = TypeSpec.anonymousClassBuilder("")
            .addSuperinterface(ParameterizedTypeName.get(ClassName.get(Iterator.class), T))
            .addField(T, "next", Modifier.PRIVATE)
            .addField(TypeName.BOOLEAN, "isEnded", Modifier.PRIVATE)
            .addMethod(StubTypes.override("hasNext")
                .returns(TypeName.BOOLEAN)
                .beginControlFlow("if (null == next && !isEnded)")
                .addStatement("next = items.get()")
                .addStatement("isEnded = null == next")
                .endControlFlow()
                .addStatement("return !isEnded")
                .build())
            .addMethod(StubTypes.override("next")
                .returns(T)
                .beginControlFlow("if (!hasNext())")
                .addStatement("throw new $T()", NoSuchElementException.class)
                .endControlFlow()
                .addStatement("final $T taken = next", T)
                .addStatement("next = null")
                .addStatement("return taken")
                .build())
            .build();
        return MethodSpec.methodBuilder("iterate")
            .addModifiers(Modifier.STATIC)
            .addTypeVariable(T)
            .returns(ParameterizedTypeName.get(ClassName.get(Iterator.class), T))
            .addParameter(StubTypes.parameter(ParameterizedTypeName.get(ClassName.get(Supplier.class), T), "items"))
            .addStatement("return $L", iterator)
            .build();
    }

    private static MethodSpec complete()
    {
        return helper("complete")
            .addTypeVariable(T)
            .addParameter(StubTypes.parameter(RESULT_FUTURE, "result"))
            .addParameter(StubTypes.parameter(StubTypes.DIRECT_BUFFER, "payload"))
            .addParameter(StubTypes.parameter(ClassName.get(Throwable.class), "cause"))
            .addParameter(StubTypes.parameter(responses(), "responses"))
            .addParameter(StubTypes.parameter(FAILURES, "failures"))
            .beginControlFlow("try")
            .beginControlFlow("if (null == cause)")
            .addStatement("result.complete(responses.apply(payload))")
            .nextControlFlow("else")
            .addStatement("result.completeExceptionally(failures.apply(asRpcException(cause)))")
            .endControlFlow()
            .nextControlFlow("catch (final $T ex)", RuntimeException.class)
            .addStatement("result.completeExceptionally(asRpcException(ex))")
            .endControlFlow()
            .build();
    }

    private static MethodSpec await()
    {
        return MethodSpec.methodBuilder("await")
            .addModifiers(Modifier.STATIC)
            .addTypeVariable(T)
            .returns(T)
            .addParameter(StubTypes.parameter(RESULT_FUTURE, "result"))
            .beginControlFlow("try")
            .addStatement("return result.get()")
            .nextControlFlow("catch (final $T ex)", InterruptedException.class)
            .addStatement("result.cancel(true)")
            .addStatement("$T.currentThread().interrupt()", Thread.class)
            .addStatement("final $T cancelled =\nnew $T($T.CANCELLED, $S)", StubTypes.RPC_EXCEPTION,
                StubTypes.RPC_EXCEPTION, StubTypes.STATUS_CODE, "the calling thread was interrupted")
            .addStatement("cancelled.addSuppressed(ex)")
            .addStatement("throw cancelled")
            .nextControlFlow("catch (final $T ex)", ExecutionException.class)
            .addStatement("throw asRpcException(ex.getCause())")
            .endControlFlow()
            .build();
    }

    private static MethodSpec asRpcException()
    {
        return helper("asRpcException")
            .returns(StubTypes.RPC_EXCEPTION)
            .addParameter(StubTypes.parameter(ClassName.get(Throwable.class), "cause"))
            .addStatement("final $T origin =\ncause instanceof $T && null != cause.getCause() ? cause.getCause() : " +
                "cause", Throwable.class, CompletionException.class)
            .beginControlFlow("if (origin instanceof $T)", StubTypes.RPC_EXCEPTION)
            .addStatement("return ($T)origin", StubTypes.RPC_EXCEPTION)
            .endControlFlow()
            .addStatement("final $T code =\norigin instanceof $T ? $T.CANCELLED : $T.INTERNAL", StubTypes.STATUS_CODE,
                CancellationException.class, StubTypes.STATUS_CODE, StubTypes.STATUS_CODE)
            .addStatement("final $T failure = new $T(code, $T.valueOf(origin))", StubTypes.RPC_EXCEPTION,
                StubTypes.RPC_EXCEPTION, StubTypes.STRING)
            .addStatement("failure.addSuppressed(origin)")
            .addStatement("return failure")
            .build();
    }

    private static TypeName responses()
    {
        return ParameterizedTypeName.get(ClassName.get(Function.class), StubTypes.DIRECT_BUFFER, T);
    }

    private static MethodSpec.Builder helper(final String name)
    {
        return MethodSpec.methodBuilder(name).addModifiers(Modifier.PRIVATE, Modifier.STATIC);
    }
}
