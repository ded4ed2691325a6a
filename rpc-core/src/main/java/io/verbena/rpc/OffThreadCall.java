/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import io.verbena.rpc.protocol.ErrorPayload;
import io.verbena.rpc.protocol.FrameHeader;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A call whose handler runs on another thread than the server's: answers are encoded in a buffer of this call's and
 * handed over to the server's thread. Any thread, one at a time.
 * <p>
 * Design note: it keeps what does not change of the call, and knows whether that is open as far as the server's thread
 * has said. An answer that comes after the end is dropped there, as every late answer is.
 */
final class OffThreadCall extends ServerCall
{
    private enum Region
    {
        NONE, RESPONSE, ITEM, ERROR
    }

    private final ServerCore core;
    private final HandOver handOver;
    private final LaneCall state;
    private final NanoClock clock;
    private final long deadlineNs;
    private final int maxMessageLength;
    private final boolean isGrantAutomatic;
    private Region region = Region.NONE;
    private MutableDirectBuffer buffer;
    private int capacity;
    private StatusCode errorCode;
    private String errorText;

    /**
     * On the server's thread.
     */
    OffThreadCall(final ServerCore core, final HandOver handOver, final LaneCall state)
    {
        super(core);
        this.core = core;
        this.handOver = handOver;
        this.state = state;
        this.clock = core.clock();
        set(state.session(), state.correlationId(), state.serviceId(), state.callMethodId(), null);
        // what is kept for a call that outlives its handler is kept for one that has another thread, too
        detachFrom(state.lane().lanes().view(state));
        this.deadlineNs = state.session().calls().deadlineNs(state.correlationId());
        this.maxMessageLength = state.session().maxMessageLength();
        this.isGrantAutomatic = state.lane().adapter().isGrantAutomatic(methodId());
    }

    private OffThreadCall(final OffThreadCall other)
    {
        super(other.core);
        core = other.core;
        handOver = other.handOver;
        state = other.state;
        clock = other.clock;
        set(other.session(), other.correlationId(), other.serviceId(), other.methodId(), null);
        detachFrom(other);
        deadlineNs = other.deadlineNs;
        maxMessageLength = other.maxMessageLength;
        isGrantAutomatic = other.isGrantAutomatic;
    }

    @Override
    public boolean isOpen()
    {
        return state.isOpen() && remainingByClockNs() > 0;
    }

    @Override
    public long remainingNs()
    {
        return state.isOpen() ? remainingByClockNs() : 0;
    }

    @Override
    public void claim(final int payloadLength)
    {
        open(Region.RESPONSE, payloadLength, 0);
    }

    @Override
    public void claimScratch()
    {
        openScratch(Region.RESPONSE);
    }

    @Override
    public void claimError(final StatusCode code, final CharSequence text, final int detailLength)
    {
        requireNothingOpen();
        setError(code, text);
        open(Region.ERROR, detailLength, ErrorPayload.detailOffset(ErrorPayload.textBytes(errorText).length));
    }

    @Override
    public void claimErrorScratch(final StatusCode code, final CharSequence text)
    {
        requireNothingOpen();
        setError(code, text);
        openScratch(Region.ERROR);
    }

    @Override
    public MutableDirectBuffer buffer()
    {
        return buffer;
    }

    @Override
    public int offset()
    {
        return 0;
    }

    @Override
    public void send(final int payloadLength)
    {
        final Region sent = region;
        if (sent == Region.NONE)
        {
            throw new IllegalStateException("no response is open: claim one first");
        }
        final MutableDirectBuffer payload = buffer;
        abort();
        if (payloadLength < 0 || payloadLength > Math.min(capacity, payload.capacity()))
        {
            final RpcException failure = endWith(
                StatusCode.INTERNAL, "a response of " + payloadLength + " bytes was encoded where " + capacity +
                " were claimed");
            report(failure);
            throw failure;
        }
        if (payloadLength > maxMessageLength)
        {
            throw endWith(StatusCode.RESOURCE_EXHAUSTED, tooLongText(payloadLength));
        }
        if (sent == Region.ITEM)
        {
            handOverItem(payload, payloadLength);
            return;
        }
        final StatusCode code = errorCode;
        final String text = errorText;
        final Metadata metadata = takeMetadata();
        end(() ->
        {
            final ServerCall call = state.view(metadata);
            if (sent == Region.RESPONSE)
            {
                call.claim(payloadLength);
            }
            else
            {
                call.claimError(code, text, payloadLength);
            }
            call.buffer().putBytes(call.offset(), payload, 0, payloadLength);
            call.send(payloadLength);
        }, payloadLength);
    }

    @Override
    public long claimItem(final int payloadLength)
    {
        final long refusal = itemRefusal(payloadLength);
        if (refusal == 0)
        {
            open(Region.ITEM, payloadLength, 0);
            return 1;
        }
        return refusal;
    }

    @Override
    public long offerItem(final DirectBuffer payload, final int offset, final int length)
    {
        final long refusal = itemRefusal(length);
        if (refusal == 0)
        {
            final UnsafeBuffer copy = new UnsafeBuffer(new byte[length]);
            copy.putBytes(0, payload, offset, length);
            handOverItem(copy, length);
            return 1;
        }
        return refusal;
    }

    @Override
    public boolean isReady()
    {
        return state.isOpen() && kind().isServerStreaming() && state.items().mayBegin();
    }

    @Override
    public void complete()
    {
        requireNothingOpen();
        requireServerStreaming();
        final Metadata metadata = takeMetadata();
        end(() -> state.view(metadata).complete(), 0);
    }

