/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.systems.http;

import io.verbena.perf.systems.EchoPayload;
import io.verbena.perf.systems.EchoSetup;
import io.verbena.perf.systems.EventClient;
import io.verbena.perf.systems.PacedLoad;
import io.vertx.core.AsyncResult;
import io.vertx.core.Context;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientConnection;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpConnectOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.internal.ContextInternal;
import org.agrona.concurrent.UnsafeBuffer;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * Posts messages over one connection, all from its event loop. The connection is held directly: there is no pool in
 * which a request could wait.
 */
final class HttpEchoClient implements EventClient
{
    /**
     * More than a rate that HTTP can keep has in flight on a loopback interface, so that no request waits for its
     * turn; a rate beyond that fails by its own account and not for want of memory.
     */
    private static final int IN_FLIGHT_LIMIT = 4096;
    private static final long CONNECT_TIMEOUT_S = 10;

    private final Vertx vertx;
    private final ContextInternal context;
    /** Held, since Vert.x closes the connections of a client that the garbage collector finds. */
    private final HttpClientAgent agent;
    private final HttpClientConnection connection;
    private final RequestOptions requestOptions;
    private final int payloadLength;
    private final byte[] sentBytes;
    private final UnsafeBuffer sentView;
    private final byte[] receivedBytes;
    private final UnsafeBuffer receivedView;
    private final Buffer sharedBody;
    private final Runnable pump = this::pump;
    private int inFlight;
    private PacedLoad load;
    private CompletableFuture<Void> whenDone;

    HttpEchoClient(final Vertx vertx, final EchoSetup setup, final String address, final boolean isHttp2)
        throws Exception
    {
        this.vertx = vertx;
        payloadLength = setup.payloadLength();
        sentBytes = new byte[payloadLength];
        sentView = new UnsafeBuffer(sentBytes);
        receivedBytes = new byte[payloadLength];
        receivedView = new UnsafeBuffer(receivedBytes);
        EchoPayload.fill(sentView, 0, payloadLength);
        sharedBody = setup.closedLoop() ? Buffer.buffer(sentBytes) : null;
        final int colon = address.lastIndexOf(':');
        final String host = address.substring(0, colon);
        final int port = Integer.parseInt(address.substring(colon + 1));
        requestOptions = new RequestOptions().setMethod(HttpMethod.POST).setHost(host).setPort(port).setURI("/");
        final HttpClientOptions options = new HttpClientOptions()
            .setTcpNoDelay(true)
            .setKeepAlive(true)
            .setPipelining(!setup.closedLoop())
            .setPipeliningLimit(IN_FLIGHT_LIMIT)
            .setDecompressionSupported(false)
            .setProtocolVersion(isHttp2 ? HttpVersion.HTTP_2 : HttpVersion.HTTP_1_1)
            .setHttp2ClearTextUpgrade(false);
        final Context eventLoop = vertx.getOrCreateContext();
        context = (ContextInternal)eventLoop;
        final CompletableFuture<HttpClientConnection> connected = new CompletableFuture<>();
        agent = vertx.createHttpClient(options);
        context.runOnContext(
            ignored -> agent
                .connect(new HttpConnectOptions().setHost(host).setPort(port))
                .onComplete(connected::complete, connected::completeExceptionally));
        connection = connected.get(CONNECT_TIMEOUT_S, TimeUnit.SECONDS);
    }

    @Override
    public void run(final PacedLoad newLoad) throws InterruptedException
    {
        final CompletableFuture<Void> done = new CompletableFuture<>();
        context.runOnContext(ignored -> start(newLoad, done));
        try
        {
            done.get();
        }
        catch (final ExecutionException ex)
        {
            throw new IllegalStateException("http client: " + ex.getCause(), ex.getCause());
        }
    }

    private void start(final PacedLoad newLoad, final CompletableFuture<Void> done)
    {
        load = newLoad;
        whenDone = done;
        connection.closeHandler(ignored -> fail(new IllegalStateException("the server closed the connection")));
        if (load.isClosedLoop())
        {
            sendDue();
        }
        else
        {
            pump();
        }
    }

    /**
     * One look at the clock, and again after the event loop has seen to its sockets. The loop so never sleeps while a
     * rate is kept: a sleeping one would send late, and the delay would count as latency of HTTP.
     */
    private void pump()
    {
        if (whenDone.isDone())
        {
            return;
        }
        sendDue();
        if (!isFinished())
        {
            context.nettyEventLoop().execute(pump);
        }
    }

    private boolean isFinished()
    {
        if (load.isDone(load.nowNs()))
        {
            whenDone.complete(null);
            return true;
        }
        return false;
    }

    private void sendDue()
    {
        final long stampNs = load.dueStampNs(load.nowNs());
        if (stampNs != PacedLoad.NOT_DUE && inFlight < IN_FLIGHT_LIMIT)
        {
            inFlight++;
            EchoPayload.write(sentView, 0, stampNs, load.nextSequence());
            load.onSent();
            connection.request(requestOptions).onComplete(new Call(bodyToSend()));
        }
    }

    /**
     * In a closed loop the last body has left when the next one is written; at a rate each needs bytes of its own.
     *
     * @return the body with what the view holds.
     */
    private Buffer bodyToSend()
    {
        return sharedBody != null ? sharedBody.setBytes(0, sentBytes) : Buffer.buffer(sentBytes);
    }

    private void onEcho(final Buffer body)
    {
        inFlight--;
        if (body.length() == payloadLength)
        {
            body.getBytes(receivedBytes);
        }
        EchoPayload.deliver(receivedView, 0, body.length(), payloadLength, load);
        if (load.isClosedLoop() && !isFinished())
        {
            sendDue();
        }
    }

    private void fail(final Throwable cause)
    {
        whenDone.completeExceptionally(cause);
    }

    @Override
    public void close()
    {
        connection.closeHandler(null);
        agent.close();
        HttpVertx.close(vertx);
    }

    /**
     * One call, from request to the last byte of its response.
     */
    private final class Call implements Handler<AsyncResult<HttpClientRequest>>
    {
        private final Buffer requestBody;
        private Buffer responseBody;

        Call(final Buffer requestBody)
        {
            this.requestBody = requestBody;
        }

        @Override
        public void handle(final AsyncResult<HttpClientRequest> result)
        {
            if (result.failed())
            {
                fail(result.cause());
                return;
            }
            final HttpClientRequest request = result.result();
            request.response().onComplete(this::onResponse, HttpEchoClient.this::fail);
            request.end(requestBody);
        }

        private void onResponse(final HttpClientResponse response)
        {
            if (response.statusCode() != 200)
            {
                fail(new IllegalStateException("status 200 expected, found " + response.statusCode()));
                return;
            }
            response.handler(this::onChunk);
            response.endHandler(this::onEnd);
        }

        private void onChunk(final Buffer chunk)
        {
            responseBody =
                responseBody == null ? chunk : Buffer.buffer().appendBuffer(responseBody).appendBuffer(chunk);
        }

        private void onEnd(final Void ignored)
        {
            try
            {
                onEcho(responseBody == null ? Buffer.buffer() : responseBody);
            }
            catch (final RuntimeException ex)
            {
                fail(ex);
            }
        }
    }
}
