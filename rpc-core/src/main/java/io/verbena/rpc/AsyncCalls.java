/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import io.verbena.rpc.protocol.FrameHeader;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.NanoClock;

/**
 * A channel's calls from other threads, on their way to the agent's thread: a queue between the threads and, on the
 * agent's side, those that wait for the connection; bounded together in number and bytes. The deadline counts from the
 * call, wherever it waits.
 * <p>
 * Design note: completing a future runs whatever its owner hung on it, which may close the channel or make calls. So a
 * call is taken out of the queues before it is completed.
 */
final class AsyncCalls
{
    private final RpcChannel channel;
    private final NanoClock clock;
    private final int maxCalls;
    private final long maxBytes;
    // not an array queue: its poll may find nothing while an offer that has returned lies behind one that has not
    private final ConcurrentLinkedQueue<AsyncCall> queue = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<AsyncCall> abandoned = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<NestedCancel> nestedCancels = new ConcurrentLinkedQueue<>();
    private final AtomicInteger callCount = new AtomicInteger();
    private final AtomicInteger abandonedCount = new AtomicInteger();
    private final AtomicLong byteCount = new AtomicLong();
    private final ArrayDeque<AsyncCall> waiting = new ArrayDeque<>();

    /**
     * A call of the client's thread to give up, since the call that it was made for has ended.
     */
    private record NestedCancel(long correlationId, String text)
    {
    }

    AsyncCalls(final RpcChannel channel, final NanoClock clock, final int maxCalls, final long maxBytes)
    {
        this.channel = channel;
        this.clock = clock;
        this.maxCalls = maxCalls;
        this.maxBytes = maxBytes;
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
        final long timeoutNs,
        final NestedCalls nested)
    {
        if (channel.state() == ChannelState.CLOSED)
        {
            return CompletableFuture.failedFuture(
                new RpcException(StatusCode.UNAVAILABLE, RpcChannel.CLOSED_TEXT));
        }
        final String refusal = reserve(length);
        if (refusal != null)
        {
            return CompletableFuture.failedFuture(new RpcException(StatusCode.RESOURCE_EXHAUSTED, refusal));
        }
        final long deadlineNs = timeoutNs == FrameHeader.NO_TIMEOUT ? timeoutNs : clock.nanoTime() + timeoutNs;
        final AsyncCall call;
        try
        {
            call = new AsyncCall(serviceId, methodId, payload, offset, length, deadlineNs);
        }
        catch (final Throwable ex)
        {
            free(length);
            throw ex;
        }
        call.future.whenComplete((response, failure) -> onCompleted(call, nested));
        if (nested != null && !nested.add(call, 0))
        {
            free(length);
            call.failUnsent(StatusCode.CANCELLED, NestedCalls.endedText(nested.cause()));
            return call.future;
        }
        queue.add(call);
        if (channel.state() == ChannelState.CLOSED)
        {
            // the agent may have emptied the queue for the last time before this call came in
            if (queue.remove(call))
            {
                free(length);
            }
            call.failUnsent(StatusCode.UNAVAILABLE, RpcChannel.CLOSED_TEXT);
        }
        return call.future;
    }

    /**
     * Gives up a call of the client's thread in its next duty cycle. Any thread.
     */
    void cancelNested(final long correlationId, final String text)
    {
        nestedCancels.add(new NestedCancel(correlationId, text));
        abandonedCount.incrementAndGet();
    }

