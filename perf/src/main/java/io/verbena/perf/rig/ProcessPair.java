/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.rig;

import io.verbena.perf.systems.Systems;
import io.vertx.core.json.JsonObject;
import org.agrona.IoUtil;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/**
 * One run in a fresh server process and a fresh client process. This process sleeps while they run, blocked on the
 * client's next word.
 */
final class ProcessPair
{
    /**
     * What every row's JVMs get: Agrona reaches into jdk.internal.misc, native access is for epoll, and a small heap
     * with the serial collector leaves both cores to the two ends.
     */
    static final List<String> COMMON_JVM_FLAGS = List.of(
        "--add-opens",
        "java.base/jdk.internal.misc=ALL-UNNAMED",
        "--enable-native-access=ALL-UNNAMED",
        "-XX:+UseSerialGC",
        "-Xms256m",
        "-Xmx256m",
        "-XX:+PerfDisableSharedMem");

    private static final long SETUP_AND_GRACE_NS = TimeUnit.SECONDS.toNanos(60);
    private static final Path SHARED_MEMORY = Path.of("/dev/shm");

    private final RunSpec spec;
    private final List<String> jvmFlags;
    private final List<ChildProcess> children = new CopyOnWriteArrayList<>();
    private volatile boolean isTimedOut;

    ProcessPair(final RunSpec spec)
    {
        this.spec = spec;
        jvmFlags = new ArrayList<>(COMMON_JVM_FLAGS);
        jvmFlags.addAll(Systems.find(spec.system()).jvmFlags());
    }

    RunResult run()
    {
        final Path directory;
        try
        {
            directory = createDirectory();
        }
        catch (final IOException ex)
        {
            return RunResult.failed(spec, "no folder for its files: " + ex.getMessage(), jvmFlags);
        }
        // The children end by themselves when this process does; the hook is for the files.
        final Thread hook = new Thread(() -> abandon(directory));
        Runtime.getRuntime().addShutdownHook(hook);
        try
        {
            return run(directory);
        }
        catch (final RunFailedException ex)
        {
            final String reason = isTimedOut ? "timed out" : ex.getMessage();
            return RunResult.failed(spec, reason, jvmFlags);
        }
        catch (final IOException ex)
        {
            return RunResult.failed(spec, "cannot start: " + ex.getMessage(), jvmFlags);
        }
        finally
        {
            IoUtil.delete(directory.toFile(), true);
            removeHook(hook);
        }
    }

    private static void removeHook(final Thread hook)
    {
        try
        {
            Runtime.getRuntime().removeShutdownHook(hook);
        }
        catch (final IllegalStateException ex)
        {
            // The JVM is going down: the hook is at work.
            Thread.currentThread().interrupt();
        }
    }

    private void abandon(final Path directory)
    {
        children.forEach(ChildProcess::kill);
        IoUtil.delete(directory.toFile(), true);
    }

    private static Path createDirectory() throws IOException
    {
        final String prefix = "verbena-perf-";
        return Files.isWritable(SHARED_MEMORY) ?
            Files.createTempDirectory(SHARED_MEMORY, prefix) :
            Files.createTempDirectory(prefix);
    }

    private RunResult run(final Path directory) throws IOException, RunFailedException
    {
        try (ChildProcess server = start(ChildMain.SERVER, directory, new String[0]))
        {
            final Thread watchdog = Thread.ofVirtual().unstarted(this::killAfterTimeout);
            watchdog.start();
            try
            {
                final String address = server.await(ServerChild.READY).getString(ServerChild.ADDRESS);
                try (ChildProcess client = start(ChildMain.CLIENT, directory, address))
                {
                    return converse(server, client);
                }
            }
            catch (final RunFailedException ex)
            {
                // When the server has died, that is the reason, and the client's complaint only follows from it.
                server.throwIfDead();
                throw ex;
            }
            finally
            {
                watchdog.interrupt();
            }
        }
    }

    private ChildProcess start(final String role, final Path directory, final String... address) throws IOException
    {
        final List<String> args = new ArrayList<>(List.of(
            spec.toJson().encode(), Files.createDirectories(directory.resolve(role)).toString()));
        args.addAll(List.of(address));
        final ChildProcess child = ChildProcess.start(role, jvmFlags, directory, args.toArray(new String[0]));
        children.add(child);
        return child;
    }

    private void killAfterTimeout()
    {
        try
        {
            TimeUnit.NANOSECONDS.sleep(Verdict.of(spec).longestNs(spec) + SETUP_AND_GRACE_NS);
            isTimedOut = true;
            children.forEach(ChildProcess::kill);
        }
        catch (final InterruptedException ex)
        {
            // The run ended by itself.
            Thread.currentThread().interrupt();
        }
    }

    private RunResult converse(final ChildProcess server, final ChildProcess client) throws RunFailedException
    {
        final Marks marks = new Marks(Set.of(ProcessHandle.current().pid(), server.pid(), client.pid()));
        JsonObject message = client.await(ClientControl.MARK, ClientControl.RESULT);
        while (ClientControl.MARK.equals(message.getString(ControlChannel.EVENT)))
        {
            marks.take(message, server);
            client.send(ClientControl.GO);
            message = client.await(ClientControl.MARK, ClientControl.RESULT);
        }
        return Verdict.of(spec).result(spec, message, marks, jvmFlags);
    }
}
