/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.aeron;

import static org.junit.jupiter.api.Assertions.fail;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

import io.verbena.rpc.transport.Connection;
import io.verbena.rpc.transport.ContractPeer;
import io.verbena.rpc.transport.Listener;
import io.verbena.rpc.transport.Transport;
import org.agrona.IoUtil;
import org.junit.jupiter.api.AfterEach;

/**
 * Peers of this process, polled in turns, and children, for the tests of faults.
 */
abstract class FaultSupport
{
    static final long LIVENESS_NS = PeerMain.LIVENESS_NS;

    /** What a loaded machine may add to a timeout. */
    static final long SLACK_NS = 3_000_000_000L;

    final TestDirectory directory = new TestDirectory();
    final List<Throwable> errors = new ArrayList<>();
    private final List<ContractPeer> all = new ArrayList<>();
    private final List<ContractPeer> polled = new ArrayList<>();
    private final List<ChildProcess> children = new ArrayList<>();

    final AeronTransport.Context context()
    {
        return PeerMain.context()
            .connectTimeoutNs(20 * LIVENESS_NS)
            .closeTimeoutNs(100_000_000L)
            .errorHandler(errors::add);
    }

    final ContractPeer peer(final String name, final Transport transport)
    {
        final ContractPeer peer = new ContractPeer(name, transport);
        peer(peer);
        return peer;
    }

    /** From now on it is polled; and closed in the end. */
    final void peer(final ContractPeer peer)
    {
        polled.add(peer);
        if (!all.contains(peer))
        {
            all.add(peer);
        }
    }

    /** From now on it is not polled. */
    final void forget(final ContractPeer peer)
    {
        polled.remove(peer);
    }

    final ChildProcess child(final String role, final String target) throws Exception
    {
        final ChildProcess child = ChildProcess.start(role, target);
        children.add(child);
        return child;
    }

    final String listenAddress(final String scheme)
    {
        return "udp".equals(scheme) ? "udp://127.0.0.1:0" : "ipc:" + directory.path();
    }

    final ContractPeer echoServer(final String name)
    {
        final ContractPeer server = peer(name, new AeronTransport(context()));
        server.onMessage((connection, buffer, offset, length) -> connection.offer(buffer, offset, length));
        return server;
    }

    final Connection connected(final ContractPeer client, final String address)
    {
        final Connection connection = client.transport().connect(address);
        pumpUntil(() -> client.record(connection).connected());
        return connection;
    }

    /** Streams that are open at the driver of this test's directory. */
    final long streamCount()
    {
        try (Stream<Path> files = Files.walk(Path.of(directory.path())))
        {
            return files.filter((file) -> file.toString().endsWith(".logbuffer")).count();
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
    }

    static String listen(final ContractPeer server, final String address)
    {
        final Listener listener = server.transport().listen(address);
        return listener.address();
    }

    final void pumpUntil(final BooleanSupplier done)
    {
        while (!done.getAsBoolean())
        {
            pump();
        }
    }

    final void pumpFor(final long durationNs)
    {
        final long startNs = System.nanoTime();
        pumpUntil(() -> System.nanoTime() - startNs > durationNs);
    }

    final void pump()
    {
        int workCount = 0;
        for (final ContractPeer peer : polled)
        {
            workCount += peer.poll();
        }
        if (workCount == 0)
        {
            Thread.yield();
        }
        if (Thread.currentThread().isInterrupted())
        {
            fail("interrupted with " + all + " and " + children + " and " + errors);
        }
    }

    /** Waits for a line of a child while this process's peers live on. */
    final void pumpUntilSaid(final ChildProcess child, final String beginning)
    {
        pumpUntil(() -> child.hasSaid(beginning));
    }

    @AfterEach
    void closeAll()
    {
        children.forEach(ChildProcess::close);
        // Clients first: they end while their servers' drivers live.
        for (int i = all.size() - 1; i >= 0; i--)
        {
            all.get(i).close();
        }
        IoUtil.delete(new File(directory.path()), true);
    }
}
