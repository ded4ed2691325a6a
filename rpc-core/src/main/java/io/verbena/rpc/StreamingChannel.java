/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import io.verbena.rpc.transport.Connection;
import org.agrona.DirectBuffer;

/**
 * The part of a channel that streams; see {@link RpcChannel}, its only subclass, and {@link RequestChannel}.
 */
abstract class StreamingChannel extends RequestChannel
{
    StreamingChannel(final ClientCore core, final String address)
    {
        super(core, address);
    }

    /**
     * Opens the request of a call that is answered by a stream, as {@link RpcChannel#claim} does for one response.
     *
     * @param serviceId     of the service.
     * @param methodId      of the method.
     * @param payloadLength of SBE message header and body together, in bytes.
     * @param timeoutNs     nanoseconds from the commit to the deadline of the whole stream;
     *                      {@link RpcChannel#DEFAULT_TIMEOUT} or {@link RpcChannel#NO_TIMEOUT}.
     * @param handler       told of the items and once of the end; not called if the request is aborted.
     * @return the call's correlation id, positive; or a negative code as of {@link RpcChannel#claim}, and nothing is
     *     open.
     * @throws IllegalStateException    if something is open on this channel.
     * @throws IllegalArgumentException if the length or timeout is negative.
     */
    public long claimStream(
        final int serviceId,
        final int methodId,
        final int payloadLength,
        final long timeoutNs,
        final StreamHandler handler)
    {
        return open(serviceId, methodId, MethodKind.SERVER_STREAM, payloadLength, timeoutNs, handler);
    }

    /**
     * Makes a call that is answered by a stream, with a request that is already encoded, by copying it.
     *
     * @param serviceId of the service.
     * @param methodId  of the method.
     * @param payload   that holds SBE message header and body; free for reuse on return.
     * @param offset    of the SBE message header, in bytes.
     * @param length    of header and body in bytes.
     * @param timeoutNs nanoseconds from here to the deadline of the whole stream; {@link RpcChannel#DEFAULT_TIMEOUT} or
     *                  {@link RpcChannel#NO_TIMEOUT}.
     * @param handler   told of the items and once of the end.
     * @return the call's correlation id, positive; or a negative code as of {@link RpcChannel#claim}, and no call is
     *     made.
     * @throws IllegalStateException    if something is open on this channel.
     * @throws IllegalArgumentException if the length or timeout is negative.
     */
    public long offerStream(
        final int serviceId,
        final int methodId,
        final DirectBuffer payload,
        final int offset,
        final int length,
        final long timeoutNs,
        final StreamHandler handler)
    {
        return offerRequest(
            serviceId, methodId, MethodKind.SERVER_STREAM, payload, offset, length, timeoutNs, handler);
    }

    /**
     * Makes a call whose client streams. It is sent at once, without a request; items follow by {@link #claimItem} or
     * {@link #offerItem}, in the same duty cycle or later, and {@link #halfClose} after the last.
     *
     * @param serviceId of the service.
     * @param methodId  of the method.
     * @param kind      {@link MethodKind#CLIENT_STREAM} or {@link MethodKind#BIDI}, as the schema has it.
     * @param timeoutNs nanoseconds from here to the deadline of the whole call; {@link RpcChannel#DEFAULT_TIMEOUT} or
     *                  {@link RpcChannel#NO_TIMEOUT}.
     * @param handler   told of the items, if any, of when more can be sent, and once of the end.
     * @return the call's correlation id, positive; or a negative code as of {@link RpcChannel#claim}, and no call is
     *     made.
     * @throws IllegalStateException    if something is open on this channel.
     * @throws IllegalArgumentException if the timeout is negative or the kind has no stream of requests.
     */
    public long openStream(
        final int serviceId,
        final int methodId,
        final MethodKind kind,
        final long timeoutNs,
        final StreamHandler handler)
    {
        if (!kind.isClientStreaming())
        {
            throw new IllegalArgumentException("expected a kind whose client streams, found " + kind);
        }
        return offerRequest(serviceId, methodId, kind, core.scratch(), 0, 0, timeoutNs, handler);
    }

