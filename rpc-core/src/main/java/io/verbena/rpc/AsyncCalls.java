/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import io.verbena.rpc.protocol.FrameHeader;
import io.verbena.rpc.transport.Connection;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.ManyToOneConcurrentArrayQueue;
import org.agrona.concurrent.NanoClock;

/**
 * A channel's calls from other threads, on their way to the agent's thread: a bounded queue between the threads and,
 * on the agent's side, those that wait for the connection. The deadline counts from the call, wherever it waits.
 */
final class AsyncCalls
{
    private final RpcChannel channel;
    private final NanoClock clock;
    private final int capacity;
    private final ManyToOneConcurrentArrayQueue<AsyncCall> queue;
    private final ArrayDeque<AsyncCall> waiting = new ArrayDeque<>();

    AsyncCalls(final RpcChannel channel, final NanoClock clock, final int capacity)
    {
        this.channel = channel;
        this.clock = clock;
        this.capacity = capacity;
        this.queue = new ManyToOneConcurrentArrayQueue<>(capacity);
    }

    /**
     * Hands a call over. Any thread.
     */
    CompletableFuture<DirectBuffer> submit(
        final int serviceId,
        final int methodId,
        final DirectBuffer payload,
        final int offset,
        final int length,
        final long timeoutNs)
    {
        final long deadlineNs = timeoutNs == FrameHeader.NO_TIMEOUT ? timeoutNs : clock.nanoTime() + timeoutNs;
        final AsyncCall call = new AsyncCall(serviceId, methodId, payload, offset, length, deadlineNs);
        if (!queue.offer(call))
        {
            call.fail(
                StatusCode.RESOURCE_EXHAUSTED,
                "the channel's queue of " + queue.capacity() + " calls is full (" +
                RpcConfiguration.ASYNC_QUEUE_LENGTH_PROP_NAME + ")");
        }
        else
        {
            if (channel.state() == ChannelState.CLOSED)
            {
                // the agent may have emptied the queue for the last time before this call came in
                call.fail(StatusCode.UNAVAILABLE, RpcChannel.CLOSED_TEXT);
            }
            call.future.whenComplete((response, failure) -> onDone(call, failure));
        }
        return call.future;
    }

    /**
     * Sends what can be sent and ends what can't. Agent's thread.
     *
     * @return a count of work done.
     */
    int doWork()
    {
        if (waiting.isEmpty() && queue.isEmpty())
        {
            return 0;
        }
        int work = 0;
        AsyncCall call;
        while (waiting.size() < capacity && (call = queue.poll()) != null)
        {
            work++;
            if (call.isCancelled)
            {
                onCancelled(call);
            }
            else
            {
                waiting.add(call);
            }
        }
        while ((call = waiting.peek()) != null && trySend(call))
        {
            waiting.poll();
            work++;
        }
        return work;
    }

    /**
     * Ends those whose deadlines have passed while they waited.
     */
    int expire(final long nowNs)
    {
        int work = 0;
        if (!waiting.isEmpty())
        {
            for (final Iterator<AsyncCall> iterator = waiting.iterator(); iterator.hasNext();)
            {
                final AsyncCall call = iterator.next();
                if (isExpired(call, nowNs))
                {
                    iterator.remove();
                    failExpired(call);
                    work++;
                }
            }
        }
        return work;
    }

    /**
     * Ends all that has not been sent.
     */
    void failAll(final String text)
    {
        AsyncCall call;
        while ((call = waiting.poll()) != null || (call = queue.poll()) != null)
        {
            call.fail(StatusCode.UNAVAILABLE, text);
        }
    }

    private boolean trySend(final AsyncCall call)
    {
        if (call.future.isDone())
        {
            return true;
        }
        final ChannelState state = channel.state();
        if (state == ChannelState.BACKING_OFF || state == ChannelState.CLOSED)
        {
            call.fail(StatusCode.UNAVAILABLE, channel.unavailableText());
            return true;
        }
        final long nowNs = clock.nanoTime();
        if (isExpired(call, nowNs))
        {
            failExpired(call);
            return true;
        }
        final long result = channel.offer(call, nowNs);
        if (result > 0)
        {
            call.correlationId = result;
            return true;
        }
        if (result == RpcChannel.MESSAGE_TOO_LONG)
        {
            call.fail(StatusCode.RESOURCE_EXHAUSTED, channel.tooLongText(call.request.capacity()));
            return true;
        }
        if (result == Connection.CLOSED)
        {
            call.fail(StatusCode.UNAVAILABLE, channel.unavailableText());
            return true;
        }
        return false;
    }

    private void onDone(final AsyncCall call, final Throwable failure)
    {
        if (failure instanceof CancellationException)
        {
            call.isCancelled = true;
            // a full queue only means that the server is not told: the call itself has ended
            queue.offer(call);
        }
    }

    private void onCancelled(final AsyncCall call)
    {
        if (call.correlationId != 0)
        {
            channel.cancelQuietly(call.correlationId);
        }
    }

    private static boolean isExpired(final AsyncCall call, final long nowNs)
    {
        return call.deadlineNs != FrameHeader.NO_TIMEOUT && nowNs - call.deadlineNs >= 0;
    }

    private static void failExpired(final AsyncCall call)
    {
        call.fail(StatusCode.DEADLINE_EXCEEDED, "the deadline passed before the request could be sent");
    }
}
