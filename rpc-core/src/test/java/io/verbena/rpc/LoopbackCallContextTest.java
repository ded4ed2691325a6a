/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import io.verbena.rpc.transport.LoopbackTransport;
import io.verbena.rpc.transport.Transport;
import java.util.concurrent.atomic.AtomicInteger;

class LoopbackCallContextTest extends CallContextContractTest
{
    private static final AtomicInteger NAMES = new AtomicInteger();

    @Override
    protected Transport newTransport()
    {
        return new LoopbackTransport();
    }

    @Override
    protected String listenAddress()
    {
        return "loopback:call-context-" + NAMES.incrementAndGet();
    }
}
