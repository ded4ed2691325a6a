/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import io.verbena.rpc.builtin.HealthCheckService;
import io.verbena.rpc.builtin.HealthRequestDecoder;
import io.verbena.rpc.builtin.HealthStatusEncoder;
import io.verbena.rpc.builtin.HealthStatusResponder;
import io.verbena.rpc.builtin.HealthStatusStream;
import io.verbena.rpc.builtin.ServingStatus;
import io.verbena.rpc.transport.Connection;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What a server says of the health of its services to clients that ask, or watch: see
 * {@link RpcServer.Context#healthService(boolean)} and {@link RpcServer#health()}. Each service of the server begins as
 * SERVING, and so does the server as a whole, whose name is the empty one. From {@link RpcServer#drain(long)} on all
 * are NOT_SERVING for good.
 * <p>
 * <b>Threading:</b> any thread.
 * <p>
 * Clients use the generated {@code io.verbena.rpc.builtin.HealthCheckClient}. Whoever watches is told the status at
 * once and then each change; a reader slower than the changes is told the latest alone.
 */
public final class HealthService
{
    private final Map<String, ServingStatus> statuses = new ConcurrentHashMap<>();
    private final Service service = new Service();
    private final AtomicLong changes = new AtomicLong();
    private volatile boolean isGoingAway;
    private long toldChanges;

    HealthService()
    {
        statuses.put("", ServingStatus.SERVING);
    }

    /**
     * Says how a service is. Nothing happens once the server is going away.
     *
     * @param name   of the service; one that the server does not have is as good; empty for the server as a whole.
     * @param status SERVING, NOT_SERVING or UNKNOWN.
     * @return this.
     * @throws IllegalArgumentException if the status is none of these.
     */
    public synchronized HealthService set(final String name, final ServingStatus status)
    {
        Objects.requireNonNull(name, "name");
        if (status != ServingStatus.SERVING && status != ServingStatus.NOT_SERVING && status != ServingStatus.UNKNOWN)
        {
            throw new IllegalArgumentException("expected SERVING, NOT_SERVING or UNKNOWN, found " + status);
        }
        if (!isGoingAway && statuses.put(name, status) != status)
        {
            changes.incrementAndGet();
        }
        return this;
    }

    /**
     * Tells how a service is.
     *
     * @param name of the service; empty for the server as a whole.
     * @return the status, {@link ServingStatus#UNKNOWN} if nothing was said.
     */
    public ServingStatus status(final String name)
    {
        return statuses.getOrDefault(name, ServingStatus.UNKNOWN);
    }

    HealthCheckService service()
    {
        return service;
    }

    /**
     * The server is going away: all is NOT_SERVING, and who watches has seen the last. Server's thread.
     */
    void goAway()
    {
        synchronized (this)
        {
            isGoingAway = true;
            statuses.replaceAll((name, status) -> ServingStatus.NOT_SERVING);
        }
        service.tellAll();
    }

    /**
     * Tells those who watch of changes. Server's thread.
     *
     * @return a count of work done.
     */
    int doWork()
    {
        final long now = changes.get();
        if (now == toldChanges)
        {
            return 0;
        }
        toldChanges = now;
        service.tellAll();
        return 1;
    }

    /**
     * One call that watches.
     */
    private final class Watcher
    {
        private final String name;
        private final HealthStatusStream stream;
        private ServingStatus told;

        Watcher(final String name, final HealthStatusStream stream)
        {
            this.name = name;
            this.stream = stream;
        }

        /**
         * Sends the status if it is not the one told last and there is credit; if there is none, it is asked again when
         * there is, and sends what the status is then.
         */
        void tell()
        {
            final ServingStatus status = status(name);
            if (status != told)
            {
                long result;
                do
                {
                    result = stream.tryClaim(HealthStatusEncoder.BLOCK_LENGTH);
                }
                while (result == Connection.ADMIN_ACTION);
                if (result > 0)
                {
                    stream.encoder().status(status);
                    stream.send();
                    told = status;
                }
            }
            if (isGoingAway && stream.isOpen())
            {
                // else it would keep the connection from closing
                stream.complete();
            }
        }
    }

    /**
     * The generated service's implementation. Server's thread.
     */
    private final class Service implements HealthCheckService
    {
        private final Set<Watcher> watchers = new LinkedHashSet<>();

        @Override
        public void onCheck(final HealthRequestDecoder request, final HealthStatusResponder responder)
        {
            final String name = request.service();
            final ServingStatus status = statuses.get(name);
            if (status == null)
            {
                responder.fail(StatusCode.NOT_FOUND, "nothing is known of a service named " + name);
                return;
            }
            responder.claim(HealthStatusEncoder.BLOCK_LENGTH).status(status);
            responder.send();
        }

        @Override
        public void onWatch(final HealthRequestDecoder request, final HealthStatusStream stream)
        {
            final Watcher watcher = new Watcher(request.service(), stream.detach());
            stream.attach(watcher);
            watchers.add(watcher);
            watcher.tell();
        }

        @Override
        public void onWatchReady(final HealthStatusStream stream)
        {
            if (stream.attachment() instanceof final Watcher watcher)
            {
                watcher.tell();
            }
        }

        @Override
        public void onWatchEnded(
            final long connectionId, final long correlationId, final Object attachment, final StatusCode status)
        {
            if (attachment instanceof final Watcher watcher)
            {
                watchers.remove(watcher);
            }
        }

        void tellAll()
        {
            watchers.forEach(Watcher::tell);
        }
    }
}
