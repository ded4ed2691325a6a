/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.NanoClock;

/**
 * A caller's calls from other threads, on their way to the agent's thread and there: a queue between the threads; those
 * that wait to be sent; those that wait until a server can be reached; those that wait for their moment, to be tried
 * again. All that wait are bounded together in number and bytes. The deadline counts from the call, wherever it waits.
 * <p>
 * Design note: ending a call runs whatever its owner hung on it, which may close the channel or make calls. So a call
 * is taken out of the queues before it is ended.
 */
final class AsyncCalls
{
    private static final Comparator<AsyncCall> BY_MOMENT = (a, b) -> Long.compare(a.dueNs - b.dueNs, 0);

    private final CallRoute route;
    private final NanoClock clock;
    private final QueueLimits limits;
    private final AttemptPolicy policy;
    // not an array queue: its poll may find nothing while an offer that has returned lies behind one that has not
    private final ConcurrentLinkedQueue<AsyncCall> queue = new ConcurrentLinkedQueue<>();
    private final CallNotices notices = new CallNotices();
    private final ArrayDeque<AsyncCall> waiting = new ArrayDeque<>();
    private final ArrayDeque<AsyncCall> parked = new ArrayDeque<>();
    private final PriorityQueue<AsyncCall> scheduled = new PriorityQueue<>(BY_MOMENT);
    private final RetainedRequests retained;

    AsyncCalls(final CallRoute route, final ClientCore core)
    {
        final RpcClient.Context context = core.context();
        this.route = route;
        this.clock = core.clock();
        this.limits = new QueueLimits(context.asyncQueueLength(), context.maxQueuedBytes());
        this.retained = new RetainedRequests(context.retryBufferBytes());
        this.policy = new AttemptPolicy(this, core);
    }

    QueueLimits limits()
    {
        return limits;
    }

    /**
     * Hands over a call that has a place. Any thread.
     */
    void submit(final AsyncCall call)
    {
        call.isQueued = true;
        queue.add(call);
        if (route.isClosed())
        {
            // the agent may have emptied the queue for the last time before this call came in
            if (queue.remove(call))
            {
                limits.free(call.length);
            }
            call.fail(notSent(StatusCode.UNAVAILABLE, RpcChannel.CLOSED_TEXT));
        }
    }

    CallNotices notices()
    {
        return notices;
    }

