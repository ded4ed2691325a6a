/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Test double with the signatures that generated code uses: a channel straight to an adapter in the same thread. A
 * test may also take the calls itself.
 */
public final class RpcChannel implements RpcCaller
{
    public static final long NO_TIMEOUT = Long.MAX_VALUE;
    public static final long DEFAULT_TIMEOUT = 0;
    public static final long MESSAGE_TOO_LONG = -5;
    public static final long CREDIT_EXHAUSTED = -7;
    public static final int REGION_OFFSET = 128;
    public static final byte FILLER = 0x5A;

    public final List<String> log = new ArrayList<>();
    public final UnsafeBuffer term = new UnsafeBuffer(new byte[4096]);
    public ServiceAdapter adapter;
    public long refusal;
    public UnsafeBuffer request;
    public ResponseHandler handler;
    public ServerCall call;
    public CompletableFuture<DirectBuffer> pending;
    /** Takes all calls without writing down or copying anything, to measure what generated code allocates. */
    public ServerCall quietCall;
    /** What a claimed or offered item is answered with: positive, or a code. */
    public long itemResult = 1;
    /** The other end of the streams of a client for any thread. */
    public FakeStream stream = new FakeStream();
    public Consumer<DirectBuffer> consumer;
    public CallOptions options;
    public String required;
    private boolean isItem;
    private long nextCorrelationId = 1;
    private int methodId;
    private int claimed = -1;

    public RpcChannel(final ServiceAdapter adapter)
    {
        this.adapter = adapter;
        term.setMemory(0, term.capacity(), FILLER);
    }

    public long claim(
        final int serviceId,
        final int methodId,
        final int payloadLength,
        final long timeoutNs,
        final ResponseHandler handler)
    {
        if (null != quietCall)
        {
            this.handler = handler;
            this.methodId = methodId;
            return 1;
        }
        log.add("claim " + serviceId + " " + methodId + " " + payloadLength + " " + timeoutNs);
        if (claimed >= 0)
        {
            throw new IllegalStateException("a claim is open");
        }
        if (refusal < 0)
        {
            return refusal;
        }
        this.methodId = methodId;
        this.handler = handler;
        claimed = payloadLength;
        return nextCorrelationId;
    }

    public long claimStream(
        final int serviceId,
        final int methodId,
        final int payloadLength,
        final long timeoutNs,
        final StreamHandler handler)
    {
        log.add("stream, automatic " + handler.isGrantAutomatic());
        return claim(serviceId, methodId, payloadLength, timeoutNs, handler);
    }

    public long offerStream(
        final int serviceId,
        final int methodId,
        final DirectBuffer payload,
        final int offset,
        final int length,
        final long timeoutNs,
        final StreamHandler handler)
    {
        log.add("stream, automatic " + handler.isGrantAutomatic());
        return offer(serviceId, methodId, payload, offset, length, timeoutNs, handler);
    }

    public long openStream(
        final int serviceId,
        final int methodId,
        final MethodKind kind,
        final long timeoutNs,
        final StreamHandler handler)
    {
        log.add("open " + serviceId + " " + methodId + " " + kind + " " + timeoutNs + " " + handler.isGrantAutomatic());
        if (refusal < 0)
        {
            return refusal;
        }
        this.methodId = methodId;
        this.handler = handler;
        call = new ServerCall(77, nextCorrelationId++, methodId);
        if (null != adapter)
        {
            adapter.onRequest(call, methodId, term, 0, 0);
        }
        return call.correlationId();
    }

    public long claimItem(final long correlationId, final int payloadLength)
    {
        if (null == quietCall)
        {
            log.add("claimItem " + correlationId + " " + payloadLength);
        }
        if (itemResult > 0)
        {
            claimed = payloadLength;
            isItem = true;
        }
        return itemResult;
    }

    public long offerItem(final long correlationId, final DirectBuffer payload, final int offset, final int length)
    {
        log.add("offerItem " + correlationId + " " + length);
        return itemResult;
    }

    public boolean isReady(final long correlationId)
    {
        return itemResult > 0;
    }

    public boolean halfClose(final long correlationId)
    {
        log.add("halfClose " + correlationId);
        if (null != adapter)
        {
            adapter.onHalfClosed(call, methodId);
        }
        return true;
    }

