/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.codegen.emit;

import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.FieldSpec;
import com.palantir.javapoet.MethodSpec;
import com.palantir.javapoet.TypeName;
import com.palantir.javapoet.TypeSpec;
import io.verbena.codegen.schema.MessageModel;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.lang.model.element.Modifier;

import uk.co.real_logic.sbe.ir.Ir;

/**
 * Emits the check of a message that came from a peer: <code>GetPriceCheck</code>. Decoders trust their input: they
 * read past a short block and follow whatever length a peer wrote. After this check all that they can reach lies
 * inside the payload.
 */
final class CheckEmitter
{
    private static final String NO_FAULT = "0";
    /** Entries without a byte cost a peer nothing to claim. */
    private static final int MAX_EMPTY_ENTRIES = 65535;

    private final StubTypes types;
    private final Ir ir;
    private final List<String> memberPaths = new ArrayList<>();
    private TypeSpec.Builder type;

    CheckEmitter(final StubTypes types, final Ir ir)
    {
        this.types = types;
        this.ir = ir;
    }

    TypeSpec emit(final MessageModel message)
    {
        memberPaths.clear();
        final Block block = Block.ofMessage(ir.getMessage(message.id()));
        type = TypeSpec.classBuilder(types.check(message))
            .addModifiers(Modifier.FINAL)
            .addJavadoc("Checks bytes that should be a $L before a decoder trusts their lengths.\n", message.name());
        if (block.isVariable())
        {
            type.addField(FieldSpec.builder(ByteOrder.class, "BYTE_ORDER", Modifier.PRIVATE, Modifier.STATIC,
                Modifier.FINAL).initializer("$T.BYTE_ORDER", types.decoder(message)).build());
        }
        type.addMethod(MethodSpec.constructorBuilder().addModifiers(Modifier.PRIVATE).build());
        type.addMethod(fault(message, block));
        addMinimum("minimumBlockLength", block);
        if (block.isVariable())
        {
            type.addMethod(members(block, "", "members", 0));
            type.addMethod(MethodSpec.methodBuilder("memberFault")
                .addModifiers(Modifier.PRIVATE, Modifier.STATIC)
                .returns(StubTypes.STRING)
                .addParameter(StubTypes.parameter(TypeName.INT, "member"))
                .addParameter(StubTypes.parameter(TypeName.INT, "length"))
                .addCode(memberNames())
                .addStatement("return $S + name + $S + length + $S", message.name() + ": expected ",
                    " to end inside the payload of ", " bytes, found it cut off or too long")
                .build());
        }
        return type.build();
    }

    private CodeBlock memberNames()
    {
        final CodeBlock.Builder code = CodeBlock.builder()
            .addStatement("final $T name", StubTypes.STRING)
            .beginControlFlow("switch (member)");
        for (int i = 0; i < memberPaths.size(); i++)
        {
            final boolean isLast = i == memberPaths.size() - 1;
            code.add(isLast ? "default:\n$>" : "case $L:\n$>", isLast ? new Object[0] : new Object[]{i + 1})
                .addStatement("name = $S", memberPaths.get(i))
                .addStatement("break")
                .add("$<");
        }
        return code.endControlFlow().build();
    }

