/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.codegen.emit;

import com.palantir.javapoet.FieldSpec;
import com.palantir.javapoet.MethodSpec;
import com.palantir.javapoet.TypeName;
import com.palantir.javapoet.TypeSpec;
import io.verbena.codegen.schema.MessageModel;
import javax.lang.model.element.Modifier;

/**
 * Emits the exception of a declared error: <code>UnknownSymbolException</code>.
 */
final class ExceptionEmitter
{
    private final StubTypes types;

    ExceptionEmitter(final StubTypes types)
    {
        this.types = types;
    }

    TypeSpec emit(final MessageModel error)
    {
        return TypeSpec.classBuilder(types.exception(error))
            .addModifiers(Modifier.PUBLIC, Modifier.FINAL)
            .superclass(StubTypes.RPC_EXCEPTION)
            .addJavadoc("A call ended with the declared error $L. $L\n", error.name(),
                StubTypes.sentence(error.description(), ""))
            .addField(FieldSpec.builder(TypeName.LONG, "serialVersionUID", Modifier.PRIVATE, Modifier.STATIC,
                Modifier.FINAL).initializer("1L").build())
            .addMethod(MethodSpec.constructorBuilder()
                .addParameter(StubTypes.parameter(StubTypes.RPC_EXCEPTION, "failure"))
                .addStatement("super(failure)")
                .build())
            .addMethod(StubTypes.publicMethod("error")
                .returns(types.decoder(error))
                .addJavadoc("The error.\n\n@return a new decoder over this exception's own copy of the error; any " +
                    "thread may use it, one at a time.\n")
                .addStatement("final $T detail = detail()", StubTypes.DIRECT_BUFFER)
                .addStatement("final $T header = new $T().wrap(detail, 0)", types.headerDecoder(),
                    types.headerDecoder())
                .addStatement("return $L", types.wrapDecoder("new " + types.decoder(error).simpleName() + "()",
                    "header", "detail"))
                .build())
            .build();
    }
}
