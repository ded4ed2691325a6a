/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

/**
 * The window of one connection, in both directions: how many bytes of all its streams may be under way at once. Counted
 * frame by frame, so that however long items are, a short call never waits behind more than the window and one frame.
 * Belongs to its agent's thread.
 * <p>
 * What arrives counts as taken at once, whether its call still exists or not: it lies with its stream's reader from
 * then on, whose own window bounds it. So a reader that stops does not stop the others.
 */
final class ConnectionFlow
{
    private final long grantThreshold;
    private long sendBytes;
    private long receiveBytes;
    private long returnedBytes;

    ConnectionFlow(final long windowBytes)
    {
        receiveBytes = windowBytes;
        grantThreshold = Math.max(1, windowBytes / 2);
    }

    /**
     * A sum that stays at the most where it would overflow.
     *
     * @param granted from 0.
     */
    static long saturatedSum(final long credit, final long granted)
    {
        final long sum = credit + granted;
        return sum < credit ? Long.MAX_VALUE : sum;
    }

    /**
     * Whether a further frame may be sent; it may take the credit below zero by its own length.
     */
    boolean canSend()
    {
        return sendBytes > 0;
    }

    void onSent(final int bytes)
    {
        sendBytes -= bytes;
    }

    /**
     * The peer has granted so much more.
     */
    void onCredit(final long bytes)
    {
        sendBytes = saturatedSum(sendBytes, bytes);
    }

    /**
     * A frame has arrived.
     *
     * @return false if there was no credit for it.
     */
    boolean onReceived(final int bytes)
    {
        final boolean isCovered = receiveBytes > 0;
        receiveBytes -= bytes;
        returnedBytes += bytes;
        return isCovered;
    }

    /**
     * Whether so much was taken that the peer should be told.
     */
    boolean isGrantDue()
    {
        return returnedBytes >= grantThreshold;
    }

    long returnedBytes()
    {
        return returnedBytes;
    }

    /**
     * The peer was told what was taken.
     */
    void onGranted()
    {
        receiveBytes = saturatedSum(receiveBytes, returnedBytes);
        returnedBytes = 0;
    }
}
