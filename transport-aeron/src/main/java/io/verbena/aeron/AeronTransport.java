/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.aeron;

import java.util.concurrent.TimeUnit;

import io.aeron.driver.MediaDriver;
import io.aeron.logbuffer.LogBufferDescriptor;
import io.verbena.rpc.transport.Connection;
import io.verbena.rpc.transport.CountersSource;
import io.verbena.rpc.transport.Listener;
import io.verbena.rpc.transport.Transport;
import io.verbena.rpc.transport.TransportListener;
import org.agrona.BitUtil;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.status.AtomicCounter;

/**
 * Connections over Aeron: {@code udp://host:port} and {@code ipc:[driver-directory]?stream=N}. A UDP server takes the
 * port of its address and the one above it; a client needs none that anybody must know. On IPC the server owns the
 * media driver in the addressed directory, a client never starts one.
 * <p>
 * By default the transport runs a media driver of its own inside {@link #poll}, so one thread does all the work; see
 * {@link Context#embedded} and {@link Context#driverInvoker}. To serve IPC and UDP with one driver, listen on IPC
 * first.
 * <p>
 * <b>Liveness:</b> a transport that is not polled for the liveness timeout loses its connections, on both sides. It
 * then starts afresh by itself: listeners come back on their addresses, and connecting works again.
 */
public final class AeronTransport implements Transport, CountersSource
{
    private final AeronLoop loop;

    /**
     * With the defaults of {@link AeronConfiguration}.
     */
    public AeronTransport()
    {
        this(new Context());
    }

    /**
     * With the options of a context.
     *
     * @param ctx not used by another transport before; it is concluded here.
     * @throws IllegalArgumentException if an option is out of range.
     */
    public AeronTransport(final Context ctx)
    {
        loop = new AeronLoop(ctx.conclude());
    }

    @Override
    public Listener listen(final String address)
    {
        return loop.listen(address);
    }

    @Override
    public Connection connect(final String address)
    {
        return loop.connect(address);
    }

    @Override
    public int poll(final TransportListener listener, final int messageLimit)
    {
        return loop.poll(listener, messageLimit);
    }

    @Override
    public void close()
    {
        loop.close();
    }

    /**
     * {@inheritDoc}
     * <p>
     * The counter is memory of this transport, to be written at any time. What it holds is copied every 100 ms into the
     * counters of the media driver, this transport's own or else the first that it uses, where Aeron's tools see it.
     */
    @Override
    public AtomicCounter counter(final int typeId, final String label)
    {
        return loop.counters().counter(typeId, label);
    }

    /**
     * How many errors Aeron and this transport reported, whether the error handler was told of each or not. Any thread.
     *
     * @return a count.
     */
    public long errorCount()
    {
        return loop.errors().count();
    }

    /**
     * Options of one transport. Fluent; concluded once, by the transport that takes it.
     */
    public static final class Context
    {
        private static final long MIN_LIVENESS_NS = TimeUnit.MILLISECONDS.toNanos(100);
        private static final long MAX_LIVENESS_NS = TimeUnit.HOURS.toNanos(1);
        private static final int MAX_MTU = 65_504;
        private static final int FRAME_ALIGNMENT = 32;

        private String aeronDirectory = AeronConfiguration.directory();
        private boolean embedded = AeronConfiguration.embedded();
        private boolean driverInvoker = AeronConfiguration.driverInvoker();
        private int stream = AeronConfiguration.stream();
        private int udpTermLength = AeronConfiguration.udpTermLength();
        private int ipcTermLength = AeronConfiguration.ipcTermLength();
        private int udpMtu = AeronConfiguration.udpMtu();
        private int ipcMtu = AeronConfiguration.ipcMtu();
        private int socketSndbufLength = AeronConfiguration.socketSndbufLength();
        private int socketRcvbufLength = AeronConfiguration.socketRcvbufLength();
        private int connectionsPerStreamPair = AeronConfiguration.connectionsPerStreamPair();
        private long livenessTimeoutNs = AeronConfiguration.livenessTimeoutNs();
        private long stallTimeoutNs = AeronConfiguration.stallTimeoutNs();
        private long connectTimeoutNs = AeronConfiguration.connectTimeoutNs();
        private long closeTimeoutNs = AeronConfiguration.closeTimeoutNs();
        private ErrorHandler errorHandler = (throwable) -> {};
        private boolean concluded;

        /**
         * With the defaults of {@link AeronConfiguration}.
         */
        public Context()
        {
        }

