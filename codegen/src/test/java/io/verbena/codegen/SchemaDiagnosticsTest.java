/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.codegen;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.verbena.codegen.schema.Diagnostic;
import io.verbena.codegen.schema.DiagnosticCode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each fault of a file or a message schema: its code, line, element path and words.
 */
@Timeout(20)
class SchemaDiagnosticsTest
{
    private static final String FIELD = "<field name='a' id='1' type='int32'/>";

    @TempDir
    private Path directory;

    static Stream<Arguments> faults()
    {
        return Stream.of(
            arguments("<sbe:message name='M' id='1'>" + FIELD + "</sbe:message>\n<sbe:message name='N' id='1'/>",
                DiagnosticCode.DUPLICATE_MESSAGE_ID, 21, "messageSchema/message[N]/@id",
                "found 1, which \"M\" at line 20 has already"),
            arguments("<sbe:message name='M' id='1'>" + FIELD + "</sbe:message>\n<sbe:message name='m' id='2'/>",
                DiagnosticCode.DUPLICATE_MESSAGE_NAME, 21, "messageSchema/message[m]/@name",
                "found \"m\", which is at line 20 already"),
            arguments("<sbe:message name='M'/>", DiagnosticCode.BAD_NUMBER, 20, "messageSchema/message[M]/@id",
                "expected a number from 0 to 2147483647, found nothing"),
            arguments("<sbe:message name='M' id='x'/>", DiagnosticCode.BAD_NUMBER, 20, "messageSchema/message[M]/@id",
                "found \"x\""),
            arguments("<sbe:message id='1'/>", DiagnosticCode.BAD_SCHEMA_ATTRIBUTE, 20, "messageSchema/message",
                "expected an attribute name, found none"),
            arguments("<sbe:message name='M-1' id='1'/>", DiagnosticCode.BAD_NAME, 20,
                "messageSchema/message[M-1]/@name", "found \"M-1\""),
            arguments("<sbe:message name='M' id='1'>\n<field name='a' id='1' type='int31'/></sbe:message>",
                DiagnosticCode.UNKNOWN_TYPE, 21, "messageSchema/message[M]/field[a]/@type",
                "expected the name of a type, found \"int31\" (did you mean \"int32\"?)"),
            arguments("<sbe:message name='M' id='1'>\n<field name='a' id='1'/></sbe:message>",
                DiagnosticCode.BAD_SCHEMA_ATTRIBUTE, 21, "messageSchema/message[M]/field[a]",
                "expected an attribute type, found none"),
            arguments("<sbe:message name='M' id='1'>\n<field name='Class' id='1' type='int32'/></sbe:message>",
                DiagnosticCode.BAD_NAME, 21, "messageSchema/message[M]/field[Class]/@name", "is no Java keyword"),
            arguments("<sbe:message name='M' id='1'>" + FIELD + "\n<field name='A' id='2' type='int32'/></sbe:message>",
                DiagnosticCode.DUPLICATE_MEMBER, 21, "messageSchema/message[M]/field[A]/@name",
                "expected a name that no other member of the message has, found \"A\""),
            arguments("<sbe:message name='M' id='1'>" + FIELD + "\n<group name='g' id='2'>" + FIELD +
                "\n<data name='a' id='3' type='varDataEncoding'/></group></sbe:message>",
                DiagnosticCode.DUPLICATE_MEMBER, 22, "messageSchema/message[M]/group[g]/data[a]/@name",
                "no other member of the group"),
            arguments("<sbe:message name='M' id='1'>\n<group name='g' id='2' dimensionType='none'/></sbe:message>",
                DiagnosticCode.UNKNOWN_TYPE, 21, "messageSchema/message[M]/group[g]/@dimensionType",
                "found \"none\""),
            arguments("<types><type name='t' primitiveType='uint8'/></types><sbe:message name='M' id='1'>\n" +
                "<data name='d' id='2' type='t'/></sbe:message>", DiagnosticCode.BAD_SCHEMA_ATTRIBUTE, 21,
                "messageSchema/message[M]/data[d]/@type", "expected the name of a composite, found \"t\", a type"),
            arguments("<types>\n<type name='t' primitiveType='byte'/></types>", DiagnosticCode.UNKNOWN_TYPE, 21,
                "messageSchema/types/type[t]/@primitiveType", "found \"byte\""),
            arguments("<types>\n<enum name='e' encodingType='byte'><validValue name='A'>1</validValue></enum></types>",
                DiagnosticCode.UNKNOWN_TYPE, 21, "messageSchema/types/enum[e]/@encodingType", "found \"byte\""),
            arguments("<types>\n<set name='s' encodingType='uint8'>\n<choice name='Final'>0</choice></set></types>",
                DiagnosticCode.BAD_NAME, 22, "messageSchema/types/set[s]/choice[Final]/@name", "is no Java keyword"),
            arguments("<types>\n<composite name='c'><ref name='r' type='nope'/></composite></types>",
                DiagnosticCode.UNKNOWN_TYPE, 21, "messageSchema/types/composite[c]/ref[r]/@type", "found \"nope\""),
            arguments("<types>\n<composite name='c'><type name='r'/></composite></types>",
                DiagnosticCode.BAD_SCHEMA_ATTRIBUTE, 21, "messageSchema/types/composite[c]/type[r]",
                "expected an attribute primitiveType, found none"),
            arguments("<types>\n<composite name='c'><type name='r' primitiveType='int8'/>\n" +
                "<type name='R' primitiveType='int8'/></composite></types>",
                DiagnosticCode.DUPLICATE_MEMBER, 22, "messageSchema/types/composite[c]/type[R]/@name", "found \"R\""),
            arguments("<types><type name='t' primitiveType='uint8'/>\n<type name='t' primitiveType='int8'/></types>",
                DiagnosticCode.DUPLICATE_TYPE_NAME, 21, "messageSchema/types/type[t]/@name",
                "found \"t\", which is at line 20 already"),
            arguments("<types><type name='t' primitiveType='int8'/>\n<type name='t' primitiveType='int8'/></types>",
                DiagnosticCode.REPEATED_TYPE, 21, "messageSchema/types/type[t]/@name",
                "found \"t\", which is at line 20 already"),
            // What sbe-tool finds.
            arguments("<sbe:message name='M' id='1'>\n<field name='a' id='1' type='int32' sinceVersion='5'/>" +
                "</sbe:message>", DiagnosticCode.SBE_ERROR, 21, "messageSchema/message[M]/field[a]", "found: "),
            arguments("\n<sbe:message name='M' id='1' blockLength='2'>" + FIELD + "</sbe:message>",
                DiagnosticCode.SBE_ERROR, 21, "messageSchema/message[M]",
                "found: specified blockLength provides insufficient space 4 > 2"),
            arguments("<types>\n<enum name='e' encodingType='uint8'><validValue name='A'>1</validValue>" +
                "<validValue name='B'>1</validValue></enum></types>", DiagnosticCode.SBE_WARNING, 21,
                "messageSchema/types/enum[e]", "validValue already exists for value: 1"),
            arguments("<types>\n<enum name='e' encodingType='uint8'><validValue name='A'>1</validValue>\n" +
                "<validValue name='B'>x</validValue>\n<validValue name='C'>3</validValue></enum></types>",
                DiagnosticCode.SBE_FAILURE, 22, "messageSchema/types/enum[e]/validValue[B]", "\"x\""),
            arguments("<types>\n<enum name='e' encodingType='uint8'/></types><sbe:message name='M' id='1'>" +
                "<field name='a' id='1' type='e'/></sbe:message>",
                DiagnosticCode.SBE_FAILURE, 21, "messageSchema/message[M]/field[a]", "Index 0 out of bounds"),
            arguments("<types>\n<enum name='e' encodingType='uint8'><validValue name='A'>1</validValue>\n" +
                "<validValue name='true'>2</validValue></enum></types><sbe:message name='M' id='1'>" +
                "<field name='a' id='1' type='e'/></sbe:message>",
                DiagnosticCode.BAD_NAME, 22, "messageSchema/types/enum[e]/validValue[true]/@name",
                "is no Java keyword, found \"true\""),
            arguments("<types>\n<type name='t' primitiveType='uint8' length='b'/></types>",
                DiagnosticCode.SBE_FAILURE, 21, "messageSchema/types/type[t]", "\"b\""));
    }

