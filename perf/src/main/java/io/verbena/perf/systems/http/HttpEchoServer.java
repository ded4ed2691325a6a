/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.systems.http;

import io.verbena.perf.systems.EchoServer;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;

/**
 * Answers a POST with its own body.
 */
final class HttpEchoServer implements EchoServer
{
    private static final String HOST = "127.0.0.1";

    private final Vertx vertx;
    private final String address;

    HttpEchoServer(final Vertx vertx, final boolean isHttp2) throws Exception
    {
        this.vertx = vertx;
        final HttpServerOptions options = new HttpServerOptions()
            .setTcpNoDelay(true)
            .setCompressionSupported(false)
            .setDecompressionSupported(false)
            .setHttp2ClearTextEnabled(isHttp2)
            .setStrictThreadMode(true);
        final HttpServer server = vertx.createHttpServer(options).requestHandler(this::onRequest);
        address = HOST + ":" + HttpVertx.await(server.listen(0, HOST)).actualPort();
    }

    private void onRequest(final HttpServerRequest request)
    {
        request.bodyHandler(request.response()::end);
    }

    @Override
    public String address()
    {
        return address;
    }

    @Override
    public int poll()
    {
        return 0;
    }

    @Override
    public boolean isPolled()
    {
        return false;
    }

    @Override
    public void close()
    {
        HttpVertx.close(vertx);
    }
}
