/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.rig;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * A look at who has used how much CPU, from {@code /proc}. Two looks tell what happened between them. Where there is
 * no {@code /proc} nothing is known.
 *
 * @param timeNs        of the look.
 * @param busyTicks     of all cores, in user and kernel mode, interrupts apart.
 * @param stealTicks    that the hypervisor kept.
 * @param ticksByPid    of each process.
 */
record CpuUsage(long timeNs, long busyTicks, long stealTicks, Map<Long, Long> ticksByPid)
{
    /**
     * Ticks in a second as {@code /proc} counts: part of Linux's interface to user space, the same everywhere.
     */
    static final double TICKS_PER_SECOND = 100;
    private static final Path PROC = Path.of("/proc");
    private static final int STEAL_COLUMN = 8;
    private static final int USER_FIELD = 11;
    private static final int SYSTEM_FIELD = 12;

    static boolean isKnown()
    {
        return Files.isReadable(PROC.resolve("stat"));
    }

    static CpuUsage look()
    {
        try
        {
            final String[] columns = Files.readString(PROC.resolve("stat")).lines().findFirst().orElse("").split(" +");
            final long busy = Long.parseLong(columns[1]) + Long.parseLong(columns[2]) + Long.parseLong(columns[3]);
            final Map<Long, Long> ticks = new HashMap<>();
            try (DirectoryStream<Path> entries = Files.newDirectoryStream(PROC, "[0-9]*"))
            {
                for (final Path entry : entries)
                {
                    addProcess(entry, ticks);
                }
            }
            return new CpuUsage(System.nanoTime(), busy, Long.parseLong(columns[STEAL_COLUMN]), ticks);
        }
        catch (final IOException ex)
        {
            return new CpuUsage(System.nanoTime(), 0, 0, Map.of());
        }
    }

    private static void addProcess(final Path entry, final Map<Long, Long> ticks)
    {
        final Long pid = Long.valueOf(PROC.relativize(entry).toString());
        try
        {
            ticks.put(pid, ticksOf(Files.readString(entry.resolve("stat"), StandardCharsets.ISO_8859_1)));
        }
        catch (final IOException ex)
        {
            // It ended between the listing and the reading.
            ticks.remove(pid);
        }
    }

    /**
     * User and kernel time in a line of {@code /proc/PID/stat}. The name, in brackets, may hold anything.
     */
    static long ticksOf(final String stat)
    {
        final String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        return Long.parseLong(fields[USER_FIELD]) + Long.parseLong(fields[SYSTEM_FIELD]);
    }

    /**
     * What others did since an earlier look. Two ways of counting are taken together: the sum over the processes seen
     * misses the short-lived, and the total less our own hides what interrupts were charged to us.
     *
     * @param earlier look.
     * @param own     processes that are part of the measurement.
     * @return the others' share.
     */
    OthersUsage since(final CpuUsage earlier, final Set<Long> own)
    {
        long ownTicks = 0;
        long othersTicks = 0;
        long busiestTicks = 0;
        long busiestPid = 0;
        for (final Map.Entry<Long, Long> process : ticksByPid.entrySet())
        {
            final long ticks = process.getValue() - earlier.ticksByPid.getOrDefault(process.getKey(), 0L);
            if (own.contains(process.getKey()))
            {
                ownTicks += ticks;
            }
            else
            {
                othersTicks += ticks;
                if (ticks > busiestTicks)
                {
                    busiestTicks = ticks;
                    busiestPid = process.getKey();
                }
            }
        }
        final double seconds = Math.max(1, timeNs - earlier.timeNs) / 1e9;
        final double others = Math.max(othersTicks, busyTicks - earlier.busyTicks - ownTicks);
        return new OthersUsage(
            Math.max(0, others) / TICKS_PER_SECOND / seconds,
            (stealTicks - earlier.stealTicks) / TICKS_PER_SECOND / seconds,
            busiestPid == 0 ? "" : nameOf(busiestPid) + " (" + busiestPid + ")");
    }

    private static String nameOf(final long pid)
    {
        try
        {
            return Files.readString(PROC.resolve(Long.toString(pid)).resolve("comm")).strip();
        }
        catch (final IOException ex)
        {
            return "ended";
        }
    }
}
