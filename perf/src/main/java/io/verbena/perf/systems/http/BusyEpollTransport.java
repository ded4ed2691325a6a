/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.systems.http;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.SelectStrategy;
import io.netty.channel.epoll.EpollIoHandler;
import io.vertx.core.impl.transports.EpollTransport;
import io.vertx.core.transport.Transport;

import java.util.concurrent.ThreadFactory;

/**
 * Epoll whose event loop never sleeps: with no tasks to run it asks for events in a loop. The acceptor keeps its
 * sleeping loop, or it would take a core from the two ends that are measured.
 */
final class BusyEpollTransport implements Transport
{
    private final io.vertx.core.spi.transport.Transport implementation = new Implementation();

    @Override
    public String name()
    {
        return "epoll, busy";
    }

    @Override
    public boolean available()
    {
        return implementation.isAvailable();
    }

    @Override
    public Throwable unavailabilityCause()
    {
        return implementation.unavailabilityCause();
    }

    @Override
    public io.vertx.core.spi.transport.Transport implementation()
    {
        return implementation;
    }

    private static final class Implementation extends EpollTransport
    {
        private final EpollTransport sleeping = new EpollTransport();

        @Override
        public IoHandlerFactory ioHandlerFactory()
        {
            final SelectStrategy spin = (selectNow, hasTasks) -> hasTasks ? selectNow.get() : SelectStrategy.BUSY_WAIT;
            return EpollIoHandler.newFactory(0, () -> spin);
        }

        @Override
        public EventLoopGroup eventLoopGroup(
            final int type, final int threads, final ThreadFactory threadFactory, final int ioRatio)
        {
            return type == ACCEPTOR_EVENT_LOOP_GROUP ?
                sleeping.eventLoopGroup(type, threads, threadFactory, ioRatio) :
                super.eventLoopGroup(type, threads, threadFactory, ioRatio);
        }
    }
}
