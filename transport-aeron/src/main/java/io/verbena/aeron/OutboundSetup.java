/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.aeron;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.Subscription;
import org.agrona.CloseHelper;

/**
 * Connects to a listening peer by a response channel: first a subscription for the answers, then a publication that
 * names it, so that this side needs no port of its own. It tries on while connections wait for it.
 */
final class OutboundSetup implements ConnectionSetup
{
    private static final long MIN_ATTEMPT_NS = 1_000_000_000L;

    private final AeronLoop transport;
    private final AeronAddress asked;
    private final DriverSession session;
    private AeronAddress address;
    private Lookup lookup;
    private final long attemptNs;
    private long attemptedNs;
    private long retryAtNs;
    private boolean waiting;
    private long subscriptionId = Aeron.NULL_VALUE;
    private long publicationId = Aeron.NULL_VALUE;
    private Subscription subscription;
    private ExclusivePublication publication;

    OutboundSetup(final AeronLoop transport, final AeronAddress address, final DriverSession session)
    {
        this.transport = transport;
        this.asked = address;
        this.address = address.isNamed() ? null : address;
        this.session = session;
        attemptNs = Math.max(transport.context().livenessTimeoutNs(), MIN_ATTEMPT_NS);
    }

    @Override
    public boolean isInbound()
    {
        return false;
    }

    @Override
    public boolean isAccepting()
    {
        return false;
    }

    @Override
    public DriverSession session()
    {
        return session;
    }

    @Override
    public void work(final StreamPair pair, final long nowNs)
    {
        if (waiting && nowNs - retryAtNs < 0 || !session.tryStart(nowNs))
        {
            return;
        }
        waiting = false;
        try
        {
            if (publicationId != Aeron.NULL_VALUE && nowNs - attemptedNs > attemptNs)
            {
                // The subscription is bound to the first answer it got. If that came from a server that has lost its
                // driver since, no other answer will do: ask anew.
                cancel();
            }
            if (isResolved())
            {
                step(pair, nowNs);
            }
        }
        catch (final RuntimeException e)
        {
            // Such as a name that does not resolve: it may later.
            transport.errors().onError(e);
            cancel();
            waiting = true;
            retryAtNs = nowNs + AeronLoop.RETRY_INTERVAL_NS;
        }
    }

    /** A name may take seconds to resolve, so that is done beside the transport's thread. */
    private boolean isResolved()
    {
        if (address == null && lookup == null)
        {
            lookup = new Lookup(asked.host());
        }
        else if (address == null && lookup.isDone())
        {
            final Lookup done = lookup;
            lookup = null;
            address = asked.at(done.result());
        }
        return address != null;
    }

    private void step(final StreamPair pair, final long nowNs)
    {
        final Aeron aeron = session.aeron();
        if (subscriptionId == Aeron.NULL_VALUE)
        {
            subscriptionId = aeron.asyncAddSubscription(
                transport.channels().responseSubscription(address), address.responseStream());
        }
        if (subscription == null)
        {
            subscription = aeron.getSubscription(subscriptionId);
        }
        if (subscription != null && publicationId == Aeron.NULL_VALUE)
        {
            attemptedNs = nowNs;
            publicationId = aeron.asyncAddExclusivePublication(
                transport.channels().requestPublication(address, subscription.registrationId()),
                address.requestStream());
        }
        if (publicationId != Aeron.NULL_VALUE && publication == null)
        {
            publication = aeron.getExclusivePublication(publicationId);
        }
        if (publication != null && publication.isConnected() && subscription.imageCount() > 0)
        {
            pair.connected(publication, subscription.imageAtIndex(0), subscription);
        }
    }

    @Override
    public void restart()
    {
        // The session's end has freed everything of it.
        subscriptionId = Aeron.NULL_VALUE;
        publicationId = Aeron.NULL_VALUE;
        subscription = null;
        publication = null;
    }

    @Override
    public void cancel()
    {
        if (session.isUp())
        {
            final Aeron aeron = session.aeron();
            if (publication != null)
            {
                CloseHelper.close(transport.errors(), publication);
            }
            else if (publicationId != Aeron.NULL_VALUE)
            {
                aeron.asyncRemovePublication(publicationId);
            }
            if (subscription != null)
            {
                CloseHelper.close(transport.errors(), subscription);
            }
            else if (subscriptionId != Aeron.NULL_VALUE)
            {
                aeron.asyncRemoveSubscription(subscriptionId);
            }
        }
        restart();
    }
}
