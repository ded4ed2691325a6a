/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc.transport;

import java.util.ArrayList;

import org.agrona.BitUtil;
import org.agrona.SystemUtil;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;

/**
 * A transport inside one process, without a network or a driver: for tests, for trying a service out, and as the floor
 * that measurements compare with. Addresses are {@code loopback:name}; names are known across the process.
 * <p>
 * Each connection has one bounded ring in each direction; a full ring answers {@link Connection#BACK_PRESSURED}. Both
 * ends may live on one thread or on two. {@link Connection#maxClaimLength()} is less than
 * {@link Connection#maxMessageLength()}, as on other transports, so that callers meet both ways of sending.
 * <p>
 * An exception thrown by a listener leaves {@link #poll(TransportListener, int)}; its message counts as delivered.
 */
public final class LoopbackTransport implements Transport
{
    /** The scheme with its colon, which every address begins with. */
    static final String SCHEME = "loopback:";

    private final Context ctx;
    private final NanoClock clock;
    private final ArrayList<LoopbackConnection> connections = new ArrayList<>();
    private final ArrayList<LoopbackListener> listeners = new ArrayList<>();
    private long nextId = 1;
    private long polledAtNs;
    private int startIndex;
    private boolean closed;

    /**
     * With the defaults of {@link Configuration}.
     */
    public LoopbackTransport()
    {
        this(new Context());
    }

    /**
     * With the options of a context.
     *
     * @param ctx not used by another transport before; it is concluded here.
     * @throws IllegalArgumentException if an option is out of range.
     */
    public LoopbackTransport(final Context ctx)
    {
        ctx.conclude();
        this.ctx = ctx;
        clock = ctx.nanoClock();
        polledAtNs = clock.nanoTime();
    }

    @Override
    public Listener listen(final String address)
    {
        final LoopbackListener listener = LoopbackListener.open(checkAddress(address));
        listeners.add(listener);
        return listener;
    }

    @Override
    public Connection connect(final String address)
    {
        final LoopbackConnection connection =
            new LoopbackConnection(ctx, nextId++, checkAddress(address), false, clock.nanoTime());
        connections.add(connection);
        return connection;
    }

    @Override
    public int poll(final TransportListener listener, final int messageLimit)
    {
        if (closed)
        {
            return 0;
        }
        final long nowNs = clock.nanoTime();
        final boolean resumed = nowNs - polledAtNs > ctx.livenessTimeoutNs() / 2;
        polledAtNs = nowNs;

        int workCount = acceptOffered(listener, nowNs);
        boolean anyNotified = false;
        // By index, since callbacks may add connections.
        for (int i = 0; i < connections.size() && !closed; i++)
        {
            final LoopbackConnection connection = connections.get(i);
            workCount += connection.pollEvents(listener, nowNs, resumed);
            anyNotified |= connection.isNotified();
        }
        if (anyNotified)
        {
            connections.removeIf(LoopbackConnection::isNotified);
        }
        return workCount + pollMessages(listener, messageLimit);
    }

    @Override
    public void close()
    {
        if (!closed)
        {
            closed = true;
            listeners.forEach(LoopbackListener::close);
            connections.forEach(LoopbackConnection::close);
        }
    }

    private int acceptOffered(final TransportListener events, final long nowNs)
    {
        int workCount = 0;
        for (int i = 0; i < listeners.size(); i++)
        {
            final LoopbackListener listener = listeners.get(i);
            if (listener.isClosed())
            {
                listeners.remove(i--);
                continue;
            }
            LoopbackLink link;
            while ((link = listener.poll()) != null)
            {
                if (link.accept())
                {
                    final LoopbackConnection connection =
                        new LoopbackConnection(ctx, nextId++, listener.address(), true, nowNs);
                    connection.accepted(link, nowNs);
                    connections.add(connection);
                    ++workCount;
                    events.onConnected(connection);
                }
            }
        }
        return workCount;
    }