    private MethodSpec fault(final MessageModel message, final Block block)
    {
        final MethodSpec.Builder method = MethodSpec.methodBuilder("fault")
            .addModifiers(Modifier.STATIC)
            .returns(StubTypes.STRING)
            .addJavadoc("Looks for a fault.\n\n@param header is wrapped at the start of the buffer.\n" +
                "@param buffer holds the message header and the message, from its first byte.\n" +
                "@param length bytes of header and message.\n@return null for none, or what was expected and found.\n")
            .addParameter(StubTypes.parameter(types.headerDecoder(), "header"))
            .addParameter(StubTypes.parameter(StubTypes.DIRECT_BUFFER, "buffer"))
            .addParameter(StubTypes.parameter(TypeName.INT, "length"))
            .beginControlFlow("if (length < $T.ENCODED_LENGTH)", types.headerDecoder())
            .addStatement("return $S + $T.ENCODED_LENGTH + $S + length", message.name() + ": expected at least the ",
                types.headerDecoder(), " bytes of a message header, found ")
            .endControlFlow()
            .addCode("\n")
            .addStatement("header.wrap(buffer, 0)");
        addHeaderCheck(method, message, "schemaId", "schema id", "SCHEMA_ID");
        addHeaderCheck(method, message, "templateId", "template id", "TEMPLATE_ID");
        method.addCode("\n")
            .addStatement("final int version = $L", types.version("header"))
            .addStatement("final long blockLength = header.blockLength()")
            .addStatement("final int available = length - $T.ENCODED_LENGTH", types.headerDecoder())
            .addStatement("final int minimum = minimumBlockLength(version)")
            .beginControlFlow("if (blockLength < minimum || blockLength > available)")
            .addStatement("return $S + minimum + $S + available + $S + blockLength",
                message.name() + ": expected a block length from ", " to the ", " bytes that follow the header, found ")
            .endControlFlow();
        if (block.isVariable())
        {
            method.addCode("\n")
                .addStatement("final int limit = members(buffer, $T.ENCODED_LENGTH + (int)blockLength, length, " +
                    "version)", types.headerDecoder())
                .addStatement("return limit < $L ? memberFault(-limit, length) : null", NO_FAULT);
        }
        else
        {
            method.addCode("\n").addStatement("return null");
        }
        return method.build();
    }

    private void addHeaderCheck(
        final MethodSpec.Builder method,
        final MessageModel message,
        final String member,
        final String words,
        final String constant)
    {
        method.beginControlFlow("if ($T.$L != header.$L())", types.decoder(message), constant, member)
            .addStatement("return $S + $T.$L + $S + header.$L()", message.name() + ": expected " + words + " ",
                types.decoder(message), constant, ", found ", member)
            .endControlFlow();
    }

    /**
     * The shortest block that holds all fields of a version: a shorter one would let fields be read from what follows.
     */
    private void addMinimum(final String name, final Block block)
    {
        final MethodSpec.Builder method = MethodSpec.methodBuilder(name)
            .addModifiers(Modifier.PRIVATE, Modifier.STATIC)
            .returns(TypeName.INT)
            .addParameter(StubTypes.parameter(TypeName.INT, "version"));
        for (final int since : block.ends().descendingKeySet())
        {
            if (since > 0)
            {
                method.beginControlFlow("if (version >= $L)", since)
                    .addStatement("return $L", end(block, since))
                    .endControlFlow();
            }
        }
        type.addMethod(method.addStatement("return $L", end(block, 0)).build());
    }

    private static int end(final Block block, final int version)
    {
        int end = 0;
        for (final Map.Entry<Integer, Integer> entry : block.ends().headMap(version, true).entrySet())
        {
            end = Math.max(end, entry.getValue());
        }
        return end;
    }

    /**
     * A method that walks the groups and data of a block; it returns where they end, or minus the number of the member
     * that does not fit.
     */
    private MethodSpec members(final Block block, final String path, final String name, final int depth)
    {
        final MethodSpec.Builder method = walker(name).addStatement("int limit = start");
        for (final Block group : block.groups())
        {
            final String groupPath = path + group.name();
            final int member = number(groupPath);
            final String walker = "group" + member;
            type.addMethod(group(group, groupPath, walker, member, depth));
            beginSince(method, group.sinceVersion());
            method.addStatement("limit = $L(buffer, limit, length, version)", walker)
                .beginControlFlow("if (limit < $L)", NO_FAULT)
                .addStatement("return limit")
                .endControlFlow();
            endSince(method, group.sinceVersion());
        }
        for (final Block.Data data : block.data())
        {
            addData(method, data, path);
        }
        return method.addStatement("return limit").build();
    }

