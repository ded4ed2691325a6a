/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.systems.aeron;

import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;

/**
 * The settings of the bare Aeron rows. They are those of Verbena's Aeron transport, so that the rows differ in
 * Verbena's work alone.
 *
 * @param termLength         of every publication, in bytes.
 * @param mtu                of every publication, in bytes.
 * @param socketBufferLength send and receive buffer of the driver's sockets, in bytes.
 * @param dutyInterval       polls between two duty cycles of the driver (ipc) and of the client's conductor.
 */
record AeronSettings(int termLength, int mtu, int socketBufferLength, int dutyInterval)
{
    static final String THREADING =
        "one thread at each end runs application, Aeron client conductor and embedded driver (INVOKER)";

    static final AeronSettings UDP = new AeronSettings(64 * 1024, 1408, 128 * 1024, 64);
    static final AeronSettings IPC = new AeronSettings(64 * 1024, 1408, 128 * 1024, 64);

    MediaDriver.Context driverContext(final String directory)
    {
        return new MediaDriver.Context()
            .aeronDirectoryName(directory)
            .threadingMode(ThreadingMode.INVOKER)
            .asyncExecutorEnabled(false)
            .dirDeleteOnStart(true)
            .dirDeleteOnShutdown(true)
            .publicationTermBufferLength(termLength)
            .ipcTermBufferLength(termLength)
            .mtuLength(mtu)
            .ipcMtuLength(mtu)
            .socketSndbufLength(socketBufferLength)
            .socketRcvbufLength(socketBufferLength)
            .initialWindowLength(Math.min(socketBufferLength, termLength / 2));
    }

    /**
     * An eighth of a term is Aeron's own limit for a message.
     *
     * @return the longest message in bytes.
     */
    int maxMessageLength()
    {
        return termLength / 8;
    }
}
