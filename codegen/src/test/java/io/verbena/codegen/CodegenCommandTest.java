/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.codegen;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

@Timeout(30)
class CodegenCommandTest
{
    private static final String TRADING = Fixtures.DIRECTORY.resolve("trading.xml").toString();
    private static final String SERVICES = Fixtures.DIRECTORY.resolve("trading-services.xml").toString();

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path directory;

    @Test
    void shouldWriteCodecsAndStubsAndSaySo()
    {
        final Path target = directory.resolve("new/folder");
        assertEquals(0, run(TRADING, SERVICES, "--out", target.toString()));
        assertTrue(Files.isRegularFile(target.resolve("test/trading/OrdersProxy.java")));
        assertTrue(Files.isRegularFile(target.resolve("test/trading/NewOrderDecoder.java")));
        assertEquals("", err.toString());
        assertTrue(out.toString().matches("codegen: (\\d+) files of 1 schema\\(s\\) with 3 service\\(s\\) in .*, \\1 " +
            "of them new or changed\\R"), out.toString());
    }

    @Test
    void shouldReadTheSchemaThatServicesName()
    {
        assertEquals(0, run(SERVICES, "--out", directory.toString()));
        assertTrue(Files.isRegularFile(directory.resolve("test/trading/NewOrderDecoder.java")));
    }

    @Test
    void shouldWriteCodecsAloneWhenThereAreNoServices()
    {
        assertEquals(0, run(TRADING, "--out", directory.toString()));
        assertTrue(Files.isRegularFile(directory.resolve("test/trading/NewOrderDecoder.java")));
        assertFalse(Files.exists(directory.resolve("test/trading/NewOrderCheck.java")));
        assertTrue(out.toString().contains("1 schema(s) with 0 service(s)"));
    }

    @Test
    void shouldOverrideThePackage() throws IOException
    {
        assertEquals(0, run(SERVICES, "--out", directory.toString(), "--package", "my.own"));
        assertTrue(Files.readString(directory.resolve("my/own/OrdersProxy.java")).contains("package my.own;"));
        assertTrue(Files.readString(directory.resolve("my/own/NewOrderDecoder.java")).contains("package my.own;"));
        assertFalse(Files.exists(directory.resolve("test")));
    }

    @Test
    void shouldLeaveUnchangedFilesAlone() throws IOException
    {
        run(SERVICES, "--out", directory.toString());
        final Path proxy = directory.resolve("test/trading/OrdersProxy.java");
        final Path client = directory.resolve("test/trading/OrdersClient.java");
        final FileTime old = FileTime.fromMillis(1_000_000_000_000L);
        Files.setLastModifiedTime(proxy, old);
        Files.writeString(client, "changed");
        assertEquals(0, run(SERVICES, "--out", directory.toString()));
        assertEquals(old, Files.getLastModifiedTime(proxy));
        assertFalse(Files.readString(client).equals("changed"));
        assertTrue(out.toString().contains(", 1 of them new or changed"), out.toString());
    }

    @Test
    void shouldRefuseWithDiagnosticsAndWriteNothing() throws IOException
    {
        final Path schema = Files.writeString(directory.resolve("bad.xml"),
            Fixtures.services("<rpc:service name='S' id='0'><rpc:method name='m' id='1' request='Aks' " +
            "response='Answer'/></rpc:service>\n<rpc:service name='E' id='2'/>"));
        final Path target = directory.resolve("out");
        assertEquals(1, run(schema.toString(), "--out", target.toString()));
        final String[] lines = err.toString().split("\\R");
        assertEquals(4, lines.length, err::toString);
        for (int i = 0; i < 2; i++)
        {
            assertTrue(lines[i].startsWith(schema + ":24: messageSchema/services/service[S]"), lines[i]);
        }
        assertTrue(lines[2].contains("warning: "), lines[2]);
        assertEquals("codegen: 2 errors, nothing was written", lines[3]);
        assertFalse(Files.exists(target));
        assertFalse(err.toString().contains("\tat "));
    }

    @Test
    void shouldExplainWrongUsage()
    {
        assertEquals(2, run(TRADING));
        assertEquals(2, run("--out", directory.toString()));
        assertEquals(2, run(TRADING, "--out", directory.toString(), "--package", "a b"));
        assertTrue(err.toString().contains("--package: expected a Java package name, found \"a b\""), err.toString());
    }

    @Test
    void shouldShowStackTraceOnlyWithDebug() throws IOException
    {
        final Path file = Files.writeString(directory.resolve("file"), "");
        assertEquals(1, run(TRADING, "--out", file.toString()));
        assertTrue(err.toString().startsWith("codegen: cannot write to " + file), err.toString());
        assertFalse(err.toString().contains("\tat "));
        assertEquals(1, run(TRADING, "--out", file.toString(), "--debug"));
        assertTrue(err.toString().contains("\tat "));
    }

    @Test
    void shouldRefuseTwoSchemasThatGenerateOneFile() throws IOException
    {
        final String schema = Files.readString(Fixtures.DIRECTORY.resolve("trading.xml"));
        final Path one = Files.writeString(directory.resolve("one.xml"), schema);
        final Path two = Files.writeString(directory.resolve("two.xml"), schema.replace("id=\"7\"", "id=\"8\""));
        assertEquals(1, run(one.toString(), two.toString(), "--out", directory.resolve("out").toString()));
        assertTrue(err.toString().contains(two + ":2: messageSchema: expected files that nothing else generates"),
            err.toString());
        assertFalse(Files.exists(directory.resolve("out")));
    }

    private int run(final String... arguments)
    {
        return new CommandLine(new CodegenCommand())
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(err))
            .execute(arguments);
    }
}
