/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.systems.verbena;

import io.verbena.aeron.AeronTransport;
import io.verbena.perf.generated.Echo32RequestEncoder;
import io.verbena.perf.systems.EchoClient;
import io.verbena.perf.systems.EchoServer;
import io.verbena.perf.systems.EchoSetup;
import io.verbena.perf.systems.RowSettings;
import io.verbena.perf.systems.Scenario;
import io.verbena.perf.systems.SystemUnderTest;
import io.verbena.perf.systems.aeron.AeronSettings;

import java.util.EnumSet;
import java.util.Set;

/**
 * Verbena's unary calls over Aeron with the transport's defaults: the whole path, with generated codecs, correlation
 * and a deadline for each call.
 */
public final class AeronRpcSystem implements SystemUnderTest
{
    private static final int MAX_BODY_LENGTH = 1024 * 1024;

    private final String name;
    private final String description;
    private final AeronSettings settings;

    private AeronRpcSystem(final String name, final String description, final AeronSettings settings)
    {
        this.name = name;
        this.description = description;
        this.settings = settings;
    }

    /**
     * Calls over shared memory.
     *
     * @return the system.
     */
    public static AeronRpcSystem ipc()
    {
        return new AeronRpcSystem("ipc", "Verbena's generated echo service over Aeron IPC", AeronSettings.ipc());
    }

    /**
     * Calls over datagrams.
     *
     * @return the system.
     */
    public static AeronRpcSystem udp()
    {
        return new AeronRpcSystem("udp", "Verbena's generated echo service over Aeron UDP", AeronSettings.udp());
    }

    @Override
    public String name()
    {
        return name;
    }

    @Override
    public String description()
    {
        return description;
    }

    @Override
    public int minPayloadLength()
    {
        return EchoCaller.MIN_DATA_BODY_LENGTH;
    }

    @Override
    public int maxPayloadLength()
    {
        return MAX_BODY_LENGTH;
    }

    @Override
    public RowSettings settings(final boolean closedLoop)
    {
        return settings.toRow(
            "zero-copy stub, agents invoked by the application's thread; each call has the default deadline; " +
            "a body of " + Echo32RequestEncoder.BLOCK_LENGTH + " bytes has fixed fields, any other carries data");
    }

    @Override
    public Set<Scenario> scenarios()
    {
        return EnumSet.allOf(Scenario.class);
    }

    @Override
    public EchoServer startServer(final EchoSetup setup)
    {
        final String directory = settings.isUdp() ? null : directory(setup);
        return new VerbenaServer(
            transport(setup), settings.isUdp() ? "udp://127.0.0.1:0" : "ipc:" + directory, setup);
    }

    @Override
    public EchoClient connect(final EchoSetup setup, final String address)
    {
        return switch (setup.workload().scenario())
        {
            case STREAM -> new VerbenaStreamClient(transport(setup), address, setup, Thread::onSpinWait);
            case OVERLOAD -> new VerbenaCallClient(transport(setup), address, Thread::onSpinWait);
            default -> new VerbenaClient(transport(setup), address, setup, Thread::onSpinWait);
        };
    }

    private static AeronTransport transport(final EchoSetup setup)
    {
        return new AeronTransport(new AeronTransport.Context().aeronDirectory(directory(setup)));
    }

    private static String directory(final EchoSetup setup)
    {
        return setup.directory().resolve("driver").toString();
    }
}
