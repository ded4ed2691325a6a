/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import io.verbena.rpc.protocol.ErrorPayload;
import io.verbena.rpc.protocol.FrameHeader;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * One call at the server: who makes it, how long it may take, and the way to answer it. Generated responders wrap it.
 * <p>
 * <b>Lifetime:</b> the instance that a {@link ServiceAdapter} is given is used again for the next call; it is valid
 * until the adapter returns. {@link #detach()} gives one that stays valid until the call has ended, to answer later.
 * <p>
 * <b>Threading:</b> the server's thread alone; from another thread use {@link RpcServer#execute(Runnable)}. The calls
 * of a service whose {@link ServiceExecution} is not the duty cycle may be used by any thread, one at a time.
 * <p>
 * <b>Endings:</b> a call is answered at most once. What is sent to a call that has ended already (deadline, cancel,
 * lost connection) is dropped without an error, since the handler could not have known.
 * <p>
 * Answering never fails for back pressure: what the transport does not take now is queued, up to
 * {@link RpcServer.Context#maxQueuedBytes()} on each connection.
 */
public sealed class ServerCall extends StreamingCall permits OffThreadCall
{
    private static final byte[] NO_TEXT = new byte[0];

    private enum Region
    {
        NONE, RESPONSE, ITEM, ERROR, DROPPED
    }

    private Region region = Region.NONE;
    private boolean isScratch;
    private int offset;
    private StatusCode errorCode;
    private String errorText;
    private byte[] errorTextBytes = NO_TEXT;

    ServerCall(final ServerCore core)
    {
        super(core);
    }

    final ServerCall set(
        final ServerSession session,
        final long correlationId,
        final int serviceId,
        final int methodId,
        final Metadata metadata)
    {
        reset(metadata);
        this.session = session;
        this.correlationId = correlationId;
        this.serviceId = serviceId;
        this.methodId = methodId;
        this.region = Region.NONE;
        return this;
    }

    final ServerSession session()
    {
        return session;
    }

    /**
     * The connection that the call came in on.
     *
     * @return the id, unique within the server, whichever transport it came over.
     */
    public long connectionId()
    {
        return session.connectionId();
    }

    /**
     * The call's id, unique on its connection.
     *
     * @return the id, positive.
     */
    public long correlationId()
    {
        return correlationId;
    }

    /**
     * The method that was called.
     *
     * @return its id, as the schema has it.
     */
    public int methodId()
    {
        return methodId;
    }

    /**
     * The service that was called.
     *
     * @return its id, as the schema has it.
     */
    public int serviceId()
    {
        return serviceId;
    }

    /**
     * Whether an answer would still reach the caller.
     *
     * @return false once the call was answered, failed or cancelled, ran out of time, or its connection ended.
     */
    public boolean isOpen()
    {
        return session.calls().isOpen(correlationId);
    }

    /**
     * How long the call may still take.
     *
     * @return nanoseconds to the deadline, 0 once it has passed or the call has ended; {@link Long#MAX_VALUE} where
     *     there is no deadline.
     */
    public long remainingNs()
    {
        return session.calls().remainingNs(correlationId);
    }

    /**
     * Opens a response of at most the given length, to be encoded in place from {@link #offset()} in {@link #buffer()}
     * and then sent or aborted, within the same callback or task. One response may be open on a server at a time.
     *
     * @param payloadLength of SBE message header and body together, in bytes.
     * @throws RpcException          {@link StatusCode#RESOURCE_EXHAUSTED} if that is longer than the limit of either
     *                               side, or more is queued already than may be; the call has then ended with it.
     * @throws IllegalStateException if a response is open already, of whichever call of this server.
     */
    public void claim(final int payloadLength)
    {
        open(Region.RESPONSE, payloadLength);
    }

    /**
     * Opens a response of a length not known beforehand, in a buffer that grows and is copied when it is sent.
     *
     * @throws IllegalStateException if a response is open already, of whichever call of this server.
     */
    public void claimScratch()
    {
        openScratch(Region.RESPONSE);
    }

    /**
     * Opens a typed error of at most the given length, as {@link #claim(int)} does for a response.
     *
     * @param code         to end the call with; not {@link StatusCode#OK}.
     * @param text         for people; null for none; cut at 1,024 bytes of UTF-8.
     * @param detailLength of the detail's SBE message header and body together, in bytes.
     * @throws RpcException             as of {@link #claim(int)}.
     * @throws IllegalArgumentException if the code is OK.
     * @throws IllegalStateException    if a response is open already, of whichever call of this server.
     */
    public void claimError(final StatusCode code, final CharSequence text, final int detailLength)
    {
        requireNothingOpen();
        setError(code, text);
        open(Region.ERROR, ErrorPayload.detailOffset(errorTextBytes.length) + detailLength);
    }

    /**
     * Opens a typed error of a length not known beforehand, as {@link #claimScratch()} does for a response.
     *
     * @param code to end the call with; not {@link StatusCode#OK}.
     * @param text for people; null for none; cut at 1,024 bytes of UTF-8.
     * @throws IllegalArgumentException if the code is OK.
     * @throws IllegalStateException    if a response is open already, of whichever call of this server.
     */
    public void claimErrorScratch(final StatusCode code, final CharSequence text)
    {
        requireNothingOpen();
        setError(code, text);
        openScratch(Region.ERROR);
    }

    /**
     * The buffer of what is open.
     *
     * @return the buffer; meaningful until it is sent or aborted.
     */
    public MutableDirectBuffer buffer()
    {
        return region == Region.DROPPED ? core.scratch() : session.link().buffer();
    }

    /**
     * Where the SBE message header of what is open begins.
     *
     * @return offset in {@link #buffer()}, 8-byte aligned.
     */
    public int offset()
    {
        return offset;
    }

    /**
     * Sends what is open: a response or error, which ends the call, or an item.
     *
     * @param payloadLength of SBE message header and body as encoded, in bytes; at most what was claimed.
     * @throws IllegalStateException if nothing is open.
     * @throws RpcException          if it is longer than what was claimed or than the limit; the call has then ended
     *                               with that status.
     */
    public void send(final int payloadLength)
    {
        final Region sent = region;
        if (sent == Region.NONE)
        {
            throw new IllegalStateException("no response is open: claim one first");
        }
        region = Region.NONE;
        core.openCall(null);
        if (sent == Region.DROPPED)
        {
            return;
        }
        final Link link = session.link();
        final int start = offset - link.payloadOffset();
        if (!session.calls().isOpen(correlationId))
        {
            link.abort();
            return;
        }
        if (payloadLength < 0 || payloadLength > link.payloadCapacity() - start)
        {
            final int capacity = link.payloadCapacity() - start;
            link.abort();
            final RpcException failure = endWith(
                StatusCode.INTERNAL, "a response of " + payloadLength + " bytes was encoded where " + capacity +
                " were claimed");
            // an error of the handler's code, and the exception may go no further than its call
            core.onError(failure);
            throw failure;
        }
        final int length = start + payloadLength;
        if (length > session.maxMessageLength())
        {
            link.abort();
            core.counters().messageTooLong();
            throw endWith(StatusCode.RESOURCE_EXHAUSTED, tooLongText(length));
        }
        if (isScratch && !session.hasRoomFor(length))
        {
            link.abort();
            throw endWith(StatusCode.RESOURCE_EXHAUSTED, session.queueFullText());
        }
        if (sent != Region.ERROR && !isLetThrough(sent == Region.ITEM, length))
        {
            return;
        }
        if (sent == Region.ERROR)
        {
            session.sendTypedError(correlationId, serviceId, methodId, errorCode, errorText, errorTextBytes, length);
        }
        else if (sent == Region.ITEM)
        {
            session.sendItem(correlationId, length);
        }
        else
        {
            session.sendResponse(correlationId, serviceId, methodId, length);
        }
    }

    /**
     * Drops what is open; the call goes on. Does nothing if nothing is open.
     */
    public void abort()
    {
        if (region != Region.NONE)
        {
            if (region != Region.DROPPED)
            {
                session.link().abort();
            }
            region = Region.NONE;
            core.openCall(null);
        }
    }

    /**
     * Ends the call with an error that has no detail. What is open is dropped.
     *
     * @param code to end the call with; not {@link StatusCode#OK}.
     * @param text for people; null for none; cut at 1,024 bytes of UTF-8.
     * @throws IllegalArgumentException if the code is OK.
     */
    public void fail(final StatusCode code, final CharSequence text)
    {
        fail(code, text, 0);
    }

    /**
     * Ends the call with an error that has no detail and says whether and when to call again. What is open is dropped.
     *
     * @param code       to end the call with; not {@link StatusCode#OK}.
     * @param text       for people; null for none; cut at 1,024 bytes of UTF-8.
     * @param pushbackNs nanoseconds that the caller should wait at least before it calls again; 0 for nothing said;
     *                   negative: it should not.
     * @throws IllegalArgumentException if the code is OK.
     */
    public void fail(final StatusCode code, final CharSequence text, final long pushbackNs)
    {
        requireError(code);
        // first, since a text of the caller's may throw, and the call must not have ended then
        final String sentText = text == null ? "" : text.toString();
        abort();
        session.calls().fail(correlationId, code, sentText, null, 0, nextMetadata(), pushbackNs);
        clearMetadata();
    }

    /**
     * The longest message that can be sent to this client: the lesser of the two sides' limits.
     *
     * @return bytes of SBE message header and body together.
     */
    public int maxMessageLength()
    {
        return session.maxMessageLength();
    }

    /**
     * An instance of this call that stays valid after the adapter has returned. Allocates.
     *
     * @return the instance; nothing is open on it.
     */
    public ServerCall detach()
    {
        session.calls().startDeadline();
        final ServerCall detached = new ServerCall(core).set(session, correlationId, serviceId, methodId, null);
        detached.detachFrom(this);
        return detached;
    }

    void fail(final RpcException failure)
    {
        abort();
        final DirectBuffer detail = failure.detail();
        session.calls().fail(
            correlationId, failure.code(), failure.text(), detail, detail == null ? 0 : detail.capacity(),
            nextMetadata(), failure.pushbackNs());
        clearMetadata();
    }

    private void open(final Region kind, final int payloadLength)
    {
        requireNothingOpen();
        if (payloadLength < 0)
        {
            throw new IllegalArgumentException("expected a length of 0 or more bytes, found " + payloadLength);
        }
        if (!session.calls().isOpen(correlationId))
        {
            openDropped();
            return;
        }
        if (payloadLength > session.maxMessageLength())
        {
            core.counters().messageTooLong();
            throw endWith(StatusCode.RESOURCE_EXHAUSTED, tooLongText(payloadLength));
        }
        if (!session.hasRoomFor(payloadLength))
        {
            throw endWith(StatusCode.RESOURCE_EXHAUSTED, session.queueFullText());
        }
        final StreamCall stream = session.calls().stream(correlationId);
        if (stream != null && kind == Region.RESPONSE)
        {
            requireOneResponse(stream);
        }
        session.link().open(payloadLength, fittingMetadata(), stream);
        clearMetadata();
        opened(kind, false);
    }

    private void openScratch(final Region kind)
    {
        requireNothingOpen();
        if (!session.calls().isOpen(correlationId))
        {
            openDropped();
            return;
        }
        final StreamCall stream = session.calls().stream(correlationId);
        if (stream != null && kind == Region.RESPONSE)
        {
            requireOneResponse(stream);
        }
        session.link().openScratch(fittingMetadata());
        clearMetadata();
        opened(kind, true);
    }

    @Override
    void itemOpened()
    {
        opened(Region.ITEM, false);
    }

    private void opened(final Region kind, final boolean scratch)
    {
        region = kind;
        isScratch = scratch;
        final int start = session.link().payloadOffset();
        offset = kind == Region.ERROR ? start + ErrorPayload.detailOffset(errorTextBytes.length) : start;
        core.openCall(this);
    }

    private void openDropped()
    {
        region = Region.DROPPED;
        offset = FrameHeader.LENGTH;
        core.openCall(this);
    }

    private void requireOneResponse(final StreamCall stream)
    {
        if (stream.kind().isServerStreaming())
        {
            throw new IllegalStateException("method " + methodId + " answers by a stream: claim items and complete it");
        }
    }

    @Override
    void requireNothingOpen()
    {
        if (core.isCallOpen())
        {
            throw new IllegalStateException("a response is open on this server: send or abort it first");
        }
    }

    private void setError(final StatusCode code, final CharSequence text)
    {
        requireError(code);
        errorCode = code;
        errorText = text == null ? "" : text.toString();
        errorTextBytes = ErrorPayload.textBytes(errorText);
    }

    @Override
    boolean isLastOpen()
    {
        return region == Region.RESPONSE || region == Region.ERROR;
    }

    /**
     * What a call that ends for a limit says about another try: it would meet the same limit.
     */
    static long pushbackNs(final StatusCode code)
    {
        return code == StatusCode.RESOURCE_EXHAUSTED ? -1 : 0;
    }

    @Override
    RpcException endWith(final StatusCode code, final String text)
    {
        session.calls().fail(correlationId, code, text, null, 0, null, pushbackNs(code));
        return new RpcException(code, text);
    }

    private String tooLongText(final int length)
    {
        return "the response of " + length + " bytes exceeds the limit of " + session.maxMessageLength() + " bytes";
    }

    static void requireError(final StatusCode code)
    {
        if (code == null || code == StatusCode.OK)
        {
            throw new IllegalArgumentException("expected a status other than OK to fail a call with, found " + code);
        }
    }
}
