/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.systems.aeron;

import io.aeron.driver.MediaDriver;
import io.verbena.aeron.AeronTransport;
import io.verbena.perf.systems.RowSettings;

/**
 * The settings of the Aeron rows: those of Verbena's Aeron transport, read from it, for bare Aeron and for Verbena
 * alike, so that the rows differ in Verbena's work alone.
 */
public final class AeronSettings
{
    private static final String THREADING =
        "one thread at each end runs application, Aeron client conductor and embedded driver (INVOKER)";

    private final boolean isUdp;
    private final AeronTransport.Context context = new AeronTransport.Context();

    private AeronSettings(final boolean isUdp)
    {
        this.isUdp = isUdp;
    }

    /**
     * Settings for datagrams.
     *
     * @return the settings.
     */
    public static AeronSettings udp()
    {
        return new AeronSettings(true);
    }

    /**
     * Settings for shared memory.
     *
     * @return the settings.
     */
    public static AeronSettings ipc()
    {
        return new AeronSettings(false);
    }

    /**
     * For which of the two.
     *
     * @return whether for datagrams.
     */
    public boolean isUdp()
    {
        return isUdp;
    }

    /**
     * The settings as a row states them.
     *
     * @param notes what else a reader must know.
     * @return the row's settings.
     */
    public RowSettings toRow(final String notes)
    {
        return new RowSettings(
            "spin",
            isUdp ? THREADING + "; a driver in each process" : THREADING + "; the server's process owns the driver",
            "none",
            termLength(),
            mtu(),
            isUdp ? socketBuffer() : "none",
            notes);
    }

    private String socketBuffer()
    {
        final int sndbuf = context.socketSndbufLength();
        final int rcvbuf = context.socketRcvbufLength();
        return "send " + (sndbuf == 0 ? "default" : sndbuf) + ", receive " + (rcvbuf == 0 ? "default" : rcvbuf);
    }

    private int termLength()
    {
        return isUdp ? context.udpTermLength() : context.ipcTermLength();
    }

    /**
     * The very driver that Verbena's transport embeds; its defaults give publications their term length and MTU.
     */
    MediaDriver.Context driverContext(final String directory)
    {
        return context.newDriverContext().aeronDirectoryName(directory);
    }

    int mtu()
    {
        return isUdp ? context.udpMtu() : context.ipcMtu();
    }

    /**
     * An eighth of a term is Aeron's own limit for a message.
     */
    int maxMessageLength()
    {
        return termLength() / 8;
    }
}
