/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import io.verbena.rpc.protocol.FrameType;
import io.verbena.rpc.transport.Connection;
import java.util.Objects;
import org.agrona.DirectBuffer;

/**
 * The part of a channel that makes calls, of all kinds: deadlines, metadata, interceptors, scopes; see
 * {@link RpcChannel}, its only subclass.
 */
abstract class RequestChannel
{
    final ClientCore core;
    final ChannelConnector connector;

    int openServiceId;
    int openMethodId;
    long openCorrelationId;
    long openTimeoutNs;
    /** Of the request that is open, else null. */
    ResponseHandler openHandler;
    /** Of the request that is open, if its call streams, else null. */
    MethodKind openKind;
    /** Of the item that is open, else null. */
    StreamCall openItem;
    /** On whose behalf the request is that is open; null for nobody's. */
    private NestedCalls openNested;
    private final CallStart start;
    /** As what nested calls are known to the call at a server that they are made for. */
    private final NestedCalls.Child child = this::cancelNested;

    RequestChannel(final ClientCore core, final String address)
    {
        this.core = core;
        this.connector = new ChannelConnector((RpcChannel)this, core, address);
        this.start = new CallStart(connector, core.context().maxMetadataLength());
    }

    /**
     * The metadata that goes with the next call that is made here: claimed, offered or opened on the client's thread.
     * It is empty again when that has begun; where it was refused with a negative code it is kept for the next attempt,
     * so clear it if there will be none.
     *
     * @return the metadata, to be added to.
     */
    public Metadata requestMetadata()
    {
        return start.requestMetadata();
    }

    /**
     * What came with the response, item, end or error that a handler of this channel is being told: valid inside its
     * callback.
     *
     * @return it; the same instance each time.
     */
    public ResponseInfo responseInfo()
    {
        return connector.calls().info();
    }

    /**
     * Gives up a call in the client's next duty cycle, since the call that it was made for has ended. Any thread.
     */
    abstract void cancelNested(long correlationId, String text);

    /**
     * Opens a request.
     *
     * @param kind of the call if it streams, else null.
     */
    final long open(
        final int serviceId,
        final int methodId,
        final MethodKind kind,
        final int payloadLength,
        final long timeoutNs,
        final ResponseHandler handler)
    {
        Objects.requireNonNull(handler, "handler");
        final long refusal = refusal(serviceId, payloadLength, timeoutNs);
        if (refusal < 0)
        {
            return refusal;
        }
        final NestedCalls nested = CallScope.currentNested();
        final long usedTimeoutNs = CallStart.inherit(nested, effectiveTimeoutNs(timeoutNs));
        final long correlationId = connector.calls().table().nextCorrelationId(connector.incarnation());
        final long result = start.isPlain(start.requestMetadata()) ? connector.link().tryOpen(payloadLength) :
            start.open(serviceId, methodId, kind, correlationId, start.requestMetadata(), payloadLength);
        if (result < 0)
        {
            return result;
        }
        openServiceId = serviceId;
        openMethodId = methodId;
        openTimeoutNs = usedTimeoutNs;
        openHandler = handler;
        openKind = kind;
        openNested = nested;
        openCorrelationId = correlationId;
        core.requestOpened();
        return correlationId;
    }

    /**
     * Makes the call whose request is open.
     */
    final void commitRequest(final int payloadLength)
    {
        final ResponseHandler handler = openHandler;
        final MethodKind kind = openKind;
        final Link link = connector.link();
        openHandler = null;
        openKind = null;
        core.requestClosed();
        final long timeoutNs = openTimeoutNs;
        if (!isLetThrough(link, openCorrelationId, openServiceId, openMethodId, kind, handler, payloadLength))
        {
            return;
        }
        if (link.isRegionClaimed())
        {
            // publish first: the clock and the call's entry are looked after while the message is on its way, and no
            // answer can come in before the next duty cycle
            link.commitRequest(
                openServiceId, openMethodId, openCorrelationId, RpcChannel.NO_TIMEOUT, timeoutNs, payloadLength);
            begin(openCorrelationId, openServiceId, openMethodId, deadlineNs(timeoutNs), kind, handler);
        }
        else
        {
            final long deadlineNs = deadlineNs(timeoutNs);
            begin(openCorrelationId, openServiceId, openMethodId, deadlineNs, kind, handler);
            link.commitRequest(openServiceId, openMethodId, openCorrelationId, deadlineNs, timeoutNs, payloadLength);
        }
        if (openNested != null)
        {
            nest(openCorrelationId, openNested);
        }
    }

