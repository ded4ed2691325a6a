/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import io.verbena.rpc.protocol.FrameHeader;
import io.verbena.rpc.protocol.FrameType;
import io.verbena.rpc.protocol.HelloPayload;
import io.verbena.rpc.transport.Connection;
import io.verbena.rpc.transport.DisconnectCause;
import io.verbena.rpc.transport.Transport;
import io.verbena.rpc.transport.TransportListener;
import java.util.ArrayList;
import java.util.List;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.collections.Int2ObjectHashMap;
import org.agrona.collections.Long2ObjectHashMap;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A server's duty cycle: polls its transports, dispatches requests to services, sends on what waits, checks timers.
 * One thread.
 */
final class ServerCore implements Agent
{
    /**
     * Timers are looked at in every so many cycles; messages in every one.
     */
    private static final int TIMER_CYCLE_MASK = 7;

    private final RpcServer.Context context;
    private final CycleClock clock;
    private final BufferPool pool;
    private final ExpandableArrayBuffer scratch = new ExpandableArrayBuffer();
    private final ServerCall flyweight = new ServerCall(this);
    private final Int2ObjectHashMap<ServiceAdapter> services = new Int2ObjectHashMap<>();
    private final Endpoint[] endpoints;
    private final ArrayList<ServerSession> pending = new ArrayList<>();
    private ServiceAdapter lastService;
    private int lastServiceId = -1;
    private ServerCall openCall;
    private int sessionCount;
    private long cycle;
    private boolean hasTimers;
    private long earliestTimerNs;
    private boolean isClosing;
    private boolean isClosed;

    ServerCore(final RpcServer.Context context, final List<Transport> transports)
    {
        this.context = context;
        this.clock = new CycleClock(context.nanoClock());
        this.pool = new BufferPool(context.maxRetainedBufferBytes());
        for (final ServiceAdapter service : context.services())
        {
            services.put(service.serviceId(), service);
        }
        endpoints = new Endpoint[transports.size()];
        for (int i = 0; i < endpoints.length; i++)
        {
            endpoints[i] = new Endpoint(transports.get(i));
        }
    }

    RpcServer.Context context()
    {
        return context;
    }

    CycleClock clock()
    {
        return clock;
    }

    BufferPool pool()
    {
        return pool;
    }

    ExpandableArrayBuffer scratch()
    {
        return scratch;
    }

    ServerCall flyweight()
    {
        return flyweight;
    }

    int sessionCount()
    {
        return sessionCount;
    }

    boolean isClosing()
    {
        return isClosing;
    }

    int callsInFlight()
    {
        int count = 0;
        for (final Endpoint endpoint : endpoints)
        {
            for (final ServerSession session : endpoint.sessions.values())
            {
                count += session.calls().inFlight();
            }
        }
        return count;
    }

    ServiceAdapter service(final int serviceId)
    {
        if (serviceId != lastServiceId)
        {
            lastService = services.get(serviceId);
            lastServiceId = serviceId;
        }
        return lastService;
    }

    void openCall(final ServerCall call)
    {
        openCall = call;
    }

    /**
     * Lowers the moment at which sessions are looked at for timers.
     */
    void noteTimer(final long timerNs)
    {
        if (!hasTimers || timerNs - earliestTimerNs < 0)
        {
            hasTimers = true;
            earliestTimerNs = timerNs;
        }
    }

    void addPending(final ServerSession session)
    {
        pending.add(session);
    }

    void onError(final Throwable failure)
    {
        context.errorHandler().onError(failure);
    }

    /**
     * Answers a call whose handler has thrown, then tells the error handler; neither may keep the other from it.
     */
    void failByHandler(final ServerCall call, final Throwable failure)
    {
        if (failure instanceof final RpcException status)
        {
            call.fail(status);
            return;
        }
        call.fail(StatusCode.INTERNAL, "the handler failed: " + describe(failure));
        try
        {
            onError(failure);
        }
        catch (final RuntimeException | StackOverflowError ex)
        {
            onError(new IllegalStateException("an exception of a handler could not be reported: " + ex.getClass()));
        }
    }

    /**
     * Ends a call whose handler returned with a response open.
     */
    void closeOpenCall()
    {
        final ServerCall left = openCall;
        if (left != null)
        {
            left.fail(StatusCode.INTERNAL, "the handler left a response open, neither sent nor aborted");
            onError(new IllegalStateException(
                "call " + left.correlationId() + " of method " + left.methodId() +
                ": a response was claimed and neither sent nor aborted"));
        }
    }