        /**
         * Validates the options.
         *
         * @return this.
         * @throws IllegalStateException    if called a second time.
         * @throws IllegalArgumentException if an option is out of range.
         */
        public Context conclude()
        {
            if (concluded)
            {
                throw new IllegalStateException("the context is concluded already: it serves one transport");
            }
            checkStream("udpTermLength", udpTermLength, "udpMtu", udpMtu);
            checkStream("ipcTermLength", ipcTermLength, "ipcMtu", ipcMtu);
            check(stream >= 1 && stream < Integer.MAX_VALUE, "stream", "from 1 to 2147483646", stream);
            check(socketSndbufLength == 0 || socketSndbufLength >= udpMtu,
                "socketSndbufLength", "0, or at least the MTU of " + udpMtu + " bytes", socketSndbufLength);
            check(socketRcvbufLength == 0 || socketRcvbufLength >= udpMtu,
                "socketRcvbufLength", "0, or at least the MTU of " + udpMtu + " bytes", socketRcvbufLength);
            check(connectionsPerStreamPair >= 1 && connectionsPerStreamPair <= FrameTag.MAX_SLOT,
                "connectionsPerStreamPair", "from 1 to " + FrameTag.MAX_SLOT, connectionsPerStreamPair);
            check(livenessTimeoutNs >= MIN_LIVENESS_NS && livenessTimeoutNs <= MAX_LIVENESS_NS,
                "livenessTimeoutNs", "from " + MIN_LIVENESS_NS + " to " + MAX_LIVENESS_NS, livenessTimeoutNs);
            check(stallTimeoutNs >= 1_000_000, "stallTimeoutNs", "at least 1000000", stallTimeoutNs);
            check(connectTimeoutNs >= 1_000_000, "connectTimeoutNs", "at least 1000000", connectTimeoutNs);
            check(closeTimeoutNs >= 0, "closeTimeoutNs", "at least 0", closeTimeoutNs);
            concluded = true;
            return this;
        }

        private static void checkStream(
            final String termName, final int termLength, final String mtuName, final int mtu)
        {
            check(termLength >= LogBufferDescriptor.TERM_MIN_LENGTH &&
                termLength <= LogBufferDescriptor.TERM_MAX_LENGTH && BitUtil.isPowerOfTwo(termLength),
                termName, "a power of two from 65536 to 1073741824", termLength);
            final int limit = Math.min(MAX_MTU, termLength / 4);
            check(mtu >= 2 * FRAME_ALIGNMENT && mtu <= limit && mtu % FRAME_ALIGNMENT == 0,
                mtuName, "a multiple of 32 from 64 to " + limit, mtu);
        }

        private static void check(final boolean valid, final String name, final String expected, final long found)
        {
            if (!valid)
            {
                throw new IllegalArgumentException(name + " must be " + expected + ", found " + found);
            }
        }

        /**
         * The options of the media driver that a transport with this context embeds, so that another driver can be run
         * with the very same ones.
         *
         * @return a new context, not concluded, in {@link #aeronDirectory()} or else the user's own directory.
         */
        public MediaDriver.Context newDriverContext()
        {
            return EmbeddedDriver.context(this, ipcDirectory());
        }

        String ipcDirectory()
        {
            return AeronAddress.normalise(
                aeronDirectory == null ? AeronConfiguration.defaultDirectory() : aeronDirectory);
        }

        /**
         * Directory of the media driver, and what {@code ipc:} without a directory means.
         *
         * @param aeronDirectory a path, or null: the user's own for IPC, one of its own for a driver that serves UDP.
         * @return this.
         */
        public Context aeronDirectory(final String aeronDirectory)
        {
            this.aeronDirectory = aeronDirectory;
            return this;
        }

        /** {@return the directory of the media driver, or null for the default} */
        public String aeronDirectory()
        {
            return aeronDirectory;
        }

        /**
         * Whose media driver serves this transport.
         *
         * @param embedded true for its own, false for one that runs already in {@link #aeronDirectory()}.
         * @return this.
         */
        public Context embedded(final boolean embedded)
        {
            this.embedded = embedded;
            return this;
        }

        /** {@return whether the transport runs its own media driver} */
        public boolean embedded()
        {
            return embedded;
        }

        /**
         * Who runs the embedded driver.
         *
         * @param driverInvoker true for the caller's thread inside poll, false for a thread of the driver's own.
         * @return this.
         */
        public Context driverInvoker(final boolean driverInvoker)
        {
            this.driverInvoker = driverInvoker;
            return this;
        }

        /** {@return whether the embedded driver works inside poll} */
        public boolean driverInvoker()
        {
            return driverInvoker;
        }

        /**
         * Stream of requests where an address names none; responses travel on the next one.
         *
         * @param stream an Aeron stream id from 1 to 2^31 - 2.
         * @return this.
         */
        public Context stream(final int stream)
        {
            this.stream = stream;
            return this;
        }

        /** {@return the stream of requests} */
        public int stream()
        {
            return stream;
        }

        /**
         * Term length of UDP streams. A message is at most an eighth of it.
         *
         * @param udpTermLength in bytes, a power of two from 64 KiB to 1 GiB.
         * @return this.
         */
        public Context udpTermLength(final int udpTermLength)
        {
            this.udpTermLength = udpTermLength;
            return this;
        }

        /** {@return the term length of UDP streams in bytes} */
        public int udpTermLength()
        {
            return udpTermLength;
        }

        /**
         * Term length of IPC streams. A message is at most an eighth of it.
         *
         * @param ipcTermLength in bytes, a power of two from 64 KiB to 1 GiB.
         * @return this.
         */
        public Context ipcTermLength(final int ipcTermLength)
        {
            this.ipcTermLength = ipcTermLength;
            return this;
        }

