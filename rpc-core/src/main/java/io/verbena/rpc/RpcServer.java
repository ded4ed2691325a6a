/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import io.verbena.rpc.transport.Listener;
import io.verbena.rpc.transport.Transport;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.agrona.CloseHelper;

/**
 * Serves calls over one or more transports. Its duty cycle, and with it every handler, runs on a thread of its own, or
 * on the caller's where {@link Context#useAgentInvoker(boolean)} is set: the caller then calls {@link #doWork()} again
 * and again.
 * <p>
 * <b>Threading:</b> handlers run on the duty cycle and should return soon; {@link #execute(Runnable)} brings work of
 * other threads to it. With the caller's thread, that thread alone calls {@link #doWork()} and {@link #close()}.
 * <p>
 * <b>Ownership:</b> the server owns its transports from {@link #launch(Context)} on and closes them.
 */
public final class RpcServer implements AutoCloseable
{
    private final Context context;
    private final ServerCore core;
    private final AgentHost host;
    private final List<String> boundAddresses = new ArrayList<>();

    private RpcServer(final Context context)
    {
        this.context = context;
        final List<Transport> distinct = new ArrayList<>();
        for (final Transport transport : context.transports())
        {
            if (!distinct.contains(transport))
            {
                distinct.add(transport);
            }
        }
        this.core = new ServerCore(context, distinct);
        try
        {
            for (int i = 0; i < context.addresses().size(); i++)
            {
                final Listener listener = context.transports().get(i).listen(context.addresses().get(i));
                core.addListener(listener);
                boundAddresses.add(listener.address());
            }
        }
        catch (final RuntimeException ex)
        {
            CloseHelper.quietCloseAll(distinct);
            throw ex;
        }
        this.host = new AgentHost(core, context);
    }

    /**
     * Starts a server: it listens when this method returns.
     *
     * @param context of its own, not used by another server; concluded here.
     * @return the server.
     * @throws IllegalStateException if a setting is missing or out of its range; the message names it.
     * @throws io.verbena.rpc.transport.TransportException if an address is malformed or in use; the transports are
     *     then closed.
     */
    public static RpcServer launch(final Context context)
    {
        context.conclude();
        final RpcServer server = new RpcServer(context);
        server.host.start();
        return server;
    }

    /**
     * The concluded settings.
     *
     * @return the context; not to be changed.
     */
    public Context context()
    {
        return context;
    }

    /**
     * The addresses that clients connect to, in the order they were given, with the ports that were bound. Any thread.
     *
     * @return URIs.
     */
    public List<String> addresses()
    {
        return Collections.unmodifiableList(boundAddresses);
    }

    /**
     * Runs a task on the server's thread, in its next duty cycle: to answer a detached call from another thread. Any
     * thread.
     *
     * @param task to run; what it throws goes to the error handler.
     * @throws java.util.concurrent.RejectedExecutionException if the server is closed, or
     *     {@link Context#taskQueueLength()} tasks wait already.
     */
    public void execute(final Runnable task)
    {
        host.execute(task);
    }

    /**
     * What the server says of the health of its services. Any thread.
     *
     * @return it.
     * @throws IllegalStateException if the server has no health service: {@link Context#healthService(boolean)}.
     */
    public HealthService health()
    {
        final HealthService health = core.builtins().health();
        if (health == null)
        {
            throw new IllegalStateException("health: expected a server with a health service: see Context");
        }
        return health;
    }

    /**
     * Does a cycle of the server's work. For a server without a thread of its own, on the caller's thread.
     *
     * @return a count of work done, 0 when idle.
     * @throws IllegalStateException if the server has a thread of its own.
     */
    public int doWork()
    {
        return host.doWork();
    }

    /**
     * Goes away gracefully: tells clients to make new calls elsewhere, refuses those that come all the same, and new
     * connections, as {@link StatusCode#UNAVAILABLE}, not started; lets the calls in flight, streams too, end by
     * themselves; and closes each connection that has none left. What has not ended by the deadline ends as
     * {@link StatusCode#UNAVAILABLE}. Returns at once; any thread. The server goes on listening, to refuse, until
     * {@link #close()}. Called again, the earlier deadline holds.
     *
     * @param timeoutNs nanoseconds from here to the deadline, from 0.
     * @return completed on the server's thread: with true once all connections are closed, with false at the deadline
     *     if some calls had to be ended, or if the server was closed before.
     * @throws IllegalArgumentException if the timeout is negative.
     * @throws java.util.concurrent.RejectedExecutionException as of {@link #execute(Runnable)}.
     */
    public CompletableFuture<Boolean> drain(final long timeoutNs)
    {
        if (timeoutNs < 0)
        {
            throw new IllegalArgumentException("expected a timeout of 0 or more nanoseconds, found " + timeoutNs);
        }
        final long boundedNs = Math.min(timeoutNs, Limits.LONGEST_TIMEOUT_NS);
        host.execute(() -> core.upkeep().drain(boundedNs));
        return core.upkeep().drain().result().copy();
    }

