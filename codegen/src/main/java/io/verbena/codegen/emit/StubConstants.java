/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.codegen.emit;

import com.palantir.javapoet.FieldSpec;
import com.palantir.javapoet.MethodSpec;
import com.palantir.javapoet.TypeName;
import com.palantir.javapoet.TypeSpec;
import io.verbena.codegen.schema.CallKind;
import io.verbena.codegen.schema.MethodModel;
import io.verbena.codegen.schema.ServiceModel;
import javax.lang.model.element.Modifier;

/**
 * The public constants of a proxy: service id, method ids and time-outs; and how deprecation shows.
 */
final class StubConstants
{
    private final ServiceModel service;

    StubConstants(final ServiceModel service)
    {
        this.service = service;
    }

    void addTo(final TypeSpec.Builder type)
    {
        type.addField(constant(TypeName.INT, "SERVICE_ID")
            .addJavadoc("Id of the service $L.\n", service.name())
            .initializer("$L", service.id())
            .build());
        for (final MethodModel method : service.methods())
        {
            type.addField(constant(TypeName.INT, method.constantName() + "_METHOD_ID")
                .addJavadoc("Id of the method $L, which is $Lidempotent$L.\n", method.name(),
                    method.idempotent() ? "" : "not ",
                    0 == method.sinceVersion() ? "" : "; since schema version " + method.sinceVersion())
                .initializer("$L", method.id())
                .build());
            final FieldSpec.Builder timeout = constant(TypeName.LONG, method.constantName() + "_TIMEOUT_NS");
            if (MethodModel.NO_TIMEOUT_DECLARED == method.timeoutNs() && CallKind.UNARY != method.kind())
            {
                timeout.addJavadoc("Time-out of the method $L: it declares none, and a stream goes on until it ends." +
                    "\n", method.name());
                timeout.initializer("$T.NO_TIMEOUT", StubTypes.RPC_CHANNEL);
            }
            else if (MethodModel.NO_TIMEOUT_DECLARED == method.timeoutNs())
            {
                timeout.addJavadoc("Time-out of the method $L: it declares none, so the channel's default.\n",
                    method.name());
                timeout.initializer("$T.DEFAULT_TIMEOUT", StubTypes.RPC_CHANNEL);
            }
            else
            {
                timeout.addJavadoc("Time-out that the method $L declares, in nanoseconds.\n", method.name());
                timeout.initializer("$L", grouped(method.timeoutNs()) + "L");
            }
            type.addField(timeout.build());
        }
    }

    /**
     * Marks what a client calls, and not what a server implements: it must go on serving.
     */
    static void deprecate(final MethodSpec.Builder builder, final MethodModel method)
    {
        if (MethodModel.NOT_DEPRECATED != method.deprecated())
        {
            builder.addJavadoc("@deprecated since schema version $L.\n", method.deprecated());
            builder.addAnnotation(Deprecated.class);
        }
    }

    private static FieldSpec.Builder constant(final TypeName type, final String name)
    {
        return FieldSpec.builder(type, name, Modifier.PUBLIC, Modifier.STATIC, Modifier.FINAL);
    }

    static String grouped(final long value)
    {
        return String.format(java.util.Locale.ROOT, "%,d", value).replace(',', '_');
    }
}
