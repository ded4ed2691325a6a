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
import io.verbena.perf.systems.EchoHandler;
import io.verbena.perf.systems.EchoPayload;
import io.verbena.perf.systems.PolledClient;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteBuffer;

/**
 * Sends into the request stream by tryClaim, and takes echoes from the response stream.
 */
final class AeronEchoClient implements PolledClient
{
    private static final int FRAGMENT_LIMIT = 10;

    private final AeronEndpoint endpoint;
    private final ExclusivePublication publication;
    private final Image image;
    private final BufferClaim claim = new BufferClaim();
    private final FragmentHandler fragmentHandler;
    private final UnsafeBuffer template;
    private final int payloadLength;
    private final boolean isClaimed;
    private EchoHandler echoHandler;

    AeronEchoClient(
        final AeronEndpoint endpoint,
        final ExclusivePublication publication,
        final Subscription subscription,
        final int payloadLength)
    {
        this.endpoint = endpoint;
        this.publication = publication;
        this.payloadLength = payloadLength;
        image = subscription.imageAtIndex(0);
        isClaimed = payloadLength <= publication.maxPayloadLength();
        template = new UnsafeBuffer(ByteBuffer.allocateDirect(payloadLength));
        EchoPayload.fill(template, 0, payloadLength);
        final FragmentHandler onMessage = this::onMessage;
        fragmentHandler = isClaimed ? onMessage : new FragmentAssembler(onMessage);
    }

    @Override
    public boolean trySend(final long stampNs, final long sequence)
    {
        final long position;
        if (isClaimed)
        {
            position = publication.tryClaim(payloadLength, claim);
            if (position > 0)
            {
                final MutableDirectBuffer buffer = claim.buffer();
                final int offset = claim.offset();
                buffer.putBytes(offset, template, 0, payloadLength);
                EchoPayload.write(buffer, offset, stampNs, sequence);
                claim.commit();
            }
        }
        else
        {
            EchoPayload.write(template, 0, stampNs, sequence);
            position = publication.offer(template, 0, payloadLength);
        }
        if (position == Publication.CLOSED || position == Publication.MAX_POSITION_EXCEEDED)
        {
            throw new IllegalStateException("request publication: " + Publication.errorString(position));
        }
        if (position <= 0)
        {
            endpoint.hurry();
        }
        return position > 0;
    }

    @Override
    public int poll(final EchoHandler handler)
    {
        echoHandler = handler;
        final int work = endpoint.dutyCycle();
        return work + image.poll(fragmentHandler, FRAGMENT_LIMIT);
    }

    private void onMessage(final DirectBuffer buffer, final int offset, final int length, final Header header)
    {
        EchoPayload.deliver(buffer, offset, length, payloadLength, echoHandler);
    }

    @Override
    public void close()
    {
        endpoint.close();
    }
}
