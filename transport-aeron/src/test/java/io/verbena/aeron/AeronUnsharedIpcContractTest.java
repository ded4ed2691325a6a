/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.aeron;

import io.verbena.rpc.transport.Transport;

/** The contract where each connection has a stream pair of its own. */
class AeronUnsharedIpcContractTest extends AeronIpcContractTest
{
    @Override
    protected Transport createClient(final long connectTimeoutNs)
    {
        return new AeronTransport(
            new AeronTransport.Context().connectTimeoutNs(connectTimeoutNs).connectionsPerStreamPair(1));
    }
}