    /**
     * Sends what can be sent and ends what can't. Agent's thread, as all below.
     *
     * @return a count of work done.
     */
    int doWork()
    {
        // two loads, where to ask the queues themselves would cost an idle cycle more
        if (limits.isEmpty() && notices.isEmpty())
        {
            return 0;
        }
        int work = 0;
        AsyncCall call;
        if (!parked.isEmpty() && route.state() != ChannelState.BACKING_OFF)
        {
            while ((call = parked.pollLast()) != null)
            {
                waiting.addFirst(call);
                work++;
            }
        }
        while ((call = queue.poll()) != null)
        {
            waiting.add(call);
            work++;
        }
        while ((call = notices.pollAbandoned()) != null)
        {
            // if it still waits to be sent, it is passed over when its turn comes
            release(call);
            work++;
        }
        Runnable task;
        while ((task = notices.pollTask()) != null)
        {
            task.run();
            work++;
        }
        for (int left = notices.count(); left > 0 && (call = notices.pollSignalled()) != null; left--)
        {
            call.serve();
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
     * Ends those whose deadlines have passed while they waited, and sees to those whose moment has come.
     */
    int checkTimers(final long nowNs)
    {
        int work = expire(waiting, nowNs) + expire(parked, nowNs);
        AsyncCall call;
        while ((call = scheduled.peek()) != null && nowNs - call.dueNs >= 0)
        {
            scheduled.poll();
            call.isScheduled = false;
            work++;
            if (call.isQueued)
            {
                waiting.add(call);
            }
            else
            {
                policy.hedge(call);
            }
        }
        return work;
    }

    /**
     * Ends all that has not been sent, or waits to be sent again.
     */
    void failAll(final String text)
    {
        AsyncCall call;
        while ((call = waiting.poll()) != null || (call = parked.poll()) != null ||
            (call = scheduled.poll()) != null || (call = queue.poll()) != null)
        {
            call.isScheduled = false;
            leaveQueue(call);
            if (call.attempts().isEmpty() && !call.hasEnded())
            {
                end(call, notSent(StatusCode.UNAVAILABLE, text));
            }
        }
    }

    /**
     * The bytes of requests in flight that are kept to be sent again.
     */
    long retainedBytes()
    {
        return retained.bytes();
    }

    void onResponse(final CallAttempt attempt, final DirectBuffer buffer, final int offset, final int length)
    {
        final FutureCall call = (FutureCall)attempt.call;
        call.attempts().remove(attempt);
        final DirectBuffer response;
        try
        {
            response = AsyncCall.copy(buffer, offset, length);
        }
        catch (final OutOfMemoryError ex)
        {
            end(call, new RpcException(
                StatusCode.RESOURCE_EXHAUSTED, "no memory for the response of " + length + " bytes"));
            return;
        }
        policy.onSuccess();
        if (!call.hasEnded())
        {
            call.markEnded();
            release(call);
            call.complete(response);
        }
    }

    /**
     * A stream has ended well.
     *
     * @param response of a client stream, else null.
     */
    void onStreamEnd(final StreamAttempt attempt, final DirectBuffer response)
    {
        final AsyncStream stream = (AsyncStream)attempt.call;
        stream.attempts().remove(attempt);
        policy.onSuccess();
        stream.markEnded();
        release(stream);
        stream.complete(response);
    }

    /**
     * What has begun for certain, or was followed by more than its request, is not sent again.
     */
    void commit(final AsyncCall call)
    {
        retained.drop(call);
    }

    void onFailure(final CallAttempt attempt, final RpcException failure)
    {
        if (!attempt.call.attempts().remove(attempt))
        {
            // an interceptor did not let the request through
            attempt.earlyFailure = failure;
        }
        else if (!attempt.call.hasEnded() && !attempt.call.isAbandoned())
        {
            policy.onFailure(attempt.call, failure);
        }
    }

    /**
     * Ends a call, and whatever attempts at it are left.
     */
    void end(final AsyncCall call, final RpcException failure)
    {
        call.markEnded();
        release(call);
        call.fail(failure);
    }

    /**
     * Queues a call to be sent once more.
     *
     * @return false if there is no place for it.
     */
    boolean requeue(final AsyncCall call)
    {
        if (!mayWait(call))
        {
            return false;
        }
        waiting.add(call);
        return true;
    }

    /**
     * Lets a call wait for its moment, and then be sent once more.
     *
     * @return false if there is no place for it.
     */
    boolean requeueAt(final AsyncCall call, final long dueNs)
    {
        if (!mayWait(call))
        {
            return false;
        }
        schedule(call, dueNs);
        return true;
    }

    /**
     * Lets a call that is in flight have another attempt beside, when its moment comes.
     */
    void schedule(final AsyncCall call, final long dueNs)
    {
        unschedule(call);
        call.isScheduled = true;
        call.dueNs = dueNs;
        scheduled.add(call);
    }

    void unschedule(final AsyncCall call)
    {
        if (call.isScheduled)
        {
            call.isScheduled = false;
            scheduled.remove(call);
        }
    }

    /**
     * A failure of a call whose last attempt, if there was one, the server has not begun.
     */
    static RpcException notSent(final StatusCode code, final String text)
    {
        return new RpcException(code, text, null, 0, true);
    }

    private boolean mayWait(final AsyncCall call)
    {
        if (route.isClosed() || limits.reserve(call.length) != null)
        {
            return false;
        }
        call.isQueued = true;
        return true;
    }

    private void leaveQueue(final AsyncCall call)
    {
        if (call.isQueued)
        {
            call.isQueued = false;
            limits.free(call.length);
        }
    }

    /**
     * Lets go of all that an ended call has, but for its place among those that wait: who takes it out there finds it
     * ended.
     */
    private void release(final AsyncCall call)
    {
        if (call.isScheduled)
        {
            unschedule(call);
            leaveQueue(call);
        }
        while (!call.attempts().isEmpty())
        {
            final CallAttempt attempt = call.attempts().remove(call.attempts().size() - 1);
            attempt.channel.cancelQuietly(attempt.correlationId);
        }
        retained.drop(call);
    }

    private int expire(final ArrayDeque<AsyncCall> calls, final long nowNs)
    {
        int work = 0;
        for (int left = calls.size(); left > 0; left--)
        {
            final AsyncCall call = calls.poll();
            if (call == null)
            {
                break;
            }
            if (call.isAbandoned() || call.hasEnded())
            {
                leaveQueue(call);
                work++;
            }
            else if (call.isExpired(nowNs))
            {
                leaveQueue(call);
                failExpired(call);
                work++;
            }
            else
            {
                calls.add(call);
            }
        }
        return work;
    }

    /**
     * Takes a call over: it is sent, parked, or ended.
     *
     * @return false if it has to wait.
     */
    private boolean trySend(final AsyncCall call)
    {
        if (call.isAbandoned() || call.hasEnded())
        {
            leaveQueue(call);
            return true;
        }
        final long nowNs = clock.nanoTime();
        final RpcChannel channel = route.pick(call.attempts().isEmpty() ? null : call.lastChannel);
        if (channel == null)
        {
            return giveUp(call, nowNs);
        }
        if (channel.isRequestOpen())
        {
            return false;
        }
        if (call.isExpired(nowNs))
        {
            leaveQueue(call);
            failExpired(call);
            return true;
        }
        final CallAttempt attempt = call.newAttempt(channel);
        attempt.calls = this;
        final long result;
        try
        {
            result = call.offerInScope(channel, attempt, nowNs);
        }
        catch (final RpcException ex)
        {
            // by an interceptor, or for its metadata
            leaveQueue(call);
            end(call, ex);
            return true;
        }
        if (result > 0)
        {
            leaveQueue(call);
            if (attempt.earlyFailure == null)
            {
                onSent(call, attempt, result, nowNs);
            }
            else
            {
                end(call, attempt.earlyFailure);
            }
            return true;
        }
        if (result == RpcChannel.MESSAGE_TOO_LONG)
        {
            leaveQueue(call);
            end(call, notSent(StatusCode.RESOURCE_EXHAUSTED, channel.tooLongText(call.length)));
            return true;
        }
        // the end of a connection that is closed comes with the next poll, and the call is seen to then
        return false;
    }

    private void onSent(final AsyncCall call, final CallAttempt attempt, final long correlationId, final long nowNs)
    {
        attempt.correlationId = correlationId;
        call.attempts().add(attempt);
        call.lastChannel = attempt.channel;
        retained.keep(call);
        policy.onSent(call, nowNs);
        call.serve();
    }

    /**
     * No channel is ready: the call waits, is parked or has failed.
     *
     * @return false if it is to wait at the head of the others.
     */
    private boolean giveUp(final AsyncCall call, final long nowNs)
    {
        final ChannelState state = route.state();
        if (!call.attempts().isEmpty())
        {
            // one more attempt beside those in flight: not worth a wait
            leaveQueue(call);
        }
        else if (call.isExpired(nowNs))
        {
            leaveQueue(call);
            failExpired(call);
        }
        else if (state == ChannelState.BACKING_OFF &&
            (call.options.isWaitForReady() || call.lastChannel != null && route.isRecovering()))
        {
            parked.add(call);
        }
        else if (state == ChannelState.BACKING_OFF || state == ChannelState.CLOSED)
        {
            leaveQueue(call);
            policy.onUnreachable(call, notSent(StatusCode.UNAVAILABLE, route.unavailableText()));
        }
        else
        {
            return false;
        }
        return true;
    }

    private void failExpired(final AsyncCall call)
    {
        if (call.attempts().isEmpty())
        {
            end(call, notSent(
                StatusCode.DEADLINE_EXCEEDED, "the deadline passed before the request could be sent"));
        }
    }
}
