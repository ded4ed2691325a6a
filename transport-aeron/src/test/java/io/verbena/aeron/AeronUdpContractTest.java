/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.aeron;

import io.verbena.rpc.transport.Transport;
import io.verbena.rpc.transport.TransportContractTest;

class AeronUdpContractTest extends TransportContractTest
{
    @Override
    protected Transport createServer()
    {
        return new AeronTransport();
    }

    @Override
    protected Transport createClient(final long connectTimeoutNs)
    {
        return new AeronTransport(new AeronTransport.Context().connectTimeoutNs(connectTimeoutNs));
    }

    @Override
    protected String listenAddress()
    {
        return "udp://127.0.0.1:0";
    }

    @Override
    protected String addressOfNobody()
    {
        // The discard port: nobody listens there, and no test could take it.
        return "udp://127.0.0.1:9";
    }
}
