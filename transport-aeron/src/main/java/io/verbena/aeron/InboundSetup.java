/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.aeron;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.Image;
import io.verbena.rpc.transport.DisconnectCause;
import org.agrona.CloseHelper;

/**
 * Answers a peer whose publication arrived at an endpoint, by a publication that names the arrived image. The image is
 * not polled before the answer stands, so that nothing is delivered on a pair that cannot answer.
 */
final class InboundSetup implements ConnectionSetup
{
    private final AeronLoop transport;
    private final AeronEndpoint endpoint;
    private final Image image;
    private final long startedNs;
    private long publicationId = Aeron.NULL_VALUE;
    private ExclusivePublication publication;

    InboundSetup(final AeronLoop transport, final AeronEndpoint endpoint, final Image image, final long nowNs)
    {
        this.transport = transport;
        this.endpoint = endpoint;
        this.image = image;
        this.startedNs = nowNs;
    }

    @Override
    public boolean isInbound()
    {
        return true;
    }

    @Override
    public DriverSession session()
    {
        return endpoint.session();
    }

    @Override
    public boolean isAccepting()
    {
        return endpoint.isAccepting();
    }

    AeronEndpoint endpoint()
    {
        return endpoint;
    }

    @Override
    public void work(final StreamPair pair, final long nowNs)
    {
        if (image.isClosed() || nowNs - startedNs > transport.context().connectTimeoutNs())
        {
            pair.end(DisconnectCause.CONNECT_TIMEOUT);
            return;
        }
        try
        {
            step(pair);
        }
        catch (final RuntimeException e)
        {
            // Such as a publisher that asked for no answers: no peer of ours.
            transport.errors().onError(e);
            publicationId = Aeron.NULL_VALUE;
            pair.end(DisconnectCause.PROTOCOL_ERROR);
        }
    }

    private void step(final StreamPair pair)
    {
        final Aeron aeron = endpoint.session().aeron();
        if (publicationId == Aeron.NULL_VALUE)
        {
            publicationId = aeron.asyncAddExclusivePublication(
                transport.channels().responsePublication(endpoint.boundAddress(), image.correlationId()),
                endpoint.boundAddress().responseStream());
        }
        if (publication == null)
        {
            publication = aeron.getExclusivePublication(publicationId);
        }
        if (publication != null && publication.isConnected())
        {
            pair.connected(publication, image, null);
        }
    }

    @Override
    public void restart()
    {
        throw new IllegalStateException("the peer's image ended with the session");
    }

    @Override
    public void cancel()
    {
        if (!endpoint.session().isUp())
        {
            return;
        }
        if (publication != null)
        {
            CloseHelper.close(transport.errors(), publication);
        }
        else if (publicationId != Aeron.NULL_VALUE)
        {
            endpoint.session().aeron().asyncRemovePublication(publicationId);
        }
    }
}
