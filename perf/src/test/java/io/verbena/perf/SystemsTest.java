/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf;

import io.verbena.perf.systems.Systems;
import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Real runs of every system: what comes back, not how fast.
 */
@Timeout(300)
class SystemsTest
{
    /** What a call may allocate on each side where nothing must be: the rest is for what a run does once. */
    private static final double ALLOCATION_LIMIT = 0.01;
    private static final long CALLS = 1_000_000;

    @TempDir
    Path directory;

    private final StringWriter out = new StringWriter();

    private List<JsonObject> measure(final String systems, final String... more) throws IOException
    {
        final Path file = directory.resolve("out.json");
        final List<String> args = new ArrayList<>(List.of(
            "rpc", "--systems", systems, "--repeat", "1", "--retries", "0", "--json", file.toString()));
        args.addAll(List.of(more));
        new CommandLine(new PerfCommand())
            .setOut(new PrintWriter(out)).setErr(new PrintWriter(out)).execute(args.toArray(new String[0]));
        return new JsonObject(Files.readString(file)).getJsonArray("runs").stream()
            .map(JsonObject.class::cast).toList();
    }

    @Test
    void shouldCallGeneratedServiceWhenOverUdp() throws IOException
    {
        final JsonObject run = measure("udp", "--warmup", "50ms", "--duration", "200ms").getFirst();
        assertEquals("OK", run.getString("status"), run.encode());
        assertTrue(run.getLong("count") > 0, run.encode());
        assertTrue(run.getInteger("term_length_bytes") >= 64 * 1024, run.encode());
    }

    @Test
    @Tag("slow")
    void shouldMeasureEverySystemWhenLoopIsClosed() throws IOException
    {
        final List<JsonObject> runs = measure(
            String.join(",", Systems.names()), "--warmup", "50ms", "--duration", "200ms");
        assertEquals(Systems.names(), runs.stream().map(run -> run.getString("system")).toList());
        assertTrue(runs.stream().allMatch(run -> "OK".equals(run.getString("status"))), out.toString());
    }

    @Test
    @Tag("slow")
    void shouldSendAndEchoAllWhenPatternIsRate() throws IOException
    {
        final List<JsonObject> runs = measure(
            String.join(",", Systems.names()),
            "--pattern", "rate", "--rate", "100", "--warmup", "100ms", "--duration", "500ms");
        for (final JsonObject run : runs)
        {
            // On a busy machine a run may miss its rate; it may not lose anything.
            assertEquals(50, run.getLong("count"), out.toString());
        }
    }

    @Test
    @Tag("slow")
    void shouldEchoDataWhenPayloadIsNot32Bytes() throws IOException
    {
        final List<JsonObject> runs = measure(
            String.join(",", Systems.names()), "--payload", "5000", "--warmup", "50ms", "--duration", "200ms");
        assertEquals(Systems.names().size(), runs.size());
        assertTrue(runs.stream().allMatch(run -> "OK".equals(run.getString("status"))), out.toString());
    }

    @Test
    @Tag("slow")
    void shouldAllocateNothingWhenMillionCallsAreMade() throws IOException
    {
        JsonObject run = measure("ipc", "--warmup", "2s", "--duration", "5s").getFirst();
        if (run.getLong("count") < CALLS)
        {
            // Others keep the cores busy: take the time that it takes.
            run = measure("ipc", "--warmup", "5s", "--duration", "60s").getFirst();
        }
        assertTrue(run.getLong("count") >= CALLS, run.encode());
        assertTrue(run.getDouble("client_alloc_bytes_per_op") < ALLOCATION_LIMIT, run.encode());
        assertTrue(run.getDouble("server_alloc_bytes_per_op") < ALLOCATION_LIMIT, run.encode());
    }
}
