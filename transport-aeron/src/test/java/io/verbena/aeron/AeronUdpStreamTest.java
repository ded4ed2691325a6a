/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.aeron;

import io.verbena.rpc.StreamContractTest;
import io.verbena.rpc.transport.Transport;
import java.util.concurrent.TimeUnit;

class AeronUdpStreamTest extends StreamContractTest
{
    @Override
    protected Transport newTransport()
    {
        // one thread polls both ends here, so a closing one waits in vain for the other's goodbye
        return new AeronTransport(new AeronTransport.Context().closeTimeoutNs(TimeUnit.MILLISECONDS.toNanos(50)));
    }

    @Override
    protected String listenAddress()
    {
        return "udp://localhost:0";
    }
}