    private void addData(final MethodSpec.Builder method, final Block.Data data, final String path)
    {
        final int member = number(path + data.name());
        final String variable = "data" + member + "Length";
        beginSince(method, data.sinceVersion());
        method.beginControlFlow("if (length - limit < $L)", data.headerLength())
            .addStatement("return -$L", member)
            .endControlFlow()
            .addStatement("final long $L = $L", variable, read(data.length(), "limit"))
            .beginControlFlow("if ($L < 0 || $L > length - limit - $L)", variable, variable, data.headerLength())
            .addStatement("return -$L", member)
            .endControlFlow()
            .addStatement("limit += $L + (int)$L", data.headerLength(), variable);
        endSince(method, data.sinceVersion());
    }

    private MethodSpec group(
        final Block group, final String path, final String name, final int member, final int depth)
    {
        addMinimum(name + "MinimumBlockLength", group);
        final MethodSpec.Builder method = walker(name)
            .beginControlFlow("if (length - start < $L)", group.headerLength())
            .addStatement("return -$L", member)
            .endControlFlow()
            .addCode("\n")
            .addStatement("final long blockLength = $L", read(group.blockLength(), "start"))
            .addStatement("final long count = $L", read(group.count(), "start"))
            .addStatement("final int available = length - start - $L", group.headerLength())
            .addComment("Entries take their block each, so no count that a peer makes up goes beyond the payload.")
            .addStatement("final long most = 0 == blockLength ? $L : available / blockLength", MAX_EMPTY_ENTRIES)
            .beginControlFlow("if (blockLength < 0 || count < 0 || count > most ||\n$>$>" +
                "0 != count && blockLength < $LMinimumBlockLength(version)$<$<)", name)
            .addStatement("return -$L", member)
            .endControlFlow()
            .addCode("\n");
        if (!group.isVariable())
        {
            return method.addStatement("return start + $L + (int)(blockLength * count)", group.headerLength()).build();
        }

        final String members = name + "Members";
        type.addMethod(members(group, path + ".", members, depth + 1));
        return method.addStatement("int limit = start + $L", group.headerLength())
            .beginControlFlow("for (long i = 0; i < count; i++)")
            .beginControlFlow("if (blockLength > length - limit)")
            .addStatement("return -$L", member)
            .endControlFlow()
            .addStatement("limit = $L(buffer, limit + (int)blockLength, length, version)", members)
            .beginControlFlow("if (limit < $L)", NO_FAULT)
            .addStatement("return limit")
            .endControlFlow()
            .endControlFlow()
            .addStatement("return limit")
            .build();
    }

    private static MethodSpec.Builder walker(final String name)
    {
        return MethodSpec.methodBuilder(name)
            .addModifiers(Modifier.PRIVATE, Modifier.STATIC)
            .returns(TypeName.INT)
            .addParameter(StubTypes.parameter(StubTypes.DIRECT_BUFFER, "buffer"))
            .addParameter(StubTypes.parameter(TypeName.INT, "start"))
            .addParameter(StubTypes.parameter(TypeName.INT, "length"))
            .addParameter(StubTypes.parameter(TypeName.INT, "version"));
    }

    private int number(final String path)
    {
        memberPaths.add(path);
        return memberPaths.size();
    }

    private static void beginSince(final MethodSpec.Builder method, final int sinceVersion)
    {
        if (sinceVersion > 0)
        {
            method.beginControlFlow("if (version >= $L)", sinceVersion);
        }
    }

    private static void endSince(final MethodSpec.Builder method, final int sinceVersion)
    {
        if (sinceVersion > 0)
        {
            method.endControlFlow();
        }
    }

    private static String read(final Block.Number number, final String start)
    {
        final String index = 0 == number.offset() ? start : start + " + " + number.offset();
        return switch (number.type())
        {
            case UINT8 -> "buffer.getByte(" + index + ") & 0xFFL";
            case INT8, CHAR -> "buffer.getByte(" + index + ")";
            case UINT16 -> "buffer.getShort(" + index + ", BYTE_ORDER) & 0xFFFFL";
            case INT16 -> "buffer.getShort(" + index + ", BYTE_ORDER)";
            case UINT32 -> "buffer.getInt(" + index + ", BYTE_ORDER) & 0xFFFF_FFFFL";
            case INT32 -> "buffer.getInt(" + index + ", BYTE_ORDER)";
            default -> "buffer.getLong(" + index + ", BYTE_ORDER)";
        };
    }
}