    /**
     * Drops the open request or item.
     */
    final void abortOpen()
    {
        if (isRequestOpen())
        {
            final boolean isRequest = openHandler != null;
            core.requestClosed();
            openHandler = null;
            openKind = null;
            openItem = null;
            openNested = null;
            connector.link().abort();
            if (isRequest && start.hooks() != null)
            {
                start.hooks().onEnd(openCorrelationId, StatusCode.CANCELLED, "aborted before it was sent");
            }
        }
    }

    final boolean isRequestOpen()
    {
        return openHandler != null || openItem != null;
    }

    /**
     * Makes a call of the client's thread with a request that is already encoded.
     *
     * @param kind of the call if it streams, else null.
     */
    final long offerRequest(
        final int serviceId,
        final int methodId,
        final MethodKind kind,
        final DirectBuffer payload,
        final int offset,
        final int length,
        final long timeoutNs,
        final ResponseHandler handler)
    {
        final NestedCalls nested = CallScope.currentNested();
        final long usedTimeoutNs = CallStart.inherit(nested, effectiveTimeoutNs(timeoutNs));
        final long result = offer(
            serviceId, methodId, kind, payload, offset, length, deadlineNs(usedTimeoutNs), usedTimeoutNs, handler,
            start.requestMetadata());
        if (nested != null && result > 0)
        {
            nest(result, nested);
        }
        return result;
    }

    /**
     * Makes a call that comes from another thread.
     *
     * @param kind of the call if it streams, else null.
     */
    final long offer(final AsyncCall call, final MethodKind kind, final ResponseHandler handler, final long nowNs)
    {
        return offer(
            call.serviceId, call.methodId, kind, call.request, 0, call.length, call.deadlineNs,
            call.remainingNs(nowNs), handler, start.asyncMetadata(call.options.metadata()));
    }

    final void requireNothingOpen()
    {
        final Link link = connector.link();
        if (link != null && link.isRegionOpen())
        {
            throw new IllegalStateException(
                "a request or item is open on this channel: commit or abort it first");
        }
    }

    final long effectiveTimeoutNs(final long timeoutNs)
    {
        return core.effectiveTimeoutNs(timeoutNs);
    }

    static void requireNotNegative(final int length, final long timeoutNs)
    {
        if (length < 0)
        {
            throw new IllegalArgumentException("expected a payload length of 0 or more bytes, found " + length);
        }
        if (timeoutNs < 0)
        {
            throw new IllegalArgumentException("expected a timeout of 0 or more nanoseconds, found " + timeoutNs);
        }
    }

    private long offer(
        final int serviceId,
        final int methodId,
        final MethodKind kind,
        final DirectBuffer payload,
        final int offset,
        final int length,
        final long deadlineNs,
        final long timeoutNs,
        final ResponseHandler handler,
        final Metadata metadata)
    {
        Objects.requireNonNull(handler, "handler");
        final long refusal = refusal(serviceId, length, timeoutNs);
        if (refusal < 0)
        {
            return refusal;
        }
        // before anything is claimed, so that nothing stays claimed if it throws
        payload.boundsCheck(offset, length);
        final Link link = connector.link();
        final long correlationId = connector.calls().table().nextCorrelationId(connector.incarnation());
        if (!start.isPlain(metadata))
        {
            return offerByClaim(
                serviceId, methodId, kind, correlationId, metadata, payload, offset, length, deadlineNs, timeoutNs,
                handler);
        }
        final long result = link.trySend(
            FrameType.REQUEST, 0, serviceId, methodId, correlationId, timeoutNs, 0, payload, offset, length);
        if (result > 0)
        {
            begin(correlationId, serviceId, methodId, deadlineNs, kind, handler);
            return correlationId;
        }
        if (!link.mayQueue(result, length))
        {
            return result;
        }
        final StreamCall stream = begin(correlationId, serviceId, methodId, deadlineNs, kind, handler);
        link.queue(
            FrameType.REQUEST, 0, serviceId, methodId, correlationId, deadlineNs, 0, payload, offset, length, stream);
        return correlationId;
    }

