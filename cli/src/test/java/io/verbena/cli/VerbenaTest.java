/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.cli;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * What a user sees at the terminal: exit status, one line for a mistake, no stack trace unless asked for.
 */
@Timeout(60)
class VerbenaTest
{
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final PrintStream formerErr = System.err;
    private final PrintStream formerOut = System.out;

    @TempDir
    private Path directory;

    @BeforeEach
    void capture()
    {
        System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
        System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
    }

    @AfterEach
    void release()
    {
        System.setErr(formerErr);
        System.setOut(formerOut);
    }

    @Test
    void shouldListCommandsWhenAskedForHelp()
    {
        assertEquals(0, Verbena.execute("--help"));
        for (final String command : new String[]{"demo", "codegen", "perf", "sample-pricing"})
        {
            assertTrue(out().contains(command), command);
        }
    }

    @Test
    void shouldSayWhatIsExpectedWhenThereIsNoCommand()
    {
        assertEquals(2, Verbena.execute());
        assertTrue(err().startsWith("expected a command, found none"), err());
    }

    @Test
    void shouldSuggestWhenCommandIsUnknown()
    {
        assertEquals(2, Verbena.execute("codgen"));
        assertTrue(err().contains("codgen"), err());
        assertTrue(err().contains("codegen"), err());
    }

    @Test
    void shouldTellInOneLineWhenSchemeIsUnknown()
    {
        assertEquals(1, Verbena.execute("sample-pricing", "tcp://localhost:1"));
        assertEquals(
            "verbena: tcp://localhost:1: expected an address that begins with ipc:, udp:// or loopback:, found " +
            "scheme tcp" + System.lineSeparator(),
            err());
    }

    @Test
    void shouldPrintStackTraceOnlyWhenAskedFor()
    {
        assertEquals(1, Verbena.execute("sample-pricing", "rdma://localhost:1"));
        assertFalse(err().contains("\tat "), err());
        assertEquals(1, Verbena.execute("--debug", "sample-pricing", "rdma://localhost:1"));
        assertTrue(err().contains("\tat "), err());
    }

    @Test
    void shouldRefuseSeveralAddressesWhenCalling()
    {
        assertEquals(2, Verbena.execute("sample-pricing", "udp://localhost:1", "udp://localhost:3"));
        assertTrue(err().startsWith("expected one address to call, found 2"), err());
    }

    @Test
    void shouldGenerateWhenSchemaIsRight() throws IOException
    {
        final Path schema = directory.resolve("greeter.xml");
        Files.writeString(schema, schema("Greeting"));
        final Path generated = directory.resolve("out");
        assertEquals(0, Verbena.execute("codegen", schema.toString(), "--out", generated.toString()), err());
        assertTrue(Files.isRegularFile(generated.resolve("com/example/greeter/GreeterClient.java")));
    }

    @Test
    void shouldTellFileAndLineWhenSchemaIsWrong() throws IOException
    {
        final Path schema = directory.resolve("greeter.xml");
        Files.writeString(schema, schema("Greetings"));
        assertEquals(1, Verbena.execute("codegen", schema.toString(), "--out", directory.resolve("out").toString()));
        assertTrue(err().contains("greeter.xml:16:"), err());
        assertTrue(err().contains("Greetings"), err());
        assertFalse(err().contains("\tat "), err());
    }

    private String err()
    {
        return err.toString(StandardCharsets.UTF_8);
    }

    private String out()
    {
        return out.toString(StandardCharsets.UTF_8);
    }

    private static String schema(final String response)
    {
        return """
            <sbe:messageSchema xmlns:sbe="http://fixprotocol.io/2016/sbe" xmlns:rpc="urn:verbena:rpc:1"
                               package="com.example.greeter" id="1" version="0" byteOrder="littleEndian">
                <types>
                    <composite name="messageHeader">
                        <type name="blockLength" primitiveType="uint16"/>
                        <type name="templateId" primitiveType="uint16"/>
                        <type name="schemaId" primitiveType="uint16"/>
                        <type name="version" primitiveType="uint16"/>
                    </composite>
                </types>
                <sbe:message name="Hello" id="1"/>
                <sbe:message name="Greeting" id="2">
                    <field name="number" id="1" type="int64"/>
                </sbe:message>
                <rpc:service name="Greeter" id="1">
                    <rpc:method name="greet" id="1" request="Hello" response="%s"/>
                </rpc:service>
            </sbe:messageSchema>
            """.formatted(response);
    }
}
