/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * One call of a service that has a {@link ServiceLane}, from its request to its end. While the call is open it stands
 * in the place of the service's adapter, and passes on what the call is told: at once on the duty cycle, or by an
 * {@link OffThreadWork} to another thread. Server's thread alone, but for {@link #isOpen()}.
 */
final class LaneCall implements ServiceAdapter
{
    private final ServiceLane lane;
    private ServerSession session;
    private long correlationId;
    private int methodId;
    private UnsafeBuffer request;
    private int requestLength;
    private Metadata metadata;
    private long queuedNs;
    private boolean isStarted;
    private boolean isEnded;
    private boolean isStream;
    private OffThreadWork work;
    private OffThreadItems items;
    private volatile Object attachment;
    private volatile boolean isOpen;

    LaneCall(final ServiceLane lane)
    {
        this.lane = lane;
    }

    ServiceLane lane()
    {
        return lane;
    }

    LaneCall set(final ServerSession newSession, final long newCorrelationId, final int newMethodId)
    {
        isStream = false;
        items = null;
        attachment = null;
        session = newSession;
        correlationId = newCorrelationId;
        methodId = newMethodId;
        request = null;
        requestLength = 0;
        metadata = null;
        isStarted = false;
        isEnded = false;
        work = null;
        return this;
    }

    /**
     * Keeps a copy of the request.
     */
    void keep(
        final UnsafeBuffer copy, final DirectBuffer buffer, final int offset, final int length, final long nowNs)
    {
        copy.putBytes(0, buffer, offset, length);
        request = copy;
        requestLength = length;
        queuedNs = nowNs;
    }

    /**
     * Keeps a copy of the request's metadata.
     */
    void keep(final Metadata newMetadata)
    {
        metadata = newMetadata.isEmpty() ? null : newMetadata.copy();
    }

    /**
     * The request's metadata, null if there is none.
     */
    Metadata metadata()
    {
        return metadata;
    }

    void offThread(final OffThreadWork newWork)
    {
        work = newWork;
        items = new OffThreadItems(this);
        isOpen = true;
    }

    /**
     * Of an off-thread call.
     */
    OffThreadItems items()
    {
        return items;
    }

    /**
     * The call streams: its service is told of its end later than the slot is freed.
     */
    void stream()
    {
        isStream = true;
    }

    boolean isStream()
    {
        return isStream;
    }

    Object attachment()
    {
        return attachment;
    }

    void attachment(final Object newAttachment)
    {
        attachment = newAttachment;
    }

    /**
     * A view of the call for the server's thread, with what metadata goes with its next frame.
     */
    ServerCall view(final Metadata responseMetadata)
    {
        final ServerCall view = lane.lanes().view(this);
        if (responseMetadata != null)
        {
            view.responseMetadata().addAll(responseMetadata);
        }
        return view;
    }

    OffThreadWork work()
    {
        return work;
    }

    ServerSession session()
    {
        return session;
    }

    long correlationId()
    {
        return correlationId;
    }

    int callMethodId()
    {
        return methodId;
    }

    MutableDirectBuffer request()
    {
        return request;
    }

    int requestLength()
    {
        return requestLength;
    }

    /**
     * Takes the copy of the request, to give it back to its pool.
     */
    UnsafeBuffer takeRequest()
    {
        final UnsafeBuffer taken = request;
        request = null;
        return taken;
    }

    long queuedNs()
    {
        return queuedNs;
    }

    /**
     * Whether the service has been given the call.
     */
    boolean isStarted()
    {
        return isStarted;
    }

    void started()
    {
        isStarted = true;
    }

    boolean isEnded()
    {
        return isEnded;
    }

    /**
     * Whether an answer would still reach the caller, as far as is known. Any thread, of an off-thread call.
     */
    boolean isOpen()
    {
        return isOpen;
    }

    /**
     * An answer is on its way to the server's thread. Any thread.
     */
    void answered()
    {
        isOpen = false;
    }

    void onSlotFreed()
    {
        isEnded = true;
        isOpen = false;
        if (isStarted)
        {
            lane.onCallEnded(this);
        }
    }

    @Override
    public int serviceId()
    {
        return lane.serviceId();
    }

    @Override
    public String serviceName()
    {
        return lane.serviceName();
    }

    @Override
    public int schemaId()
    {
        return lane.schemaId();
    }

    @Override
    public int schemaVersion()
    {
        return lane.schemaVersion();
    }

    @Override
    public MethodKind methodKind(final int askedMethodId)
    {
        return lane.methodKind(askedMethodId);
    }

    @Override
    public void onRequest(
        final ServerCall call, final int calledMethodId, final DirectBuffer buffer, final int offset, final int length)
    {
        lane.adapter().onRequest(call, calledMethodId, buffer, offset, length);
    }

    @Override
    public void onCancelled(
        final long connectionId, final long endedId, final int calledMethodId, final StatusCode cause)
    {
        if (!isStarted)
        {
            return;
        }
        if (work == null)
        {
            lane.adapter().onCancelled(connectionId, endedId, calledMethodId, cause);
        }
        else
        {
            work.add((adapter, call) -> adapter.onCancelled(connectionId, endedId, calledMethodId, cause));
        }
    }

    @Override
    public boolean isGrantAutomatic(final int askedMethodId)
    {
        return lane.isGrantAutomatic(askedMethodId);
    }

    @Override
    public void onItem(
        final ServerCall call, final int calledMethodId, final DirectBuffer buffer, final int offset, final int length)
    {
        if (work == null)
        {
            lane.adapter().onItem(call, calledMethodId, buffer, offset, length);
            return;
        }
        final UnsafeBuffer copy = new UnsafeBuffer(new byte[length]);
        copy.putBytes(0, buffer, offset, length);
        final boolean isGrantedBack = lane.adapter().isGrantAutomatic(calledMethodId);
        work.add((adapter, view) ->
        {
            adapter.onItem(view, calledMethodId, copy, 0, length);
            if (isGrantedBack)
            {
                // not when it came but when it was handled: what waits for its thread stays within the window
                lane.lanes().handOver().post(() -> view(null).grant(1), 0);
            }
        });
    }

    @Override
    public void onHalfClosed(final ServerCall call, final int calledMethodId)
    {
        if (work == null)
        {
            lane.adapter().onHalfClosed(call, calledMethodId);
        }
        else
        {
            work.add((adapter, view) -> adapter.onHalfClosed(view, calledMethodId));
        }
    }

    @Override
    public void onReady(final ServerCall call, final int calledMethodId)
    {
        if (work == null)
        {
            lane.adapter().onReady(call, calledMethodId);
        }
        else
        {
            items.flush();
        }
    }

    @Override
    public void onEnded(
        final long connectionId,
        final long endedId,
        final int calledMethodId,
        final Object ofSlot,
        final StatusCode status)
    {
        if (work != null)
        {
            items.clear();
            if (isStarted)
            {
                work.add((adapter, view) ->
                    adapter.onEnded(connectionId, endedId, calledMethodId, attachment, status));
            }
            return;
        }
        try
        {
            if (isStarted)
            {
                lane.adapter().onEnded(connectionId, endedId, calledMethodId, ofSlot, status);
            }
        }
        finally
        {
            lane.recycleStream(this);
        }
    }
}
