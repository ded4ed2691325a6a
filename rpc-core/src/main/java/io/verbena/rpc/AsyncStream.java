/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A stream in the hands of any thread: queues of items between those and the agent's thread, which sends, receives and
 * grants.
 * <p>
 * What arrives is bounded by the credit that the server has: items are granted again as they are taken. What is to be
 * sent is bounded by the same window.
 */
final class AsyncStream extends AsyncCall implements ClientStream
{
    private final ClientCore core;
    private final AsyncCalls calls;
    private final MethodKind kind;
    private final Consumer<DirectBuffer> consumer;
    private final UnsafeBuffer pushedView = new UnsafeBuffer();
    private final StreamQueues queues;
    private final CompletableFuture<DirectBuffer> result = new CompletableFuture<>();
    private final AtomicBoolean isSignalled = new AtomicBoolean();
    /** The agent's. */
    private boolean isHalfCloseSent;

    AsyncStream(
        final ClientCore core,
        final AsyncCalls calls,
        final int serviceId,
        final int methodId,
        final MethodKind kind,
        final DirectBuffer payload,
        final int offset,
        final int length,
        final long deadlineNs,
        final CallOptions options,
        final Consumer<DirectBuffer> consumer)
    {
        super(serviceId, methodId, payload, offset, length, deadlineNs, options.retry(null).hedging(null));
        this.core = core;
        this.calls = calls;
        this.kind = kind;
        this.consumer = consumer;
        this.queues = new StreamQueues(
            core.context().streamWindowItems(), core.context().streamWindowBytes(), this::signal);
    }

    @Override
    public DirectBuffer take()
    {
        requirePulled();
        requireOtherThread();
        try
        {
            return queues.take(true);
        }
        catch (final InterruptedException ex)
        {
            throw interrupted();
        }
    }

    @Override
    public DirectBuffer poll()
    {
        requirePulled();
        try
        {
            return queues.take(false);
        }
        catch (final InterruptedException ex)
        {
            throw interrupted();
        }
    }

    @Override
    public boolean offer(final DirectBuffer buffer, final int offset, final int length)
    {
        return add(buffer, offset, length, false);
    }

    @Override
    public boolean send(final DirectBuffer buffer, final int offset, final int length)
    {
        requireOtherThread();
        return add(buffer, offset, length, true);
    }

    @Override
    public CompletableFuture<Void> whenReady()
    {
        return queues.whenReady();
    }

    @Override
    public void halfClose()
    {
        if (kind.isClientStreaming())
        {
            queues.halfClose();
        }
    }

    @Override
    public void cancel()
    {
        giveUp(new RpcException(StatusCode.CANCELLED, "cancelled by the caller"));
    }

    @Override
    public boolean isEnded()
    {
        return queues.isEmptyAndEnded();
    }

    @Override
    public CompletableFuture<DirectBuffer> result()
    {
        return result.copy();
    }

    @Override
    public void close()
    {
        cancel();
    }

    boolean isPushed()
    {
        return consumer != null;
    }

    @Override
    long offer(final RpcChannel channel, final CallAttempt attempt, final long nowNs)
    {
        return channel.offer(this, kind, attempt, nowNs);
    }

    @Override
    CallAttempt newAttempt(final RpcChannel channel)
    {
        return new StreamAttempt(this, channel);
    }

    @Override
    boolean isAbandoned()
    {
        return queues.hasEnd();
    }

    @Override
    void tellFailure(final RpcException failure)
    {
        end(failure, null, false);
    }

    @Override
    public void cancelNested(final long id, final String text)
    {
        giveUp(new RpcException(StatusCode.CANCELLED, text));
    }

    /**
     * The call has ended well.
     */
    void complete(final DirectBuffer response)
    {
        end(null, response, false);
    }

