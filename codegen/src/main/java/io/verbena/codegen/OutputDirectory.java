/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.codegen;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;

/**
 * Writes generated sources, leaving alone the files that hold the right bytes already, so that a compiler that looks
 * at time stamps has nothing to do.
 */
public final class OutputDirectory
{
    private OutputDirectory()
    {
    }

    /**
     * Writes files.
     *
     * @param directory below which they go; created when absent.
     * @param contents  by path relative to the directory.
     * @return how many were new or changed.
     * @throws IOException if one cannot be written.
     */
    public static int write(final Path directory, final Map<String, String> contents) throws IOException
    {
        int written = 0;
        for (final Map.Entry<String, String> entry : contents.entrySet())
        {
            final Path file = directory.resolve(entry.getKey());
            final byte[] bytes = entry.getValue().getBytes(StandardCharsets.UTF_8);
            if (!Files.isRegularFile(file) || !Arrays.equals(bytes, Files.readAllBytes(file)))
            {
                final Path parent = file.getParent();
                if (null != parent)
                {
                    Files.createDirectories(parent);
                }
                Files.write(file, bytes);
                written++;
            }
        }
        return written;
    }
}