    @ParameterizedTest
    @MethodSource("faults")
    void shouldLocateFault(
        final String body, final DiagnosticCode code, final int line, final String path, final String words)
        throws IOException
    {
        checkOnly(Fixtures.schema(body), code, line, path, words);
    }

    static Stream<Arguments> headFaults()
    {
        return Stream.of(
            arguments(" id=\"1\" ", " ", DiagnosticCode.BAD_NUMBER, 2, "messageSchema/@id",
                "expected a number from 0 to 2147483647, found nothing"),
            arguments("version=\"2\"", "version=\"two\"", DiagnosticCode.BAD_NUMBER, 2, "messageSchema/@version",
                "found \"two\""),
            arguments("littleEndian", "middleEndian", DiagnosticCode.BAD_SCHEMA_ATTRIBUTE, 2,
                "messageSchema/@byteOrder", "expected littleEndian or bigEndian, found \"middleEndian\""),
            arguments("test.small", "test small", DiagnosticCode.BAD_PACKAGE, 2, "messageSchema/@package",
                "expected a Java package name (or the option that overrides the package), found \"test small\""),
            arguments("test.small", "test.new", DiagnosticCode.BAD_PACKAGE, 2, "messageSchema/@package",
                "found \"test.new\""),
            arguments("name=\"messageHeader\"", "name=\"header\"", DiagnosticCode.BAD_HEADER, 2, "messageSchema",
                "expected a composite \"messageHeader\" for the message header, found no such type"),
            arguments("name=\"templateId\"", "name=\"template\"", DiagnosticCode.BAD_HEADER, 5,
                "messageSchema/types/composite[messageHeader]", "expected a member \"templateId\", found none"),
            arguments("name=\"templateId\" primitiveType=\"uint16\"", "name=\"templateId\" primitiveType=\"uint32\"",
                DiagnosticCode.BAD_HEADER, 7,
                "messageSchema/types/composite[messageHeader]/type[templateId]/@primitiveType",
                "expected a type that a Java int holds (uint16, say), found \"uint32\""));
    }

