/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import io.verbena.rpc.protocol.FrameHeader;
import io.verbena.rpc.transport.Connection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
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
public final class RpcChannel extends StreamingChannel implements RpcCaller
{
    /** For calls without a deadline. */
    public static final long NO_TIMEOUT = FrameHeader.NO_TIMEOUT;

    /** For calls with the client's default timeout, {@link RpcClient.Context#defaultTimeoutNs()}. */
    public static final long DEFAULT_TIMEOUT = 0;

    /** Result: the request is longer than the limit of either side. */
    public static final long MESSAGE_TOO_LONG = -5;

    /** Result: as many calls are in flight as either side allows; one of them has to end first. */
    public static final long CALLS_EXHAUSTED = -6;

    /**
     * Result: the stream or its connection has no credit left, or its last item is still being sent.
     */
    public static final long CREDIT_EXHAUSTED = -7;

    /** Result: the call has ended, or never was. */
    public static final long CALL_ENDED = -8;

    private static final long AWAIT_PARK_NS = 200_000;

    static final String CLOSED_TEXT = "the channel is closed";

    private final AsyncCaller asyncCaller;

    RpcChannel(final ClientCore core, final String address)
    {
        super(core, address);
        this.asyncCaller = new AsyncCaller(core, new SingleRoute(this));
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
     * @throws IllegalStateException    if a request or item is open on this channel.
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
        return open(serviceId, methodId, null, payloadLength, timeoutNs, handler);
    }

    /**
     * The buffer of the open request or item.
     *
     * @return the buffer; meaningful until commit or abort.
     */
    public MutableDirectBuffer buffer()
    {
        return connector.link().buffer();
    }

    /**
     * Where the open request's or item's payload begins.
     *
     * @return offset in {@link #buffer()}, 8-byte aligned.
     */
    public int offset()
    {
        return connector.link().payloadOffset();
    }

    /**
     * Makes the call whose request is open; its deadline counts from here. Or sends the item that is open; if its call
     * has ended in between, the item is dropped.
     *
     * @param payloadLength really encoded, in bytes; at most what was claimed.
     * @throws IllegalStateException    if nothing is open.
     * @throws IllegalArgumentException if the length is negative or above what was claimed; what is open is aborted.
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
        if (openHandler == null)
        {
            commitItem(payloadLength);
        }
        else
        {
            commitRequest(payloadLength);
        }
    }

    /**
     * Drops the open request or item: no call is made, nothing is sent. Does nothing if none is open.
     */
    public void abort()
    {
        abortOpen();
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
        return offerRequest(serviceId, methodId, null, payload, offset, length, timeoutNs, handler);
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
        return call(serviceId, methodId, payload, offset, length, CallOptions.DEFAULT.timeoutNs(timeoutNs));
    }

    @Override
    public CompletableFuture<DirectBuffer> call(
        final int serviceId,
        final int methodId,
        final DirectBuffer payload,
        final int offset,
        final int length,
        final CallOptions options)
    {
        return asyncCaller.call(serviceId, methodId, payload, offset, length, options);
    }

    @Override
    public ClientStream stream(
        final int serviceId,
        final int methodId,
        final MethodKind kind,
        final DirectBuffer payload,
        final int offset,
        final int length,
        final CallOptions options,
        final Consumer<DirectBuffer> consumer)
    {
        return asyncCaller.stream(serviceId, methodId, kind, payload, offset, length, options, consumer);
    }

    @Override
    public void require(
        final int serviceId, final String serviceName, final int schemaId, final int schemaVersion)
    {
        connector.tellMismatch(connector.needs().require(serviceId, serviceName, schemaId, schemaVersion));
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
        asyncCaller.calls().failAll(CLOSED_TEXT);
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

    int callsWaiting()
    {
        return asyncCaller.calls().limits().callCount();
    }

    long retainedBytes()
    {
        return asyncCaller.calls().retainedBytes();
    }

    ChannelConnector connector()
    {
        return connector;
    }

    int doWork()
    {
        return connector.doWork() + asyncCaller.calls().doWork();
    }

    int checkTimers(final long nowNs)
    {
        return connector.checkTimers(nowNs) + asyncCaller.calls().checkTimers(nowNs);
    }

    @Override
    void cancelNested(final long correlationId, final String text)
    {
        asyncCaller.calls().notices().run(() -> connector.calls().cancel(correlationId, text));
    }

    static String tooLongText(final int length, final int maxMessageLength)
    {
        return "the request of " + length + " bytes exceeds the limit of " + maxMessageLength + " bytes";
    }

    private Link requireOpen()
    {
        if (openHandler == null && openItem == null)
        {
            throw new IllegalStateException("nothing is open on this channel: claim a request or item first");
        }
        return connector.link();
    }
}
