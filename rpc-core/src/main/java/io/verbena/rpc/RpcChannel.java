/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import io.verbena.rpc.protocol.FrameHeader;
import io.verbena.rpc.protocol.FrameType;
import io.verbena.rpc.transport.Connection;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * A client's logical connection to one server: makes calls, connects again by itself when the connection ends, and
 * never sends a call twice. Created by {@link RpcClient#connect(String)} and owned by the client.
 * <p>
 * <b>Threading:</b> the client's thread alone, but for {@link #call}, {@link #state()} and
 * {@link #callsInFlight()}, which any thread may use.
 * <p>
 * <b>Endings:</b> each call that was made ends exactly once: by its response, an error from the server, its deadline
 * by this side's clock, a cancel, or the end of its connection, which makes it {@link StatusCode#UNAVAILABLE} with
 * its outcome unknown.
 * <p>
 * The zero-copy face ({@link #claim}, {@link #commit}, {@link #offer}) allocates nothing in steady state.
 */
public final class RpcChannel
{
    /** For calls without a deadline. */
    public static final long NO_TIMEOUT = FrameHeader.NO_TIMEOUT;

    /** For calls with the client's default timeout, {@link RpcClient.Context#defaultTimeoutNs()}. */
    public static final long DEFAULT_TIMEOUT = 0;

    /** Result: the request is longer than the limit of either side. */
    public static final long MESSAGE_TOO_LONG = -5;

    /** Result: as many calls are in flight as either side allows; one of them has to end first. */
    public static final long CALLS_EXHAUSTED = -6;

    private static final long AWAIT_PARK_NS = 200_000;

    static final String CLOSED_TEXT = "the channel is closed";

    private final ClientCore core;
    private final ChannelConnector connector;
    private final AsyncCalls asyncCalls;
    private final CallStart start;
    /** As what nested calls are known to the call at a server that they are made for. */
    private final NestedCalls.Child child = this::cancelNested;

    private int openServiceId;
    private int openMethodId;
    private long openCorrelationId;
    private long openTimeoutNs;
    private ResponseHandler openHandler;
    private NestedCalls openNested;

    RpcChannel(final ClientCore core, final String address)
    {
        this.core = core;
        this.connector = new ChannelConnector(this, core, address);
        this.start = new CallStart(connector, core.context().maxMetadataLength());
        this.asyncCalls = new AsyncCalls(
            this, core.context().nanoClock(), core.context().asyncQueueLength(), core.context().maxQueuedBytes());
    }

    /**
     * The server's address.
     *
     * @return the URI as given to {@link RpcClient#connect(String)}.
     */
    public String address()
    {
        return connector.address();
    }

    /**
     * The channel's state. Any thread.
     *
     * @return the state.
     */
    public ChannelState state()
    {
        return connector.state();
    }

    /**
     * Waits until the channel is ready: so that the first call, with a short timeout perhaps, does not pay for the
     * connection. For a thread other than the client's; the client must have a thread of its own.
     *
     * @param timeoutNs to wait at most, in nanoseconds.
     * @return false if the channel did not become ready in time, was closed, or the thread was interrupted.
     */
    public boolean awaitReady(final long timeoutNs)
    {
        final long startNs = System.nanoTime();
        while (state() != ChannelState.READY)
        {
            if (state() == ChannelState.CLOSED || System.nanoTime() - startNs >= timeoutNs ||
                Thread.currentThread().isInterrupted())
            {
                return false;
            }
            LockSupport.parkNanos(AWAIT_PARK_NS);
        }
        return true;
    }

    /**
     * How many calls have been sent and have not ended. Any thread, then a recent value.
     *
     * @return the number, from 0.
     */
    public int callsInFlight()
    {
        return connector.calls().table().inFlight();
    }

    /**
     * Opens a request of at most the given length, to be encoded in place from {@link #offset()} in {@link #buffer()}
     * and then committed or aborted, before anything else is sent on this channel and within the same duty cycle.
     *
     * @param serviceId     of the service.
     * @param methodId      of the method.
     * @param payloadLength of SBE message header and body together, in bytes.
     * @param timeoutNs     nanoseconds from the commit to the deadline; {@link #DEFAULT_TIMEOUT} or
     *                      {@link #NO_TIMEOUT}.
     * @param handler       called once when the call has ended; not called if it is aborted.
     * @return the call's correlation id, positive; or {@link #MESSAGE_TOO_LONG}, {@link #CALLS_EXHAUSTED},
     *     {@link Connection#NOT_CONNECTED}, {@link Connection#BACK_PRESSURED}, {@link Connection#ADMIN_ACTION} or
     *     {@link Connection#CLOSED}, and nothing is open.
     * @throws IllegalStateException    if a request is open on this channel.
     * @throws IllegalArgumentException if the length or timeout is negative.
     * @throws RpcException             if the call is refused on this side: {@link StatusCode#RESOURCE_EXHAUSTED} if
     *                                  its metadata is too long, CANCELLED or DEADLINE_EXCEEDED if the call at a server
     *                                  that it would be made for has ended, or by an interceptor. Its handler is not
     *                                  called.
     */
    public long claim(
        final int serviceId,
        final int methodId,
        final int payloadLength,
        final long timeoutNs,
        final ResponseHandler handler)
    {
        Objects.requireNonNull(handler, "handler");
        final long refusal = refusal(payloadLength, timeoutNs);
        if (refusal < 0)
        {
            return refusal;
        }
        final NestedCalls nested = CallScope.currentNested();
        final long usedTimeoutNs = CallStart.inherit(nested, effectiveTimeoutNs(timeoutNs));
        final long correlationId = connector.calls().table().nextCorrelationId(connector.incarnation());
        final long result = start.isPlain(start.requestMetadata()) ? connector.link().tryOpen(payloadLength) :
            start.open(serviceId, methodId, MethodKind.UNARY, correlationId, start.requestMetadata(), payloadLength);
        if (result < 0)
        {
            return result;
        }
        openServiceId = serviceId;
        openMethodId = methodId;
        openTimeoutNs = usedTimeoutNs;
        openHandler = handler;
        openNested = nested;
        openCorrelationId = correlationId;
        core.requestOpened();
        return openCorrelationId;
    }

    /**
     * The buffer of the open request.
     *
     * @return the buffer; meaningful until commit or abort.
     */
    public MutableDirectBuffer buffer()
    {
        return connector.link().buffer();
    }

    /**
     * Where the open request's payload begins.
     *
     * @return offset in {@link #buffer()}, 8-byte aligned.
     */
    public int offset()
    {
        return connector.link().payloadOffset();
    }

    /**
     * Makes the call whose request is open. Its deadline counts from here.
     *
     * @param payloadLength really encoded, in bytes; at most what was claimed.
     * @throws IllegalStateException    if no request is open.
     * @throws IllegalArgumentException if the length is negative or above what was claimed; the request is aborted.
     */
    public void commit(final int payloadLength)
    {
        final Link link = requireOpen();
        if (payloadLength < 0 || payloadLength > link.payloadCapacity())
        {
            final int capacity = link.payloadCapacity();
            abort();
            throw new IllegalArgumentException(
                "expected a payload of 0 to " + capacity + " bytes, as claimed, found " + payloadLength);
        }
        final ResponseHandler handler = openHandler;
        openHandler = null;
        core.requestClosed();
        final long timeoutNs = openTimeoutNs;
        if (start.hooks() != null && !isLetThrough(link, handler, payloadLength))
        {
            return;
        }
        if (link.isRegionClaimed())
        {
            // publish first: the clock and the call's entry are looked after while the message is on its way, and no
            // answer can come in before the next duty cycle
            link.commitRequest(openServiceId, openMethodId, openCorrelationId, NO_TIMEOUT, timeoutNs, payloadLength);
            begin(deadlineNs(timeoutNs), handler);
        }
        else
        {
            final long deadlineNs = deadlineNs(timeoutNs);
            begin(deadlineNs, handler);
            link.commitRequest(openServiceId, openMethodId, openCorrelationId, deadlineNs, timeoutNs, payloadLength);
        }
        if (openNested != null)
        {
            nest(openCorrelationId, openNested);
        }
    }

    /**
     * Drops the open request: no call is made. Does nothing if none is open.
     */
    public void abort()
    {
        if (openHandler != null)
        {
            core.requestClosed();
            openHandler = null;
            openNested = null;
            connector.link().abort();
            if (start.hooks() != null)
            {
                start.hooks().onEnd(openCorrelationId, StatusCode.CANCELLED, "aborted before it was sent");
            }
        }
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
     * Makes a call with a request that is already encoded, by copying it.
     *
     * @param serviceId of the service.
     * @param methodId  of the method.
     * @param payload   that holds SBE message header and body; free for reuse on return.
     * @param offset    of the SBE message header, in bytes.
     * @param length    of header and body in bytes.
     * @param timeoutNs nanoseconds from here to the deadline; {@link #DEFAULT_TIMEOUT} or {@link #NO_TIMEOUT}.
     * @param handler   called once when the call has ended.
     * @return the call's correlation id, positive; or a negative code as of {@link #claim}, and no call is made.
     * @throws IllegalStateException    if a request is open on this channel.
     * @throws IllegalArgumentException if the length or timeout is negative.
     * @throws RpcException             as of {@link #claim}.
     */
    public long offer(
        final int serviceId,
        final int methodId,
        final DirectBuffer payload,
        final int offset,
        final int length,
        final long timeoutNs,
        final ResponseHandler handler)
    {
        final NestedCalls nested = CallScope.currentNested();
        final long usedTimeoutNs = CallStart.inherit(nested, effectiveTimeoutNs(timeoutNs));
        final long deadlineNs =
            usedTimeoutNs == NO_TIMEOUT ? NO_TIMEOUT : core.clock().nanoTime() + usedTimeoutNs;
        final long result = offer(
            serviceId, methodId, payload, offset, length, deadlineNs, usedTimeoutNs, handler,
            start.requestMetadata());
        if (nested != null && result > 0)
        {
            nest(result, nested);
        }
        return result;
    }

    /**
     * Makes a call from any thread. It is sent from the client's thread; while the channel is connecting it waits, and
     * its deadline counts from here all the same.
     *
     * @param serviceId of the service.
     * @param methodId  of the method.
     * @param payload   that holds SBE message header and body; copied before this method returns.
     * @param offset    of the SBE message header, in bytes.
     * @param length    of header and body in bytes.
     * @param timeoutNs nanoseconds from here to the deadline; {@link #DEFAULT_TIMEOUT} or {@link #NO_TIMEOUT}.
     * @return completed on the client's thread with the response's SBE message header and body from index 0, or
     *     exceptionally with an {@link RpcException}. Cancelling it, or completing it by any other means, cancels the
     *     call. Stages that depend on it run on the client's thread unless they are asynchronous: they must not block.
     * @throws IllegalArgumentException if the length or timeout is negative.
     */
    public CompletableFuture<DirectBuffer> call(
        final int serviceId,
        final int methodId,
        final DirectBuffer payload,
        final int offset,
        final int length,
        final long timeoutNs)
    {
        requireNotNegative(length, timeoutNs);
        final int maxMessageLength = core.context().maxMessageLength();
        if (length > maxMessageLength)
        {
            return CompletableFuture.failedFuture(
                new RpcException(StatusCode.RESOURCE_EXHAUSTED, tooLongText(length, maxMessageLength)));
        }
        final NestedCalls nested = CallScope.currentNested();
        final long usedTimeoutNs;
        try
        {
            usedTimeoutNs = CallStart.inherit(nested, effectiveTimeoutNs(timeoutNs));
        }
        catch (final RpcException refusal)
        {
            return CompletableFuture.failedFuture(refusal);
        }
        return asyncCalls.submit(serviceId, methodId, payload, offset, length, usedTimeoutNs, nested);
    }

    /**
     * Gives up a call: its handler is told {@link StatusCode#CANCELLED} before this method returns, and the server is
     * told too. It may have been executed.
     *
     * @param correlationId of the call.
     * @return false if the call has ended already, or never was.
     */
    public boolean cancel(final long correlationId)
    {
        return connector.calls().cancel(correlationId);
    }

    /**
     * Gives up a call for a reason of this side's, such as an item that cannot be read: as {@link #cancel(long)}, but
     * the handler is told this status.
     *
     * @param correlationId of the call.
     * @param code          to tell the handler; not {@link StatusCode#OK}.
     * @param text          for people.
     * @return false if the call has ended already, or never was.
     * @throws IllegalArgumentException if the code is OK.
     */
    public boolean cancel(final long correlationId, final StatusCode code, final String text)
    {
        if (code == StatusCode.OK)
        {
            throw new IllegalArgumentException("expected a status other than OK to end a call with, found OK");
        }
        return connector.calls().cancel(correlationId, code, text);
    }

    /**
     * The longest message that can be sent: the lesser of the two sides' limits, or this side's while the channel is
     * not connected. The client's thread.
     *
     * @return bytes of SBE message header and body together.
     */
    public int maxMessageLength()
    {
        return connector.maxMessageLength();
    }

    /**
     * Closes the channel: requests already made are still sent, for at most {@link RpcClient.Context#closeTimeoutNs()};
     * their calls end as {@link StatusCode#CANCELLED}. Idempotent.
     */
    public void close()
    {
        abort();
        connector.close();
        asyncCalls.failAll(CLOSED_TEXT);
    }

    long offer(final AsyncCall call, final long nowNs)
    {
        call.info = responseInfo();
        return offer(
            call.serviceId, call.methodId, call.request, 0, call.length, call.deadlineNs,
            call.deadlineNs == NO_TIMEOUT ? NO_TIMEOUT : call.deadlineNs - nowNs, call,
            start.asyncMetadata(call.metadata));
    }

    void cancelQuietly(final long correlationId)
    {
        connector.calls().cancelQuietly(correlationId);
    }

    String unavailableText()
    {
        return connector.unavailableText();
    }

    String tooLongText(final int length)
    {
        return tooLongText(length, connector.maxMessageLength());
    }

    boolean isRequestOpen()
    {
        return openHandler != null;
    }

    int callsWaiting()
    {
        return asyncCalls.waiting();
    }

    ChannelConnector connector()
    {
        return connector;
    }

    int doWork()
    {
        return connector.doWork() + asyncCalls.doWork();
    }

    int checkTimers(final long nowNs)
    {
        return connector.checkTimers(nowNs) + asyncCalls.expire(nowNs);
    }

    private long offer(
        final int serviceId,
        final int methodId,
        final DirectBuffer payload,
        final int offset,
        final int length,
        final long deadlineNs,
        final long timeoutNs,
        final ResponseHandler handler,
        final Metadata metadata)
    {
        Objects.requireNonNull(handler, "handler");
        final long refusal = refusal(length, timeoutNs);
        if (refusal < 0)
        {
            return refusal;
        }
        // before anything is claimed, so that nothing stays claimed if it throws
        payload.boundsCheck(offset, length);
        final CallTable table = connector.calls().table();
        final Link link = connector.link();
        final long correlationId = table.nextCorrelationId(connector.incarnation());
        if (!start.isPlain(metadata))
        {
            return offerWithMetadata(
                serviceId, methodId, correlationId, metadata, payload, offset, length, deadlineNs, timeoutNs, handler);
        }
        final long result = link.trySend(
            FrameType.REQUEST, 0, serviceId, methodId, correlationId, timeoutNs, 0, payload, offset, length);
        if (result > 0)
        {
            table.begin(correlationId, serviceId, methodId, deadlineNs, handler);
            return correlationId;
        }
        if (!link.mayQueue(result, length))
        {
            return result;
        }
        table.begin(correlationId, serviceId, methodId, deadlineNs, handler);
        link.queue(
            FrameType.REQUEST, 0, serviceId, methodId, correlationId, deadlineNs, 0, payload, offset, length);
        return correlationId;
    }

    private long offerWithMetadata(
        final int serviceId,
        final int methodId,
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
        final CallTable table = connector.calls().table();
        final long result =
            start.open(serviceId, methodId, MethodKind.UNARY, correlationId, metadata, length);
        if (result < 0)
        {
            return result;
        }
        link.buffer().putBytes(link.payloadOffset(), payload, offset, length);
        final ClientHooks hooks = start.hooks();
        final RpcException refusal = hooks == null ? null :
            hooks.onRequest(correlationId, link.buffer(), link.payloadOffset(), length);
        table.begin(correlationId, serviceId, methodId, deadlineNs, handler);
        if (refusal == null)
        {
            link.commitRequest(serviceId, methodId, correlationId, deadlineNs, timeoutNs, length);
        }
        else
        {
            link.abort();
            connector.calls().refuse(correlationId, refusal);
        }
        return correlationId;
    }

    /**
     * Asks the interceptors about the open request; ends the call if they don't let it through.
     */
    private boolean isLetThrough(final Link link, final ResponseHandler handler, final int payloadLength)
    {
        final RpcException refusal =
            start.hooks().onRequest(openCorrelationId, link.buffer(), link.payloadOffset(), payloadLength);
        if (refusal == null)
        {
            return true;
        }
        link.abort();
        begin(NO_TIMEOUT, handler);
        connector.calls().refuse(openCorrelationId, refusal);
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

    private void cancelNested(final long correlationId, final String text)
    {
        asyncCalls.cancelNested(correlationId, text);
    }

    private long effectiveTimeoutNs(final long timeoutNs)
    {
        final long chosenNs = timeoutNs == DEFAULT_TIMEOUT ? core.defaultTimeoutNs() : timeoutNs;
        return chosenNs < Limits.LONGEST_TIMEOUT_NS ? chosenNs : NO_TIMEOUT;
    }

    private void begin(final long deadlineNs, final ResponseHandler handler)
    {
        connector.calls().table().begin(openCorrelationId, openServiceId, openMethodId, deadlineNs, handler);
    }

    private long deadlineNs(final long timeoutNs)
    {
        return timeoutNs == NO_TIMEOUT ? NO_TIMEOUT : core.clock().nanoTime() + timeoutNs;
    }

    private long refusal(final int payloadLength, final long timeoutNs)
    {
        requireNotNegative(payloadLength, timeoutNs);
        final Link link = connector.link();
        if (link == null || !connector.isReady())
        {
            return connector.state() == ChannelState.CLOSED ? Connection.CLOSED : Connection.NOT_CONNECTED;
        }
        if (openHandler != null)
        {
            throw new IllegalStateException("a request is open on this channel: commit or abort it first");
        }
        if (payloadLength > connector.maxMessageLength())
        {
            return MESSAGE_TOO_LONG;
        }
        return connector.calls().table().isFull() ? CALLS_EXHAUSTED : 0;
    }

    private static String tooLongText(final int length, final int maxMessageLength)
    {
        return "the request of " + length + " bytes exceeds the limit of " + maxMessageLength + " bytes";
    }

    private Link requireOpen()
    {
        if (openHandler == null)
        {
            throw new IllegalStateException("no request is open on this channel: claim one first");
        }
        return connector.link();
    }

    private static void requireNotNegative(final int length, final long timeoutNs)
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
}
