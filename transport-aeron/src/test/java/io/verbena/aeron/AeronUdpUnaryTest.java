/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.aeron;

import io.verbena.rpc.UnaryContractTest;
import io.verbena.rpc.transport.Transport;
import java.util.concurrent.TimeUnit;

class AeronUdpUnaryTest extends UnaryContractTest
{
    @Override
    protected Transport newTransport()
    {
        // one thread polls both ends here, so a closing one waits in vain for the other's goodbye; but where the other
        // has a thread, what is full drains only with its status messages, which may be 50 ms apart
        return new AeronTransport(new AeronTransport.Context().closeTimeoutNs(TimeUnit.MILLISECONDS.toNanos(150)));
    }

    @Override
    protected String listenAddress()
    {
        return "udp://localhost:0";
    }
}
