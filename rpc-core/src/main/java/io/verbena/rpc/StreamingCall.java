/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import io.verbena.rpc.transport.Connection;
import org.agrona.DirectBuffer;

/**
 * The part of a call at the server that streams; see {@link ServerCall}, its only subclass.
 */
abstract class StreamingCall extends ScopedCall
{
    StreamingCall(final ServerCore core)
    {
        super(core);
    }

    /**
     * Opens an item of at most the given length, to be encoded in place from {@link ServerCall#offset()} in
     * {@link ServerCall#buffer()} and then sent or aborted, within the same callback or task. Unlike a response, an
     * item is refused rather than queued without bounds.
     *
     * @param payloadLength of SBE message header and body together, in bytes.
     * @return positive; or {@link RpcChannel#CREDIT_EXHAUSTED}, {@link Connection#BACK_PRESSURED} or
     *     {@link Connection#ADMIN_ACTION}, and {@link ServiceAdapter#onReady} follows; or
     *     {@link RpcChannel#CALL_ENDED}; or {@link RpcChannel#MESSAGE_TOO_LONG}, and the call goes on.
     * @throws IllegalStateException    if something is open already, of whichever call of this server, or the method
     *                                  has no stream of responses.
     * @throws IllegalArgumentException if the length is negative.
     * @throws RpcException             {@link StatusCode#RESOURCE_EXHAUSTED} if the metadata to send with it is too
     *                                  long; the call has then ended with it.
     */
    public long claimItem(final int payloadLength)
    {
        final StreamCall stream = stream();
        final long refusal = itemRefusal(stream, payloadLength);
        if (refusal < 0)
        {
            return refusal;
        }
        final long result = session.link().tryOpenItem(payloadLength, fittingMetadata());
        if (result < 0)
        {
            return notTaken(stream, result);
        }
        clearMetadata();
        itemOpened();
        return result;
    }

    /**
     * Sends an item that is already encoded, by copying it.
     *
     * @param payload that holds SBE message header and body; free for reuse on return.
     * @param offset  of the SBE message header, in bytes.
     * @param length  of header and body in bytes.
     * @return positive, or a negative code as of {@link #claimItem}, and nothing was sent.
     * @throws IllegalStateException    as of {@link #claimItem}.
     * @throws IllegalArgumentException if the length is negative.
     */
    public long offerItem(final DirectBuffer payload, final int offset, final int length)
    {
        final StreamCall stream = stream();
        final long refusal = itemRefusal(stream, length);
        if (refusal < 0)
        {
            return refusal;
        }
        payload.boundsCheck(offset, length);
        if (hasMetadata() || session.calls().hooks() != null)
        {
            return offerByClaim(stream, payload, offset, length);
        }
        final long result = session.link().offerItem(stream, payload, offset, length);
        if (result < 0)
        {
            return notTaken(stream, result);
        }
        session.notePending();
        return result;
    }

    /**
     * Whether an item can begin, as far as credit goes. If not, {@link ServiceAdapter#onReady} follows when it can.
     *
     * @return true if so; false also when the call has ended.
     */
    public boolean isReady()
    {
        final StreamCall stream = stream();
        return stream != null && stream.kind().isServerStreaming() && stream.table().isReady(stream);
    }

    /**
     * Ends a stream of responses well: the client is told after all items. Does nothing if the call has ended.
     *
     * @throws IllegalStateException if something is open on this server, or the method has no stream of responses.
     */
    public void complete()
    {
        requireNothingOpen();
        final StreamCall stream = stream();
        if (stream != null)
        {
            requireServerStreaming(stream);
            if (hasMetadata())
            {
                session.link().sendHalfClose(stream, fittingMetadata());
                clearMetadata();
            }
            else
            {
                session.link().sendHalfClose(stream);
            }
            session.calls().answered(correlationId, StatusCode.OK);
            session.notePending();
        }
    }

    /**
     * Lets the client send further items, where {@link ServiceAdapter#isGrantAutomatic} was false. Sums that overflow
     * count as no limit.
     *
     * @param items in addition, from 1; the bytes of items that were taken go back with them.
     * @return false if the call has ended.
     * @throws IllegalStateException    if the call has no stream of requests, or its credit goes back by itself.
     * @throws IllegalArgumentException if items is less than 1.
     */
    public boolean grant(final int items)
    {
        StreamFrames.requireGrant(items);
        final StreamCall stream = stream();
        if (stream == null)
        {
            return false;
        }
        StreamFrames.requireManual(stream, stream.kind().isClientStreaming());
        stream.table().grant(stream, items);
        session.notePending();
        return true;
    }

    /**
     * Keeps an object with a call that streams, until {@link ServiceAdapter#onEnded} is given it. Does nothing if the
     * call has ended.
     *
     * @param attachment the object; null for none.
     * @throws IllegalStateException if the call does not stream.
     */
    public void attach(final Object attachment)
    {
        final StreamCall stream = stream();
        if (stream != null)
        {
            stream.attachment(attachment);
        }
    }

    /**
     * What was attached to the call.
     *
     * @return the object; null for none, and once the call has ended.
     * @throws IllegalStateException if the call does not stream.
     */
    public Object attachment()
    {
        final StreamCall stream = stream();
        return stream == null ? null : stream.attachment();
    }

    /**
     * Sends an item with metadata or past interceptors.
     */
    private long offerByClaim(
        final StreamCall stream, final DirectBuffer payload, final int offset, final int length)
    {
        final Link link = session.link();
        final long result = link.tryOpenItem(length, fittingMetadata());
        if (result < 0)
        {
            return notTaken(stream, result);
        }
        clearMetadata();
        link.buffer().putBytes(link.payloadOffset(), payload, offset, length);
        if (!isLetThrough(true, length))
        {
            return RpcChannel.CALL_ENDED;
        }
        session.sendItem(correlationId, length);
        return result;
    }

    abstract void requireNothingOpen();

    abstract void itemOpened();

    private long itemRefusal(final StreamCall stream, final int payloadLength)
    {
        requireNothingOpen();
        if (payloadLength < 0)
        {
            throw new IllegalArgumentException("expected a length of 0 or more bytes, found " + payloadLength);
        }
        if (stream == null)
        {
            return RpcChannel.CALL_ENDED;
        }
        requireServerStreaming(stream);
        if (payloadLength > session.maxMessageLength())
        {
            core.counters().messageTooLong();
            return RpcChannel.MESSAGE_TOO_LONG;
        }
        return stream.table().refusal(stream, core.counters());
    }

    private long notTaken(final StreamCall stream, final long result)
    {
        stream.table().awaitTransport(stream);
        session.notePending();
        return result;
    }

    private StreamCall stream()
    {
        final ServerCalls calls = session.calls();
        final int slot = calls.slots().find(correlationId);
        if (slot < 0)
        {
            return null;
        }
        final StreamCall stream = calls.streams().table().at(slot);
        if (stream == null)
        {
            throw new IllegalStateException("call " + correlationId + " of method " + methodId + " does not stream");
        }
        return stream;
    }

    private void requireServerStreaming(final StreamCall stream)
    {
        if (!stream.kind().isServerStreaming())
        {
            throw new IllegalStateException("method " + methodId + " has no stream of responses: answer it once");
        }
    }
}
