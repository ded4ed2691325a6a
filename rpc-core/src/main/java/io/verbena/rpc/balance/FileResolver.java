/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc.balance;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Reads addresses from a file and again at an interval, on a thread of its own: one address a line; empty lines, and
 * what follows a {@code #} at the beginning of a line or behind a blank, are ignored. A file that makes no sense is
 * reported once, with the line, and the addresses found last are kept. To change the file, write another one and rename
 * it: what is written in place may be read half.
 */
public final class FileResolver extends PollingResolver
{
    /** Property: how long to wait before reading again; units such as 2s are understood. */
    public static final String INTERVAL_PROP_NAME = "verbena.rpc.client.file.interval";

    /** Default of {@link #INTERVAL_PROP_NAME}: 1 s. */
    public static final long INTERVAL_DEFAULT_NS = 1_000_000_000L;

    /** The longest file that is read, in bytes: 1 MiB. */
    public static final int MAX_LENGTH = 1 << 20;

    private final Path file;
    private byte[] lastContent;
    private List<String> lastAddresses;

    /**
     * With the interval of {@link #INTERVAL_PROP_NAME}.
     *
     * @param file to read; need not exist yet.
     */
    public FileResolver(final Path file)
    {
        this(file, interval(INTERVAL_PROP_NAME, INTERVAL_DEFAULT_NS));
    }

    /**
     * With an interval.
     *
     * @param file       to read; need not exist yet.
     * @param intervalNs nanoseconds from one reading to the next, 1 to 1 day.
     * @throws IllegalArgumentException if the interval is out of its range.
     */
    public FileResolver(final Path file, final long intervalNs)
    {
        super(intervalNs);
        this.file = file;
    }

    @Override
    List<String> resolve() throws IOException
    {
        final byte[] content = read();
        // by content, not by time: a file system's time may stand still between two changes
        if (!Arrays.equals(content, lastContent))
        {
            lastContent = null;
            lastAddresses = parse(new String(content, StandardCharsets.UTF_8));
            lastContent = content;
        }
        return lastAddresses;
    }

    @Override
    public String toString()
    {
        return "FileResolver[" + file + ']';
    }

    private byte[] read() throws IOException
    {
        try
        {
            final long length = Files.size(file);
            if (length > MAX_LENGTH)
            {
                throw new IOException(file + ": expected at most " + MAX_LENGTH + " bytes, found " + length);
            }
            return Files.readAllBytes(file);
        }
        catch (final NoSuchFileException ex)
        {
            throw new IOException(file + ": expected a file of addresses, found none", ex);
        }
    }

    private List<String> parse(final String content) throws IOException
    {
        final List<String> addresses = new ArrayList<>();
        int lineNumber = 0;
        for (final String line : content.split("\n", -1))
        {
            lineNumber++;
            final String address = withoutComment(line).trim();
            if (!address.isEmpty())
            {
                if (address.indexOf(':') < 1 || address.chars().anyMatch(c -> c <= ' '))
                {
                    throw new IOException(
                        file + ":" + lineNumber + ": expected one address such as udp://10.0.0.1:9000, found " +
                        address);
                }
                addresses.add(address);
            }
        }
        if (addresses.isEmpty())
        {
            throw new IOException(file + ": expected at least one address, found none");
        }
        return List.copyOf(addresses);
    }

    private static String withoutComment(final String line)
    {
        for (int i = line.indexOf('#'); i >= 0; i = line.indexOf('#', i + 1))
        {
            if (i == 0 || line.charAt(i - 1) <= ' ')
            {
                return line.substring(0, i);
            }
        }
        return line;
    }
}