    private int pollMessages(final TransportListener events, final int messageLimit)
    {
        // Begin with another connection each time, so that a small limit starves none.
        final int count = connections.size();
        int index = startIndex >= count ? 0 : startIndex;
        startIndex = index + 1;
        int delivered = 0;
        for (int i = 0; i < count && delivered < messageLimit && !closed; i++)
        {
            delivered += connections.get(index).pollMessages(events, messageLimit - delivered);
            if (++index == count)
            {
                index = 0;
            }
        }
        return delivered;
    }

    private String checkAddress(final String address)
    {
        if (closed)
        {
            throw new TransportException("the transport is closed");
        }
        if (!address.startsWith(SCHEME) || address.length() == SCHEME.length())
        {
            throw new TransportException("expected an address such as loopback:name, found '" + address + "'");
        }
        return address;
    }

    /**
     * Names and defaults of the options. Each getter reads the system property, or gives the default.
     */
    public static final class Configuration
    {
        /** Property: capacity of the ring in each direction, in bytes; a power of two from 1 KiB to 1 GiB. */
        public static final String RING_CAPACITY_PROP_NAME = "verbena.loopback.ring.capacity";

        /** Default of {@link #RING_CAPACITY_PROP_NAME}: 128 KiB, which allows messages of 16 KiB. */
        public static final int RING_CAPACITY_DEFAULT = 128 * 1024;

        /** Property: the longest claim in bytes; from 1 to an eighth of the ring's capacity. */
        public static final String MAX_CLAIM_LENGTH_PROP_NAME = "verbena.loopback.max.claim.length";

        /** Default of {@link #MAX_CLAIM_LENGTH_PROP_NAME}: 4 KiB. */
        public static final int MAX_CLAIM_LENGTH_DEFAULT = 4 * 1024;

        /** Property: how long {@link Transport#connect(String)} waits for a listener; such as {@code 5s}. */
        public static final String CONNECT_TIMEOUT_PROP_NAME = "verbena.loopback.connect.timeout";

        /** Default of {@link #CONNECT_TIMEOUT_PROP_NAME}: 5 s, in nanoseconds. */
        public static final long CONNECT_TIMEOUT_DEFAULT_NS = 5_000_000_000L;

        /** Property: after how long a peer that is not polled counts as gone; 0 for never. */
        public static final String LIVENESS_TIMEOUT_PROP_NAME = "verbena.loopback.liveness.timeout";

        private static final int MIN_RING_CAPACITY = 1024;
        private static final int MAX_RING_CAPACITY = 1 << 30;

        private Configuration()
        {
        }

        /**
         * Capacity of the ring in each direction.
         *
         * @return bytes.
         */
        public static int ringCapacity()
        {
            return SystemUtil.getSizeAsInt(RING_CAPACITY_PROP_NAME, RING_CAPACITY_DEFAULT);
        }

        /**
         * The longest claim.
         *
         * @return bytes.
         */
        public static int maxClaimLength()
        {
            return SystemUtil.getSizeAsInt(MAX_CLAIM_LENGTH_PROP_NAME, MAX_CLAIM_LENGTH_DEFAULT);
        }

        /**
         * How long connecting waits for a listener.
         *
         * @return nanoseconds.
         */
        public static long connectTimeoutNs()
        {
            return SystemUtil.getDurationInNanos(CONNECT_TIMEOUT_PROP_NAME, CONNECT_TIMEOUT_DEFAULT_NS);
        }

        /**
         * After how long a peer that is not polled counts as gone.
         *
         * @return nanoseconds.
         */
        public static long livenessTimeoutNs()
        {
            return SystemUtil.getDurationInNanos(LIVENESS_TIMEOUT_PROP_NAME, DEFAULT_LIVENESS_TIMEOUT_NS);
        }
    }