    @ParameterizedTest
    @MethodSource("headFaults")
    void shouldLocateFaultOfHead(
        final String right,
        final String wrong,
        final DiagnosticCode code,
        final int line,
        final String path,
        final String words)
        throws IOException
    {
        final String schema = Fixtures.schema("<sbe:message name='M' id='1'>" + FIELD + "</sbe:message>");
        assertTrue(schema.contains(right));
        checkOnly(schema.replace(right, wrong), code, line, path, words);
    }

    static Stream<Arguments> fileFaults()
    {
        return Stream.of(
            arguments("<a>\n<b>\n</a>", DiagnosticCode.MALFORMED_XML, 3, "", "expected well-formed XML, found: "),
            arguments("", DiagnosticCode.MALFORMED_XML, 1, "", "expected well-formed XML, found: "),
            arguments("<a>\n&nosuch;</a>", DiagnosticCode.MALFORMED_XML, 2, "", "expected well-formed XML, found: "),
            arguments("<?xml version='1.0' encoding='no-such'?><a/>", DiagnosticCode.MALFORMED_XML, 1, "",
                "expected text in the encoding"),
            arguments("<x>".repeat(65) + "</x>".repeat(65), DiagnosticCode.MALFORMED_XML, 1, "",
                "expected at most 64 nested elements, found more"),
            arguments("<?xml version='1.0'?>\n<!-- a -->\n<!DOCTYPE a [\n<!ENTITY x 'y'>\n]>\n<a/>",
                DiagnosticCode.DOCTYPE, 3, "", "expected no document type declaration"),
            arguments("\n<schema/>", DiagnosticCode.UNKNOWN_ROOT, 2, "schema",
                "expected messageSchema, or services of urn:verbena:rpc:1, found schema"),
            arguments("\n<services/>", DiagnosticCode.UNKNOWN_ROOT, 2, "services", "found services"),
            arguments("<rpc:services xmlns:rpc='urn:verbena:rpc:1'/>", DiagnosticCode.MISSING_ATTRIBUTE, 1, "services",
                "expected an attribute schema, found none"),
            arguments("<rpc:services xmlns:rpc='urn:verbena:rpc:1' schema='none.xml'/>",
                DiagnosticCode.BAD_SCHEMA_REFERENCE, 1, "services/@schema",
                "expected the path of a schema file, relative to the services file, found \"none.xml\""),
            arguments("<rpc:services xmlns:rpc='urn:verbena:rpc:1' schema='file.xml'/>",
                DiagnosticCode.BAD_SCHEMA_REFERENCE, 1, "services/@schema", "found \"file.xml\", a services"),
            arguments("<rpc:services xmlns:rpc='urn:verbena:rpc:1' schema='/etc/hostname'/>",
                DiagnosticCode.BAD_SCHEMA_REFERENCE, 1, "services/@schema", "found \"/etc/hostname\""));
    }

    @ParameterizedTest
    @MethodSource("fileFaults")
    void shouldLocateFaultOfFile(
        final String text, final DiagnosticCode code, final int line, final String path, final String words)
        throws IOException
    {
        checkOnly(text, code, line, path, words);
    }

    @Test
    void shouldRefuseXInclude() throws IOException
    {
        checkOnly(Fixtures.schema("\n<xi:include xmlns:xi='http://www.w3.org/2001/XInclude' href='x.xml'/>"),
            DiagnosticCode.XINCLUDE, 21, "messageSchema/include", "expected the whole schema in one file");
    }

    @Test
    void shouldReportFileThatCannotBeRead()
    {
        final List<Diagnostic> diagnostics = Fixtures.diagnose(directory.resolve("absent.xml"));
        assertEquals(1, diagnostics.size());
        assertEquals(DiagnosticCode.UNREADABLE, diagnostics.get(0).code());
        assertTrue(diagnostics.get(0).format().contains("absent.xml:1: expected a readable file"));
    }

