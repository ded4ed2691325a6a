/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.rig;

import io.verbena.perf.systems.EchoSetup;
import io.verbena.perf.systems.SystemUnderTest;
import io.verbena.perf.systems.Systems;
import io.vertx.core.json.JsonObject;
import org.agrona.IoUtil;

import java.io.PrintStream;
import java.nio.file.Path;

/**
 * What a process of a run executes: the server or the client. Started by {@link ProcessPair} alone.
 */
public final class ChildMain
{
    static final String SERVER = "server";
    static final String CLIENT = "client";

    private static final long PARENT_PID = parentPid();

    private ChildMain()
    {
    }

    /**
     * Runs one end.
     *
     * @param args the role, the run as JSON, the folder for files in shared memory, and for a client the address.
     */
    public static void main(final String[] args)
    {
        // Standard output belongs to the control channel; what a library prints must not get between its lines.
        final PrintStream output = System.out;
        System.setOut(System.err);
        final RunSpec spec = RunSpec.fromJson(new JsonObject(args[1]));
        final EchoSetup setup = new EchoSetup(
            spec.payloadLength(), spec.isClosedLoop(), spec.workload(), Path.of(args[2]));
        final SystemUnderTest system = Systems.find(spec.system());
        final Runnable onEnd = () -> exit(setup, 0);
        try
        {
            if (SERVER.equals(args[0]))
            {
                new ServerChild(system, setup, System.in, output, onEnd).run();
            }
            else
            {
                new ClientChild(system, setup, spec, args[3], System.in, output, onEnd).run();
            }
            exit(setup, 0);
        }
        catch (final InterruptedException ex)
        {
            exit(setup, 1);
        }
        catch (final Exception ex)
        {
            ex.printStackTrace();
            output.println(new JsonObject()
                .put(ControlChannel.EVENT, "error")
                .put("message", ex.getMessage() == null ? ex.toString() : ex.getMessage())
                .encode());
            output.flush();
            exit(setup, 1);
        }
    }

    private static long parentPid()
    {
        return ProcessHandle.current().parent().map(ProcessHandle::pid).orElse(0L);
    }

    /**
     * Ends at once: neither a spinning thread nor an event loop may keep the process.
     */
    private static void exit(final EchoSetup setup, final int status)
    {
        IoUtil.delete(setup.directory().toFile(), true);
        if (PARENT_PID != parentPid())
        {
            // The coordinator was killed: nobody else is left to remove the run's folder.
            IoUtil.delete(setup.directory().resolve("..").normalize().toFile(), true);
        }
        Runtime.getRuntime().halt(status);
    }
}
