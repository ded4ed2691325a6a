/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.rig;

import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The coordinator's end of a child. Reading blocks, so that the coordinator takes no CPU while the children run.
 */
final class ChildProcess implements AutoCloseable
{
    private static final int EXIT_TIMEOUT_S = 5;

    private final String role;
    private final Process process;
    private final BufferedReader output;
    private final BufferedWriter input;
    private final Path errors;

    private ChildProcess(final String role, final Process process, final Path errors)
    {
        this.role = role;
        this.process = process;
        this.errors = errors;
        output = process.inputReader(StandardCharsets.UTF_8);
        input = process.outputWriter(StandardCharsets.UTF_8);
    }

    /**
     * Starts a child with this process's class path.
     *
     * @param role      server or client.
     * @param jvmFlags  for its JVM.
     * @param directory for its standard error.
     * @param args      for {@link ChildMain}, after the role.
     * @return the child.
     * @throws IOException when it cannot be started.
     */
    static ChildProcess start(
        final String role, final List<String> jvmFlags, final Path directory, final String... args) throws IOException
    {
        final List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(jvmFlags);
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(ChildMain.class.getName());
        command.add(role);
        command.addAll(List.of(args));
        final Path errors = directory.resolve(role + ".err");
        final Process process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
        return new ChildProcess(role, process, errors);
    }

    long pid()
    {
        return process.pid();
    }

    /**
     * Ends it at once; who waits for its words learns that it is gone.
     */
    void kill()
    {
        process.destroyForcibly();
    }

    void send(final String command) throws RunFailedException
    {
        try
        {
            input.write(command);
            input.newLine();
            input.flush();
        }
        catch (final IOException ex)
        {
            throw gone();
        }
    }

    /**
     * Waits for the child to say something.
     *
     * @param events of which one is expected next.
     * @return what it says.
     * @throws RunFailedException when it reports an error, says something else or ends.
     */
    JsonObject await(final String... events) throws RunFailedException
    {
        final String line;
        try
        {
            line = output.readLine();
        }
        catch (final IOException ex)
        {
            throw gone();
        }
        if (line == null)
        {
            throw gone();
        }
        final JsonObject message;
        try
        {
            message = new JsonObject(line);
        }
        catch (final DecodeException ex)
        {
            throw new RunFailedException(role + ": JSON expected, found " + line);
        }
        final String found = message.getString(ControlChannel.EVENT);
        if ("error".equals(found))
        {
            throw new RunFailedException(role + ": " + message.getString("message"));
        }
        if (!List.of(events).contains(found))
        {
            throw new RunFailedException(role + ": " + String.join(" or ", events) + " expected, found " + found);
        }
        return message;
    }

    /**
     * The end of its input is the sign to leave.
     */
    void closeInput()
    {
        try
        {
            input.close();
        }
        catch (final IOException ex)
        {
            kill();
        }
    }

    /**
     * Tells the child's own reason when it has ended.
     *
     * @throws RunFailedException when it has.
     */
    void throwIfDead() throws RunFailedException
    {
        if (!process.isAlive())
        {
            await("a living process");
        }
    }

    private RunFailedException gone()
    {
        try
        {
            process.waitFor(EXIT_TIMEOUT_S, TimeUnit.SECONDS);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
        final String status = process.isAlive() ? "closed its output" : "ended with status " + process.exitValue();
        final String lastLine = lastErrorLine();
        return new RunFailedException(role + " process " + status + (lastLine.isEmpty() ? "" : ": " + lastLine));
    }

    private String lastErrorLine()
    {
        try
        {
            // The first line of a stack trace names the trouble; the JVM's warnings come before it.
            final List<String> lines = Files.readAllLines(errors).stream()
                .filter(line -> !line.isBlank() && !line.startsWith("\t") && !line.startsWith("WARNING"))
                .toList();
            return lines.isEmpty() ? "" : lines.getLast();
        }
        catch (final IOException ex)
        {
            return "";
        }
    }

    @Override
    public void close()
    {
        closeInput();
        try
        {
            if (!process.waitFor(EXIT_TIMEOUT_S, TimeUnit.SECONDS))
            {
                kill();
                process.waitFor();
            }
        }
        catch (final InterruptedException ex)
        {
            kill();
            Thread.currentThread().interrupt();
        }
    }
}