    /**
     * Opens an item of at most the given length, to be encoded in place from {@link RpcChannel#offset()} in
     * {@link RpcChannel#buffer()} and then committed or aborted, before anything else is sent on this channel and
     * within the same duty cycle.
     *
     * @param correlationId of the call.
     * @param payloadLength of SBE message header and body together, in bytes.
     * @return positive; or {@link RpcChannel#CREDIT_EXHAUSTED}, {@link Connection#BACK_PRESSURED} or
     *     {@link Connection#ADMIN_ACTION}, and {@link StreamHandler#onReady} follows; or
     *     {@link RpcChannel#CALL_ENDED}; or {@link RpcChannel#MESSAGE_TOO_LONG}, and the call goes on.
     * @throws IllegalStateException    if something is open on this channel, the call does not stream requests, or it
     *                                  was half-closed.
     * @throws IllegalArgumentException if the length is negative.
     */
    public long claimItem(final long correlationId, final int payloadLength)
    {
        final StreamCall stream = connector.calls().streams().find(correlationId);
        final long refusal = itemRefusal(stream, payloadLength);
        if (refusal < 0)
        {
            return refusal;
        }
        final long result = connector.link().tryOpenItem(payloadLength, null);
        if (result < 0)
        {
            return notTaken(stream, result);
        }
        openItem = stream;
        openCorrelationId = correlationId;
        core.requestOpened();
        return result;
    }

    /**
     * Sends an item that is already encoded, by copying it.
     *
     * @param correlationId of the call.
     * @param payload       that holds SBE message header and body; free for reuse on return.
     * @param offset        of the SBE message header, in bytes.
     * @param length        of header and body in bytes.
     * @return positive, or a negative code as of {@link #claimItem}, and nothing was sent.
     * @throws IllegalStateException    as of {@link #claimItem}.
     * @throws IllegalArgumentException if the length is negative.
     */
    public long offerItem(final long correlationId, final DirectBuffer payload, final int offset, final int length)
    {
        final StreamCall stream = connector.calls().streams().find(correlationId);
        final long refusal = itemRefusal(stream, length);
        if (refusal < 0)
        {
            return refusal;
        }
        payload.boundsCheck(offset, length);
        if (connector.calls().hooks() != null)
        {
            return offerByClaim(stream, correlationId, payload, offset, length);
        }
        final long result = connector.link().offerItem(stream, payload, offset, length);
        return result < 0 ? notTaken(stream, result) : result;
    }

    /**
     * Whether an item can begin, as far as credit goes. If not, {@link StreamHandler#onReady} follows when it can.
     *
     * @param correlationId of the call.
     * @return true if so; false also when the call has ended.
     * @throws IllegalStateException if the call does not stream at all.
     */
    public boolean isReady(final long correlationId)
    {
        final StreamCall stream = connector.calls().streams().find(correlationId);
        return stream != null && !stream.isSendClosed() && stream.table().isReady(stream);
    }

    /**
     * Ends the stream of requests: the server is told after all items.
     *
     * @param correlationId of the call.
     * @return false if the call has ended or was half-closed before.
     * @throws IllegalStateException if something is open on this channel, or the call does not stream requests.
     */
    public boolean halfClose(final long correlationId)
    {
        final StreamCall stream = connector.calls().streams().find(correlationId);
        if (stream == null || connector.link() == null)
        {
            return false;
        }
        requireClientStreaming(stream);
        requireNothingOpen();
        if (stream.isSendClosed())
        {
            return false;
        }
        stream.closeSend();
        connector.link().sendHalfClose(stream);
        return true;
    }