    /**
     * Options of one transport. Fluent; concluded once, by the transport that takes it.
     */
    public static final class Context
    {
        private int ringCapacity = Configuration.ringCapacity();
        private int maxClaimLength = Configuration.maxClaimLength();
        private long connectTimeoutNs = Configuration.connectTimeoutNs();
        private long livenessTimeoutNs = Configuration.livenessTimeoutNs();
        private NanoClock nanoClock = SystemNanoClock.INSTANCE;
        private boolean concluded;

        /**
         * With the defaults of {@link Configuration}.
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
            if (ringCapacity < Configuration.MIN_RING_CAPACITY || ringCapacity > Configuration.MAX_RING_CAPACITY ||
                !BitUtil.isPowerOfTwo(ringCapacity))
            {
                throw new IllegalArgumentException(
                    "ringCapacity must be a power of two from " + Configuration.MIN_RING_CAPACITY + " to " +
                    Configuration.MAX_RING_CAPACITY + " bytes, found " + ringCapacity);
            }
            // What one record of the ring may hold, by the ring's own rule.
            final int maxMessageLength = ringCapacity >> 3;
            if (maxClaimLength < 1 || maxClaimLength > maxMessageLength)
            {
                throw new IllegalArgumentException(
                    "maxClaimLength must be from 1 to ringCapacity / 8 = " + maxMessageLength + " bytes, found " +
                    maxClaimLength);
            }
            if (connectTimeoutNs < 1 || livenessTimeoutNs < 0)
            {
                throw new IllegalArgumentException(
                    "connectTimeoutNs must be at least 1 and livenessTimeoutNs at least 0, found " + connectTimeoutNs +
                    " and " + livenessTimeoutNs);
            }
            concluded = true;
            return this;
        }

        /**
         * Capacity of the ring in each direction. The connecting end's context decides.
         *
         * @param ringCapacity in bytes, a power of two from 1 KiB to 1 GiB.
         * @return this.
         */
        public Context ringCapacity(final int ringCapacity)
        {
            this.ringCapacity = ringCapacity;
            return this;
        }

        /**
         * Capacity of the ring in each direction.
         *
         * @return bytes.
         */
        public int ringCapacity()
        {
            return ringCapacity;
        }

        /**
         * The longest claim.
         *
         * @param maxClaimLength in bytes, from 1 to an eighth of the ring's capacity.
         * @return this.
         */
        public Context maxClaimLength(final int maxClaimLength)
        {
            this.maxClaimLength = maxClaimLength;
            return this;
        }

        /**
         * The longest claim.
         *
         * @return bytes.
         */
        public int maxClaimLength()
        {
            return maxClaimLength;
        }

        /**
         * How long connecting waits for a listener.
         *
         * @param connectTimeoutNs in nanoseconds, at least 1.
         * @return this.
         */
        public Context connectTimeoutNs(final long connectTimeoutNs)
        {
            this.connectTimeoutNs = connectTimeoutNs;
            return this;
        }

        /**
         * How long connecting waits for a listener.
         *
         * @return nanoseconds.
         */
        public long connectTimeoutNs()
        {
            return connectTimeoutNs;
        }

        /**
         * After how long a peer that is not polled counts as gone.
         *
         * @param livenessTimeoutNs in nanoseconds; 0 for never.
         * @return this.
         */
        public Context livenessTimeoutNs(final long livenessTimeoutNs)
        {
            this.livenessTimeoutNs = livenessTimeoutNs;
            return this;
        }

        /**
         * After how long a peer that is not polled counts as gone.
         *
         * @return nanoseconds; 0 for never.
         */
        public long livenessTimeoutNs()
        {
            return livenessTimeoutNs;
        }

        /**
         * The clock of the timeouts. Both ends of a connection must use the same clock.
         *
         * @param nanoClock a simulated one, in tests.
         * @return this.
         */
        public Context nanoClock(final NanoClock nanoClock)
        {
            this.nanoClock = nanoClock;
            return this;
        }

        /**
         * The clock of the timeouts.
         *
         * @return the clock.
         */
        public NanoClock nanoClock()
        {
            return nanoClock;
        }
    }
}