    /**
     * Tells clients to go away, ends open calls as {@link StatusCode#UNAVAILABLE}, and sends what was written, for at
     * most {@link Context#closeTimeoutNs()}. Idempotent. Called from within a handler or task, it takes effect when the
     * cycle has ended.
     */
    @Override
    public void close()
    {
        host.close();
    }

    /**
     * What the server has counted since its launch. Any thread, also after the close.
     *
     * @return the counters.
     */
    public RpcCounters counters()
    {
        return core.counters();
    }

    int callsInFlight()
    {
        return core.callsInFlight();
    }

    int sessionCount()
    {
        return core.sessionCount();
    }

    int outstandingBuffers()
    {
        return core.pool().outstanding();
    }

    /**
     * Settings of a server.
     */
    public static final class Context extends AgentContext<Context>
    {
        private int maxConnections = RpcConfiguration.count(
            RpcConfiguration.MAX_CONNECTIONS_PROP_NAME, RpcConfiguration.MAX_CONNECTIONS_DEFAULT);
        private final List<Transport> transports = new ArrayList<>();
        private final List<String> addresses = new ArrayList<>();
        private final List<ServiceSetting> services = new ArrayList<>();
        private AdmissionControl admission;
        private boolean healthService;
        private boolean schemaService;
        private final List<ServerInterceptor> interceptors = new ArrayList<>();

        /**
         * Settings from system properties and defaults.
         */
        public Context()
        {
            super("verbena-server");
        }

        /**
         * Adds an address to listen on. May be called for several, of the same transport or of different ones.
         *
         * @param transport to listen with, owned by the server from its launch on.
         * @param address   a URI that the transport serves; port 0 asks for a free one.
         * @return this.
         */
        public Context listen(final Transport transport, final String address)
        {
            transports.add(transport);
            addresses.add(address);
            return this;
        }

        /**
         * Adds a service, one of at most 512.
         *
         * @param service a generated adapter around its implementation.
         * @return this.
         */
        public Context service(final ServiceAdapter service)
        {
            return add(service, null, ServiceExecution.dutyCycle(), null);
        }

        /**
         * Adds a service, one of at most 512, whose handlers run on threads of its choice.
         *
         * @param service   a generated adapter around its implementation. An adapter reads requests with decoders that
         *                  it uses again, so one instance serves one thread at a time: the duty cycle or a pool of one
         *                  thread. For others see {@link #service(Supplier, ServiceExecution)}.
         * @param execution the threads.
         * @return this.
         */
        public Context service(final ServiceAdapter service, final ServiceExecution execution)
        {
            return add(service, null, execution, null);
        }

        /**
         * Adds a service, one of at most 512, whose handlers run on threads of its choice and which has limits of its
         * own.
         *
         * @param service   a generated adapter around its implementation, as for
         *                  {@link #service(ServiceAdapter, ServiceExecution)}.
         * @param execution the threads.
         * @param admission the limits, which count besides those of {@link #admission(AdmissionControl)}.
         * @return this.
         */
        public Context service(
            final ServiceAdapter service, final ServiceExecution execution, final AdmissionControl admission)
        {
            return add(service, null, execution, Objects.requireNonNull(admission, "admission"));
        }

        /**
         * Adds a service, one of at most 512, whose handlers run side by side.
         *
         * @param services  makes generated adapters, each a new one around an implementation that may be the same for
         *                  all and must then stand being called by several threads. Called at launch and then as
         *                  often as handlers run at a time for the first time; adapters are used again.
         * @param execution the threads.
         * @return this.
         */
        public Context service(final Supplier<? extends ServiceAdapter> services, final ServiceExecution execution)
        {
            return add(services.get(), services, execution, null);
        }

