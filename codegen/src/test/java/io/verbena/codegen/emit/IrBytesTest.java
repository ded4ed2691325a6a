/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.codegen.emit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.codegen.schema.Diagnostics;
import io.verbena.codegen.schema.SbeTool;
import io.verbena.codegen.schema.SchemaCheck;
import io.verbena.codegen.schema.SchemaInputs;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import uk.co.real_logic.sbe.ir.Ir;
import uk.co.real_logic.sbe.ir.IrDecoder;
import uk.co.real_logic.sbe.ir.IrEncoder;
import uk.co.real_logic.sbe.ir.Token;

/**
 * Our serialized schemas against sbe-tool's own reader and writer.
 */
@Timeout(30)
class IrBytesTest
{
    private static final Path FIXTURES = Path.of("src", "test", "resources", "fixtures");

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"trading.xml", "wide.xml"})
    void shouldEqualWhatSbeToolWrites(final String name)
    {
        assertSame(parse(FIXTURES.resolve(name)));
    }

    @Test
    void shouldEqualWhatSbeToolWritesWhenAllKindsOfTypesAndValuesOccur() throws IOException
    {
        assertSame(parse(Files.writeString(directory.resolve("all.xml"), """
            <sbe:messageSchema xmlns:sbe="http://fixprotocol.io/2016/sbe" package="test.all" id="9" version="2"
                               semanticVersion="5.2" byteOrder="bigEndian">
                <types>
                    <composite name="messageHeader">
                        <type name="blockLength" primitiveType="uint16"/>
                        <type name="templateId" primitiveType="uint16"/>
                        <type name="schemaId" primitiveType="uint16"/>
                        <type name="version" primitiveType="uint16"/>
                    </composite>
                    <composite name="groupSizeEncoding">
                        <type name="blockLength" primitiveType="uint16"/>
                        <type name="numInGroup" primitiveType="uint8"/>
                    </composite>
                    <composite name="text">
                        <type name="length" primitiveType="uint16"/>
                        <type name="varData" primitiveType="uint8" length="0" characterEncoding="UTF-8"/>
                    </composite>
                    <enum name="Letter" encodingType="char" description="Grüße">
                        <validValue name="A">A</validValue>
                        <validValue name="B" sinceVersion="1" deprecated="2">B</validValue>
                    </enum>
                    <set name="Flags" encodingType="uint16">
                        <choice name="low">0</choice><choice name="high">15</choice>
                    </set>
                    <type name="Constant" primitiveType="char" presence="constant" length="5">FIXED</type>
                    <type name="OneChar" primitiveType="char" presence="constant">X</type>
                    <type name="ConstantInt" primitiveType="int32" presence="constant">-7</type>
                    <type name="Fixed" primitiveType="char" length="8" characterEncoding="US-ASCII"/>
                    <type name="Narrow" primitiveType="int64" minValue="-5" maxValue="5" nullValue="6"
                          presence="optional"/>
                    <type name="Wide" primitiveType="uint64" minValue="1" maxValue="18446744073709551614"/>
                    <type name="Single" primitiveType="float" minValue="-1.5" maxValue="2.5"/>
                    <type name="Double" primitiveType="double" nullValue="0.25" presence="optional"/>
                    <composite name="Pair" description="Two of a kind">
                        <type name="left" primitiveType="int8"/><ref name="right" type="Letter"/>
                    </composite>
                </types>
                <sbe:message name="Second" id="2" semanticType="s" description="second"/>
                <sbe:message name="First" id="1" deprecated="2">
                    <field name="letter" id="1" type="Letter" semanticType="Char"/>
                    <field name="flags" id="2" type="Flags"/>
                    <field name="constant" id="3" type="Constant"/>
                    <field name="one" id="4" type="OneChar"/>
                    <field name="number" id="5" type="ConstantInt"/>
                    <field name="fixed" id="6" type="Fixed"/>
                    <field name="narrow" id="7" type="Narrow"/>
                    <field name="wide" id="8" type="Wide"/>
                    <field name="single" id="9" type="Single"/>
                    <field name="twice" id="10" type="Double" epoch="unix" timeUnit="nanosecond"/>
                    <field name="pair" id="11" type="Pair"/>
                    <field name="always" id="12" type="Letter" presence="constant" valueRef="Letter.B"/>
                    <group name="rows" id="13" sinceVersion="1">
                        <field name="cell" id="14" type="uint32"/>
                        <data name="note" id="15" type="text"/>
                    </group>
                </sbe:message>
            </sbe:messageSchema>
            """)));
    }

    @Test
    void shouldCutDescriptionThatIsLongerThanTheFormatHolds() throws IOException
    {
        final String schema = Files.readString(FIXTURES.resolve("trading.xml"))
            .replace("description=\"An order to place\"", "description=\"" + "x".repeat(70_000) + "\"");
        final Ir ir = read(IrBytes.of(parse(Files.writeString(directory.resolve("long.xml"), schema))));
        assertEquals("x".repeat(65_534), ir.getMessage(1).get(0).description());
        assertEquals("OrderPlaced", ir.getMessage(2).get(0).name());
    }

    private static void assertSame(final Ir ir)
    {
        final byte[] bytes = IrBytes.of(ir);
        final Ir read = read(bytes);
        assertEquals(ir.id(), read.id());
        assertEquals(ir.version(), read.version());
        assertEquals(ir.packageName(), read.packageName());
        assertEquals(ir.semanticVersion(), read.semanticVersion());
        assertEquals(ir.headerStructure().tokens().toString(), read.headerStructure().tokens().toString());
        assertEquals(ir.messages().size(), read.messages().size());
        for (final List<Token> message : ir.messages())
        {
            assertTrue(message.size() >= 2);
            assertEquals(message.toString(), read.getMessage(message.get(0).id()).toString());
        }

        final ByteBuffer expected = ByteBuffer.allocateDirect(1 << 20);
        final int length;
        try (IrEncoder encoder = new IrEncoder(expected, ir))
        {
            length = encoder.encode();
        }
        final byte[] expectedBytes = new byte[length];
        expected.get(0, expectedBytes);
        assertArrayEquals(expectedBytes, bytes);
    }

    private static Ir read(final byte[] bytes)
    {
        try (IrDecoder decoder = new IrDecoder(ByteBuffer.wrap(bytes)))
        {
            return decoder.decode();
        }
    }

    private static Ir parse(final Path schema)
    {
        final Diagnostics diagnostics = new Diagnostics();
        final SchemaInputs inputs = SchemaInputs.read(List.of(schema), diagnostics);
        final Ir ir =
            SbeTool.parse(SchemaCheck.check(inputs.schemas().get(0).root(), null, diagnostics), diagnostics);
        assertEquals(0, diagnostics.errorCount(), () -> diagnostics.all().toString());
        return ir;
    }
}
