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
import org.agrona.concurrent.UnsafeBuffer;

import java.util.Set;

/**
 * Bare Aeron UDP: a driver in each process, run by the one thread that also polls and sends.
 */
public final class RawAeronUdpSystem implements SystemUnderTest
{
    private static final String ANY_LOOPBACK_PORT = "aeron:udp?endpoint=127.0.0.1:0";
    private static final AeronSettings SETTINGS = AeronSettings.udp();
    private static final int HELLO_CAPACITY = 256;

    /**
     * The system; it holds no state.
     */
    public RawAeronUdpSystem()
    {
        // Nothing to prepare.
    }

    @Override
    public String name()
    {
        return "raw-aeron-udp";
    }

    @Override
    public String description()
    {
        return "bare Aeron UDP with the settings of udp";
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
            endpoint.aeron().addSubscription(ANY_LOOPBACK_PORT, AeronEchoServer.REQUEST_STREAM_ID);
        final String address = resolve(endpoint, subscription);
        if (setup.workload().scenario() == Scenario.STREAM)
        {
            return new AeronStreamServer(
                endpoint,
                subscription,
                address,
                null,
                setup.workload().kind().isServerStreaming(),
                new AeronStreamEnd(endpoint, SETTINGS, setup.payloadLength()));
        }
        return new AeronEchoServer(
            endpoint,
            subscription,
            address,
            null);
    }

    @Override
    public EchoClient connect(final EchoSetup setup, final String address)
    {
        final AeronEndpoint endpoint =
            AeronEndpoint.withDriver(SETTINGS, setup.directory().resolve("driver").toString());
        final Subscription subscription =
            endpoint.aeron().addSubscription(ANY_LOOPBACK_PORT, AeronEchoServer.RESPONSE_STREAM_ID);
        final ExclusivePublication publication =
            endpoint.aeron().addExclusivePublication(address, AeronEchoServer.REQUEST_STREAM_ID);
        final UnsafeBuffer hello = new UnsafeBuffer(new byte[HELLO_CAPACITY]);
        final int helloLength = hello.putStringAscii(0, resolve(endpoint, subscription));
        endpoint.await("a connection to " + address, () -> publication.offer(hello, 0, helloLength) > 0);
        endpoint.await("a connection from " + address, subscription::isConnected);
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

    private static String resolve(final AeronEndpoint endpoint, final Subscription subscription)
    {
        final String[] resolved = new String[1];
        endpoint.await(
            "a port for " + subscription.channel(),
            () ->
            {
                resolved[0] = subscription.tryResolveChannelEndpointPort();
                return resolved[0] != null;
            });
        return resolved[0];
    }
}
