/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.systems.aeron;

import io.aeron.ExclusivePublication;
import io.aeron.Image;
import io.aeron.Publication;
import io.aeron.logbuffer.BufferClaim;
import io.aeron.logbuffer.FragmentHandler;
import io.aeron.logbuffer.Header;
import io.verbena.perf.systems.EchoPayload;
import io.verbena.perf.systems.StreamTally;
import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteBuffer;

/**
 * One end of a run with bare Aeron streams: publishes items as fast as they are taken, polls those of the other end.
 * <p>
 * Design note: over UDP the driver sends about one datagram each time it is run, so a datagram's worth of items is
 * published between two of its turns; more would only wait in the log, less would send datagrams half full. Over shared
 * memory the batch decides how often the clock is looked at, no more.
 */
final class AeronStreamEnd
{
    private static final int FRAGMENT_LIMIT = 256;
    private static final int IPC_BATCH = 64;
    private static final int FRAME_HEADER_LENGTH = 32;
    private static final int FRAME_ALIGNMENT = 32;

    private final AeronEndpoint endpoint;
    private final int payloadLength;
    private final int batch;
    private final StreamTally tally = new StreamTally();
    private final BufferClaim claim = new BufferClaim();
    private final FragmentHandler handler = this::onItem;
    private final UnsafeBuffer template;
    private ExclusivePublication publication;
    private Image image;
    private volatile boolean isStopped;
    private volatile boolean hasStopped;

    AeronStreamEnd(final AeronEndpoint endpoint, final AeronSettings settings, final int payloadLength)
    {
        this.endpoint = endpoint;
        this.payloadLength = payloadLength;
        final int frameLength = BitUtil.align(payloadLength + FRAME_HEADER_LENGTH, FRAME_ALIGNMENT);
        batch = settings.isUdp() ? Math.max(1, settings.mtu() / frameLength) : IPC_BATCH;
        template = new UnsafeBuffer(ByteBuffer.allocateDirect(payloadLength));
        EchoPayload.fill(template, 0, payloadLength);
    }

    /**
     * Items go out from now on.
     *
     * @param newPublication to send with.
     */
    void sendTo(final ExclusivePublication newPublication)
    {
        publication = newPublication;
    }

    /**
     * Items come in from now on.
     *
     * @param newImage to poll.
     */
    void receiveFrom(final Image newImage)
    {
        image = newImage;
    }

    StreamTally tally()
    {
        return tally;
    }

    /**
     * Any thread.
     */
    void stopSending()
    {
        isStopped = true;
    }

    /**
     * Any thread.
     */
    boolean hasStopped()
    {
        return hasStopped;
    }

    int poll()
    {
        int work = endpoint.dutyCycle();
        if (image != null)
        {
            work += image.poll(handler, FRAGMENT_LIMIT);
        }
        if (isStopped)
        {
            tally.publish();
            hasStopped = true;
            return work;
        }
        if (publication != null)
        {
            work += sendBatch();
        }
        tally.publish();
        return work;
    }

    private int sendBatch()
    {
        for (int i = 0; i < batch; i++)
        {
            long position = publication.tryClaim(payloadLength, claim);
            if (position == Publication.ADMIN_ACTION)
            {
                // The log has just been rotated: there is room now.
                position = publication.tryClaim(payloadLength, claim);
            }
            if (position <= 0)
            {
                if (position == Publication.CLOSED || position == Publication.MAX_POSITION_EXCEEDED)
                {
                    throw new IllegalStateException("publication: " + Publication.errorString(position));
                }
                endpoint.hurry();
                return i;
            }
            final MutableDirectBuffer buffer = claim.buffer();
            final int offset = claim.offset();
            buffer.putBytes(offset, template, 0, payloadLength);
            EchoPayload.write(buffer, offset, 0, tally.nextSequence());
            claim.commit();
            tally.onSent();
        }
        return batch;
    }

    private void onItem(final DirectBuffer buffer, final int offset, final int length, final Header header)
    {
        tally.onReceived(EchoPayload.sequenceOf(buffer, offset, length, payloadLength));
    }
}
