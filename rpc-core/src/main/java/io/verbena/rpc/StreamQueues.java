/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.agrona.DirectBuffer;

/**
 * What stands between the agent's thread and the others that have a stream: items in both directions, how many of them
 * were taken, and the end, which comes once. Any thread.
 */
final class StreamQueues
{
    private final int windowItems;
    private final long windowBytes;
    private final Runnable signal;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition readable = lock.newCondition();
    private final Condition writable = lock.newCondition();
    private final ArrayDeque<DirectBuffer> inbound = new ArrayDeque<>();
    private final ArrayDeque<DirectBuffer> outbound = new ArrayDeque<>();
    private long outboundBytes;
    private int takenItems;
    private long takenBytes;
    private boolean isHalfClosed;
    private RpcException failure;
    private CompletableFuture<Void> ready;
    /** Written under the lock. */
    private volatile boolean hasEnd;

    /**
     * For one stream.
     *
     * @param windowItems of each direction.
     * @param windowBytes of each direction; the item that goes over it is still taken.
     * @param signal      run when the agent should look; must not block.
     */
    StreamQueues(final int windowItems, final long windowBytes, final Runnable signal)
    {
        this.windowItems = windowItems;
        this.windowBytes = windowBytes;
        this.signal = signal;
    }

    boolean hasEnd()
    {
        return hasEnd;
    }

    boolean isEmptyAndEnded()
    {
        lock.lock();
        try
        {
            return hasEnd && inbound.isEmpty();
        }
        finally
        {
            lock.unlock();
        }
    }

    /**
     * The next item to read.
     *
     * @return it; null if there is none, at once or, where it waits, because the stream has ended well.
     */
    DirectBuffer take(final boolean isWaiting) throws InterruptedException
    {
        lock(isWaiting);
        try
        {
            while (isWaiting && inbound.isEmpty() && !hasEnd)
            {
                readable.await();
            }
            final DirectBuffer item = inbound.poll();
            if (item != null)
            {
                onTaken(item.capacity());
            }
            else if (failure != null)
            {
                throw raised();
            }
            return item;
        }
        finally
        {
            lock.unlock();
        }
    }

    /**
     * Queues an item to send.
     *
     * @return false if there is no room, and it does not wait for that, or if the stream has ended well.
     */
    boolean add(final DirectBuffer item, final boolean isWaiting) throws InterruptedException
    {
        lock(isWaiting);
        try
        {
            if (isHalfClosed)
            {
                throw new IllegalStateException("the stream was half-closed: no item can follow");
            }
            while (isWaiting && !hasRoom() && !hasEnd)
            {
                writable.await();
            }
            if (failure != null)
            {
                throw raised();
            }
            if (hasEnd || isHalfClosed || !hasRoom())
            {
                return false;
            }
            outbound.add(item);
            outboundBytes += item.capacity();
        }
        finally
        {
            lock.unlock();
        }
        signal.run();
        return true;
    }

    CompletableFuture<Void> whenReady()
    {
        lock.lock();
        try
        {
            if (hasEnd || hasRoom())
            {
                return CompletableFuture.completedFuture(null);
            }
            if (ready == null)
            {
                ready = new CompletableFuture<>();
            }
            return ready.copy();
        }
        finally
        {
            lock.unlock();
        }
    }

    /**
     * No item to send will follow.
     */
    void halfClose()
    {
        lock.lock();
        try
        {
            isHalfClosed = true;
        }
        finally
        {
            lock.unlock();
        }
        signal.run();
    }

    /**
     * An item has arrived. Agent's thread.
     */
    void onItem(final DirectBuffer item)
    {
        lock.lock();
        try
        {
            if (!hasEnd)
            {
                inbound.add(item);
                readable.signal();
            }
        }
        finally
        {
            lock.unlock();
        }
    }

    /**
     * How many items were taken since this was asked last. Agent's thread.
     */
    int pollTaken()
    {
        lock.lock();
        try
        {
            final int items = takenItems;
            takenItems = 0;
            takenBytes = 0;
            return items;
        }
        finally
        {
            lock.unlock();
        }
    }

    /**
     * The next item to send, left where it is; null if there is none. Agent's thread.
     */
    DirectBuffer peekOutbound()
    {
        lock.lock();
        try
        {
            return outbound.peek();
        }
        finally
        {
            lock.unlock();
        }
    }

    /**
     * Whether all items were sent and none will follow. Agent's thread.
     */
    boolean isOutboundDone()
    {
        lock.lock();
        try
        {
            return isHalfClosed && outbound.isEmpty();
        }
        finally
        {
            lock.unlock();
        }
    }

    /**
     * The next item was sent. Agent's thread.
     */
    void onSent()
    {
        final CompletableFuture<Void> told;
        lock.lock();
        try
        {
            final DirectBuffer item = outbound.poll();
            if (item != null)
            {
                outboundBytes -= item.capacity();
            }
            if (!hasRoom())
            {
                return;
            }
            writable.signal();
            told = ready;
            ready = null;
        }
        finally
        {
            lock.unlock();
        }
        tell(told);
    }

    /**
     * Ends the stream.
     *
     * @param newFailure how; null for a good end.
     * @param isDropping whether items that were not taken are dropped, also if the stream had ended before.
     * @return false if it had ended before.
     */
    boolean end(final RpcException newFailure, final boolean isDropping)
    {
        final CompletableFuture<Void> told;
        lock.lock();
        try
        {
            if (isDropping)
            {
                inbound.clear();
            }
            if (hasEnd)
            {
                return false;
            }
            hasEnd = true;
            failure = newFailure;
            outbound.clear();
            outboundBytes = 0;
            told = ready;
            ready = null;
            readable.signalAll();
            writable.signalAll();
        }
        finally
        {
            lock.unlock();
        }
        tell(told);
        return true;
    }

    private void lock(final boolean isInterruptible) throws InterruptedException
    {
        if (isInterruptible)
        {
            lock.lockInterruptibly();
        }
        else
        {
            lock.lock();
        }
    }

    private void onTaken(final int length)
    {
        takenItems++;
        takenBytes += length;
        // while less than this is held back, the server has most of the window left
        if (takenItems >= (windowItems + 3) / 4 || takenBytes >= windowBytes / 4)
        {
            signal.run();
        }
    }

    private boolean hasRoom()
    {
        return outbound.size() < windowItems && outboundBytes < windowBytes;
    }

    /**
     * The failure with the stack of the thread that is told: there may be several.
     */
    private RpcException raised()
    {
        return new RpcException(failure);
    }

    private static void tell(final CompletableFuture<Void> future)
    {
        if (future != null)
        {
            future.complete(null);
        }
    }
}
