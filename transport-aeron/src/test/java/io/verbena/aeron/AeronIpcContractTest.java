/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.aeron;

import io.verbena.rpc.transport.Transport;
import io.verbena.rpc.transport.TransportContractTest;
import org.junit.jupiter.api.AfterEach;

class AeronIpcContractTest extends TransportContractTest
{
    private final TestDirectory directory = new TestDirectory();

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
        return "ipc:" + directory.path();
    }

    @Override
    protected String addressOfNobody()
    {
        return "ipc:" + directory.path() + "?stream=77";
    }

    @AfterEach
    void requireDeleted() throws InterruptedException
    {
        closePeers();
        directory.requireDeleted();
    }
}
