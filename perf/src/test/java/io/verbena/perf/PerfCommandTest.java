/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf;

import io.verbena.perf.systems.Systems;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

@Timeout(90)
class PerfCommandTest
{
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int execute(final String... args)
    {
        return new CommandLine(new PerfCommand())
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(err))
            .execute(args);
    }

    @Test
    void shouldExitWithTwoAndOneLineEachWhenInputIsBad()
    {
        assertEquals(2, execute("rpc", "--systems", "nope", "--duration", "x", "--pattern", "rate"));
        assertEquals(3, err.toString().lines().count(), err.toString());
        assertEquals("", out.toString());
    }

    @Test
    void shouldExitWithTwoWhenFolderOfJsonIsMissing(@TempDir final Path directory)
    {
        final Path file = directory.resolve("missing").resolve("out.json");
        assertEquals(2, execute("rpc", "--systems", "noop", "--json", file.toString()));
        assertEquals(
            "--json: a file in an existing folder expected, found " + file, err.toString().strip());
    }

    @Test
    void shouldExitWithTwoWhenThereIsNoSubcommand()
    {
        assertEquals(2, execute());
        assertTrue(err.toString().contains("rpc"), err.toString());
    }

    @Test
    void shouldListSystemsWhenAsked()
    {
        assertEquals(0, execute("rpc", "--list"));
        assertEquals(
            Systems.names(), out.toString().lines().map(line -> line.substring(0, line.indexOf(' '))).toList());
    }

    @Test
    void shouldMeasureInTwoProcessesWhenLoopIsClosed(@TempDir final Path directory) throws IOException
    {
        final Path file = directory.resolve("out.json");
        final int status = execute(
            "rpc", "--systems", "noop,raw-tcp", "--warmup", "100ms", "--duration", "300ms", "--repeat", "2",
            "--retries", "0", "--json", file.toString());
        assertEquals(0, status, out.toString() + err);
        final JsonObject json = new JsonObject(Files.readString(file));
        final JsonArray runs = json.getJsonArray("runs");
        assertEquals(
            List.of("noop 1", "raw-tcp 1", "noop 2", "raw-tcp 2"),
            runs.stream().map(JsonObject.class::cast)
                .map(run -> run.getString("system") + " " + run.getInteger("repeat")).toList());
        for (final Object element : runs)
        {
            assertRun((JsonObject)element);
        }
        assertTrue(json.getJsonObject("environment").getInteger("cores") > 0);
        assertTrue(out.toString().contains("raw-tcp"), out.toString());
    }

    private static void assertRun(final JsonObject run)
    {
        assertEquals("OK", run.getString("status"), run.encode());
        assertTrue(run.getLong("count") > 0, run.encode());
        assertTrue(run.getDouble("achieved_per_s") > 0, run.encode());
        final JsonObject latency = run.getJsonObject("latency_ns");
        long last = 0;
        for (final String key : List.of("min", "p50", "p90", "p99", "p99_9", "p99_99", "max"))
        {
            assertTrue(latency.getLong(key) >= last, run.encode());
            last = latency.getLong(key);
        }
        assertTrue(run.getDouble("client_alloc_bytes_per_op") >= 0, run.encode());
        assertTrue(run.getDouble("server_alloc_bytes_per_op") >= 0, run.encode());
        assertEquals("spin", run.getString("wait_strategy"));
        assertFalse(run.getJsonArray("client_jvm_flags").isEmpty());
    }

    @Test
    void shouldFailRunAndExitWithOneWhenRateIsOutOfReach(@TempDir final Path directory) throws IOException
    {
        final Path file = directory.resolve("out.json");
        final int status = execute(
            "rpc", "--systems", "raw-tcp", "--pattern", "rate", "--rate", "90000000", "--warmup", "0s",
            "--duration", "100ms", "--repeat", "1", "--retries", "0", "--json", file.toString());
        assertEquals(1, status, out.toString() + err);
        final JsonObject run = new JsonObject(Files.readString(file)).getJsonArray("runs").getJsonObject(0);
        assertEquals("FAIL", run.getString("status"), run.encode());
        assertEquals(90_000_000, run.getLong("rate_target_per_s"));
        assertTrue(out.toString().contains("FAIL: "), out.toString());
    }
}