    /**
     * Lets the server send further items, where the handler's {@link StreamHandler#isGrantAutomatic()} was false. Sums
     * that overflow count as no limit.
     *
     * @param correlationId of the call.
     * @param items         in addition, from 1; the bytes of items that were taken go back with them.
     * @return false if the call has ended.
     * @throws IllegalStateException    if the call has no stream of responses, or its credit goes back by itself.
     * @throws IllegalArgumentException if items is less than 1.
     */
    public boolean grant(final long correlationId, final int items)
    {
        final StreamCall stream = connector.calls().streams().find(correlationId);
        StreamFrames.requireGrant(items);
        if (stream == null)
        {
            return false;
        }
        StreamFrames.requireManual(stream, stream.kind().isServerStreaming());
        stream.table().grant(stream, items);
        return true;
    }

    /**
     * Sends the open item.
     */
    final void commitItem(final int payloadLength)
    {
        final StreamCall stream = openItem;
        openItem = null;
        core.requestClosed();
        final Link link = connector.link();
        if (stream.correlationId() != openCorrelationId)
        {
            // cancelled in between: nobody waits for it
            link.abort();
            return;
        }
        sendLetThrough(stream, openCorrelationId, payloadLength);
    }

    /**
     * Sends the item of the open region if the interceptors, if any, let it through and leave its call going.
     *
     * @return false if it was dropped, since the call has ended.
     */
    private boolean sendLetThrough(final StreamCall stream, final long correlationId, final int length)
    {
        final Link link = connector.link();
        if (connector.calls().hooks() != null &&
            !(isLetThrough(correlationId, link.buffer(), link.payloadOffset(), length) &&
            stream.correlationId() == correlationId))
        {
            link.abort();
            return false;
        }
        link.commitItem(stream, length);
        return true;
    }

    /**
     * Sends an item so that interceptors are asked once the transport has given room, and so once for each item.
     */
    private long offerByClaim(
        final StreamCall stream,
        final long correlationId,
        final DirectBuffer payload,
        final int offset,
        final int length)
    {
        final Link link = connector.link();
        final long result = link.tryOpenItem(length, null);
        if (result < 0)
        {
            return notTaken(stream, result);
        }
        link.buffer().putBytes(link.payloadOffset(), payload, offset, length);
        return sendLetThrough(stream, correlationId, length) ? result : RpcChannel.CALL_ENDED;
    }

    /**
     * Asks the interceptors about an item; ends the call if they don't let it through.
     */
    private boolean isLetThrough(
        final long correlationId, final DirectBuffer buffer, final int offset, final int length)
    {
        final ClientCalls calls = connector.calls();
        final RpcException refusal =
            calls.hooks().tell(CallHooks.Event.ITEM_SENT, correlationId, buffer, offset, length);
        if (refusal != null)
        {
            calls.refuse(correlationId, refusal, true);
        }
        return refusal == null;
    }

    private long itemRefusal(final StreamCall stream, final int payloadLength)
    {
        if (stream == null || connector.link() == null)
        {
            return RpcChannel.CALL_ENDED;
        }
        if (stream.isSendClosed() || payloadLength < 0 || connector.link().isRegionOpen())
        {
            requireSendable(stream, payloadLength);
        }
        if (payloadLength > connector.maxMessageLength())
        {
            core.counters().messageTooLong();
            return RpcChannel.MESSAGE_TOO_LONG;
        }
        return stream.table().refusal(stream, core.counters());
    }

    private void requireSendable(final StreamCall stream, final int payloadLength)
    {
        requireClientStreaming(stream);
        requireNothingOpen();
        if (payloadLength < 0)
        {
            throw new IllegalArgumentException("expected a length of 0 or more bytes, found " + payloadLength);
        }
        throw new IllegalStateException("call " + stream.correlationId() + " was half-closed: no item can follow");
    }

    private static long notTaken(final StreamCall stream, final long result)
    {
        stream.table().awaitTransport(stream);
        return result;
    }

    private static void requireClientStreaming(final StreamCall stream)
    {
        if (!stream.kind().isClientStreaming())
        {
            throw new IllegalStateException("call " + stream.correlationId() + " has no stream of requests");
        }
    }
}