        /**
         * Adds a service, one of at most 512, whose handlers run side by side and which has limits of its own.
         *
         * @param services  makes generated adapters, as for {@link #service(Supplier, ServiceExecution)}.
         * @param execution the threads.
         * @param admission the limits, which count besides those of {@link #admission(AdmissionControl)}.
         * @return this.
         */
        public Context service(
            final Supplier<? extends ServiceAdapter> services,
            final ServiceExecution execution,
            final AdmissionControl admission)
        {
            return add(services.get(), services, execution, Objects.requireNonNull(admission, "admission"));
        }

        /**
         * Tells the services.
         *
         * @return the services, in the order they were added; of a service with a supplier, its first adapter.
         */
        public List<ServiceAdapter> services()
        {
            return services.stream().map(ServiceSetting::adapter).toList();
        }

        /**
         * Sets limits for the calls of all services together. With them, requests are taken off the transport into a
         * bounded queue and handled a few in each cycle, so that the server goes on reading, and refuses what is too
         * much, while it is busy.
         *
         * @param admission the limits; null, the default, for none: each request is handled as it is read.
         * @return this.
         */
        public Context admission(final AdmissionControl admission)
        {
            this.admission = admission;
            return this;
        }

        /**
         * Tells the limits for the calls of all services together.
         *
         * @return the limits, or null for none.
         */
        public AdmissionControl admission()
        {
            return admission;
        }

        /**
         * Sets the most connections that the server takes; further ones are refused with a reason.
         *
         * @param maxConnections 1 to 65536.
         * @return this.
         */
        public Context maxConnections(final int maxConnections)
        {
            this.maxConnections = maxConnections;
            return this;
        }

        /**
         * Tells the most connections that the server takes; further ones are refused with a reason.
         *
         * @return 1 to 65536.
         */
        public int maxConnections()
        {
            return maxConnections;
        }

        /**
         * Adds an interceptor, told of each call in the order of registration.
         *
         * @param interceptor to tell; its hooks run on the server's thread.
         * @return this.
         */
        public Context interceptor(final ServerInterceptor interceptor)
        {
            interceptors.add(Objects.requireNonNull(interceptor, "interceptor"));
            return this;
        }

        /**
         * Tells the interceptors.
         *
         * @return the interceptors, in the order they were added.
         */
        public List<ServerInterceptor> interceptors()
        {
            return Collections.unmodifiableList(interceptors);
        }

        /**
         * Sets whether clients can ask for the health of services, and watch it: see {@link HealthService}. The service
         * has the id 65001.
         *
         * @param healthService true to have the service; default false.
         * @return this.
         */
        public Context healthService(final boolean healthService)
        {
            this.healthService = healthService;
            return this;
        }

        /**
         * Tells whether clients can ask for the health of services.
         *
         * @return true to have the service; default false.
         */
        public boolean healthService()
        {
            return healthService;
        }

        /**
         * Sets whether clients can ask which services there are, with their methods and SBE schemas. The service has
         * the id 65002; clients use the generated {@code io.verbena.rpc.builtin.SchemaCatalogClient}. Off by default:
         * what a server can do is not for everybody to read.
         *
         * @param schemaService true to have the service; default false.
         * @return this.
         */
        public Context schemaService(final boolean schemaService)
        {
            this.schemaService = schemaService;
            return this;
        }

        /**
         * Tells whether clients can ask which services there are.
         *
         * @return true to have the service; default false.
         */
        public boolean schemaService()
        {
            return schemaService;
        }

        List<ServiceSetting> serviceSettings()
        {
            return services;
        }

        List<Transport> transports()
        {
            return transports;
        }

        List<String> addresses()
        {
            return addresses;
        }

        @Override
        Context self()
        {
            return this;
        }

        @Override
        void conclude()
        {
            super.conclude();
            Limits.require("maxConnections", maxConnections, 1, 1 << 16);
            if (addresses.isEmpty())
            {
                throw new IllegalStateException("listen: expected at least one address to listen on, found none");
            }
            Limits.require("service: number of services", services.size(), 0, Limits.MAX_SERVICES);
            if (services.isEmpty())
            {
                throw new IllegalStateException("service: expected at least one service, found none");
            }
            if (admission != null)
            {
                admission.conclude();
            }
            ServiceSetting.conclude(services);
        }

        private Context add(
            final ServiceAdapter service,
            final Supplier<? extends ServiceAdapter> supplier,
            final ServiceExecution execution,
            final AdmissionControl ownAdmission)
        {
            services.add(new ServiceSetting(service, supplier, execution, ownAdmission));
            return this;
        }
    }
}
