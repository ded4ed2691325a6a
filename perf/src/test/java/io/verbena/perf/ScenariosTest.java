/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf;

import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Short runs of what is not a plain echo, in processes of their own: that they work and report, not how fast.
 */
@Timeout(300)
class ScenariosTest
{
    /** What an item may allocate on each side: the rest is for what a run does once. */
    private static final double ALLOCATION_LIMIT = 0.01;
    private static final long ITEMS = 1_000_000;

    @TempDir
    Path directory;

    private final StringWriter out = new StringWriter();

    private JsonObject measure(final String... args) throws IOException
    {
        final JsonObject json = run(args);
        assertTrue(list(json, "runs").stream().allMatch(run -> "OK".equals(run.getString("status"))), out.toString());
        return json;
    }

    private JsonObject run(final String... args) throws IOException
    {
        final Path file = directory.resolve("out.json");
        final List<String> all = new ArrayList<>(List.of("rpc", "--repeat", "1", "--retries", "0"));
        all.addAll(List.of(args));
        all.addAll(List.of("--json", file.toString()));
        new CommandLine(new PerfCommand())
            .setOut(new PrintWriter(out)).setErr(new PrintWriter(out)).execute(all.toArray(new String[0]));
        return new JsonObject(Files.readString(file));
    }

    private static List<JsonObject> list(final JsonObject json, final String key)
    {
        return json.getJsonArray(key).stream().map(JsonObject.class::cast).toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"server-stream", "client-stream", "bidi"})
    void shouldReceiveEachItemInTurnWhenOverLoopback(final String kind) throws IOException
    {
        final JsonObject run = list(measure(
            "--kind", kind, "--systems", "loopback", "--warmup", "50ms", "--duration", "200ms"), "runs").getFirst();
        assertEquals(kind, run.getString("kind"));
        assertTrue(run.getLong("count") > 0, run.encode());
        assertEquals(0, run.getLong("out_of_order"));
        assertEquals("bidi".equals(kind) || "server-stream".equals(kind), run.getDouble("items_to_client_per_s") > 0);
        assertEquals("bidi".equals(kind) || "client-stream".equals(kind), run.getDouble("items_to_server_per_s") > 0);
    }

    @Test
    void shouldRelateStreamToRawWhenOverIpc() throws IOException
    {
        final JsonObject json = measure(
            "--kind", "server-stream", "--systems", "raw-aeron-ipc,ipc", "--warmup", "50ms", "--duration", "200ms");
        assertTrue(list(json, "summary").get(1).getDouble("rate_ratio_to_raw") > 0, json.encode());
        assertNull(list(json, "summary").getFirst().getValue("rate_ratio_to_raw"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"server-stream", "client-stream", "bidi"})
    @Tag("slow")
    void shouldMeasureEverySystemThatHasStreams(final String kind) throws IOException
    {
        for (final String payload : List.of("32", "1000"))
        {
            final JsonObject json = measure(
                "--kind", kind, "--systems", "raw-aeron-ipc,ipc,raw-aeron-udp,udp,loopback", "--payload", payload,
                "--warmup", "50ms", "--duration", "200ms");
            assertTrue(list(json, "runs").stream().allMatch(run -> run.getLong("count") > 0), json.encode());
        }
    }

    @Test
    void shouldMeasureAloneAndLoadedWhenStreamsAreInBackground() throws IOException
    {
        final JsonObject run = list(measure(
            "--background", "100KiB", "--payload", "64", "--systems", "loopback", "--warmup", "50ms", "--duration",
            "200ms"), "runs").getFirst();
        assertTrue(run.getDouble("background_bytes_per_s") > 0, run.encode());
        assertTrue(run.getDouble("p99_ratio_loaded_to_idle") > 0, run.encode());
        assertNotNull(run.getJsonObject("idle_latency_ns").getLong("p99"));
    }

    @Test
    @Tag("slow")
    void shouldMeasureEveryTransportWhenStreamsAreInBackground() throws IOException
    {
        final JsonObject json = measure(
            "--background", "1MiB", "--payload", "64", "--systems", "ipc,udp", "--warmup", "50ms", "--duration", "1s");
        assertTrue(
            list(json, "runs").stream().allMatch(run -> run.getDouble("background_bytes_per_s") > 0), json.encode());
    }

    @Test
    void shouldHaveRowForEachNumberWhenConnectionsAreIdle() throws IOException
    {
        final JsonObject json = measure(
            "--connections", "1,4", "--systems", "ipc", "--warmup", "50ms", "--duration", "200ms");
        assertEquals(
            List.of(1, 4), list(json, "summary").stream().map(row -> row.getInteger("connections")).toList());
        final JsonObject four = list(json, "summary").get(1);
        assertTrue(four.getDouble("p50_ratio_to_one") > 0, json.encode());
        assertTrue(four.getDouble("connect_ns") > 0, json.encode());
        assertNotNull(four.getDouble("server_bytes_per_idle_connection"), json.encode());
        assertTrue(list(json, "runs").get(1).getLong("server_file_bytes") > 0, json.encode());
    }

    @Test
    @Tag("slow")
    void shouldOfferMultiplesOfPeakWhenOverloaded() throws IOException
    {
        // On a busy machine the peak may not be found, or nothing be good beyond it; the figures are there all the same.
        final JsonObject run = list(run(
            "--overload", "--work", "50us", "--deadline", "100ms", "--systems", "ipc", "--warmup", "200ms",
            "--duration", "500ms"), "runs").getFirst();
        assertTrue(run.getDouble("peak_goodput_per_s") > 0, out + run.encode());
        assertEquals(3, run.getJsonArray("offers").size());
        assertTrue(run.getDouble("server_ns_per_echo") > 0, run.encode());
        assertTrue(run.getDouble("server_ns_per_refusal") > 0, run.encode());
    }

    @Test
    @Tag("slow")
    void shouldAllocateNothingWhenMillionItemsAreSent() throws IOException
    {
        for (final String kind : List.of("server-stream", "client-stream"))
        {
            JsonObject run = list(measure(
                "--kind", kind, "--systems", "ipc", "--warmup", "2s", "--duration", "5s"), "runs").getFirst();
            if (run.getLong("count") < ITEMS || run.getDouble("server_alloc_bytes_per_op") >= ALLOCATION_LIMIT)
            {
                // Others keep the cores busy, the JIT compiler's too: until it is done, Aeron's driver allocates
                // iterators. Take the time that it takes.
                run = list(measure(
                    "--kind", kind, "--systems", "ipc", "--warmup", "20s", "--duration", "60s"), "runs").getFirst();
            }
            assertTrue(run.getLong("count") >= ITEMS, run.encode());
            assertTrue(run.getDouble("client_alloc_bytes_per_op") < ALLOCATION_LIMIT, run.encode());
            assertTrue(run.getDouble("server_alloc_bytes_per_op") < ALLOCATION_LIMIT, run.encode());
        }
    }
}