    @Override
    public boolean grant(final int items)
    {
        StreamFrames.requireGrant(items);
        if (!kind().isClientStreaming() || isGrantAutomatic)
        {
            throw new IllegalStateException(kind().isClientStreaming() ?
                "the credit of method " + methodId() + " goes back by itself" :
                "method " + methodId() + " has no stream of requests");
        }
        if (!state.isOpen())
        {
            return false;
        }
        handOver.post(() -> state.view(null).grant(items), 0);
        return true;
    }

    @Override
    public void attach(final Object attachment)
    {
        requireStream();
        state.attachment(attachment);
    }

    @Override
    public Object attachment()
    {
        requireStream();
        return state.attachment();
    }

    @Override
    public void abort()
    {
        region = Region.NONE;
        buffer = null;
    }

    @Override
    public void fail(final StatusCode code, final CharSequence text)
    {
        fail(code, text, 0);
    }

    @Override
    public void fail(final StatusCode code, final CharSequence text, final long pushbackNs)
    {
        requireError(code);
        final String sentText = text == null ? "" : text.toString();
        abort();
        final Metadata metadata = takeMetadata();
        end(() -> state.view(metadata).fail(code, sentText, pushbackNs), 0);
    }

    @Override
    public ServerCall detach()
    {
        return new OffThreadCall(this);
    }

    @Override
    void fail(final RpcException failure)
    {
        abort();
        final Metadata metadata = takeMetadata();
        final DirectBuffer detail = failure.detail();
        end(() -> state.view(metadata).fail(failure), detail == null ? 0 : detail.capacity());
    }

    /**
     * Answers a call whose handler has thrown, then tells the error handler.
     */
    void failByHandler(final Throwable failure)
    {
        if (failure instanceof final RpcException status)
        {
            fail(status);
            return;
        }
        fail(StatusCode.INTERNAL, "the handler failed: " + Limits.describe(failure));
        report(failure);
    }

    /**
     * Ends the call if its handler returned with a response open.
     */
    void closeOpen()
    {
        if (region != Region.NONE)
        {
            fail(StatusCode.INTERNAL, "the handler left a response open, neither sent nor aborted");
            report(new IllegalStateException(
                "call " + correlationId() + " of method " + methodId() +
                ": a response was claimed and neither sent nor aborted"));
        }
    }

    /**
     * Hands over what ends the call, behind the items that were handed over before.
     */
    private void end(final Runnable end, final int length)
    {
        state.answered();
        handOver.post(() -> state.items().end(end), length);
    }

    private void handOverItem(final DirectBuffer payload, final int length)
    {
        final Metadata metadata = takeMetadata();
        state.items().reserve(length);
        handOver.post(() -> state.items().add(payload, length, metadata), length);
    }

    private long itemRefusal(final int length)
    {
        requireNothingOpen();
        requireServerStreaming();
        if (length < 0)
        {
            throw new IllegalArgumentException("expected a length of 0 or more bytes, found " + length);
        }
        if (!state.isOpen())
        {
            return RpcChannel.CALL_ENDED;
        }
        if (length > maxMessageLength)
        {
            return RpcChannel.MESSAGE_TOO_LONG;
        }
        return state.items().mayBegin() ? 0 : RpcChannel.CREDIT_EXHAUSTED;
    }

    private MethodKind kind()
    {
        return state.methodKind(methodId());
    }

    private void requireStream()
    {
        if (kind() == MethodKind.UNARY)
        {
            throw new IllegalStateException(
                "call " + correlationId() + " of method " + methodId() + " does not stream");
        }
    }

    private void requireServerStreaming()
    {
        if (!kind().isServerStreaming())
        {
            throw new IllegalStateException("method " + methodId() + " has no stream of responses: answer it once");
        }
    }

    private Metadata takeMetadata()
    {
        final Metadata own = nextMetadata();
        if (own == null)
        {
            return null;
        }
        final Metadata taken = own.copy();
        own.clear();
        return taken;
    }

    private void open(final Region kind, final int length, final int overhead)
    {
        requireNothingOpen();
        if (length < 0)
        {
            throw new IllegalArgumentException("expected a length of 0 or more bytes, found " + length);
        }
        if (state.isOpen() && length > maxMessageLength - overhead)
        {
            throw endWith(StatusCode.RESOURCE_EXHAUSTED, tooLongText(length));
        }
        buffer = new UnsafeBuffer(new byte[length]);
        capacity = length;
        region = kind;
    }

    private void openScratch(final Region kind)
    {
        requireNothingOpen();
        buffer = new ExpandableArrayBuffer();
        capacity = Integer.MAX_VALUE;
        region = kind;
    }

    @Override
    boolean isLastOpen()
    {
        return region == Region.RESPONSE || region == Region.ERROR;
    }

    @Override
    void requireNothingOpen()
    {
        if (region != Region.NONE)
        {
            throw new IllegalStateException("a response is open on this call: send or abort it first");
        }
    }

    private void setError(final StatusCode code, final CharSequence text)
    {
        requireError(code);
        errorCode = code;
        errorText = text == null ? "" : text.toString();
    }

    @Override
    RpcException endWith(final StatusCode code, final String text)
    {
        fail(code, text, pushbackNs(code));
        return new RpcException(code, text);
    }

    private void report(final Throwable failure)
    {
        handOver.post(() -> core.onHandlerFailure(failure), 0);
    }

    private String tooLongText(final int length)
    {
        return "the response of " + length + " bytes exceeds the limit of " + maxMessageLength + " bytes";
    }

    private long remainingByClockNs()
    {
        return deadlineNs == FrameHeader.NO_TIMEOUT ? FrameHeader.NO_TIMEOUT :
            Math.max(0, deadlineNs - clock.nanoTime());
    }
}