    /**
     * Sends what can be sent and ends what can't. Agent's thread.
     *
     * @return a count of work done.
     */
    int doWork()
    {
        // two loads, where to ask the queues themselves would cost an idle cycle more
        if (callCount.get() == 0 && abandonedCount.get() == 0)
        {
            return 0;
        }
        int work = 0;
        AsyncCall call;
        while ((call = queue.poll()) != null)
        {
            waiting.add(call);
            work++;
        }
        while ((call = abandoned.poll()) != null)
        {
            abandonedCount.decrementAndGet();
            // 0 if it still waits: it is then passed over when its turn comes
            channel.cancelQuietly(call.correlationId);
            work++;
        }
        NestedCancel cancel;
        while ((cancel = nestedCancels.poll()) != null)
        {
            abandonedCount.decrementAndGet();
            channel.connector().calls().cancel(cancel.correlationId, cancel.text);
            work++;
        }
        while ((call = waiting.poll()) != null)
        {
            if (!trySend(call))
            {
                waiting.addFirst(call);
                break;
            }
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
        for (int left = waiting.size(); left > 0; left--)
        {
            final AsyncCall call = waiting.poll();
            if (call == null)
            {
                break;
            }
            if (isExpired(call, nowNs))
            {
                free(call.length);
                failExpired(call);
                work++;
            }
            else
            {
                waiting.add(call);
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
            free(call.length);
            call.failUnsent(StatusCode.UNAVAILABLE, text);
        }
    }

    /**
     * How many calls wait to be sent, as far as the calling thread can tell.
     */
    int waiting()
    {
        return callCount.get();
    }

    /**
     * Takes a call over: it is sent, or ended.
     *
     * @return false if it has to wait.
     */
    private boolean trySend(final AsyncCall call)
    {
        final int length = call.length;
        if (channel.isRequestOpen())
        {
            return false;
        }
        if (call.future.isDone())
        {
            free(length);
            return true;
        }
        final ChannelState state = channel.state();
        if (state == ChannelState.BACKING_OFF || state == ChannelState.CLOSED)
        {
            free(length);
            call.failUnsent(StatusCode.UNAVAILABLE, channel.unavailableText());
            return true;
        }
        final long nowNs = clock.nanoTime();
        if (isExpired(call, nowNs))
        {
            free(length);
            failExpired(call);
            return true;
        }
        final long result;
        try
        {
            result = channel.offer(call, nowNs);
        }
        catch (final RpcException refusal)
        {
            // by an interceptor, or for its metadata
            free(length);
            call.fail(refusal);
            return true;
        }
        if (result > 0)
        {
            free(length);
            call.correlationId = result;
            call.request = null;
            return true;
        }
        if (result == RpcChannel.MESSAGE_TOO_LONG)
        {
            free(length);
            call.failUnsent(StatusCode.RESOURCE_EXHAUSTED, channel.tooLongText(length));
            return true;
        }
        // the end of a connection that is closed comes with the next poll, and the call is failed then
        return false;
    }

    private String reserve(final int length)
    {
        if (callCount.incrementAndGet() > maxCalls)
        {
            callCount.decrementAndGet();
            return "the channel's queue of " + maxCalls + " calls is full (" +
                RpcConfiguration.ASYNC_QUEUE_LENGTH_PROP_NAME + ")";
        }
        if (byteCount.addAndGet(length) > maxBytes)
        {
            free(length);
            return "the requests that wait in the channel's queue exceed " + maxBytes + " bytes (" +
                RpcConfiguration.MAX_QUEUED_BYTES_PROP_NAME + ")";
        }
        return null;
    }

    private void free(final int length)
    {
        callCount.decrementAndGet();
        byteCount.addAndGet(-length);
    }

    private void onCompleted(final AsyncCall call, final NestedCalls nested)
    {
        if (nested != null)
        {
            nested.remove(call, 0);
        }
        if (!call.isEnded())
        {
            // by its owner: cancelled, or timed out by the future's own means
            abandoned.add(call);
            abandonedCount.incrementAndGet();
        }
    }

    private static boolean isExpired(final AsyncCall call, final long nowNs)
    {
        return call.deadlineNs != FrameHeader.NO_TIMEOUT && nowNs - call.deadlineNs >= 0;
    }

    private static void failExpired(final AsyncCall call)
    {
        call.failUnsent(StatusCode.DEADLINE_EXCEEDED, "the deadline passed before the request could be sent");
    }
}
