/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.aeron;

import io.aeron.driver.MediaDriver;
import io.verbena.rpc.transport.Transport;
import io.verbena.rpc.transport.TransportContractTest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;

/** The contract with a driver that runs already. */
@Tag("slow")
class AeronExternalContractTest extends TransportContractTest
{
    private final TestDirectory directory = new TestDirectory();
    private MediaDriver driver;

    @Override
    protected Transport createServer()
    {
        driver = MediaDriver.launch(
            new AeronTransport.Context().driverInvoker(false).aeronDirectory(directory.path()).newDriverContext());
        return new AeronTransport(external());
    }

    @Override
    protected Transport createClient(final long connectTimeoutNs)
    {
        return new AeronTransport(external().connectTimeoutNs(connectTimeoutNs));
    }

    private AeronTransport.Context external()
    {
        return new AeronTransport.Context().embedded(false).aeronDirectory(directory.path());
    }

    @Override
    protected String listenAddress()
    {
        return "ipc:";
    }

    @Override
    protected String addressOfNobody()
    {
        return "ipc:?stream=77";
    }

    @AfterEach
    void closeDriver() throws InterruptedException
    {
        closePeers();
        driver.close();
        directory.requireDeleted();
    }
}
