/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.aeron;

import java.util.ArrayList;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.Image;
import io.aeron.Subscription;
import io.aeron.status.ChannelEndpointStatus;
import io.verbena.rpc.transport.Listener;
import org.agrona.CloseHelper;

/**
 * Where peers arrive: one subscription, whose images become stream pairs. It outlives its {@link Listener} while
 * connections that came through it live, because their images belong to it, and it comes back on the same address after
 * its session was lost.
 */
final class AeronEndpoint implements Listener
{
    private final AeronLoop transport;
    private final DriverSession session;
    private final ArrayList<Image> held = new ArrayList<>();
    private AeronAddress address;
    private boolean accepting = true;
    private int pairs;

    private long subscriptionId = Aeron.NULL_VALUE;
    private long prototypeId = Aeron.NULL_VALUE;
    private Subscription subscription;
    private ExclusivePublication prototype;
    private boolean open;
    private long retryAtNs;
    private boolean waiting;

    AeronEndpoint(final AeronLoop transport, final DriverSession session, final AeronAddress address)
    {
        this.transport = transport;
        this.session = session;
        this.address = address;
    }

    @Override
    public String address()
    {
        return boundAddress().toString();
    }

    AeronAddress boundAddress()
    {
        return address;
    }

    DriverSession session()
    {
        return session;
    }

    boolean isOpen()
    {
        return open;
    }

    boolean isAccepting()
    {
        return accepting;
    }

    /** The same address is listened on again while old connections still hold the endpoint. */
    void acceptAgain()
    {
        accepting = true;
        transport.eventPending();
    }

    @Override
    public void close()
    {
        accepting = false;
        transport.eventPending();
    }

    void pairOpened()
    {
        ++pairs;
    }

    void pairClosed()
    {
        --pairs;
    }

    boolean isUnused()
    {
        return !accepting && pairs == 0;
    }

    /** By the id, which is known before the subscription: images may arrive together with it. */
    boolean owns(final DriverSession arrivedAt, final Image image)
    {
        return arrivedAt == session && image.subscription().registrationId() == subscriptionId;
    }

    /** An image that comes while nobody accepts waits for a new listener, or ends with the endpoint. */
    void hold(final Image image)
    {
        held.add(image);
    }

    /**
     * The next image that became a peer.
     *
     * @return an image or null.
     */
    Image takeHeld()
    {
        while (accepting && !held.isEmpty())
        {
            final Image image = held.remove(0);
            if (!image.isClosed())
            {
                return image;
            }
        }
        if (!accepting)
        {
            held.removeIf(Image::isClosed);
        }
        return null;
    }

    /**
     * One look at the present step of opening.
     *
     * @return true when open.
     * @throws RuntimeException from Aeron: the address cannot be bound.
     */
    boolean tryOpen()
    {
        final Aeron aeron = session.aeron();
        if (subscriptionId == Aeron.NULL_VALUE)
        {
            subscriptionId = aeron.asyncAddSubscription(
                transport.channels().requestSubscription(address), address.requestStream());
        }
        if (subscription == null)
        {
            subscription = aeron.getSubscription(subscriptionId);
        }
        if (subscription == null || !address.isUdp())
        {
            open = subscription != null;
            return open;
        }
        if (prototypeId == Aeron.NULL_VALUE)
        {
            if (subscription.channelStatus() != ChannelEndpointStatus.ACTIVE || subscription.resolvedEndpoint() == null)
            {
                return false;
            }
            final String bound = subscription.resolvedEndpoint();
            address = address.withPort(Integer.parseInt(bound.substring(bound.lastIndexOf(':') + 1)));
            prototypeId = aeron.asyncAddExclusivePublication(
                transport.channels().responsePrototype(address), address.responseStream());
        }
        prototype = aeron.getExclusivePublication(prototypeId);
        open = prototype != null && prototype.channelStatus() == ChannelEndpointStatus.ACTIVE;
        return open;
    }

    /**
     * Gives up an attempt to open.
     *
     * @param again the address of the next one.
     */
    void abandon(final AeronAddress again)
    {
        release();
        address = again;
    }

    /** After the loss of the session: opens again, as often as it takes. */
    void work(final long nowNs)
    {
        if (open || waiting && nowNs - retryAtNs < 0 || !session.tryStart(nowNs))
        {
            return;
        }
        waiting = false;
        try
        {
            tryOpen();
        }
        catch (final RuntimeException e)
        {
            transport.errors().onError(e);
            release();
            waiting = true;
            retryAtNs = nowNs + AeronLoop.RETRY_INTERVAL_NS;
        }
    }

    void sessionLost(final DriverSession lost)
    {
        if (lost == session)
        {
            forget();
        }
    }

    /** Gives everything back to Aeron. */
    void release()
    {
        if (session.isUp())
        {
            final Aeron aeron = session.aeron();
            if (prototype != null)
            {
                CloseHelper.close(transport.errors(), prototype);
            }
            else if (prototypeId != Aeron.NULL_VALUE)
            {
                aeron.asyncRemovePublication(prototypeId);
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
        forget();
    }

    private void forget()
    {
        subscriptionId = Aeron.NULL_VALUE;
        prototypeId = Aeron.NULL_VALUE;
        subscription = null;
        prototype = null;
        open = false;
        held.clear();
    }
}
