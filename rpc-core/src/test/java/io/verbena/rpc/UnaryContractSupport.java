/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import static io.verbena.rpc.RpcHarness.ECHO_METHOD_ID;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.verbena.rpc.test.RecordingHandler;
import io.verbena.rpc.transport.Transport;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;

/**
 * What the parts of {@link UnaryContractTest} have in common.
 */
abstract class UnaryContractSupport
{
    static final int SERVICE_ID = RpcHarness.SERVICE_ID;

    /** A method for the test to script. */
    static final int METHOD = 2;

    final RpcHarness rpc = new RpcHarness(this::newTransport, this::listenAddress);

    /**
     * A transport for a server or a client; those made in one test reach each other.
     *
     * @return a new one.
     */
    protected abstract Transport newTransport();

    /**
     * What the server of this test listens on; another for each test.
     *
     * @return an address.
     */
    protected abstract String listenAddress();

    @AfterEach
    void closeAll()
    {
        rpc.close();
    }

    final void assertEchoWorks()
    {
        final byte[] payload = bytes(64, 5);
        final RecordingHandler.Outcome outcome = rpc.call(ECHO_METHOD_ID, payload);
        assertEquals(StatusCode.OK, outcome.code(), outcome::toString);
        assertArrayEquals(payload, outcome.payload());
    }

    static byte[] bytes(final int length, final long seed)
    {
        final byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    static UnsafeBuffer buffer(final byte[] bytes)
    {
        return new UnsafeBuffer(bytes);
    }
}
