/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import io.verbena.rpc.transport.Connection;
import io.verbena.rpc.transport.DisconnectCause;
import io.verbena.rpc.transport.Listener;
import io.verbena.rpc.transport.Transport;
import io.verbena.rpc.transport.TransportListener;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.collections.Int2ObjectHashMap;
import org.agrona.collections.Long2ObjectHashMap;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.NanoClock;

/**
 * A server's duty cycle: polls its transports, dispatches requests to services, sends on what waits, checks timers.
 * One thread.
 */
final class ServerCore implements Agent
{
    /** Timers are looked at in every so many cycles; messages in every one. */
    private static final int TIMER_CYCLE_MASK = 7;

    private final RpcServer.Context context;
    private final NanoClock clock;
    private final BufferPool pool;
    private final RpcCounters counters;
    private final PayloadDecoder decoder;
    private final ExpandableArrayBuffer scratch = new ExpandableArrayBuffer();
    private final ServerCall flyweight = new ServerCall(this);
    private final StreamPool streamPool = new StreamPool();
    private final Int2ObjectHashMap<ServiceAdapter> services = new Int2ObjectHashMap<>();
    /** Of services with limits or threads of their own; null where there are none. */
    private final Lanes lanes;
    private final Endpoint[] endpoints;
    private final ArrayList<Listener> listeners = new ArrayList<>();
    private final ArrayList<ServerSession> pending = new ArrayList<>();
    private ServiceAdapter lastService;
    private int lastServiceId = -1;
    private ServerCall openCall;
    private int sessionCount;
    private int acceptedCount;
    private long nextSessionId = 1;
    private long cycle;
    private boolean hasTimers;
    private long earliestTimerNs;
    private boolean isArrivalTimed;
    private final Builtins builtins;
    private final ServerUpkeep upkeep;
    private boolean isClosing;
    private boolean isClosed;
    private Thread scopeThread;
    private CallScope.Current scope;

