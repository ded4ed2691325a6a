/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * A server and a client of the transport under test, polled in turns on the test's thread, and the pattern that their
 * messages carry.
 */
abstract class TransportContractSupport
{
    /** A connect timeout that no test but the one about it should meet. */
    static final long LONG_CONNECT_TIMEOUT_NS = 20_000_000_000L;

    ContractPeer server;
    ContractPeer client;
    Listener listener;

    /**
     * A transport to listen with.
     *
     * @return a new one.
     */
    protected abstract Transport createServer();

    /**
     * A transport to connect with.
     *
     * @param connectTimeoutNs of the transport.
     * @return a new one.
     */
    protected abstract Transport createClient(long connectTimeoutNs);

    /**
     * What the server of one test listens on; another for each test.
     *
     * @return an address.
     */
    protected abstract String listenAddress();

    /**
     * An address of the transport's scheme where nobody listens.
     *
     * @return an address.
     */
    protected abstract String addressOfNobody();

    @BeforeEach
    void startPeers()
    {
        server = new ContractPeer("server", createServer());
        listener = server.transport().listen(listenAddress());
        client = new ContractPeer("client", createClient(LONG_CONNECT_TIMEOUT_NS));
    }

    @AfterEach
    protected final void closePeers() throws InterruptedException
    {
        if (client != null && server != null)
        {
            final NoListener nobody = new NoListener();
            // Closing waits for the peer, so the peer is polled meanwhile.
            whilePolling(() -> server.transport().poll(nobody, 64), client::close);
        }
        if (server != null)
        {
            server.close();
        }
    }

    /** Connects one more connection and returns the client's end, once both ends know. */
    final Connection connect()
    {
        final int before = server.records().size();
        final Connection connection = client.transport().connect(listener.address());
        pumpUntil(() -> client.record(connection).connected() && server.records().size() > before);
        return connection;
    }

    /** The server's end of the newest connection. */
    final Connection newestInbound()
    {
        return server.records().get(server.records().size() - 1).connection();
    }

    final void pumpUntil(final BooleanSupplier done)
    {
        while (!done.getAsBoolean())
        {
            pump();
        }
    }

    final void pump()
    {
        if (client.poll() + server.poll() == 0)
        {
            Thread.yield();
        }
        failIfInterrupted();
    }

    final void pollUntil(final ContractPeer peer, final BooleanSupplier done)
    {
        while (!done.getAsBoolean())
        {
            if (peer.poll() == 0)
            {
                Thread.yield();
            }
            failIfInterrupted();
        }
    }

    final void failIfInterrupted()
    {
        if (Thread.currentThread().isInterrupted())
        {
            fail("interrupted with " + client + " and " + server);
        }
    }

    /** Lets another thread poll the server while an action runs on this one. */
    final void whileServerPolls(final Runnable action) throws InterruptedException
    {
        final AtomicReference<Throwable> failure = new AtomicReference<>();
        whilePolling(
            () ->
            {
                try
                {
                    return failure.get() == null ? server.poll() : 0;
                }
                catch (final Throwable t)
                {
                    failure.set(t);
                    return 0;
                }
            },
            action);
        assertNull(failure.get());
    }

    private static void whilePolling(final IntSupplier poll, final Runnable action) throws InterruptedException
    {
        final AtomicBoolean running = new AtomicBoolean(true);
        final Thread thread = new Thread(
            () ->
            {
                while (running.get())
                {
                    if (poll.getAsInt() == 0)
                    {
                        Thread.yield();
                    }
                }
            },
            "contract-server");
        thread.start();
        try
        {
            action.run();
        }
        finally
        {
            running.set(false);
            thread.join();
        }
    }

    private static final class NoListener implements TransportListener
    {
        @Override
        public void onConnected(final Connection connection)
        {
            // Not looked at any more.
        }

        @Override
        public void onMessage(
            final Connection connection, final DirectBuffer buffer, final int offset, final int length)
        {
            // Not looked at any more.
        }

        @Override
        public void onDisconnected(final Connection connection, final DisconnectCause cause)
        {
            // Not looked at any more.
        }
    }

    /** A message whose every byte tells its sequence, sender and place. */
    static byte[] pattern(final int sequence, final int seed, final int length)
    {
        final byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++)
        {
            bytes[i] = patternByte(sequence, seed, i);
        }
        return bytes;
    }

    private static byte patternByte(final int sequence, final int seed, final int index)
    {
        return (byte)(sequence * 31 + seed * 17 + index * 7 + (index >> 8));
    }

    /** Sends by a claim, and pumps both sides while there is no room. */
    final void claim(final Connection connection, final byte[] message)
    {
        while (!tryClaim(connection, message))
        {
            pump();
        }
    }

    static boolean tryClaim(final Connection connection, final byte[] message)
    {
        final MessageClaim claim = new MessageClaim();
        final long result = connection.tryClaim(message.length, claim);
        if (result > 0)
        {
            final MutableDirectBuffer buffer = claim.buffer();
            assertEquals(0, (buffer.addressOffset() + claim.offset()) & 7, "claims are 8-byte aligned");
            assertEquals(message.length, claim.length());
            buffer.putBytes(claim.offset(), message);
            claim.commit();
            return true;
        }
        assertRetry(result);
        return false;
    }

    /** Sends by an offer, and pumps both sides while there is no room. */
    final void offer(final Connection connection, final byte[] message)
    {
        while (!tryOffer(connection, message))
        {
            pump();
        }
    }

    static boolean tryOffer(final Connection connection, final byte[] message)
    {
        final long result = connection.offer(new UnsafeBuffer(message), 0, message.length);
        if (result > 0)
        {
            return true;
        }
        assertRetry(result);
        return false;
    }

    private static void assertRetry(final long result)
    {
        assertTrue(result == Connection.BACK_PRESSURED || result == Connection.ADMIN_ACTION, () -> "result " + result);
    }
}
