/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.samples.marketdata;

import io.verbena.auto.Transports;
import io.verbena.rpc.RpcServer;
import io.verbena.samples.marketdata.generated.MarketDataAdapter;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.ShutdownSignalBarrier;

/**
 * Serves the market data sample at the address given as argument, until it is told to stop:
 * {@code MarketDataServer udp://localhost:9001}.
 */
public final class MarketDataServer
{
    private MarketDataServer()
    {
    }

    static RpcServer launch(final String address, final IdleStrategy idleStrategy, final InMemoryMarket market)
    {
        return RpcServer.launch(new RpcServer.Context()
            .agentName("market-data-server")
            .idleStrategy(idleStrategy)
            .service(new MarketDataAdapter(market))
            .listen(Transports.forAddress(address), address));
    }

    /**
     * Serves until the process is told to stop.
     *
     * @param args the address to listen on.
     */
    public static void main(final String[] args)
    {
        final String address = args.length == 0 ? "udp://localhost:9001" : args[0];
        try (ShutdownSignalBarrier barrier = new ShutdownSignalBarrier();
            RpcServer server = launch(address, new BackoffIdleStrategy(), new InMemoryMarket()))
        {
            server.addresses().forEach(bound -> System.out.println("listening on " + bound));
            barrier.await();
        }
    }
}
