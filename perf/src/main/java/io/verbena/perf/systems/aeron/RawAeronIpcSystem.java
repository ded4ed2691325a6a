/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.systems.aeron;

import io.aeron.ExclusivePublication;
import io.aeron.Subscription;
import io.verbena.perf.systems.EchoClient;
import io.verbena.perf.systems.EchoServer;
import io.verbena.perf.systems.EchoSetup;
import io.verbena.perf.systems.RowSettings;
import io.verbena.perf.systems.Scenario;
import io.verbena.perf.systems.SystemUnderTest;

import java.util.Set;

/**
 * Bare Aeron IPC: the server's process owns the media driver, both ends spin, and the duty cycles of driver and
 * conductors run now and then in the same threads.
 */
public final class RawAeronIpcSystem implements SystemUnderTest
{
    private static final String CHANNEL = "aeron:ipc";
    private static final AeronSettings SETTINGS = AeronSettings.ipc();

    /**
     * The system; it holds no state.
     */
    public RawAeronIpcSystem()
    {
        // Nothing to prepare.
    }

    @Override
    public String name()
    {
        return "raw-aeron-ipc";
    }

    @Override
    public String description()
    {
        return "bare Aeron IPC with the settings of ipc";
    }

    @Override
    public int maxPayloadLength()
    {
        return SETTINGS.maxMessageLength();
    }

    @Override
    public RowSettings settings(final boolean closedLoop)
    {
        return SETTINGS.toRow("exclusive publications, tryClaim, images polled directly");
    }

    @Override
    public Set<Scenario> scenarios()
    {
        return Set.of(Scenario.ECHO, Scenario.STREAM);
    }

    @Override
    public EchoServer startServer(final EchoSetup setup)
    {
        final AeronEndpoint endpoint =
            AeronEndpoint.withDriver(SETTINGS, setup.directory().resolve("driver").toString());
        final Subscription subscription =
            endpoint.aeron().addSubscription(CHANNEL, AeronEchoServer.REQUEST_STREAM_ID);
        final String address = endpoint.directory();
        if (setup.workload().scenario() == Scenario.STREAM)
        {
            return new AeronStreamServer(
                endpoint,
                subscription,
                address,
                CHANNEL,
                setup.workload().kind().isServerStreaming(),
                new AeronStreamEnd(endpoint, SETTINGS, setup.payloadLength()));
        }
        return new AeronEchoServer(
            endpoint,
            subscription,
            address,
            CHANNEL);
    }

    @Override
    public EchoClient connect(final EchoSetup setup, final String address)
    {
        final AeronEndpoint endpoint = AeronEndpoint.withForeignDriver(address);
        final Subscription subscription =
            endpoint.aeron().addSubscription(CHANNEL, AeronEchoServer.RESPONSE_STREAM_ID);
        final ExclusivePublication publication =
            endpoint.aeron().addExclusivePublication(CHANNEL, AeronEchoServer.REQUEST_STREAM_ID);
        endpoint.await("a connection to " + address, () -> publication.isConnected() && subscription.isConnected());
        if (setup.workload().scenario() == Scenario.STREAM)
        {
            final AeronStreamEnd end = new AeronStreamEnd(endpoint, SETTINGS, setup.payloadLength());
            end.receiveFrom(subscription.imageAtIndex(0));
            if (setup.workload().kind().isClientStreaming())
            {
                end.sendTo(publication);
            }
            return new AeronStreamClient(endpoint, end);
        }
        return new AeronEchoClient(
            endpoint,
            publication,
            subscription,
            setup.payloadLength());
    }
}