        /** {@return the term length of IPC streams in bytes} */
        public int ipcTermLength()
        {
            return ipcTermLength;
        }

        /**
         * Largest UDP datagram. A claim is at most 32 bytes shorter.
         *
         * @param udpMtu in bytes, a multiple of 32 from 64 to 65,504, at most a quarter of the term.
         * @return this.
         */
        public Context udpMtu(final int udpMtu)
        {
            this.udpMtu = udpMtu;
            return this;
        }

        /** {@return the largest UDP datagram in bytes} */
        public int udpMtu()
        {
            return udpMtu;
        }

        /**
         * Largest IPC fragment. A claim is at most 32 bytes shorter.
         *
         * @param ipcMtu in bytes, a multiple of 32 from 64 to 65,504, at most a quarter of the term.
         * @return this.
         */
        public Context ipcMtu(final int ipcMtu)
        {
            this.ipcMtu = ipcMtu;
            return this;
        }

        /** {@return the largest IPC fragment in bytes} */
        public int ipcMtu()
        {
            return ipcMtu;
        }

        /**
         * SO_SNDBUF of the sockets.
         *
         * @param socketSndbufLength in bytes, at least the MTU; 0 for the operating system's own.
         * @return this.
         */
        public Context socketSndbufLength(final int socketSndbufLength)
        {
            this.socketSndbufLength = socketSndbufLength;
            return this;
        }

        /** {@return SO_SNDBUF of the sockets in bytes, 0 for the operating system's own} */
        public int socketSndbufLength()
        {
            return socketSndbufLength;
        }

        /**
         * SO_RCVBUF of the sockets.
         *
         * @param socketRcvbufLength in bytes, at least the MTU; 0 for the operating system's own.
         * @return this.
         */
        public Context socketRcvbufLength(final int socketRcvbufLength)
        {
            this.socketRcvbufLength = socketRcvbufLength;
            return this;
        }

        /** {@return SO_RCVBUF of the sockets in bytes, 0 for the operating system's own} */
        public int socketRcvbufLength()
        {
            return socketRcvbufLength;
        }

        /**
         * How many connections to one address may share a pair of streams; the next one gets another pair. They share
         * its window too: what fills the log of one holds up all of them. 1 gives each connection a pair of its own.
         *
         * @param connectionsPerStreamPair from 1 to 65,535.
         * @return this.
         */
        public Context connectionsPerStreamPair(final int connectionsPerStreamPair)
        {
            this.connectionsPerStreamPair = connectionsPerStreamPair;
            return this;
        }

        /** {@return how many connections may share a pair of streams} */
        public int connectionsPerStreamPair()
        {
            return connectionsPerStreamPair;
        }

        /**
         * Silence after which a peer, a client or a driver counts as gone.
         *
         * @param livenessTimeoutNs in nanoseconds, from 100 ms to 1 h.
         * @return this.
         */
        public Context livenessTimeoutNs(final long livenessTimeoutNs)
        {
            this.livenessTimeoutNs = livenessTimeoutNs;
            return this;
        }

        /** {@return the silence after which a peer counts as gone, in nanoseconds} */
        public long livenessTimeoutNs()
        {
            return livenessTimeoutNs;
        }

        /**
         * How long a living peer may take nothing off a full connection before that is ended.
         *
         * @param stallTimeoutNs in nanoseconds, at least 1 ms.
         * @return this.
         */
        public Context stallTimeoutNs(final long stallTimeoutNs)
        {
            this.stallTimeoutNs = stallTimeoutNs;
            return this;
        }

        /** {@return how long a living peer may take nothing, in nanoseconds} */
        public long stallTimeoutNs()
        {
            return stallTimeoutNs;
        }

        /**
         * How long connecting may take.
         *
         * @param connectTimeoutNs in nanoseconds, at least 1 ms.
         * @return this.
         */
        public Context connectTimeoutNs(final long connectTimeoutNs)
        {
            this.connectTimeoutNs = connectTimeoutNs;
            return this;
        }

        /** {@return how long connecting may take, in nanoseconds} */
        public long connectTimeoutNs()
        {
            return connectTimeoutNs;
        }

        /**
         * How long closing waits for peers to take what was accepted.
         *
         * @param closeTimeoutNs in nanoseconds, at least 0.
         * @return this.
         */
        public Context closeTimeoutNs(final long closeTimeoutNs)
        {
            this.closeTimeoutNs = closeTimeoutNs;
            return this;
        }

        /** {@return how long closing waits for peers, in nanoseconds} */
        public long closeTimeoutNs()
        {
            return closeTimeoutNs;
        }

        /**
         * Who is told of errors that no call reports; on the transport's thread, at most once a second for one and the
         * same. By default nobody: errors are counted only.
         *
         * @param errorHandler to be told.
         * @return this.
         */
        public Context errorHandler(final ErrorHandler errorHandler)
        {
            this.errorHandler = errorHandler;
            return this;
        }

        /** {@return who is told of errors} */
        public ErrorHandler errorHandler()
        {
            return errorHandler;
        }
    }
}
