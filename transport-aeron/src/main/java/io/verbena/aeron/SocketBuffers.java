/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.aeron;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketOption;
import java.nio.channels.DatagramChannel;

/**
 * What the operating system allows of socket buffers. It cuts longer ones silently; Aeron would print a warning.
 */
final class SocketBuffers
{
    private SocketBuffers()
    {
    }

    /**
     * What a socket would really get.
     *
     * @param asked  length in bytes, 0 for the system's own.
     * @param option SO_SNDBUF or SO_RCVBUF.
     * @return length in bytes, at most what was asked for.
     */
    static int allowed(final int asked, final SocketOption<Integer> option)
    {
        if (asked == 0)
        {
            return 0;
        }
        try (DatagramChannel probe = DatagramChannel.open())
        {
            probe.setOption(option, Integer.MAX_VALUE);
            return Math.min(asked, probe.getOption(option));
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException("cannot ask for " + option, e);
        }
    }
}