    public boolean grant(final long correlationId, final int items)
    {
        log.add("grant " + correlationId + " " + items);
        return true;
    }

    public boolean cancel(final long correlationId, final StatusCode code, final String text)
    {
        log.add("cancel " + correlationId);
        handler.onError(correlationId, methodId, code, text, null, 0, 0);
        return true;
    }

    public int maxMessageLength()
    {
        return 4096;
    }

    @Override
    public void require(final int serviceId, final String serviceName, final int schemaId, final int schemaVersion)
    {
        required = serviceId + " " + serviceName + " " + schemaId + " " + schemaVersion;
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
        log.add("stream " + serviceId + " " + methodId + " " + kind + " " + length + " " + options.timeoutNs());
        this.options = options;
        this.consumer = consumer;
        request = null == payload ? null : copy(payload, offset, length);
        return stream;
    }

    public MutableDirectBuffer buffer()
    {
        return term;
    }

    public int offset()
    {
        return REGION_OFFSET;
    }

    public void commit(final int payloadLength)
    {
        if (isItem)
        {
            commitItem(payloadLength);
            return;
        }
        if (null != quietCall)
        {
            adapter.onRequest(quietCall, methodId, term, REGION_OFFSET, payloadLength);
            handler.onResponse(1, methodId, quietCall.term, ServerCall.REGION_OFFSET, quietCall.sentLength);
            return;
        }
        log.add("commit " + payloadLength);
        if (payloadLength > claimed)
        {
            throw new IllegalStateException("more than claimed");
        }
        claimed = -1;
        deliver(term, REGION_OFFSET, payloadLength);
    }

    public void abort()
    {
        log.add("abort");
        claimed = -1;
        isItem = false;
    }

    public long offer(
        final int serviceId,
        final int methodId,
        final DirectBuffer payload,
        final int offset,
        final int length,
        final long timeoutNs,
        final ResponseHandler handler)
    {
        log.add("offer " + serviceId + " " + methodId + " " + length + " " + timeoutNs);
        if (refusal < 0)
        {
            return refusal;
        }
        this.methodId = methodId;
        this.handler = handler;
        final long correlationId = nextCorrelationId;
        deliver(payload, offset, length);
        return correlationId;
    }

    public boolean cancel(final long correlationId)
    {
        log.add("cancel " + correlationId);
        return 1 == correlationId;
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
        log.add("call " + serviceId + " " + methodId + " " + length + " " + options.timeoutNs());
        this.options = options;
        pending = new CompletableFuture<>();
        request = copy(payload, offset, length);
        if (null != adapter)
        {
            call = new ServerCall(77, nextCorrelationId++, methodId);
            adapter.onRequest(call, methodId, request, 0, length);
            if (StatusCode.OK == call.code)
            {
                pending.complete(call.sent);
            }
            else
            {
                pending.completeExceptionally(new RpcException(call.code, call.text, call.sent));
            }
        }
        return pending;
    }

    private void commitItem(final int payloadLength)
    {
        isItem = false;
        claimed = -1;
        if (null != quietCall)
        {
            adapter.onItem(quietCall, methodId, term, REGION_OFFSET, payloadLength);
            return;
        }
        log.add("commit " + payloadLength);
        request = copy(term, REGION_OFFSET, payloadLength);
        if (null != adapter)
        {
            adapter.onItem(call, methodId, term, REGION_OFFSET, payloadLength);
        }
    }

    private void deliver(final DirectBuffer payload, final int offset, final int length)
    {
        request = copy(payload, offset, length);
        call = new ServerCall(77, nextCorrelationId++, methodId);
        if (null == adapter)
        {
            return;
        }
        adapter.onRequest(call, methodId, payload, offset, length);
        if (StatusCode.OK != call.code)
        {
            handler.onError(call.correlationId(), methodId, call.code, call.text,
                call.sent, 0, null == call.sent ? 0 : call.sent.capacity());
        }
        else if (null != call.sent)
        {
            handler.onResponse(call.correlationId(), methodId, call.sent, 0, call.sent.capacity());
        }
    }

    static UnsafeBuffer copy(final DirectBuffer payload, final int offset, final int length)
    {
        final byte[] bytes = new byte[length];
        payload.getBytes(offset, bytes);
        return new UnsafeBuffer(bytes);
    }
}