    @Test
    void shouldReportBytesThatAreNoUtf8() throws IOException
    {
        final Path file = directory.resolve("file.xml");
        Files.write(file, new byte[]{'<', 'a', '>', (byte)0xFF, '<', '/', 'a', '>'});
        final List<Diagnostic> diagnostics = Fixtures.diagnose(file);
        assertEquals(List.of(DiagnosticCode.MALFORMED_XML), diagnostics.stream().map(Diagnostic::code).toList());
    }

    @Test
    void shouldNotReadWhatAnExternalEntityNames() throws IOException
    {
        Files.writeString(directory.resolve("secret.txt"), "squirrel");
        final String text = "<!DOCTYPE a [<!ENTITY x SYSTEM '" + directory.resolve("secret.txt").toUri() + "'>]>\n" +
            Fixtures.schema("<sbe:message name='M' id='1' description='&x;'>&x;</sbe:message>")
                .replaceFirst("<\\?xml[^>]*>", "");
        final List<Diagnostic> diagnostics = Fixtures.diagnose(Files.writeString(directory.resolve("a.xml"), text));
        assertEquals(1, diagnostics.size(), diagnostics::toString);
        assertEquals(DiagnosticCode.DOCTYPE, diagnostics.get(0).code());
        assertEquals(1, diagnostics.get(0).line());
        assertFalse(diagnostics.toString().contains("squirrel"));
    }

    @Test
    void shouldReportEveryFailureOfSbeToolInOneRunAndPrintNothing() throws IOException
    {
        final ByteArrayOutputStream printed = new ByteArrayOutputStream();
        final PrintStream err = System.err;
        final List<Diagnostic> diagnostics;
        System.setErr(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try
        {
            diagnostics = Fixtures.diagnose(Files.writeString(directory.resolve("a.xml"), Fixtures.schema("""
                <types>
                    <type name='t' primitiveType='uint8' length='b'/>
                    <set name='s' encodingType='uint8'>
                        <choice name='One'>1</choice>
                        <choice name='Nine'>9</choice>
                    </set>
                </types>
                <sbe:message name='M' id='1' blockLength='2'><field name='a' id='1' type='int32'/></sbe:message>
                <sbe:message name='N' id='2'><field name='a' id='1' type='t'/></sbe:message>
                """)));
        }
        finally
        {
            System.setErr(err);
        }
        assertEquals(List.of("21 V041", "24 V041", "27 V040"),
            diagnostics.stream().map((each) -> each.line() + " " + each.code().id()).toList());
        assertEquals("", printed.toString(StandardCharsets.UTF_8));
    }

    @Test
    void shouldNameOtherPlacesWhenSbeToolsNamesAreAmbiguous() throws IOException
    {
        final String group = "<group name='g' id='2'>" +
            "\n<data name='d' id='3' type='wideData'/></group></sbe:message>";
        final List<Diagnostic> diagnostics = Fixtures.diagnose(Files.writeString(directory.resolve("a.xml"),
            Fixtures.schema("<sbe:message name='M' id='1'>" + group + "<sbe:message name='N' id='2'>" + group)
                .replace("</types>", "<composite name='wideData'><type name='length' primitiveType='uint32'/>" +
                    "<type name='varData' primitiveType='uint8' length='0'/></composite></types>")));
        final List<Diagnostic> errors = diagnostics.stream().filter((each) -> each.code().isError()).toList();
        assertFalse(errors.isEmpty(), diagnostics::toString);
        assertEquals("messageSchema/message[M]/group[g]/data[d]", errors.get(0).path());
        assertTrue(errors.get(0).message().endsWith(" (or that of the same name at line 22)"), errors::toString);
    }

    @Test
    void shouldNameTheLineWhereATagOfSeveralLinesBegins() throws IOException
    {
        checkOnly(Fixtures.schema("<sbe:message name='M' id='1'>\n\n<!-- a\n comment --><field\n  name='a'\n" +
            "  id='1'\n  type='int31'\n/></sbe:message>").replace("\n", "\r\n"), DiagnosticCode.UNKNOWN_TYPE, 23,
            "messageSchema/message[M]/field[a]/@type", "found \"int31\"");
    }

    private void checkOnly(
        final String text, final DiagnosticCode code, final int line, final String path, final String words)
        throws IOException
    {
        final Path file = Files.writeString(directory.resolve("file.xml"), text);
        final List<Diagnostic> diagnostics = Fixtures.diagnose(file);
        assertEquals(1, diagnostics.size(), diagnostics::toString);
        final Diagnostic diagnostic = diagnostics.get(0);
        assertEquals(code, diagnostic.code(), diagnostics::toString);
        assertEquals(file.toString(), diagnostic.file());
        assertEquals(line, diagnostic.line());
        assertEquals(path, diagnostic.path());
        assertTrue(diagnostic.message().contains(words), diagnostic.message());
    }
}