    /**
     * An item has arrived. Agent's thread.
     */
    void onItem(final DirectBuffer buffer, final int offset, final int length)
    {
        if (consumer == null)
        {
            queues.onItem(copy(buffer, offset, length));
        }
        else if (!queues.hasEnd())
        {
            pushedView.wrap(buffer, offset, length);
            consumer.accept(pushedView);
        }
    }

    /**
     * Other threads have taken or sent something, or items can be sent again. Agent's thread.
     */
    @Override
    void serve()
    {
        isSignalled.set(false);
        if (queues.hasEnd() || attempts().isEmpty())
        {
            return;
        }
        final CallAttempt attempt = attempts().get(0);
        if (attempt.channel.isRequestOpen())
        {
            // a claim of the zero-copy face, which ends with this duty cycle
            signal();
            return;
        }
        final int taken = queues.pollTaken();
        if (taken > 0)
        {
            attempt.channel.grant(attempt.correlationId, taken);
        }
        if (kind.isClientStreaming() && !isHalfCloseSent)
        {
            sendItems(attempt);
        }
    }

    private void sendItems(final CallAttempt attempt)
    {
        final RpcChannel channel = attempt.channel;
        DirectBuffer item;
        while ((item = queues.peekOutbound()) != null)
        {
            final long sent = channel.offerItem(attempt.correlationId, item, 0, item.capacity());
            if (sent == RpcChannel.MESSAGE_TOO_LONG)
            {
                giveUp(tooLong(item.capacity(), channel.connector().maxMessageLength()));
                return;
            }
            if (sent < 0)
            {
                // the handler is told when items can be sent again, or that the call has ended
                return;
            }
            calls.commit(this);
            queues.onSent();
        }
        if (queues.isOutboundDone())
        {
            calls.commit(this);
            isHalfCloseSent = true;
            channel.halfClose(attempt.correlationId);
        }
    }

    private boolean add(final DirectBuffer buffer, final int offset, final int length, final boolean isWaiting)
    {
        RpcChannel.requireNotNegative(length, 0);
        if (!kind.isClientStreaming())
        {
            throw new IllegalStateException("the method has no stream of requests");
        }
        final int maxMessageLength = core.context().maxMessageLength();
        if (length > maxMessageLength)
        {
            final RpcException failure = tooLong(length, maxMessageLength);
            giveUp(failure);
            throw failure;
        }
        try
        {
            return queues.add(copy(buffer, offset, length), isWaiting);
        }
        catch (final InterruptedException ex)
        {
            throw interrupted();
        }
    }

    /**
     * Asks the agent to look. Any thread.
     */
    private void signal()
    {
        if (!isSignalled.get() && isSignalled.compareAndSet(false, true))
        {
            calls.notices().signal(this);
        }
    }

    private RpcException interrupted()
    {
        Thread.currentThread().interrupt();
        final RpcException failure = new RpcException(StatusCode.CANCELLED, "the waiting thread was interrupted");
        giveUp(failure);
        return failure;
    }

    private void giveUp(final RpcException failure)
    {
        if (end(failure, null, true))
        {
            calls.notices().abandon(this);
        }
    }

    private boolean end(final RpcException failure, final DirectBuffer response, final boolean isDropping)
    {
        if (!queues.end(failure, isDropping))
        {
            return false;
        }
        if (failure == null)
        {
            result.complete(response);
        }
        else
        {
            result.completeExceptionally(failure);
        }
        return true;
    }

    private void requirePulled()
    {
        if (consumer != null)
        {
            throw new IllegalStateException("the items of this stream are pushed to its consumer");
        }
    }

    private void requireOtherThread()
    {
        if (core.isOwnThread())
        {
            throw new IllegalStateException("this would block the client's thread, which it waits for");
        }
    }

    private static RpcException tooLong(final int length, final int maxMessageLength)
    {
        return new RpcException(
            StatusCode.RESOURCE_EXHAUSTED,
            "the item of " + length + " bytes exceeds the limit of " + maxMessageLength + " bytes");
    }
}
