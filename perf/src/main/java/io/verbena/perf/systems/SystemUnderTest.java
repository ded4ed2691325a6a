/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.systems;

import java.util.List;
import java.util.Set;

/**
 * A row of the table: an echo server and an echo client over one transport. Implementations hold no state; the server
 * and the client live in different processes.
 */
public interface SystemUnderTest
{
    /**
     * The name for {@code --systems}.
     *
     * @return the name.
     */
    String name();

    /**
     * One line on what it is.
     *
     * @return the description.
     */
    String description();

    /**
     * The shortest message that it echoes, apart from one of 32 bytes.
     *
     * @return the length in bytes.
     */
    default int minPayloadLength()
    {
        return EchoPayload.MIN_LENGTH;
    }

    /**
     * The longest message that it echoes.
     *
     * @return the length in bytes.
     */
    int maxPayloadLength();

    /**
     * What can be measured of it.
     *
     * @return the scenarios.
     */
    default Set<Scenario> scenarios()
    {
        return Set.of(Scenario.ECHO);
    }

    /**
     * How it waits and what its transport is set to.
     *
     * @param closedLoop whether the load is a closed loop.
     * @return the settings.
     */
    RowSettings settings(boolean closedLoop);

    /**
     * JVM flags of both of its processes, beside those that every row gets.
     *
     * @return the flags, in order.
     */
    default List<String> jvmFlags()
    {
        return List.of();
    }

    /**
     * Starts the server on a free port of the loopback interface.
     *
     * @param setup of the run.
     * @return the server, ready for a client.
     * @throws Exception when it cannot start.
     */
    EchoServer startServer(EchoSetup setup) throws Exception;

    /**
     * Connects a client; returns when it is connected.
     *
     * @param setup   of the run.
     * @param address that the server reported.
     * @return the client.
     * @throws Exception when it cannot connect.
     */
    EchoClient connect(EchoSetup setup, String address) throws Exception;
}
