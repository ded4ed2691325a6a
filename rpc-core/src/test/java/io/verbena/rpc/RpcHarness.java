/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.verbena.rpc.protocol.FrameType;
import io.verbena.rpc.test.ManualClock;
import io.verbena.rpc.test.RawPeer;
import io.verbena.rpc.test.RecordingHandler;
import io.verbena.rpc.test.ScriptedAdapter;
import io.verbena.rpc.transport.Connection;
import io.verbena.rpc.transport.Transport;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.agrona.CloseHelper;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A server, a client and raw peers, all polled in turns on the test's thread, with the time of all deadlines and timers
 * in the test's hand.
 */
public final class RpcHarness implements AutoCloseable
{
    /** Of the service that the server has. */
    public static final int SERVICE_ID = 7;

    /** A method that echoes. */
    public static final int ECHO_METHOD_ID = 1;

    private final Supplier<Transport> transports;
    private final Supplier<String> listenAddress;
    private final ManualClock clock = new ManualClock();
    private final ScriptedAdapter service = new ScriptedAdapter(SERVICE_ID);
    private final List<Throwable> serverErrors = new CopyOnWriteArrayList<>();
    private final List<Throwable> clientErrors = new CopyOnWriteArrayList<>();
    private final List<RawPeer> rawPeers = new ArrayList<>();
    private RpcServer server;
    private RpcClient client;
    private RpcChannel channel;
    private String address;

    /**
     * With nothing launched.
     *
     * @param transports    makes transports that reach each other.
     * @param listenAddress of servers.
     */
    public RpcHarness(final Supplier<Transport> transports, final Supplier<String> listenAddress)
    {
        this.transports = transports;
        this.listenAddress = listenAddress;
    }

    /**
     * The clock of server and client.
     *
     * @return it.
     */
    public ManualClock clock()
    {
        return clock;
    }

    /**
     * The server's service.
     *
     * @return it.
     */
    public ScriptedAdapter service()
    {
        return service;
    }

    /**
     * The server, if launched.
     *
     * @return it.
     */
    public RpcServer server()
    {
        return server;
    }

    /**
     * The client, if launched.
     *
     * @return it.
     */
    public RpcClient client()
    {
        return client;
    }

    /**
     * The client's channel to the server.
     *
     * @return it.
     */
    public RpcChannel channel()
    {
        return channel;
    }

    /**
     * Where the server or raw server listens.
     *
     * @return its bound address.
     */
    public String address()
    {
        return address;
    }

    /**
     * What the server's error handler was told.
     *
     * @return errors in order.
     */
    public List<Throwable> serverErrors()
    {
        return serverErrors;
    }

    /**
     * What the client's error handler was told.
     *
     * @return errors in order.
     */
    public List<Throwable> clientErrors()
    {
        return clientErrors;
    }

    /**
     * Launches a server that the test's thread runs.
     *
     * @param settings to change.
     * @return this.
     */
    public RpcHarness launchServer(final Consumer<RpcServer.Context> settings)
    {
        final RpcServer.Context context = new RpcServer.Context()
            .nanoClock(clock)
            .errorHandler(serverErrors::add)
            .useAgentInvoker(true)
            .listen(transports.get(), address == null ? listenAddress.get() : address)
            .service(service);
        settings.accept(context);
        server = RpcServer.launch(context);
        address = server.addresses().get(0);
        return this;
    }

    /**
     * Launches a client that the test's thread runs, and starts to connect.
     *
     * @param settings to change.
     * @return this.
     */
    public RpcHarness launchClient(final Consumer<RpcClient.Context> settings)
    {
        final RpcClient.Context context = new RpcClient.Context()
            .nanoClock(clock)
            .errorHandler(clientErrors::add)
            .useAgentInvoker(true)
            .transport(transports.get())
            .randomSeed(1);
        settings.accept(context);
        client = RpcClient.launch(context);
        channel = client.connect(address);
        return this;
    }

    /**
     * Launches server and client with the defaults and waits until calls can be made.
     *
     * @return this.
     */
    public RpcHarness start()
    {
        return launchServer(context -> {}).launchClient(context -> {}).awaitReady();
    }

    /**
     * Waits until calls can be made.
     *
     * @return this.
     */
    public RpcHarness awaitReady()
    {
        until(() -> channel.state() == ChannelState.READY);
        return this;
    }

    /**
     * A raw client, connected to the server and past the handshake.
     *
     * @param incarnation of its connection.
     * @return the peer.
     */
    public RawPeer rawClient(final int incarnation)
    {
        final RawPeer peer = connectedRawClient();
        assertTrue(peer.hello(incarnation) > 0);
        until(() -> peer.count(FrameType.HELLO_ACK) == 1);
        return peer;
    }

    /**
     * A raw client, connected to the server, that has said nothing yet.
     *
     * @return the peer.
     */
    public RawPeer connectedRawClient()
    {
        final RawPeer peer = rawPeer();
        peer.connect(address);
        until(peer::isConnected);
        return peer;
    }

