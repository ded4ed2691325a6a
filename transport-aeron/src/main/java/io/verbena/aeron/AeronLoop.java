/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.aeron;

import java.util.ArrayList;
import java.util.concurrent.TimeUnit;

import io.aeron.Image;
import io.aeron.exceptions.RegistrationException;
import io.verbena.rpc.transport.Connection;
import io.verbena.rpc.transport.Listener;
import io.verbena.rpc.transport.TransportException;
import io.verbena.rpc.transport.TransportListener;

/**
 * The duty cycle of an {@link AeronTransport}, on its thread.
 * <p>
 * <b>Design note.</b> Each poll runs the driver where it has sockets to serve, then polls the image of each stream
 * pair, whose frames name their connection by its place in an array. Every 50 µs it runs the
 * conductors of client and driver, which move the limits of flow control on shared memory; every 1 ms, or when asked
 * to, it looks at connecting, signs of a peer's end, events. The clock is looked at every 32 polls only, or in each
 * where they come seldom, so an empty poll over shared memory costs a few nanoseconds.
 */
final class AeronLoop
{
    static final long RETRY_INTERVAL_NS = 100_000_000L;

    private static final int POLLS_PER_LOOK = 32;
    private static final long WORK_INTERVAL_NS = 50_000L;
    private static final long CHECK_INTERVAL_NS = 1_000_000L;
    private static final int BIND_ATTEMPTS = 20;
    private static final int FLUSH_CYCLES = 64;

    private final AeronTransport.Context ctx;
    private final ErrorSink errors;
    private final Channels channels;
    private final Sessions sessions;
    private final ArrayList<AeronEndpoint> endpoints = new ArrayList<>();
    private final Connections connections;
    private final MirroredCounters counters;

    private final Callbacks callbacks = new Callbacks();
    private int pollsUntilLook;
    private boolean hurried;
    private boolean eventPending;
    private long workedAtNs;
    private long checkedAtNs;
    private boolean polling;
    private boolean closed;

    AeronLoop(final AeronTransport.Context ctx)
    {
        this.ctx = ctx;
        errors = new ErrorSink(ctx.errorHandler(), System::nanoTime);
        channels = new Channels(ctx);
        sessions = new Sessions(ctx, errors);
        connections = new Connections(this, sessions);
        counters = new MirroredCounters(errors);
    }

    Callbacks callbacks()
    {
        return callbacks;
    }

    Connections connections()
    {
        return connections;
    }

    MirroredCounters counters()
    {
        return counters;
    }

    boolean isClosed()
    {
        return closed;
    }

    Channels channels()
    {
        return channels;
    }

    ErrorSink errors()
    {
        return errors;
    }

    long nanoTime()
    {
        return System.nanoTime();
    }

    AeronTransport.Context context()
    {
        return ctx;
    }

    /** The conductors are wanted in the next poll: a connection waits for room. */
    void hurry()
    {
        hurried = true;
        pollsUntilLook = 0;
    }

    /** Something is to be told or begun in the next poll. */
    void eventPending()
    {
        eventPending = true;
        hurry();
    }

    Listener listen(final String text)
    {
        requireOpen();
        final AeronAddress address = parse(text);
        for (final AeronEndpoint endpoint : endpoints)
        {
            if (endpoint.boundAddress().equals(address))
            {
                if (endpoint.isAccepting())
                {
                    throw new TransportException(
                        "cannot listen on " + address + ": this transport listens there already");
                }
                endpoint.acceptAgain();
                return endpoint;
            }
        }
        final DriverSession session = sessions.toListen(address);
        session.start();
        final AeronEndpoint endpoint = new AeronEndpoint(this, session, address);
        open(endpoint, address);
        session.acquire();
        endpoints.add(endpoint);
        return endpoint;
    }

    Connection connect(final String text)
    {
        requireOpen();
        final AeronAddress address = parse(text);
        if (address.isUdp() && address.port() == 0)
        {
            throw new TransportException("expected a port from 1 to connect to, found '" + text + "'");
        }
        return connections.outbound(address);
    }

    int poll(final TransportListener events, final int messageLimit)
    {
        if (closed)
        {
            return 0;
        }
        callbacks.to(events);
        polling = true;
        final int workCount;
        try
        {
            workCount = pollAll(messageLimit);
        }
        finally
        {
            polling = false;
            if (closed)
            {
                // By a callback, which had the memory of a stream in its hands.
                shutDown();
            }
        }
        callbacks.rethrow();
        return workCount;
    }

    private int pollAll(final int messageLimit)
    {
        int workCount = 0;
        for (final DriverSession session : sessions.polled())
        {
            workCount |= session.pollDriver();
        }
        // Driver work is not for the caller to see, but a caller that backs off must not do so in its middle.
        workCount = workCount > 0 ? 1 : 0;
        if (--pollsUntilLook <= 0)
        {
            workCount += work();
        }
        final int fragments = connections.poll(messageLimit);
        pollsUntilLook -= fragments;
        return workCount + fragments;
    }

