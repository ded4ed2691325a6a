/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.aeron;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A {@link PeerMain} in a real process, to be stopped, continued and killed.
 */
final class ChildProcess implements AutoCloseable
{
    private static final long PATIENCE_S = 40;

    private final Process process;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private final List<String> seen = new ArrayList<>();
    private final Thread reader;

    private ChildProcess(final Process process)
    {
        this.process = process;
        reader = new Thread(this::read, "child-reader");
        reader.setDaemon(true);
        reader.start();
    }

    static ChildProcess start(final String role, final String target) throws IOException
    {
        final List<String> command = List.of(
            new File(System.getProperty("java.home"), "bin/java").getPath(),
            "--add-opens", "java.base/jdk.internal.misc=ALL-UNNAMED", "--enable-native-access=ALL-UNNAMED",
            "-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
            "-cp", System.getProperty("java.class.path"), PeerMain.class.getName(), role, target);
        return new ChildProcess(new ProcessBuilder(command).redirectErrorStream(true).start());
    }

    private void read()
    {
        try (BufferedReader in = process.inputReader(StandardCharsets.UTF_8))
        {
            String line;
            while ((line = in.readLine()) != null)
            {
                lines.add(line);
            }
        }
        catch (final IOException e)
        {
            lines.add("end of output: " + e);
        }
    }

    /** Waits for the next line that begins so, and gives it. */
    String await(final String beginning) throws InterruptedException
    {
        final long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
        String line;
        while ((line = lines.poll(deadlineNs - System.nanoTime(), TimeUnit.NANOSECONDS)) != null)
        {
            seen.add(line);
            if (line.startsWith(beginning))
            {
                return line;
            }
        }
        return fail("awaited " + beginning + ", the child is " + (process.isAlive() ? "alive" : "dead") +
            " and said " + seen);
    }

    boolean hasSaid(final String beginning)
    {
        lines.drainTo(seen);
        return seen.stream().anyMatch((line) -> line.startsWith(beginning));
    }

    /** How many lines so far begin so. */
    long count(final String beginning)
    {
        lines.drainTo(seen);
        return seen.stream().filter((line) -> line.startsWith(beginning)).count();
    }

    void stop() throws IOException, InterruptedException
    {
        signal("STOP");
    }

    void resume() throws IOException, InterruptedException
    {
        signal("CONT");
    }

    void kill() throws InterruptedException
    {
        process.destroyForcibly();
        process.waitFor();
    }

    private void signal(final String name) throws IOException, InterruptedException
    {
        final Process sender = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start();
        assertEquals(0, sender.waitFor(), () -> "kill -" + name);
    }

    @Override
    public void close()
    {
        process.destroyForcibly();
    }

    @Override
    public String toString()
    {
        lines.drainTo(seen);
        return seen.toString();
    }
}
