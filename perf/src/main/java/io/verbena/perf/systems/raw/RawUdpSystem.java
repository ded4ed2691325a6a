/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.systems.raw;

import io.verbena.perf.systems.EchoClient;
import io.verbena.perf.systems.EchoHandler;
import io.verbena.perf.systems.EchoPayload;
import io.verbena.perf.systems.EchoServer;
import io.verbena.perf.systems.EchoSetup;
import io.verbena.perf.systems.PolledClient;
import io.verbena.perf.systems.RowSettings;
import io.verbena.perf.systems.SystemUnderTest;
import org.agrona.concurrent.UnsafeBuffer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;

/**
 * Datagrams by java.nio, polled without a pause, one thread at each end. Nothing is resent: a lost datagram fails the
 * run.
 */
public final class RawUdpSystem implements SystemUnderTest
{
    private static final int SOCKET_BUFFER_LENGTH = 2 * 1024 * 1024;

    /**
     * The system; it holds no state.
     */
    public RawUdpSystem()
    {
        // Nothing to prepare.
    }

    @Override
    public String name()
    {
        return "raw-udp";
    }

    @Override
    public String description()
    {
        return "UDP datagrams by java.nio, busy polled: the floor of udp";
    }

    @Override
    public int maxPayloadLength()
    {
        return 65_507;
    }

    @Override
    public RowSettings settings(final boolean closedLoop)
    {
        return new RowSettings(
            "spin", "one thread at each end", "none", 0, 0, SOCKET_BUFFER_LENGTH + " asked for",
            "connected sockets; nothing is resent");
    }

    @Override
    public EchoServer startServer(final EchoSetup setup) throws IOException
    {
        return new Server(setup);
    }

    @Override
    public EchoClient connect(final EchoSetup setup, final String address) throws IOException
    {
        return new Client(setup, Endpoint.parse(address));
    }

    private static DatagramChannel open() throws IOException
    {
        final DatagramChannel channel = DatagramChannel.open();
        channel.setOption(StandardSocketOptions.SO_SNDBUF, SOCKET_BUFFER_LENGTH);
        channel.setOption(StandardSocketOptions.SO_RCVBUF, SOCKET_BUFFER_LENGTH);
        channel.bind(Endpoint.anyLoopbackPort());
        channel.configureBlocking(false);
        return channel;
    }

    private static void close(final DatagramChannel channel)
    {
        try
        {
            channel.close();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private static final class Server implements EchoServer
    {
        private final DatagramChannel channel;
        private final String address;
        private final ByteBuffer buffer;

        Server(final EchoSetup setup) throws IOException
        {
            channel = open();
            address = Endpoint.format((InetSocketAddress)channel.getLocalAddress());
            buffer = ByteBuffer.allocateDirect(setup.payloadLength());
        }

        @Override
        public String address()
        {
            return address;
        }

        @Override
        public int poll()
        {
            try
            {
                buffer.clear();
                if (channel.isConnected())
                {
                    if (channel.read(buffer) <= 0)
                    {
                        return 0;
                    }
                }
                else
                {
                    // The one client is known by its first datagram: a connected socket has the shorter path.
                    final SocketAddress client = channel.receive(buffer);
                    if (client == null)
                    {
                        return 0;
                    }
                    channel.connect(client);
                }
                buffer.flip();
                while (channel.write(buffer) == 0)
                {
                    Thread.onSpinWait();
                }
                return 1;
            }
            catch (final IOException ex)
            {
                throw new UncheckedIOException(ex);
            }
        }

        @Override
        public void close()
        {
            RawUdpSystem.close(channel);
        }
    }

    private static final class Client implements PolledClient
    {
        private final DatagramChannel channel;
        private final ByteBuffer sendBuffer;
        private final ByteBuffer receiveBuffer;
        private final UnsafeBuffer sendView;
        private final UnsafeBuffer receiveView;
        private final int payloadLength;

        Client(final EchoSetup setup, final InetSocketAddress server) throws IOException
        {
            payloadLength = setup.payloadLength();
            sendBuffer = ByteBuffer.allocateDirect(payloadLength);
            receiveBuffer = ByteBuffer.allocateDirect(payloadLength);
            sendView = new UnsafeBuffer(sendBuffer);
            receiveView = new UnsafeBuffer(receiveBuffer);
            EchoPayload.fill(sendView, 0, payloadLength);
            channel = open();
            channel.connect(server);
        }

        @Override
        public boolean trySend(final long stampNs, final long sequence)
        {
            EchoPayload.write(sendView, 0, stampNs, sequence);
            sendBuffer.clear();
            try
            {
                return channel.write(sendBuffer) > 0;
            }
            catch (final IOException ex)
            {
                throw new UncheckedIOException(ex);
            }
        }

        @Override
        public int poll(final EchoHandler handler)
        {
            receiveBuffer.clear();
            final int length;
            try
            {
                length = channel.read(receiveBuffer);
            }
            catch (final IOException ex)
            {
                throw new UncheckedIOException(ex);
            }
            if (length <= 0)
            {
                return 0;
            }
            EchoPayload.deliver(receiveView, 0, length, payloadLength, handler);
            return 1;
        }

        @Override
        public void close()
        {
            RawUdpSystem.close(channel);
        }
    }
}
