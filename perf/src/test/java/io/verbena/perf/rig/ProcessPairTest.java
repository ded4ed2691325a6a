/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.rig;

import io.verbena.perf.systems.Workload;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

@Timeout(60)
class ProcessPairTest
{
    private static final long ANSWER_BYTES = 2_000;

    private static RunSpec spec(final String system, final int payloadLength)
    {
        return new RunSpec(system, LoadPattern.PINGPONG, 0, payloadLength, 0, 100_000_000, 1, Workload.ECHO);
    }

    @Test
    void shouldTellClientsReasonWhenClientFails()
    {
        // One byte more than a datagram can hold.
        final RunResult result = new ProcessPair(spec("raw-udp", 65_508)).run();
        assertEquals(RunStatus.FAILED, result.status());
        assertTrue(result.reason().startsWith("client: "), result.reason());
    }

    @Test
    void shouldEndChildWhenCoordinatorIsGone(@TempDir final Path directory) throws Exception
    {
        try (ChildProcess server = startServer(directory, "raw-tcp"))
        {
            server.await(ServerChild.READY);
            assertTrue(ProcessHandle.of(server.pid()).isPresent());
            // What a child sees of a dead coordinator is the end of its standard input.
            server.closeInput();
            ProcessHandle.of(server.pid()).ifPresent(
                process -> process.onExit().orTimeout(30, TimeUnit.SECONDS).join());
            assertFalse(ProcessHandle.of(server.pid()).map(ProcessHandle::isAlive).orElse(false));
        }
    }

    @Test
    void shouldTellHowItEndedWhenChildDies(@TempDir final Path directory) throws Exception
    {
        try (ChildProcess server = startServer(directory, "raw-tcp"))
        {
            server.await(ServerChild.READY);
            server.kill();
            final RunFailedException failure =
                assertThrows(RunFailedException.class, () -> server.await(ServerChild.MARK));
            assertEquals("server process ended with status 137", failure.getMessage());
        }
    }

    private static ChildProcess startServer(final Path directory, final String system) throws Exception
    {
        return ChildProcess.start(
            ChildMain.SERVER,
            ProcessPair.COMMON_JVM_FLAGS,
            directory,
            spec(system, 32).toJson().encode(),
            directory.resolve("files").toString());
    }

    @Test
    void shouldCountBytesWhenServerIsAsked(@TempDir final Path directory) throws Exception
    {
        try (ChildProcess server = startServer(directory, "noop"))
        {
            server.await(ServerChild.READY);
            server.send(ServerChild.MARK);
            final long first = server.await(ServerChild.MARK).getLong(ServerChild.ALLOCATED_BYTES);
            server.send(ServerChild.MARK);
            final long second = server.await(ServerChild.MARK).getLong(ServerChild.ALLOCATED_BYTES);
            assertTrue(first > 0, "found " + first);
            // What it takes to answer belongs to the control thread, and does not count.
            assertTrue(second >= first && second - first < ANSWER_BYTES, first + ", then " + second);
        }
    }
}