    ServerCore(final RpcServer.Context context, final List<Transport> transports)
    {
        this.context = context;
        CallScope.use();
        this.clock = context.nanoClock();
        this.pool = new BufferPool(context.maxRetainedBufferBytes());
        this.counters = context.counters();
        transports.forEach(counters::mirrorTo);
        this.lanes = Lanes.create(this, services);
        this.builtins = new Builtins(context);
        builtins.own().forEach(service -> services.put(service.serviceId(), service));
        this.upkeep = new ServerUpkeep(this, builtins.health());
        this.decoder = new PayloadDecoder(context, pool, context.maxMessageLength());
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

    NanoClock clock()
    {
        return clock;
    }

    BufferPool pool()
    {
        return pool;
    }

    RpcCounters counters()
    {
        return counters;
    }

    PayloadDecoder decoder()
    {
        return decoder;
    }

    ExpandableArrayBuffer scratch()
    {
        return scratch;
    }

    ServerCall flyweight()
    {
        return flyweight;
    }

    boolean hasLanes()
    {
        return lanes != null;
    }

    StreamPool streamPool()
    {
        return streamPool;
    }

    int sessionCount()
    {
        return sessionCount;
    }

    /**
     * Whether new calls and connections are refused.
     */
    boolean isGoingAway()
    {
        return isClosing || upkeep.drain().isBegun();
    }

    ServerUpkeep upkeep()
    {
        return upkeep;
    }

    Builtins builtins()
    {
        return builtins;
    }

    int acceptedCount()
    {
        return acceptedCount;
    }

    void forEachSession(final Consumer<ServerSession> action)
    {
        for (final Endpoint endpoint : endpoints)
        {
            endpoint.sessions.values().forEach(action);
        }
    }

    int callsInFlight()
    {
        int count = 0;
        for (final Endpoint endpoint : endpoints)
        {
            for (final ServerSession session : endpoint.sessions.values())
            {
                count += session.isAccepted() ? session.calls().inFlight() : 0;
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

    /**
     * What the server's thread is doing, for calls that handlers make.
     */
    CallScope.Current scope()
    {
        return scope;
    }

    boolean isCallOpen()
    {
        return openCall != null;
    }

    /**
     * Makes room for a connection whose handshake is in order.
     *
     * @return false if there is none.
     */
    boolean accept()
    {
        if (acceptedCount >= context.maxConnections())
        {
            return false;
        }
        acceptedCount++;
        return true;
    }

    /**
     * Stops listening when the server closes.
     */
    void addListener(final Listener listener)
    {
        listeners.add(listener);
    }

    /**
     * Whether the clock is read for each request as it arrives: see {@link ArrivalDeadline}.
     */
    boolean isArrivalTimed()
    {
        return isArrivalTimed;
    }

    void timeArrivals()
    {
        isArrivalTimed = true;
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
        Limits.report(context.errorHandler(), failure);
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
        call.fail(StatusCode.INTERNAL, "the handler failed: " + Limits.describe(failure));
        onHandlerFailure(failure);
    }

    /**
     * Tells of a failure of a service's that no call ends with.
     */
    void onHandlerFailure(final Throwable failure)
    {
        counters.handlerFailed();
        onError(failure);
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

    @Override
    public int doWork()
    {
        if (scopeThread != Thread.currentThread())
        {
            scopeThread = Thread.currentThread();
            scope = CallScope.ofThread();
        }
        if (openCall != null)
        {
            closeOpenCall();
        }
        int work = 0;
        int read = 0;
        // a transport may give one datagram a poll: what waits there can be neither refused nor put in order
        for (int reads = lanes == null ? 1 : Lanes.READS; reads > 0 && (read > 0 || work == 0); reads--)
        {
            read = 0;
            for (final Endpoint endpoint : endpoints)
            {
                read += endpoint.transport.poll(endpoint, context.pollLimit());
            }
            work += read;
        }
        if (lanes != null)
        {
            work += lanes.doWork(read > 0);
        }
        if (!pending.isEmpty())
        {
            work += drainPending();
        }
        if ((++cycle & TIMER_CYCLE_MASK) == 0)
        {
            work += hasTimers ? checkTimers() : 0;
            work += upkeep.doWork(cycle);
            counters.publish(cycle);
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
        CloseHelper.closeAll(this::onError, listeners);
        final long deadlineNs = clock.nanoTime() + context.closeTimeoutNs();
        forEachSession(ServerSession::goAway);
        while (!pending.isEmpty() && clock.nanoTime() - deadlineNs < 0 &&
            !Thread.currentThread().isInterrupted())
        {
            try
            {
                doWork();
            }
            catch (final Throwable ex)
            {
                onError(ex);
            }
            Thread.onSpinWait();
        }
        counters.detach();
        for (final Endpoint endpoint : endpoints)
        {
            CloseHelper.close(this::onError, endpoint.transport);
        }
        for (final Endpoint endpoint : endpoints)
        {
            endpoint.endAll();
        }
        if (lanes != null)
        {
            lanes.close(Math.max(0, deadlineNs - clock.nanoTime()));
        }
        upkeep.drain().end(false);
        CloseHelper.closeAll(this::onError, context.codecs());
    }

    @Override
    public String roleName()
    {
        return context.agentName();
    }

    private int drainPending()
    {
        int work = 0;
        for (int i = pending.size() - 1; i >= 0; i--)
        {
            final ServerSession session = pending.get(i);
            work += session.drain();
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

        /**
         * The transport is closed and calls back no more: frees what its connections hold.
         */
        void endAll()
        {
            for (final ServerSession session : sessions.values())
            {
                session.countEnd(DisconnectCause.CLOSED_LOCALLY);
                session.onDisconnected();
            }
            sessions.clear();
        }

        @Override
        public void onConnected(final Connection connection)
        {
            // those that have not said HELLO yet have a limit of their own, lest they keep the others out
            if (isClosing || sessionCount - acceptedCount >= context.maxConnections())
            {
                counters.connectionRefused();
                connection.close();
                return;
            }
            final long nowNs = clock.nanoTime();
            final ServerSession session = new ServerSession(ServerCore.this, connection, nextSessionId++, nowNs);
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
                lastSession.onMessage(buffer, offset, length);
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
                acceptedCount -= session.isAccepted() ? 1 : 0;
                session.countEnd(cause);
                session.onDisconnected();
                pending.remove(session);
            }
        }
    }
}
