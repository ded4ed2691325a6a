/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.systems.http;

import io.verbena.perf.systems.EchoClient;
import io.verbena.perf.systems.EchoServer;
import io.verbena.perf.systems.EchoSetup;
import io.verbena.perf.systems.RowSettings;
import io.verbena.perf.systems.SystemUnderTest;

import java.util.List;

/**
 * HTTP by Vert.x: a POST whose body comes back as the body of the response, over one connection that stays open.
 * docs/perf.md says how it is tuned and why.
 */
public final class HttpSystem implements SystemUnderTest
{
    private final String name;
    private final String description;
    private final boolean isHttp2;
    private final boolean isBusy;

    private HttpSystem(final String name, final String description, final boolean isHttp2, final boolean isBusy)
    {
        this.name = name;
        this.description = description;
        this.isHttp2 = isHttp2;
        this.isBusy = isBusy;
    }

    /**
     * HTTP/1.1 whose event loops sleep when there is nothing to do, as everybody runs it.
     *
     * @return the system.
     */
    public static HttpSystem http1()
    {
        return new HttpSystem("http1", "HTTP/1.1 by Vert.x, tuned; event loops sleep when idle", false, false);
    }

    /**
     * HTTP/1.1 whose event loops spin: like is compared with like.
     *
     * @return the system.
     */
    public static HttpSystem http1Busy()
    {
        return new HttpSystem("http1-busy", "HTTP/1.1 by Vert.x, tuned; event loops spin", false, true);
    }

    /**
     * HTTP/2 without TLS, by prior knowledge.
     *
     * @return the system.
     */
    public static HttpSystem http2()
    {
        return new HttpSystem("http2", "HTTP/2 (h2c) by Vert.x, tuned; event loops sleep when idle", true, false);
    }

    @Override
    public String name()
    {
        return name;
    }

    @Override
    public String description()
    {
        return description;
    }

    @Override
    public int maxPayloadLength()
    {
        return 1024 * 1024;
    }

    @Override
    public RowSettings settings(final boolean closedLoop)
    {
        final String clientWait = closedLoop ? "sleep" : "sleep in the server; the client spins, to keep its pace";
        final String idle = isBusy ? "epoll polled in a loop" : "blocking epoll_wait";
        return new RowSettings(
            isBusy ? "spin" : clientWait,
            "one event loop at each end",
            HttpVertx.isNative() ? idle : "java.nio selector",
            0,
            0,
            "default",
            "Vert.x on " + HttpVertx.transportName() + ", TCP_NODELAY, one kept-alive connection" +
            (isHttp2 ? ", prior knowledge" : closedLoop ? "" : ", pipelined"));
    }

    @Override
    public List<String> jvmFlags()
    {
        return List.of(
            "--sun-misc-unsafe-memory-access=allow",
            "-Dio.netty.noUnsafe=false",
            "-Dio.netty.buffer.checkBounds=false",
            "-Dio.netty.buffer.checkAccessible=false",
            "-Dio.netty.leakDetection.level=disabled",
            "-Dvertx.disableMetrics=true",
            "-Dvertx.disableWebsockets=true",
            "-Dvertx.disableContextTimings=true",
            "-Dvertx.disableHttpHeadersValidation=true");
    }

    @Override
    public EchoServer startServer(final EchoSetup setup) throws Exception
    {
        return new HttpEchoServer(HttpVertx.create(isBusy), isHttp2);
    }

    @Override
    public EchoClient connect(final EchoSetup setup, final String address) throws Exception
    {
        return new HttpEchoClient(HttpVertx.create(isBusy), setup, address, isHttp2);
    }
}