    void sendHelloAck(final Link link, final int incarnation)
    {
        final int count = context.services().size();
        final int length = HelloPayload.HEADER_LENGTH + count * HelloPayload.SERVICE_LENGTH;
        final UnsafeBuffer buffer = pool.acquire(FrameHeader.LENGTH + length);
        HelloPayload.encode(
            buffer, FrameHeader.LENGTH, incarnation, context.maxCallsInFlight(), context.maxMessageLength(), count);
        for (int i = 0; i < count; i++)
        {
            final ServiceAdapter service = context.services().get(i);
            HelloPayload.encodeService(
                buffer, FrameHeader.LENGTH, i, service.serviceId(), service.schemaId(), service.schemaVersion());
        }
        link.outbox().add(
            buffer, FrameType.HELLO_ACK, 0, 0, 0, (long)incarnation << 48, FrameHeader.NO_TIMEOUT, 0, length);
        link.drain(clock.nanoTime());
    }

    @Override
    public int doWork()
    {
        clock.nextCycle();
        if (openCall != null)
        {
            closeOpenCall();
        }
        int work = 0;
        for (final Endpoint endpoint : endpoints)
        {
            work += endpoint.transport.poll(endpoint, context.pollLimit());
        }
        if (!pending.isEmpty())
        {
            work += drainPending();
        }
        if ((++cycle & TIMER_CYCLE_MASK) == 0 && hasTimers)
        {
            work += checkTimers();
        }
        return work;
    }

    @Override
    public void onClose()
    {
        if (isClosed)
        {
            return;
        }
        isClosed = true;
        isClosing = true;
        final long deadlineNs = clock.freshNanoTime() + context.closeTimeoutNs();
        for (final Endpoint endpoint : endpoints)
        {
            for (final ServerSession session : endpoint.sessions.values())
            {
                session.goAway();
            }
        }
        while (!pending.isEmpty() && clock.freshNanoTime() - deadlineNs < 0 &&
            !Thread.currentThread().isInterrupted())
        {
            doWork();
            Thread.onSpinWait();
        }
        for (final Endpoint endpoint : endpoints)
        {
            CloseHelper.close(context.errorHandler(), endpoint.transport);
        }
    }

    @Override
    public String roleName()
    {
        return context.agentName();
    }

    private int drainPending()
    {
        int work = 0;
        final long nowNs = clock.nanoTime();
        for (int i = pending.size() - 1; i >= 0; i--)
        {
            final ServerSession session = pending.get(i);
            work += session.drain(nowNs);
            if (!session.isPending())
            {
                pending.remove(i);
            }
        }
        return work;
    }

    private int checkTimers()
    {
        final long nowNs = clock.nanoTime();
        if (nowNs - earliestTimerNs < 0)
        {
            return 0;
        }
        int work = 0;
        hasTimers = false;
        for (final Endpoint endpoint : endpoints)
        {
            for (final ServerSession session : endpoint.sessions.values())
            {
                work += session.checkTimers(nowNs);
            }
        }
        return work;
    }

    private static String describe(final Throwable failure)
    {
        try
        {
            return failure.toString();
        }
        catch (final RuntimeException | StackOverflowError ex)
        {
            // its message could not be made
            return failure.getClass().getName();
        }
    }

    /**
     * One transport with the sessions of its connections: connection ids are unique within a transport only.
     */
    private final class Endpoint implements TransportListener
    {
        private final Transport transport;
        private final Long2ObjectHashMap<ServerSession> sessions = new Long2ObjectHashMap<>();
        private Connection lastConnection;
        private ServerSession lastSession;

        Endpoint(final Transport transport)
        {
            this.transport = transport;
        }

        @Override
        public void onConnected(final Connection connection)
        {
            final long nowNs = clock.nanoTime();
            final ServerSession session = new ServerSession(ServerCore.this, connection, nowNs);
            sessions.put(connection.id(), session);
            sessionCount++;
            noteTimer(nowNs + context.handshakeTimeoutNs());
        }

        @Override
        public void onMessage(
            final Connection connection, final DirectBuffer buffer, final int offset, final int length)
        {
            if (connection != lastConnection)
            {
                lastSession = sessions.get(connection.id());
                lastConnection = connection;
            }
            if (lastSession != null)
            {
                lastSession.onFrame(buffer, offset, length);
            }
        }

        @Override
        public void onDisconnected(final Connection connection, final DisconnectCause cause)
        {
            final ServerSession session = sessions.remove(connection.id());
            lastConnection = null;
            lastSession = null;
            if (session != null)
            {
                sessionCount--;
                session.onDisconnected();
                pending.remove(session);
            }
        }
    }
}
