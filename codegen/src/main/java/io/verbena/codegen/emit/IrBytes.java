/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.codegen.emit;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

import uk.co.real_logic.sbe.PrimitiveType;
import uk.co.real_logic.sbe.PrimitiveValue;
import uk.co.real_logic.sbe.ir.Encoding;
import uk.co.real_logic.sbe.ir.Ir;
import uk.co.real_logic.sbe.ir.Token;
import uk.co.real_logic.sbe.ir.generated.ByteOrderCodec;
import uk.co.real_logic.sbe.ir.generated.PresenceCodec;
import uk.co.real_logic.sbe.ir.generated.PrimitiveTypeCodec;
import uk.co.real_logic.sbe.ir.generated.SignalCodec;

/**
 * Writes a schema's intermediate representation in SBE's own serialized form, the messages FrameCodec and TokenCodec of
 * <code>sbe-ir.xml</code>, one after another, without message headers, little endian:
 * <pre>
 * frame:  0 schema id i32 | 4 IR version i32 | 8 schema version i32 | package name | namespace | semantic version
 * tokens, first those of the message header, then those of each message, in the order of message ids:
 *         0 offset i32 | 4 length i32 | 8 id i32 | 12 version i32 | 16 count of component tokens i32 | 20 signal u8
 *        21 primitive type u8 | 22 byte order u8 | 23 presence u8 | 24 deprecated i32 | name | constant | minimum |
 *           maximum | null value | character encoding | epoch | time unit | semantic type | description |
 *           referenced name | package name
 * </pre>
 * each text and value with its length as u16 before it.
 * <p>
 * Design note: sbe-tool's own encoder works on Agrona's buffers, which need options that Maven's JVM does not have.
 */
final class IrBytes
{
    private static final int MAX_DATA_LENGTH = 65_534;
    private static final int FRAME_BLOCK_LENGTH = 12;
    private static final int TOKEN_BLOCK_LENGTH = 28;
    private static final byte[] NOTHING = {};

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    private IrBytes()
    {
    }

    /**
     * Writes a schema.
     *
     * @param ir of the schema.
     * @return its bytes; the same for the same schema.
     */
    static byte[] of(final Ir ir)
    {
        final IrBytes bytes = new IrBytes();
        bytes.frame(ir);
        bytes.tokens(ir.headerStructure().tokens());
        ir.messages().stream()
            .sorted((left, right) -> Integer.compare(left.get(0).id(), right.get(0).id()))
            .forEach(bytes::tokens);
        return bytes.out.toByteArray();
    }

    private void frame(final Ir ir)
    {
        write(littleEndian(FRAME_BLOCK_LENGTH).putInt(ir.id()).putInt(0).putInt(ir.version()).array());
        text(ir.packageName());
        text(ir.namespaceName());
        text(ir.semanticVersion());
    }

    private void tokens(final List<Token> tokens)
    {
        tokens.forEach(this::token);
    }

    private void token(final Token token)
    {
        final Encoding encoding = token.encoding();
        final PrimitiveType type = encoding.primitiveType();
        write(littleEndian(TOKEN_BLOCK_LENGTH)
            .putInt(token.offset())
            .putInt(token.encodedLength())
            .putInt(token.id())
            .putInt(token.version())
            .putInt(token.componentTokenCount())
            .put((byte)SignalCodec.valueOf(token.signal().name()).value())
            .put((byte)(null == type ? PrimitiveTypeCodec.NONE : PrimitiveTypeCodec.valueOf(type.name())).value())
            .put((byte)(ByteOrder.BIG_ENDIAN == encoding.byteOrder() ?
                ByteOrderCodec.SBE_BIG_ENDIAN : ByteOrderCodec.SBE_LITTLE_ENDIAN).value())
            .put((byte)PresenceCodec.valueOf("SBE_" + encoding.presence().name()).value())
            .putInt(token.deprecated())
            .array());
        text(token.name());
        data(value(encoding.constValue(), type));
        data(value(encoding.minValue(), type));
        data(value(encoding.maxValue(), type));
        data(value(encoding.nullValue(), type));
        text(encoding.characterEncoding());
        text(encoding.epoch());
        text(encoding.timeUnit());
        text(encoding.semanticType());
        text(token.description());
        text(token.referencedName());
        text(token.packageName());
    }

    private static byte[] value(final PrimitiveValue value, final PrimitiveType type)
    {
        if (null == value || null == type)
        {
            return NOTHING;
        }
        return switch (type)
        {
            case CHAR -> PrimitiveValue.Representation.LONG == value.representation() ?
                new byte[]{(byte)value.longValue()} : characters(value);
            case INT8, UINT8 -> new byte[]{(byte)value.longValue()};
            case INT16, UINT16 -> littleEndian(Short.BYTES).putShort((short)value.longValue()).array();
            case INT32, UINT32 -> littleEndian(Integer.BYTES).putInt((int)value.longValue()).array();
            case INT64, UINT64 -> littleEndian(Long.BYTES).putLong(value.longValue()).array();
            case FLOAT -> littleEndian(Float.BYTES).putFloat((float)value.doubleValue()).array();
            case DOUBLE -> littleEndian(Double.BYTES).putDouble(value.doubleValue()).array();
        };
    }

    private static byte[] characters(final PrimitiveValue value)
    {
        final byte[] characters = value.byteArrayValue();
        return 1 == value.size() ? Arrays.copyOf(characters, 1) : characters;
    }

    private void text(final String text)
    {
        data(null == text ? NOTHING : text.getBytes(StandardCharsets.UTF_8));
    }

    private void data(final byte[] data)
    {
        // Only a description can be that long, and it is for people.
        final int length = Math.min(data.length, MAX_DATA_LENGTH);
        write(littleEndian(Short.BYTES).putShort((short)length).array());
        out.write(data, 0, length);
    }

    private void write(final byte[] bytes)
    {
        out.write(bytes, 0, bytes.length);
    }

    private static ByteBuffer littleEndian(final int length)
    {
        return ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    }
}
