/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.systems.aeron;

import io.aeron.ExclusivePublication;
import io.aeron.Image;
import io.aeron.Subscription;
import io.aeron.logbuffer.FragmentHandler;
import io.aeron.logbuffer.Header;
import io.verbena.perf.systems.WatchedServer;
import io.vertx.core.json.JsonObject;
import org.agrona.DirectBuffer;

/**
 * The server's end of a run with bare Aeron streams. Both directions are connected in any case, as Verbena's are; items
 * travel in those that the kind has.
 */
final class AeronStreamServer implements WatchedServer
{
    private final AeronEndpoint endpoint;
    private final Subscription subscription;
    private final String address;
    private final boolean isSending;
    private final AeronStreamEnd end;
    private final FragmentHandler helloHandler = this::onHello;
    private String responseChannel;
    private boolean isHelloAwaited;
    private Image image;
    private ExclusivePublication publication;

    /**
     * A server without a client.
     *
     * @param endpoint        of Aeron.
     * @param subscription    that the client publishes to.
     * @param address         for the client.
     * @param responseChannel to publish to, or null where the client's first message names it.
     * @param isSending       whether items go to the client.
     * @param end             that counts.
     */
    AeronStreamServer(
        final AeronEndpoint endpoint,
        final Subscription subscription,
        final String address,
        final String responseChannel,
        final boolean isSending,
        final AeronStreamEnd end)
    {
        this.endpoint = endpoint;
        this.subscription = subscription;
        this.address = address;
        this.responseChannel = responseChannel;
        this.isSending = isSending;
        this.end = end;
        isHelloAwaited = responseChannel == null;
    }

    @Override
    public String address()
    {
        return address;
    }

    @Override
    public int poll()
    {
        return publication == null || isHelloAwaited || image == null ? connect() : end.poll();
    }

    private int connect()
    {
        final int work = endpoint.runAll();
        if (publication == null && responseChannel != null)
        {
            // Not in a handler: adding a publication waits for the driver, which this thread runs.
            publication =
                endpoint.aeron().addExclusivePublication(responseChannel, AeronEchoServer.RESPONSE_STREAM_ID);
            if (isSending)
            {
                end.sendTo(publication);
            }
        }
        if (image == null && subscription.imageCount() > 0)
        {
            image = subscription.imageAtIndex(0);
            end.receiveFrom(image);
        }
        return image != null && isHelloAwaited ? work + image.poll(helloHandler, 1) : work;
    }

    private void onHello(final DirectBuffer buffer, final int offset, final int length, final Header header)
    {
        responseChannel = buffer.getStringAscii(offset);
        isHelloAwaited = false;
    }

    @Override
    public void stopSending()
    {
        end.stopSending();
    }

    @Override
    public boolean hasStopped()
    {
        return end.hasStopped();
    }

    @Override
    public void addCounters(final JsonObject counters)
    {
        end.tally().addTo(counters);
    }

    @Override
    public void close()
    {
        endpoint.close();
    }
}
