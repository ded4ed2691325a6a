/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.codegen.maven;

import io.verbena.codegen.OutputDirectory;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.CodeSource;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Remembers, in a file of the build directory, what was generated from what by which generator.
 * <pre>
 * head  generator, package, output directory and the files found in the source directory
 * input hash path     one line for each file that was read, schemas elsewhere included
 * file  hash path     one line for each generated file, relative to the output directory
 * </pre>
 */
final class GenerationStamp
{
    private static final String INPUT = "input ";
    private static final String FILE = "file ";
    private static final int HASH_LENGTH = 64;

    private final Path stampDirectory;
    private final Path stampFile;
    private final Path outputDirectory;
    private final List<String> head = new ArrayList<>();

    GenerationStamp(
        final Path stampDirectory,
        final String execution,
        final Path outputDirectory,
        final List<Path> inputs,
        final String packageName)
        throws IOException
    {
        this.stampDirectory = stampDirectory;
        this.stampFile = stampDirectory.resolve(execution + ".stamp");
        this.outputDirectory = outputDirectory.toAbsolutePath().normalize();
        head.add("generator " + generator());
        head.add("package " + (null == packageName ? "" : packageName));
        head.add("output " + this.outputDirectory);
        inputs.forEach((input) -> head.add("found " + input.toAbsolutePath().normalize()));
    }

    boolean isUpToDate() throws IOException
    {
        final List<String> lines = read();
        if (lines.size() < head.size() || !lines.subList(0, head.size()).equals(head))
        {
            return false;
        }
        for (final String line : lines.subList(head.size(), lines.size()))
        {
            final String prefix = line.startsWith(INPUT) ? INPUT : FILE;
            final int start = prefix.length();
            if (!line.startsWith(prefix) || line.length() <= start + HASH_LENGTH)
            {
                return false;
            }
            final String hash = line.substring(start, start + HASH_LENGTH);
            final Path path = outputDirectory.resolve(line.substring(start + HASH_LENGTH + 1));
            if (!hash.equals(hash(path)))
            {
                return false;
            }
        }
        return true;
    }

    /**
     * Writes the generated files, deletes those of last time that are no more, and remembers.
     *
     * @param contents generated files.
     * @param inputs   files that were read.
     * @return how many files were written or deleted.
     */
    int write(final Map<String, String> contents, final List<Path> inputs) throws IOException
    {
        int changed = deleteStale(contents);
        // Gone until all is written, so that an interrupted run is done again.
        Files.deleteIfExists(stampFile);
        changed += OutputDirectory.write(outputDirectory, contents);

        final List<String> lines = new ArrayList<>(head);
        for (final Path input : inputs)
        {
            lines.add(INPUT + hash(input) + ' ' + input);
        }
        for (final Map.Entry<String, String> entry : contents.entrySet())
        {
            lines.add(FILE + hash(entry.getValue().getBytes(StandardCharsets.UTF_8)) + ' ' + entry.getKey());
        }
        Files.createDirectories(stampDirectory);
        Files.write(stampFile, lines, StandardCharsets.UTF_8);

        return changed;
    }

    private int deleteStale(final Map<String, String> contents) throws IOException
    {
        final List<String> lines = read();
        int deleted = 0;
        // Only where the stamp is about this very directory; and only what lies inside it.
        if (lines.contains("output " + outputDirectory))
        {
            for (final String line : lines)
            {
                if (line.startsWith(FILE) && line.length() > FILE.length() + HASH_LENGTH)
                {
                    final String name = line.substring(FILE.length() + HASH_LENGTH + 1);
                    final Path path = outputDirectory.resolve(name).normalize();
                    if (!contents.containsKey(name) && path.startsWith(outputDirectory) && Files.deleteIfExists(path))
                    {
                        deleted++;
                    }
                }
            }
        }
        return deleted;
    }

    private List<String> read() throws IOException
    {
        try
        {
            return Files.readAllLines(stampFile, StandardCharsets.UTF_8);
        }
        catch (final NoSuchFileException ex)
        {
            return List.of();
        }
    }

    /**
     * The version, and what tells one build of a snapshot version from the next.
     */
    private static String generator() throws IOException
    {
        final String version = GenerationStamp.class.getPackage().getImplementationVersion();
        final CodeSource source = GenerationStamp.class.getProtectionDomain().getCodeSource();
        if (null == source)
        {
            return String.valueOf(version);
        }
        try
        {
            final Path path = Path.of(source.getLocation().toURI());
            long newest = 0;
            long size = 0;
            try (Stream<Path> files = Files.walk(path))
            {
                for (final Path file : files.filter((each) -> Files.isRegularFile(each)).toList())
                {
                    newest = Math.max(newest, Files.getLastModifiedTime(file).toMillis());
                    size += Files.size(file);
                }
            }
            return version + " " + newest + " " + size;
        }
        catch (final URISyntaxException ex)
        {
            return String.valueOf(version);
        }
    }

    private static String hash(final Path path) throws IOException
    {
        return Files.isRegularFile(path) ? hash(Files.readAllBytes(path)) : "";
    }

    private static String hash(final byte[] bytes)
    {
        try
        {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        }
        catch (final NoSuchAlgorithmException ex)
        {
            throw new IllegalStateException("every JDK has SHA-256", ex);
        }
    }
}