    /**
     * A raw server that listens where the harness' server would.
     *
     * @return the peer.
     */
    public RawPeer rawServer()
    {
        final RawPeer peer = rawPeer();
        address = peer.listen(address == null ? listenAddress.get() : address);
        return peer;
    }

    /**
     * Does a cycle of all.
     *
     * @return work done.
     */
    public int pump()
    {
        int work = 0;
        if (server != null)
        {
            work += server.doWork();
        }
        if (client != null)
        {
            work += client.doWork();
        }
        for (final RawPeer peer : rawPeers)
        {
            work += peer.poll();
        }
        if (work == 0)
        {
            Thread.yield();
        }
        if (Thread.currentThread().isInterrupted())
        {
            fail("interrupted; server errors " + serverErrors + ", client errors " + clientErrors);
        }
        return work;
    }

    /**
     * Pumps until something is so.
     *
     * @param done tells whether it is so.
     */
    public void until(final BooleanSupplier done)
    {
        while (!done.getAsBoolean())
        {
            pump();
        }
    }

    /**
     * Pumps so often that every timer that is due has been looked at and what was sent has arrived where the transport
     * delivers at once. To prove that something does not happen.
     */
    public void settle()
    {
        for (int i = 0; i < 64; i++)
        {
            pump();
        }
    }

    /**
     * Makes a call, pumping while the transport pushes back.
     *
     * @param methodId  of the method.
     * @param payload   of the request.
     * @param timeoutNs of the call.
     * @param handler   told once.
     * @return the correlation id, or a negative code that is not back pressure.
     */
    public long offer(
        final int methodId, final byte[] payload, final long timeoutNs, final ResponseHandler handler)
    {
        long result;
        while ((result = channel.offer(
            SERVICE_ID, methodId, new UnsafeBuffer(payload), 0, payload.length, timeoutNs, handler)) < 0)
        {
            if (result != Connection.BACK_PRESSURED &&
                result != Connection.ADMIN_ACTION)
            {
                return result;
            }
            pump();
        }
        return result;
    }

    /**
     * Makes a call and waits for its end.
     *
     * @param methodId of the method.
     * @param payload  of the request.
     * @return how it ended.
     */
    public RecordingHandler.Outcome call(final int methodId, final byte[] payload)
    {
        final RecordingHandler handler = new RecordingHandler();
        final long correlationId = offer(methodId, payload, RpcChannel.DEFAULT_TIMEOUT, handler);
        assertTrue(correlationId > 0, () -> "result " + correlationId);
        until(() -> handler.count() > 0);
        assertEquals(1, handler.count());
        assertEquals(correlationId, handler.last().correlationId());
        assertEquals(methodId, handler.last().methodId());
        return handler.last();
    }

    /**
     * Proves that nothing is left over: calls, buffers, errors.
     */
    public void assertClean()
    {
        assertNothingHeld();
        assertEquals(List.of(), serverErrors);
        assertEquals(List.of(), clientErrors);
    }

    /**
     * How many calls are open at the server.
     *
     * @return a count over all connections.
     */
    public int callsAtServer()
    {
        return server.callsInFlight();
    }

    /**
     * Proves that no calls and buffers are left over.
     */
    public void assertNothingHeld()
    {
        if (client != null)
        {
            assertEquals(0, channel.callsInFlight(), "calls in flight at the client");
            assertEquals(0, client.outstandingBuffers(), "buffers out at the client");
            assertNothingCounted(client.counters());
        }
        if (server != null)
        {
            assertEquals(0, server.callsInFlight(), "calls in flight at the server");
            assertEquals(0, server.outstandingBuffers(), "buffers out at the server");
            assertNothingCounted(server.counters());
        }
    }

    private static void assertNothingCounted(final RpcCounters counters)
    {
        for (final RpcCounter counter : List.of(
            RpcCounter.CALLS_IN_FLIGHT, RpcCounter.STREAMS_OPEN, RpcCounter.BYTES_QUEUED,
            RpcCounter.ADMISSION_WAITING))
        {
            assertEquals(0, counters.get(counter), counter + " of " + counters.agentName());
        }
    }

    /**
     * Ends the client alone.
     */
    public void closeClient()
    {
        client.close();
        client = null;
    }

    /**
     * Ends the server alone.
     */
    public void closeServer()
    {
        final RpcServer closing = server;
        closing.close();
    }

    @Override
    public void close()
    {
        clock.stepOnReadNs(1_000_000L);
        CloseHelper.quietCloseAll(client, server);
        CloseHelper.quietCloseAll(rawPeers);
    }

    /**
     * A raw peer that is polled with the others and not connected yet.
     *
     * @return the peer.
     */
    public RawPeer rawPeer()
    {
        final RawPeer peer = new RawPeer(transports.get());
        rawPeers.add(peer);
        return peer;
    }
}
