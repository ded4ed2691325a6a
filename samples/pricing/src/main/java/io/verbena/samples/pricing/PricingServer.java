/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.samples.pricing;

import io.verbena.auto.Transports;
import io.verbena.rpc.RpcServer;
import io.verbena.rpc.transport.Transport;
import io.verbena.samples.pricing.generated.PricingAdapter;
import java.util.List;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.ShutdownSignalBarrier;
import org.agrona.concurrent.SystemEpochNanoClock;

/**
 * Serves the pricing sample on the addresses given as arguments, until it is told to stop:
 * {@code PricingServer udp://localhost:9000 ipc:}.
 */
public final class PricingServer
{
    private PricingServer()
    {
    }

    /**
     * Starts a server on a thread of its own.
     *
     * @param addresses    to listen on; one transport serves them all.
     * @param idleStrategy what its thread does when there is nothing to do.
     * @return the server, for the caller to close.
     */
    public static RpcServer launch(final List<String> addresses, final IdleStrategy idleStrategy)
    {
        final Transport transport = Transports.forAddress(addresses.get(0));
        final RpcServer.Context context = new RpcServer.Context()
            .agentName("pricing-server")
            .idleStrategy(idleStrategy)
            .service(new PricingAdapter(
                new InMemoryPricing(PriceBook.ofSample(), SystemEpochNanoClock.INSTANCE)));
        for (final String address : addresses)
        {
            context.listen(transport, address);
        }
        return RpcServer.launch(context);
    }

    /**
     * Serves until the process is told to stop.
     *
     * @param args addresses to listen on.
     */
    public static void main(final String[] args)
    {
        final List<String> addresses = args.length == 0 ? List.of("udp://localhost:9000") : List.of(args);
        try (ShutdownSignalBarrier barrier = new ShutdownSignalBarrier();
            RpcServer server = launch(addresses, new BackoffIdleStrategy()))
        {
            server.addresses().forEach(address -> System.out.println("listening on " + address));
            barrier.await();
        }
    }
}
