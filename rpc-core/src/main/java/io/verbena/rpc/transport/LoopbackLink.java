/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc.transport;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReference;

import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;

/**
 * What the two ends of a loopback connection share: one ring in each direction and the marks that end it. Created by
 * the connecting end, passed to the listening end through its {@link LoopbackListener}.
 * <p>
 * Each ring has one producer and one consumer, each mark one writer, so the two ends may live on two threads.
 */
final class LoopbackLink
{
    /**
     * How far the listening end has come with this link.
     */
    enum Stage
    {
        /** Waits in a listener's queue. */
        OFFERED,
        /** Both ends exist. */
        ACCEPTED,
        /** One end gave up before the other took it. */
        WITHDRAWN
    }

    /**
     * One end's view: whence it reads, whither it writes, and what it tells the other end about itself.
     */
    static final class End
    {
        final OneToOneRingBuffer inbound;
        final OneToOneRingBuffer outbound;
        private End peer;
        private volatile boolean closed;
        private volatile long polledAtNs;

        End(final OneToOneRingBuffer inbound, final OneToOneRingBuffer outbound)
        {
            this.inbound = inbound;
            this.outbound = outbound;
        }

        /** Everything this end wrote lies in the ring already, so the mark orders after it. */
        void close()
        {
            closed = true;
        }

        void polledAt(final long nowNs)
        {
            polledAtNs = nowNs;
        }

        boolean isPeerClosed()
        {
            return peer.closed;
        }

        long peerPolledAtNs()
        {
            return peer.polledAtNs;
        }
    }

    final End connecting;
    final End accepting;
    private final AtomicReference<Stage> stage = new AtomicReference<>(Stage.OFFERED);

    LoopbackLink(final int ringCapacity, final long nowNs)
    {
        final OneToOneRingBuffer there = newRing(ringCapacity);
        final OneToOneRingBuffer back = newRing(ringCapacity);
        connecting = new End(back, there);
        accepting = new End(there, back);
        connecting.peer = accepting;
        accepting.peer = connecting;
        connecting.polledAt(nowNs);
        accepting.polledAt(nowNs);
    }

    Stage stage()
    {
        return stage.get();
    }

    boolean accept()
    {
        return stage.compareAndSet(Stage.OFFERED, Stage.ACCEPTED);
    }

    boolean withdraw()
    {
        return stage.compareAndSet(Stage.OFFERED, Stage.WITHDRAWN);
    }

    private static OneToOneRingBuffer newRing(final int capacity)
    {
        return new OneToOneRingBuffer(
            new UnsafeBuffer(ByteBuffer.allocateDirect(capacity + RingBufferDescriptor.TRAILER_LENGTH)));
    }
}
