/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.aeron;

import io.aeron.driver.MediaDriver;
import io.verbena.rpc.transport.Connection;
import io.verbena.rpc.transport.DisconnectCause;
import io.verbena.rpc.transport.Transport;
import io.verbena.rpc.transport.TransportListener;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The other process of a test: a server that echoes, a client that calls for ever and connects again when it must, a
 * sender that floods, or a media driver. It tells what happens to it in lines on its standard output, and ends when it
 * is killed.
 */
public final class PeerMain implements TransportListener
{
    /** What all processes of these tests take for silence. */
    static final long LIVENESS_NS = 2_000_000_000L;

    private static final int INCARNATION_OF_FLOOD = 1;

    private final boolean floods;
    private Connection connection;
    private boolean awaiting;
    private long sequence;
    private long echoes;

    private PeerMain(final boolean floods)
    {
        this.floods = floods;
    }

    static AeronTransport.Context context()
    {
        return new AeronTransport.Context().livenessTimeoutNs(LIVENESS_NS).stallTimeoutNs(2 * LIVENESS_NS);
    }

    /**
     * Runs one role for ever.
     *
     * @param args role and address, or role and directory.
     */
    public static void main(final String[] args)
    {
        final String target = args[1];
        if ("driver".equals(args[0]))
        {
            DriverDirectory.requireFree(target, LIVENESS_NS / 1_000_000);
            MediaDriver.launch(context().driverInvoker(false).aeronDirectory(target).newDriverContext());
            say("READY");
            return;
        }
        final PeerMain peer = new PeerMain("flood".equals(args[0]));
        final Transport transport = new AeronTransport(context()
            .connectTimeoutNs(20 * LIVENESS_NS)
            .errorHandler((e) -> say("ERROR " + e)));
        if ("server".equals(args[0]))
        {
            say("READY " + transport.listen(target).address());
        }
        else
        {
            say("READY");
        }
        while (true)
        {
            if (!"server".equals(args[0]))
            {
                peer.call(transport, target);
            }
            if (transport.poll(peer, 64) == 0)
            {
                Thread.yield();
            }
        }
    }

    private void call(final Transport transport, final String address)
    {
        if (connection == null)
        {
            connection = transport.connect(address);
            awaiting = false;
        }
        if (!awaiting)
        {
            final UnsafeBuffer message = new UnsafeBuffer(new byte[Long.BYTES * 2]);
            message.putLong(0, INCARNATION_OF_FLOOD);
            message.putLong(Long.BYTES, sequence);
            if (connection.offer(message, 0, message.capacity()) > 0)
            {
                ++sequence;
                awaiting = !floods;
            }
        }
    }

    @Override
    public void onConnected(final Connection opened)
    {
        echoes = 0;
        say("CONNECTED");
    }

    @Override
    public void onMessage(final Connection from, final DirectBuffer buffer, final int offset, final int length)
    {
        if (from.isInbound())
        {
            from.offer(buffer, offset, length);
        }
        else
        {
            awaiting = false;
            if (++echoes == 1)
            {
                say("ECHO");
            }
        }
    }

    @Override
    public void onDisconnected(final Connection ended, final DisconnectCause cause)
    {
        say("DISCONNECTED " + cause);
        connection = null;
    }

    private static void say(final String line)
    {
        System.out.println(line);
    }
}
