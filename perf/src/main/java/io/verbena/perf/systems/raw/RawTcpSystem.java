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
import org.agrona.CloseHelper;
import org.agrona.concurrent.UnsafeBuffer;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/**
 * A TCP connection by java.nio with TCP_NODELAY, polled without a pause, one thread at each end. Messages have one
 * length, so there is no framing.
 */
public final class RawTcpSystem implements SystemUnderTest
{
    /**
     * The system; it holds no state.
     */
    public RawTcpSystem()
    {
        // Nothing to prepare.
    }

    @Override
    public String name()
    {
        return "raw-tcp";
    }

    @Override
    public String description()
    {
        return "a TCP connection by java.nio, busy polled: the floor of HTTP";
    }

    @Override
    public int maxPayloadLength()
    {
        return 1024 * 1024;
    }

    @Override
    public RowSettings settings(final boolean closedLoop)
    {
        return new RowSettings("spin", "one thread at each end", "none", 0, 0, "default", "TCP_NODELAY");
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

    private static void configure(final SocketChannel channel) throws IOException
    {
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.configureBlocking(false);
    }

    private static final class Server implements EchoServer
    {
        private final ServerSocketChannel acceptor;
        private final String address;
        private final ByteBuffer buffer;
        private SocketChannel channel;

        Server(final EchoSetup setup) throws IOException
        {
            acceptor = ServerSocketChannel.open();
            acceptor.bind(Endpoint.anyLoopbackPort());
            acceptor.configureBlocking(false);
            address = Endpoint.format((InetSocketAddress)acceptor.getLocalAddress());
            buffer = ByteBuffer.allocateDirect(Math.max(setup.payloadLength(), 64 * 1024));
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
                if (channel == null)
                {
                    return accept();
                }
                buffer.clear();
                final int length = channel.read(buffer);
                if (length <= 0)
                {
                    return length < 0 ? hangUp() : 0;
                }
                buffer.flip();
                while (buffer.hasRemaining())
                {
                    channel.write(buffer);
                }
                return 1;
            }
            catch (final IOException ex)
            {
                throw new UncheckedIOException(ex);
            }
        }

        private int accept() throws IOException
        {
            channel = acceptor.accept();
            if (channel == null)
            {
                return 0;
            }
            configure(channel);
            return 1;
        }

        private int hangUp() throws IOException
        {
            channel.close();
            channel = null;
            return 1;
        }

        @Override
        public void close()
        {
            CloseHelper.closeAll(channel, acceptor);
        }
    }

    private static final class Client implements PolledClient
    {
        private final SocketChannel channel;
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
            sendBuffer.position(payloadLength);
            channel = SocketChannel.open(server);
            configure(channel);
        }

        @Override
        public boolean trySend(final long stampNs, final long sequence)
        {
            try
            {
                // The socket's buffer was full: the rest of the last message goes first.
                if (sendBuffer.hasRemaining() && !isFlushed())
                {
                    return false;
                }
                EchoPayload.write(sendView, 0, stampNs, sequence);
                sendBuffer.clear();
                channel.write(sendBuffer);
                return true;
            }
            catch (final IOException ex)
            {
                throw new UncheckedIOException(ex);
            }
        }

        private boolean isFlushed() throws IOException
        {
            channel.write(sendBuffer);
            return !sendBuffer.hasRemaining();
        }

        @Override
        public int poll(final EchoHandler handler)
        {
            try
            {
                if (sendBuffer.hasRemaining())
                {
                    channel.write(sendBuffer);
                }
                final int length = channel.read(receiveBuffer);
                if (length < 0)
                {
                    throw new EOFException("the server hung up");
                }
            }
            catch (final IOException ex)
            {
                throw new UncheckedIOException(ex);
            }
            if (receiveBuffer.hasRemaining())
            {
                return 0;
            }
            receiveBuffer.clear();
            EchoPayload.deliver(receiveView, 0, payloadLength, payloadLength, handler);
            return 1;
        }

        @Override
        public void close()
        {
            CloseHelper.close(channel);
        }
    }
}
