/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.aeron;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

import io.aeron.CncFileDescriptor;
import io.verbena.rpc.test.InterruptAfter;
import io.verbena.rpc.transport.Connection;
import io.verbena.rpc.transport.ConnectionState;
import io.verbena.rpc.transport.ContractPeer;
import io.verbena.rpc.transport.DisconnectCause;
import io.verbena.rpc.transport.Listener;
import io.verbena.rpc.transport.TransportException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Ports, hosts, and what a connection costs.
 */
class AeronResourcesTest extends FaultSupport
{
    private static final int MIB = 1024 * 1024;

    /** Here nobody dies: what a loaded machine does to the threads must not look as if. */
    private AeronTransport.Context steady()
    {
        return context().livenessTimeoutNs(3 * LIVENESS_NS);
    }

    @Test
    @InterruptAfter(30)
    void shouldNameBothPortsWhenTheOneAboveIsTaken() throws IOException
    {
        final ContractPeer server = peer("server", new AeronTransport(steady()));
        try (DatagramSocket neighbour = new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)))
        {
            final String address = "udp://127.0.0.1:" + (neighbour.getLocalPort() - 1);
            final TransportException refused =
                assertThrows(TransportException.class, () -> server.transport().listen(address));
            assertTrue(
                refused.getMessage().startsWith("cannot listen on " + address + " and the port above it: "),
                refused::getMessage);
        }
    }

    @Test
    @InterruptAfter(60)
    void shouldFindAFreePairOfPortsWhenManyAreTaken()
    {
        final ContractPeer server = peer("server", new AeronTransport(steady()));
        final ContractPeer other = peer("other", new AeronTransport(steady()));
        for (int i = 0; i < 20; i++)
        {
            final Listener first = server.transport().listen("udp://127.0.0.1:0");
            final Listener second = other.transport().listen("udp://127.0.0.1:0");
            assertTrue(Math.abs(port(first) - port(second)) > 1, first.address() + " " + second.address());
        }
    }

    private static int port(final Listener listener)
    {
        return Integer.parseInt(listener.address().substring(listener.address().lastIndexOf(':') + 1));
    }

    @Test
    @InterruptAfter(30)
    void shouldRefuseWhenAnotherTransportHasThePort()
    {
        final ContractPeer server = peer("server", new AeronTransport(steady()));
        final ContractPeer other = peer("other", new AeronTransport(steady()));
        final String address = listen(server, "udp://127.0.0.1:0");
        final TransportException refused =
            assertThrows(TransportException.class, () -> other.transport().listen(address));
        assertTrue(refused.getMessage().contains(address), refused::getMessage);
    }

    @ParameterizedTest
    @ValueSource(strings = {"[::1]", "localhost", "0.0.0.0"})
    @InterruptAfter(30)
    void shouldConnectWhenTheHostIsAnyForm(final String host)
    {
        assumeTrue(!host.startsWith("[") || hasIpv6(), "no IPv6 on this machine");
        final ContractPeer server = peer("server", new AeronTransport(steady()));
        final ContractPeer client = peer("client", new AeronTransport(steady()));
        final String address = listen(server, "udp://" + host + ":0").replace("0.0.0.0", "127.0.0.1");
        final Connection connection = client.transport().connect(address);
        pumpUntil(() -> client.record(connection).connected() && server.records().size() == 1);
        assertEquals(0, errors.size(), errors::toString);
    }

    @Test
    @InterruptAfter(30)
    void shouldEndThatConnectionAloneWhenTheHostIsUnknown()
    {
        final ContractPeer server = peer("server", new AeronTransport(steady()));
        final ContractPeer client =
            peer("client", new AeronTransport(steady().connectTimeoutNs(LIVENESS_NS)));
        final Connection good = client.transport().connect(listen(server, "udp://127.0.0.1:0"));
        final Connection lost = client.transport().connect("udp://no-such-host.invalid:4000");
        pumpUntil(() -> client.record(lost).cause() != null);
        assertEquals(DisconnectCause.CONNECT_TIMEOUT, client.record(lost).cause());
        assertEquals(ConnectionState.CONNECTED, good.state());
        assertTrue(errors.stream().allMatch((e) -> e.getMessage().contains("no-such-host.invalid")), errors::toString);
    }

    private static boolean hasIpv6()
    {
        try (DatagramSocket socket = new DatagramSocket(new InetSocketAddress("::1", 0)))
        {
            return socket.isBound();
        }
        catch (final SocketException e)
        {
            return false;
        }
    }

    @Test
    @InterruptAfter(30)
    void shouldCostLessThanAMebibyteWhenAConnectionIsIdle() throws IOException
    {
        final TestDirectory clientDirectory = new TestDirectory();
        final ContractPeer server = peer("server", new AeronTransport(steady()));
        final ContractPeer client =
            peer("client", new AeronTransport(steady().aeronDirectory(clientDirectory.path())));
        final String ipc = listen(server, listenAddress("ipc"));
        final String udp = listen(server, listenAddress("udp"));
        final long before = logBytes(directory.path());
        assertTrue(new File(directory.path(), CncFileDescriptor.CNC_FILE).length() <= 17L * MIB);

        final Connection overIpc = client.transport().connect(ipc);
        pumpUntil(() -> client.record(overIpc).connected() && server.records().size() == 1);
        final long withIpc = logBytes(directory.path());
        assertTrue(withIpc - before > 6L * AeronConfiguration.IPC_TERM_LENGTH_DEFAULT, "three terms each way");
        assertTrue(withIpc - before < MIB, () -> "ipc " + (withIpc - before));

        final Connection overUdp = client.transport().connect(udp);
        pumpUntil(() -> client.record(overUdp).connected() && server.records().size() == 2);
        final long atServer = logBytes(directory.path()) - withIpc;
        final long atClient = logBytes(clientDirectory.path());
        assertTrue(atServer > 6L * AeronConfiguration.UDP_TERM_LENGTH_DEFAULT, "three terms each way");
        assertTrue(atServer + atClient < MIB, () -> "udp " + atServer + " + " + atClient);
    }

    @Test
    @InterruptAfter(30)
    void shouldPrintNothingWhenSocketBuffersAreLongerThanTheSystemAllows()
    {
        final PrintStream err = System.err;
        final ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setErr(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try
        {
            final ContractPeer server =
                peer("server", new AeronTransport(steady().socketRcvbufLength(1 << 30).socketSndbufLength(1 << 30)));
            final ContractPeer client = peer("client", new AeronTransport(steady().socketRcvbufLength(1 << 30)));
            final Connection connection = client.transport().connect(listen(server, "udp://127.0.0.1:0"));
            pumpUntil(() -> client.record(connection).connected());
        }
        finally
        {
            System.setErr(err);
        }
        assertEquals("", printed.toString(StandardCharsets.UTF_8));
        assertEquals(0, errors.size(), errors::toString);
    }

    @Test
    @InterruptAfter(30)
    void shouldLeaveNoDirectoryWhenClosed()
    {
        final File parent = new File(AeronConfiguration.defaultDirectory()).getParentFile();
        final String prefix = "verbena-" + System.getProperty("user.name") + "-" + ProcessHandle.current().pid() + "-";
        final AeronTransport transport = new AeronTransport(steady());
        transport.listen("udp://127.0.0.1:0");
        assertTrue(anyBegins(parent, prefix));
        transport.close();
        assertFalse(anyBegins(parent, prefix));
    }

    private static boolean anyBegins(final File parent, final String prefix)
    {
        final String[] found = parent.list((folder, name) -> name.startsWith(prefix));
        return found != null && found.length > 0;
    }

    private static long logBytes(final String driverDirectory) throws IOException
    {
        try (Stream<Path> files = Files.walk(Path.of(driverDirectory)))
        {
            return files.filter((file) -> file.toString().endsWith(".logbuffer"))
                .mapToLong((file) -> file.toFile().length()).sum();
        }
    }
}
