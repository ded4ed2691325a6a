/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.codegen.emit;

import com.palantir.javapoet.ArrayTypeName;
import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.MethodSpec;
import com.palantir.javapoet.TypeName;
import com.palantir.javapoet.TypeSpec;
import io.verbena.codegen.schema.MessageModel;
import io.verbena.codegen.schema.MethodModel;
import io.verbena.codegen.schema.ServiceModel;
import java.util.Base64;
import java.util.List;
import javax.lang.model.element.Modifier;

import uk.co.real_logic.sbe.ir.Ir;

/**
 * Emits what tools may ask about a service: the class that holds the schema's intermediate representation,
 * <code>Schema100Ir</code>, and the method of an adapter that describes its service.
 */
final class DescriptorEmitter
{
    /** Short enough for one string constant of a class file, long enough for few of them. */
    private static final int LINES_IN_CONSTANT = 100;
    private static final int LINE_LENGTH = 100;
    private static final ClassName DESCRIPTOR = ClassName.get("io.verbena.rpc", "ServiceDescriptor");
    private static final ClassName METHOD_DESCRIPTOR = ClassName.get("io.verbena.rpc", "MethodDescriptor");

    private final StubTypes types;

    DescriptorEmitter(final StubTypes types)
    {
        this.types = types;
    }

    TypeSpec schemaIr(final Ir ir)
    {
        final String text = Base64.getEncoder().encodeToString(IrBytes.of(ir));
        final CodeBlock.Builder parts = CodeBlock.builder().add("final $T[] parts = {$>$>", StubTypes.STRING);
        for (int start = 0; start < text.length(); start += LINE_LENGTH)
        {
            final int line = start / LINE_LENGTH;
            // One constant goes on with a plus: the compiler joins it.
            final String join = 0 == line ? "\n" : 0 == line % LINES_IN_CONSTANT ? ",\n" : " +\n";
            parts.add("$L$S", join, text.substring(start, Math.min(start + LINE_LENGTH, text.length())));
        }
        return TypeSpec.classBuilder(types.schemaIr())
            .addModifiers(Modifier.FINAL)
            .addJavadoc("The schema with id $L in SBE's intermediate representation, as SBE's tools write it to a " +
                "file.\n", types.schema().id())
            .addMethod(MethodSpec.constructorBuilder().addModifiers(Modifier.PRIVATE).build())
            .addMethod(MethodSpec.methodBuilder("bytes")
                .addModifiers(Modifier.STATIC)
                .returns(ArrayTypeName.of(TypeName.BYTE))
                .addCode(parts.add("$<$<\n};\n").build())
                .addStatement("return $T.getDecoder().decode($T.join($S, parts))", Base64.class, StubTypes.STRING, "")
                .build())
            .build();
    }

    MethodSpec descriptor(final ServiceModel service)
    {
        final CodeBlock.Builder methods = CodeBlock.builder();
        String join = "\n";
        for (final MethodModel method : service.methods())
        {
            methods.add("$Lnew $T($S, $L, $T.$L, $L,$>\n$S, $S, $L)$<", join, METHOD_DESCRIPTOR, method.name(),
                method.id(), StubTypes.METHOD_KIND, method.kind().name(), method.idempotent(),
                method.request().name(), method.response().name(), names(method.errors()));
            join = ",\n";
        }
        return StubTypes.override("descriptor")
            .returns(DESCRIPTOR)
            .addStatement("return new $T($S, $L, $L, $L,\n$T.of($L),\n$T.bytes())", DESCRIPTOR, service.name(),
                service.id(), types.schema().id(), types.schema().version(), List.class, methods.build(),
                types.schemaIr())
            .build();
    }

    private static CodeBlock names(final List<MessageModel> messages)
    {
        final CodeBlock.Builder names = CodeBlock.builder().add("$T.of(", List.class);
        String join = "";
        for (final MessageModel message : messages)
        {
            names.add("$L$S", join, message.name());
            join = ", ";
        }
        return names.add(")").build();
    }
}
