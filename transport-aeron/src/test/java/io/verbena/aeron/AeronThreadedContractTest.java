/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.aeron;

import io.verbena.rpc.transport.Transport;
import io.verbena.rpc.transport.TransportContractTest;
import org.junit.jupiter.api.Tag;

/** The contract with a driver on a thread of its own. */
@Tag("slow")
class AeronThreadedContractTest extends TransportContractTest
{
    @Override
    protected Transport createServer()
    {
        return new AeronTransport(new AeronTransport.Context().driverInvoker(false));
    }

    @Override
    protected Transport createClient(final long connectTimeoutNs)
    {
        return new AeronTransport(
            new AeronTransport.Context().driverInvoker(false).connectTimeoutNs(connectTimeoutNs));
    }

    @Override
    protected int steadyStateMessages()
    {
        // Three threads take turns on few cores.
        return 10_000;
    }

    @Override
    protected String listenAddress()
    {
        return "udp://127.0.0.1:0";
    }

    @Override
    protected String addressOfNobody()
    {
        return "udp://127.0.0.1:9";
    }
}