    private int work()
    {
        final long nowNs = nanoTime();
        final long elapsedNs = nowNs - workedAtNs;
        if (elapsedNs < WORK_INTERVAL_NS && !hurried)
        {
            pollsUntilLook = POLLS_PER_LOOK;
            return 0;
        }
        pollsUntilLook = elapsedNs > 2 * WORK_INTERVAL_NS ? 1 : POLLS_PER_LOOK;
        workedAtNs = nowNs;
        hurried = false;
        int done = 0;
        for (final DriverSession session : sessions.all())
        {
            done |= workOn(session);
        }
        if (done > 0 || eventPending || nowNs - checkedAtNs > CHECK_INTERVAL_NS)
        {
            checkedAtNs = nowNs;
            eventPending = false;
            return check(nowNs);
        }
        return 0;
    }

    private int workOn(final DriverSession session)
    {
        final int workCount = session.work();
        if (errors.isAnyWaiting())
        {
            session.settle();
        }
        if (session.isLost())
        {
            lose(session);
            return 1;
        }
        return workCount;
    }

    /** One word for the user, whatever number of errors it caused in Aeron; then everything on the session ends. */
    private void lose(final DriverSession session)
    {
        final Throwable first = errors.takeAll();
        final int ended = connections.sessionLost(session);
        for (final AeronEndpoint endpoint : endpoints)
        {
            endpoint.sessionLost(session);
        }
        session.stop();
        errors.takeAll();
        errors.onError(new TransportException(
            "lost the media driver in " + session.directory() + ", or was itself paused for longer than the liveness " +
            "timeout: " + ended + " connections end, listeners come back by themselves", first));
        eventPending();
    }

    private int check(final long nowNs)
    {
        for (final DriverSession session : sessions.all())
        {
            takeImages(session);
        }
        for (int i = 0; i < endpoints.size(); i++)
        {
            final AeronEndpoint endpoint = endpoints.get(i);
            endpoint.work(nowNs);
            Image image;
            while ((image = endpoint.takeHeld()) != null)
            {
                connections.accept(endpoint, image, nowNs);
            }
        }
        final int events = connections.work(nowNs);
        tidy();
        counters.work(sessions.all(), nowNs);
        errors.drain();
        return events;
    }

    private void takeImages(final DriverSession session)
    {
        Image image;
        while ((image = session.pollImage()) != null)
        {
            for (final AeronEndpoint endpoint : endpoints)
            {
                if (endpoint.owns(session, image))
                {
                    endpoint.hold(image);
                }
            }
        }
    }

    /** Forgets what has ended, pairs first. */
    private void tidy()
    {
        connections.tidy();
        for (int i = endpoints.size() - 1; i >= 0; i--)
        {
            if (endpoints.get(i).isUnused())
            {
                final AeronEndpoint endpoint = endpoints.remove(i);
                endpoint.release();
                endpoint.session().release();
            }
        }
        sessions.leaveUnused();
    }

    void close()
    {
        if (closed)
        {
            return;
        }
        closed = true;
        endpoints.forEach(AeronEndpoint::close);
        connections.close();
        if (!polling)
        {
            shutDown();
        }
    }

    private void shutDown()
    {
        callbacks.to(null);
        final boolean interrupted = Thread.interrupted();
        try
        {
            linger(nanoTime() + ctx.closeTimeoutNs());
        }
        finally
        {
            endpoints.forEach(AeronEndpoint::release);
            sessions.close();
            errors.drain();
            if (interrupted)
            {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Drives on until every peer has taken what was accepted, or the time is over. */
    private void linger(final long deadlineNs)
    {
        int cyclesToGo = FLUSH_CYCLES;
        while (cyclesToGo > 0 && nanoTime() - deadlineNs < 0)
        {
            for (final DriverSession session : sessions.all())
            {
                session.pollDriver();
                workOn(session);
            }
            // The last goodbyes are for the sockets yet.
            cyclesToGo -= connections.workOnPairs(nanoTime()) ? 1 : 0;
            Thread.yield();
        }
    }

    private void requireOpen()
    {
        if (closed)
        {
            throw new TransportException("the transport is closed");
        }
    }

    private AeronAddress parse(final String text)
    {
        return AeronAddress.parse(text, ctx.ipcDirectory(), ctx.stream());
    }

    private void open(final AeronEndpoint endpoint, final AeronAddress address)
    {
        final long deadlineNs = nanoTime() + ctx.livenessTimeoutNs() + TimeUnit.SECONDS.toNanos(1);
        int attempts = address.isUdp() && address.port() == 0 ? BIND_ATTEMPTS : 1;
        while (true)
        {
            try
            {
                while (!endpoint.tryOpen())
                {
                    drive(endpoint, deadlineNs);
                }
                return;
            }
            catch (final RegistrationException e)
            {
                // With a port of the system's choice the neighbour may be taken, so another choice may succeed.
                if (--attempts == 0)
                {
                    endpoint.release();
                    throw new TransportException(
                        "cannot listen on " + address + (address.isUdp() ? " and the port above it" : "") + ": " +
                        e.getMessage(), e);
                }
                endpoint.abandon(address);
            }
        }
    }

    private void drive(final AeronEndpoint endpoint, final long deadlineNs)
    {
        final DriverSession session = endpoint.session();
        session.pollDriver();
        workOn(session);
        if (!session.isUp() || nanoTime() - deadlineNs > 0)
        {
            endpoint.release();
            throw new TransportException(
                "cannot listen on " + endpoint.boundAddress() + ": the media driver in " + session.directory() +
                " does not answer");
        }
        Thread.yield();
    }
}
