/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.rig;

import io.vertx.core.json.JsonObject;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/**
 * A child's end of its talk with the coordinator: a JSON object a line on standard output, a word a line on standard
 * input. The end of the input means that the coordinator is gone.
 */
final class ControlChannel
{
    /**
     * The key that says what a line is about.
     */
    static final String EVENT = "event";

    private final BufferedReader input;
    private final PrintStream output;
    private final Thread thread;
    private final Consumer<String> onCommand;
    private final Runnable onEnd;

    /**
     * Not yet listening.
     *
     * @param input     from the coordinator.
     * @param output    to the coordinator.
     * @param onCommand told of each word, in the control thread.
     * @param onEnd     told of the end of the input, in the control thread.
     */
    ControlChannel(
        final InputStream input, final PrintStream output, final Consumer<String> onCommand, final Runnable onEnd)
    {
        this.input = new BufferedReader(new InputStreamReader(input, StandardCharsets.UTF_8));
        this.output = output;
        this.onCommand = onCommand;
        this.onEnd = onEnd;
        thread = Thread.ofPlatform().daemon().name("control").unstarted(this::listen);
    }

    void start()
    {
        thread.start();
    }

    Thread thread()
    {
        return thread;
    }

    void send(final String event, final JsonObject details)
    {
        final String line = details.copy().put(EVENT, event).encode();
        synchronized (output)
        {
            output.println(line);
            output.flush();
        }
    }

    private void listen()
    {
        try
        {
            String line = input.readLine();
            while (line != null)
            {
                onCommand.accept(line);
                line = input.readLine();
            }
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
        finally
        {
            onEnd.run();
        }
    }
}
