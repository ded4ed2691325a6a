/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.rig;

import io.vertx.core.json.JsonObject;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * What this process holds: heap that survives a collection, direct buffers, and the files in its folder in shared
 * memory, where Aeron's driver keeps the term buffers of all its streams. Files count by their length, and once: a
 * driver and its client in one process map the same file.
 */
final class MemoryMeter
{
    static final String HEAP_BYTES = "heap_bytes";
    static final String DIRECT_BYTES = "direct_bytes";
    static final String FILE_BYTES = "file_bytes";

    private static final int COLLECTIONS = 2;

    private MemoryMeter()
    {
    }

    static void addTo(final JsonObject message, final Path directory)
    {
        for (int i = 0; i < COLLECTIONS; i++)
        {
            // What has a cleaner goes with the second one.
            ManagementFactory.getMemoryMXBean().gc();
        }
        message
            .put(HEAP_BYTES, ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed())
            .put(DIRECT_BYTES, directBytes())
            .put(FILE_BYTES, fileBytes(directory));
    }

    private static long directBytes()
    {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
            .filter(pool -> "direct".equals(pool.getName()))
            .mapToLong(BufferPoolMXBean::getMemoryUsed)
            .sum();
    }

    static long fileBytes(final Path directory)
    {
        try (Stream<Path> files = Files.walk(directory))
        {
            return files.filter(Files::isRegularFile).mapToLong(MemoryMeter::length).sum();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private static long length(final Path file)
    {
        try
        {
            return Files.size(file);
        }
        catch (final NoSuchFileException ex)
        {
            // It was deleted between the listing and the look.
            return 0;
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }
}
