/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.systems.verbena;

import io.verbena.perf.generated.EchoAdapter;
import io.verbena.perf.systems.EchoServer;
import io.verbena.rpc.RpcServer;
import io.verbena.rpc.transport.Transport;

/**
 * An RPC server with the echo service, run by the thread that polls.
 */
final class VerbenaServer implements EchoServer
{
    private final RpcServer server;

    VerbenaServer(final Transport transport, final String address)
    {
        server = RpcServer.launch(new RpcServer.Context()
            .useAgentInvoker(true)
            .listen(transport, address)
            .service(new EchoAdapter(new EchoServiceHandler())));
    }

    @Override
    public String address()
    {
        return server.addresses().getFirst();
    }

    @Override
    public int poll()
    {
        return server.doWork();
    }

    @Override
    public void close()
    {
        server.close();
    }
}
