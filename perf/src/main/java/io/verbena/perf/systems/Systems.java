/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.systems;

import io.verbena.perf.systems.aeron.RawAeronIpcSystem;
import io.verbena.perf.systems.aeron.RawAeronUdpSystem;
import io.verbena.perf.systems.http.HttpSystem;
import io.verbena.perf.systems.raw.NoopSystem;
import io.verbena.perf.systems.raw.RawTcpSystem;
import io.verbena.perf.systems.raw.RawUdpSystem;
import io.verbena.perf.systems.verbena.AeronRpcSystem;
import io.verbena.perf.systems.verbena.LoopbackRpcSystem;

import java.util.List;

/**
 * The systems that there are, in the order of the table's rows.
 */
public final class Systems
{
    /**
     * The row that the others are compared with.
     */
    public static final String BASELINE = "http1";

    private static final List<SystemUnderTest> ALL = List.of(
        new NoopSystem(),
        new RawUdpSystem(),
        new RawTcpSystem(),
        new RawAeronIpcSystem(),
        new RawAeronUdpSystem(),
        new LoopbackRpcSystem(),
        AeronRpcSystem.ipc(),
        AeronRpcSystem.udp(),
        HttpSystem.http1(),
        HttpSystem.http1Busy(),
        HttpSystem.http2());

    private Systems()
    {
    }

    /**
     * All of them.
     *
     * @return the systems.
     */
    public static List<SystemUnderTest> all()
    {
        return ALL;
    }

    /**
     * The names of all of them.
     *
     * @return the names, in order.
     */
    public static List<String> names()
    {
        return ALL.stream().map(SystemUnderTest::name).toList();
    }

    /**
     * The names of those that a scenario can be measured of.
     *
     * @param scenario to be run.
     * @return the names, in order.
     */
    public static List<String> names(final Scenario scenario)
    {
        return ALL.stream()
            .filter(system -> system.scenarios().contains(scenario)).map(SystemUnderTest::name).toList();
    }

    /**
     * One of them.
     *
     * @param name to look up.
     * @return the system or null when there is none of that name.
     */
    public static SystemUnderTest find(final String name)
    {
        return ALL.stream().filter(system -> system.name().equals(name)).findFirst().orElse(null);
    }
}
