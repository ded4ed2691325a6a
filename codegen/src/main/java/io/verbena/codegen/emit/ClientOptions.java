/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.codegen.emit;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.FieldSpec;
import com.palantir.javapoet.MethodSpec;
import com.palantir.javapoet.TypeName;
import io.verbena.codegen.schema.HedgeModel;
import io.verbena.codegen.schema.MethodModel;
import io.verbena.codegen.schema.RetryModel;
import java.util.List;
import javax.lang.model.element.Modifier;

/**
 * Emits the options that a method declares, as a constant of its client.
 */
final class ClientOptions
{
    private static final ClassName RETRY_POLICY = ClassName.get("io.verbena.rpc", "RetryPolicy");
    private static final ClassName HEDGING_POLICY = ClassName.get("io.verbena.rpc", "HedgingPolicy");

    private final MethodModel method;

    ClientOptions(final MethodModel method)
    {
        this.method = method;
    }

    static String constant(final MethodModel method)
    {
        return method.constantName() + "_OPTIONS";
    }

    static void addTimeout(final MethodSpec.Builder builder)
    {
        builder.addJavadoc("@param timeoutNs nanoseconds for the whole call; RpcChannel.NO_TIMEOUT for none,\n" +
            "                  RpcChannel.DEFAULT_TIMEOUT for the client's.\n")
            .addParameter(StubTypes.parameter(TypeName.LONG, "timeoutNs"));
    }

    static void addOptions(final MethodSpec.Builder builder, final MethodModel method)
    {
        builder.addJavadoc("@param options   of the call; start from {@link #$L} to keep what the method declares.\n",
            constant(method))
            .addParameter(StubTypes.parameter(StubTypes.CALL_OPTIONS, "options"));
    }

    FieldSpec field(final ClassName proxy)
    {
        final CodeBlock.Builder options = CodeBlock.builder()
            .add("$T.DEFAULT$>$>\n.timeoutNs($T.$L_TIMEOUT_NS)", StubTypes.CALL_OPTIONS, proxy, method.constantName());
        if (method.idempotent())
        {
            options.add("\n.idempotent(true)");
        }
        if (null != method.retry())
        {
            addRetry(options, method.retry());
        }
        if (null != method.hedge())
        {
            final HedgeModel hedge = method.hedge();
            options.add("\n.hedging(new $T($L, $LL))", HEDGING_POLICY, hedge.attempts(),
                StubConstants.grouped(hedge.delayNs()));
        }
        return FieldSpec.builder(StubTypes.CALL_OPTIONS, constant(method), Modifier.PUBLIC, Modifier.STATIC,
            Modifier.FINAL)
            .addJavadoc("What the method $L declares of its calls.\n", method.name())
            .initializer(options.add("$<$<").build())
            .build();
    }

    private static void addRetry(final CodeBlock.Builder options, final RetryModel retry)
    {
        final boolean isAllDefault = RetryModel.RUNTIME_DEFAULT == retry.backoffNs() &&
            RetryModel.RUNTIME_DEFAULT == retry.maxBackoffNs() && retry.codes().isEmpty();
        if (isAllDefault)
        {
            options.add("\n.retry(new $T($L))", RETRY_POLICY, retry.attempts());
            return;
        }
        options.add("\n.retry(new $T($L, $L, $L", RETRY_POLICY, retry.attempts(),
            wait(retry.backoffNs(), "BACKOFF_DEFAULT_NS", "min", retry.maxBackoffNs()),
            wait(retry.maxBackoffNs(), "MAX_BACKOFF_DEFAULT_NS", "max", retry.backoffNs()));
        for (final String code : retry.codes().isEmpty() ? List.of("UNAVAILABLE") : retry.codes())
        {
            options.add(", $T.$L", StubTypes.STATUS_CODE, code);
        }
        options.add("))");
    }

    /**
     * A wait that is declared, or the runtime's default as far as the other wait, if that is declared, allows it.
     */
    private static CodeBlock wait(
        final long declaredNs, final String defaultName, final String bound, final long otherNs)
    {
        if (RetryModel.RUNTIME_DEFAULT != declaredNs)
        {
            return CodeBlock.of("$LL", StubConstants.grouped(declaredNs));
        }
        return RetryModel.RUNTIME_DEFAULT == otherNs ?
            CodeBlock.of("$T.$L", RETRY_POLICY, defaultName) :
            CodeBlock.of("$T.$L($T.$L, $LL)", Math.class, bound, RETRY_POLICY, defaultName,
                StubConstants.grouped(otherNs));
    }
}
