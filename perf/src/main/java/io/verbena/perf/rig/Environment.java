/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.rig;

import io.aeron.Aeron;
import io.netty.util.Version;
import io.verbena.perf.systems.Systems;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import org.agrona.DirectBuffer;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The machine and the programs, as far as they explain the figures.
 */
public final class Environment
{
    private static final Path PROC = Path.of("/proc");
    private static final Path SYSTEM_DEVICES = PROC.resolveSibling("sys").resolve("devices").resolve("system");
    private static final long IDLE_LOOK_MS = 500;

    private Environment()
    {
    }

    /**
     * Looks around; takes half a second, to see whether the machine is idle.
     *
     * @param commandLine that started the measurement.
     * @return the environment as JSON.
     */
    public static JsonObject describe(final List<String> commandLine)
    {
        return new JsonObject()
            .put("date", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString())
            .put("command_line", String.join(" ", commandLine))
            .put("cpu_model", cpuModel())
            .put("cores", Runtime.getRuntime().availableProcessors())
            .put("memory_bytes", memoryBytes())
            .put("os", System.getProperty("os.name"))
            .put("arch", System.getProperty("os.arch"))
            .put("kernel", System.getProperty("os.version"))
            .put("clocksource", read(SYSTEM_DEVICES, "clocksource/clocksource0/current_clocksource"))
            .put("jvm", System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"))
            .put("versions", versions())
            .put("common_jvm_flags", new JsonArray(ProcessPair.COMMON_JVM_FLAGS))
            .put("idle", idle());
    }

    private static String cpuModel()
    {
        return read(PROC, "cpuinfo").lines()
            .filter(line -> line.startsWith("model name"))
            .findFirst()
            .map(line -> line.substring(line.indexOf(':') + 1).strip())
            .orElse("unknown");
    }

    private static Long memoryBytes()
    {
        return ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.OperatingSystemMXBean os ?
            os.getTotalMemorySize() : null;
    }

    private static JsonObject versions()
    {
        return new JsonObject()
            .put("verbena", versionOf(Systems.class))
            .put("aeron", versionOf(Aeron.class))
            .put("agrona", versionOf(DirectBuffer.class))
            .put("vertx", versionOf(Vertx.class))
            .put("netty", Version.identify().values().stream()
                .map(Version::artifactVersion).findFirst().orElse("unknown"));
    }

    private static String versionOf(final Class<?> type)
    {
        final String version = type.getPackage().getImplementationVersion();
        return version == null ? "unknown" : version;
    }

    /**
     * An idle core halts, and waking it costs more than most messages: without this no ratio can be read.
     */
    private static JsonObject idle()
    {
        final JsonObject idle = new JsonObject()
            .put("load_average", read(PROC, "loadavg"))
            .put("cpuidle_driver", read(SYSTEM_DEVICES, "cpu/cpuidle/current_driver"))
            .put("cpuidle_governor", read(SYSTEM_DEVICES, "cpu/cpuidle/current_governor"));
        if (CpuUsage.isKnown())
        {
            final CpuUsage before = CpuUsage.look();
            try
            {
                TimeUnit.MILLISECONDS.sleep(IDLE_LOOK_MS);
            }
            catch (final InterruptedException ex)
            {
                Thread.currentThread().interrupt();
            }
            final OthersUsage others =
                CpuUsage.look().since(before, Set.of(ProcessHandle.current().pid()));
            idle.put("others_cpu_cores_before", others.othersCores())
                .put("steal_cpu_cores_before", others.stealCores());
        }
        return idle;
    }

    private static String read(final Path folder, final String name)
    {
        try
        {
            return Files.readString(folder.resolve(name)).strip();
        }
        catch (final IOException ex)
        {
            return "unknown";
        }
    }
}
