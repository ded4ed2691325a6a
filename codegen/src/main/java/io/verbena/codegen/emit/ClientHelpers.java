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
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import javax.lang.model.element.Modifier;

/**
 * The private methods that every client has: from the channel's future to the user's, and from that to a blocking
 * call.
 */
final class ClientHelpers
{
    private static final TypeVariableName T = TypeVariableName.get("T");
    private static final ClassName FUTURE = ClassName.get(CompletableFuture.class);
    private static final TypeName PAYLOAD_FUTURE = ParameterizedTypeName.get(FUTURE, StubTypes.DIRECT_BUFFER);
    private static final TypeName RESULT_FUTURE = ParameterizedTypeName.get(FUTURE, T);
    private static final TypeName FAILURES =
        ParameterizedTypeName.get(ClassName.get(UnaryOperator.class), StubTypes.RPC_EXCEPTION);

    private ClientHelpers()
    {
    }

    static void addTo(final TypeSpec.Builder type)
    {
        type.addMethod(convert());
        type.addMethod(complete());
        type.addMethod(await());
        type.addMethod(asRpcException());
    }

    private static MethodSpec convert()
    {
        return MethodSpec.methodBuilder("convert")
            .addModifiers(Modifier.STATIC)
            .addTypeVariable(T)
            .returns(RESULT_FUTURE)
            .addParameter(StubTypes.parameter(PAYLOAD_FUTURE, "call"))
            .addParameter(StubTypes.parameter(responses(), "responses"))
            .addParameter(StubTypes.parameter(FAILURES, "failures"))
            .addStatement("final $T result = new $T<>()", RESULT_FUTURE, FUTURE)
            .addStatement("call.whenComplete((payload, cause) -> complete(result, payload, cause, responses, " +
                "failures))")
            .beginControlFlow("result.whenComplete((response, cause) ->")
            .beginControlFlow("if (result.isCancelled())")
            .addStatement("call.cancel(true)")
            .endControlFlow()
            .endControlFlow(")")
            .addStatement("return result")
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
