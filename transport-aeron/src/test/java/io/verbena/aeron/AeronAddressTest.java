/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.aeron;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.rpc.transport.TransportException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AeronAddressTest
{
    @ParameterizedTest
    @CsvSource({
        "udp://127.0.0.1:40000, 127.0.0.1:40000, 127.0.0.1:40001",
        "udp://localhost:0, localhost:0, localhost:1",
        "udp://[::1]:65534, [::1]:65534, [::1]:65535"})
    void shouldTakeUdpApartWhenWellFormed(final String text, final String endpoint, final String responseEndpoint)
    {
        final AeronAddress address = parse(text);
        assertTrue(address.isUdp());
        assertEquals(endpoint, address.endpoint());
        assertEquals(responseEndpoint, address.responseEndpoint());
        assertEquals(text, address.toString());
        assertEquals(address, parse(address.toString()));
    }

    @ParameterizedTest
    @CsvSource({
        "ipc:, /shm/default, 4200",
        "ipc:?stream=7, /shm/default, 7",
        "ipc:/dev/shm/a, /dev/shm/a, 4200",
        "ipc:/dev/shm/b/../a/?stream=2147483646, /dev/shm/a, 2147483646",
        "ipc:///dev/shm/a?stream=1, /dev/shm/a, 1"})
    void shouldTakeIpcApartWhenWellFormed(final String text, final String directory, final int stream)
    {
        final AeronAddress address = parse(text);
        assertEquals(directory, address.directory());
        assertEquals(stream, address.requestStream());
        assertEquals(stream + 1, address.responseStream());
        assertEquals(address, parse(address.toString()));
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "", "udp:", "udp://", "udp://host", "udp://host:", "udp://:1", "udp://host:65535", "udp://host:-1",
        "udp://host:99999999999", "udp://::1:80", "udp://[]:1", "udp://a b:1", "udp://host:1/x", "udp://host|mtu=8k:1",
        "UDP://host:1", "rdma://host:1", "ipc", "ipc:?stream=", "ipc:?stream=0", "ipc:?stream=x", "ipc:?other=1",
        "ipc:?stream=2147483647", "ipc:?stream=2147483648", "ipc:/a?stream=1&x=2", "ipc://host/a"})
    void shouldRefuseInOneLineWhenMalformed(final String text)
    {
        final TransportException refused = assertThrows(TransportException.class, () -> parse(text));
        assertTrue(refused.getMessage().contains("expected"), refused::getMessage);
        assertTrue(refused.getMessage().endsWith("found '" + text + "'"), refused::getMessage);
    }

    @Test
    void shouldKeepHostWhenThePortIsBound()
    {
        assertEquals("udp://localhost:4711", parse("udp://localhost:0").withPort(4711).toString());
    }

    private static AeronAddress parse(final String text)
    {
        return AeronAddress.parse(text, "/shm/default", AeronConfiguration.STREAM_DEFAULT);
    }
}
