/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.aeron;

import java.io.File;
import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.file.Files;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

import io.aeron.CncFileDescriptor;
import io.verbena.rpc.transport.TransportException;
import org.agrona.BufferUtil;
import org.agrona.IoUtil;
import org.agrona.SystemUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.ManyToOneRingBuffer;

/**
 * What lies in a media driver's directory: whether a driver lives there, and what dead ones left behind.
 */
final class DriverDirectory
{
    private static final long NO_DRIVER = -1;
    private static final long LOOK_INTERVAL_NS = 5_000_000;
    private static final long LEFTOVER_AGE_MS = 10_000;
    private static final AtomicInteger NEXT_NUMBER = new AtomicInteger();

    private DriverDirectory()
    {
    }

    /**
     * A directory of this process alone, for a driver that nobody else needs to find. Sweeps away what killed processes
     * of this user left beside it.
     *
     * @return an absolute path where nothing exists.
     */
    static String unique()
    {
        final String prefix = AeronConfiguration.defaultDirectory() + "-";
        sweep(new File(prefix + "0"), new File(prefix).getName());
        return prefix + SystemUtil.getPid() + "-" + NEXT_NUMBER.incrementAndGet();
    }

    /**
     * Whether a driver in the directory has shown life within the given time.
     *
     * @param directory of the driver.
     * @param timeoutMs after which it counts as dead.
     * @return true if it lives.
     */
    static boolean isDriverAlive(final String directory, final long timeoutMs)
    {
        final long heartbeatMs = heartbeatMs(directory);
        return heartbeatMs > 0 && System.currentTimeMillis() - heartbeatMs <= timeoutMs;
    }

    /**
     * Makes sure that no driver lives in a directory. A heartbeat that is fresh but stands still comes from a driver
     * that was just killed, so this waits until it moves (alive: an error) or is too old (dead).
     *
     * @param directory of the driver.
     * @param timeoutMs after which a driver counts as dead.
     * @throws TransportException if a driver lives there.
     */
    static void requireFree(final String directory, final long timeoutMs)
    {
        final long firstMs = heartbeatMs(directory);
        while (isDriverAlive(directory, timeoutMs))
        {
            if (heartbeatMs(directory) > firstMs)
            {
                throw new TransportException(
                    "cannot start a media driver in " + directory + ": another one lives there (process " +
                    pid(directory) + "). End it, or name another directory, or use it with embedded(false)");
            }
            LockSupport.parkNanos(LOOK_INTERVAL_NS);
            if (Thread.currentThread().isInterrupted())
            {
                throw new TransportException("interrupted while waiting for a dead driver in " + directory);
            }
        }
    }

    private static long heartbeatMs(final String directory)
    {
        return read(directory, true);
    }

    private static long pid(final String directory)
    {
        return read(directory, false);
    }

    private static long read(final String directory, final boolean heartbeat)
    {
        final File file = new File(directory, CncFileDescriptor.CNC_FILE);
        if (!file.exists() || file.length() <= CncFileDescriptor.META_DATA_LENGTH)
        {
            return NO_DRIVER;
        }
        final MappedByteBuffer mapped;
        try
        {
            mapped = IoUtil.mapExistingFile(file, "CnC file");
        }
        catch (final IllegalStateException gone)
        {
            // Deleted between the two looks.
            return NO_DRIVER;
        }
        try
        {
            final UnsafeBuffer metaData = CncFileDescriptor.createMetaDataBuffer(mapped);
            if (metaData.getIntVolatile(CncFileDescriptor.cncVersionOffset(0)) == 0 ||
                !CncFileDescriptor.isCncFileLengthSufficient(metaData, mapped.capacity()))
            {
                return NO_DRIVER;
            }
            return heartbeat ?
                new ManyToOneRingBuffer(CncFileDescriptor.createToDriverBuffer(mapped, metaData))
                    .consumerHeartbeatTime() :
                CncFileDescriptor.pid(metaData);
        }
        finally
        {
            BufferUtil.free(mapped);
        }
    }

    /** Only directories of processes that are gone, silent and old: a driver that starts just now has no file yet. */
    private static void sweep(final File example, final String prefix)
    {
        final File[] candidates = example.getParentFile().listFiles((parent, name) -> isLeftover(name, prefix));
        if (candidates == null)
        {
            return;
        }
        for (final File candidate : candidates)
        {
            if (System.currentTimeMillis() - candidate.lastModified() > LEFTOVER_AGE_MS &&
                !isDriverAlive(candidate.getPath(), LEFTOVER_AGE_MS))
            {
                IoUtil.delete(candidate, true);
            }
        }
    }

    private static boolean isLeftover(final String name, final String prefix)
    {
        if (!name.startsWith(prefix))
        {
            return false;
        }
        final String[] parts = name.substring(prefix.length()).split("-");
        try
        {
            return parts.length == 2 && Integer.parseInt(parts[1]) > 0 &&
                ProcessHandle.of(Long.parseLong(parts[0])).isEmpty();
        }
        catch (final NumberFormatException notOurs)
        {
            return false;
        }
    }

    /**
     * Refuses a directory that another user made: the shared-memory folder is writable for all, and a driver's files
     * would lie in that user's hands.
     *
     * @param directory to be used.
     */
    static void requireOwn(final String directory)
    {
        final File file = new File(directory);
        if (!file.exists())
        {
            return;
        }
        try
        {
            final String owner = Files.getOwner(file.toPath()).getName();
            final String user = System.getProperty("user.name");
            if (user != null && !owner.equals(user) && !"root".equals(user))
            {
                throw new TransportException(
                    "expected the driver directory " + directory + " to belong to " + user + ", found " + owner);
            }
        }
        catch (final IOException e)
        {
            throw new TransportException("cannot read the owner of the driver directory " + directory, e);
        }
        catch (final UnsupportedOperationException e)
        {
            // No owners on this file system: nothing to check.
            return;
        }
    }
}