    private long offerByClaim(
        final int serviceId,
        final int methodId,
        final MethodKind kind,
        final long correlationId,
        final Metadata metadata,
        final DirectBuffer payload,
        final int offset,
        final int length,
        final long deadlineNs,
        final long timeoutNs,
        final ResponseHandler handler)
    {
        final Link link = connector.link();
        final long result = start.open(serviceId, methodId, kind, correlationId, metadata, length);
        if (result < 0)
        {
            return result;
        }
        link.buffer().putBytes(link.payloadOffset(), payload, offset, length);
        if (isLetThrough(link, correlationId, serviceId, methodId, kind, handler, length))
        {
            final StreamCall stream = begin(correlationId, serviceId, methodId, deadlineNs, kind, handler);
            link.commit(
                FrameType.REQUEST, 0, serviceId, methodId, correlationId, deadlineNs, timeoutNs, 0, length, stream);
        }
        return correlationId;
    }

    /**
     * Asks the interceptors about the open request; ends the call if they don't let it through.
     */
    private boolean isLetThrough(
        final Link link,
        final long correlationId,
        final int serviceId,
        final int methodId,
        final MethodKind kind,
        final ResponseHandler handler,
        final int payloadLength)
    {
        if (start.hooks() == null || kind != null && kind.isClientStreaming())
        {
            return true;
        }
        final RpcException refusal =
            start.hooks().tell(
                CallHooks.Event.REQUEST, correlationId, link.buffer(), link.payloadOffset(), payloadLength);
        if (refusal == null)
        {
            return true;
        }
        link.abort();
        begin(correlationId, serviceId, methodId, RpcChannel.NO_TIMEOUT, kind, handler);
        connector.calls().refuse(correlationId, refusal, false);
        return false;
    }

    /**
     * A call was made on behalf of one at a server: that is told of its end, and this call of that one's.
     */
    private void nest(final long correlationId, final NestedCalls nested)
    {
        openNested = null;
        final CallTable table = connector.calls().table();
        final int slot = table.find(correlationId);
        if (slot >= 0)
        {
            if (nested.add(child, correlationId))
            {
                table.parent(slot, nested, child);
            }
            else
            {
                connector.calls().cancel(correlationId, NestedCalls.endedText(nested.cause()));
            }
        }
    }

    /**
     * Enters the call of a request, after or before it is sent.
     *
     * @return its stream; null if it does not stream.
     */
    private StreamCall begin(
        final long correlationId,
        final int serviceId,
        final int methodId,
        final long deadlineNs,
        final MethodKind kind,
        final ResponseHandler handler)
    {
        final ClientCalls calls = connector.calls();
        calls.table().begin(correlationId, serviceId, methodId, deadlineNs, handler);
        core.counters().callStarted();
        if (kind == null)
        {
            return null;
        }
        final StreamHandler streamHandler = (StreamHandler)handler;
        return calls.streams().begin(
            correlationId, serviceId, methodId, kind, streamHandler.isGrantAutomatic(), streamHandler);
    }

    private long deadlineNs(final long timeoutNs)
    {
        return timeoutNs == RpcChannel.NO_TIMEOUT ? RpcChannel.NO_TIMEOUT : core.clock().nanoTime() + timeoutNs;
    }

    private long refusal(final int serviceId, final int payloadLength, final long timeoutNs)
    {
        requireNotNegative(payloadLength, timeoutNs);
        final Link link = connector.link();
        if (link == null || !connector.isReady())
        {
            return connector.state() == ChannelState.CLOSED ? Connection.CLOSED : Connection.NOT_CONNECTED;
        }
        if (link.isRegionOpen())
        {
            requireNothingOpen();
        }
        if (connector.needs().hasRefusals())
        {
            connector.needs().requireCompatible(serviceId);
        }
        if (payloadLength > connector.maxMessageLength())
        {
            core.counters().messageTooLong();
            return RpcChannel.MESSAGE_TOO_LONG;
        }
        return connector.calls().table().isFull() ? RpcChannel.CALLS_EXHAUSTED : 0;
    }
}
