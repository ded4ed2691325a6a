/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.systems.aeron;

import io.aeron.ExclusivePublication;
import io.aeron.FragmentAssembler;
import io.aeron.Image;
import io.aeron.Publication;
import io.aeron.Subscription;
import io.aeron.logbuffer.BufferClaim;
import io.aeron.logbuffer.FragmentHandler;
import io.aeron.logbuffer.Header;
import io.verbena.perf.systems.EchoServer;
import org.agrona.DirectBuffer;

/**
 * Echoes each message of the request stream into the response stream. Over UDP the client's first message names the
 * channel on which it listens.
 */
final class AeronEchoServer implements EchoServer
{
    static final int REQUEST_STREAM_ID = 1001;
    static final int RESPONSE_STREAM_ID = 1002;
    private static final int FRAGMENT_LIMIT = 10;

    private final AeronEndpoint endpoint;
    private final Subscription subscription;
    private final String address;
    private final BufferClaim claim = new BufferClaim();
    private final FragmentHandler handler;
    private Image image;
    private ExclusivePublication publication;
    private String responseChannel;

    AeronEchoServer(
        final AeronEndpoint endpoint,
        final Subscription subscription,
        final String address,
        final String responseChannel)
    {
        this.endpoint = endpoint;
        this.subscription = subscription;
        this.address = address;
        this.responseChannel = responseChannel;
        handler = new FragmentAssembler(this::onMessage);
        if (responseChannel != null)
        {
            publication = endpoint.aeron().addExclusivePublication(responseChannel, RESPONSE_STREAM_ID);
        }
    }

    @Override
    public String address()
    {
        return address;
    }

    @Override
    public int poll()
    {
        final int work = endpoint.dutyCycle();
        if (image == null)
        {
            image = subscription.imageCount() == 0 ? null : subscription.imageAtIndex(0);
            return work;
        }
        final int fragments = image.poll(handler, FRAGMENT_LIMIT);
        if (publication == null && responseChannel != null)
        {
            // Not in the handler: adding a publication waits for the driver, which this thread runs.
            publication = endpoint.aeron().addExclusivePublication(responseChannel, RESPONSE_STREAM_ID);
        }
        return work + fragments;
    }

    private void onMessage(final DirectBuffer buffer, final int offset, final int length, final Header header)
    {
        if (publication == null)
        {
            responseChannel = buffer.getStringAscii(offset);
            return;
        }
        while (!isEchoed(buffer, offset, length))
        {
            endpoint.runAll();
        }
    }

    private boolean isEchoed(final DirectBuffer buffer, final int offset, final int length)
    {
        final long position;
        if (length <= publication.maxPayloadLength())
        {
            position = publication.tryClaim(length, claim);
            if (position > 0)
            {
                claim.buffer().putBytes(claim.offset(), buffer, offset, length);
                claim.commit();
            }
        }
        else
        {
            position = publication.offer(buffer, offset, length);
        }
        if (position == Publication.CLOSED || position == Publication.MAX_POSITION_EXCEEDED)
        {
            throw new IllegalStateException("response publication: " + Publication.errorString(position));
        }
        return position > 0;
    }

    @Override
    public void close()
    {
        endpoint.close();
    }
}
