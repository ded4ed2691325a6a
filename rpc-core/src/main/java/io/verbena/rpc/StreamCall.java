/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

/**
 * What a call that streams needs besides its slot, at either end: credit in both directions, and how far it is. Pooled.
 * Belongs to its agent's thread.
 * <p>
 * Credit: an item may begin while there is any of both kinds, and may take the bytes below zero by its own length, so
 * that an item longer than a window passes. The receiver counts the same as the sender. What its reader is done with is
 * <i>returned</i>, and granted to the sender when half of the window has come together. A reader that grants by itself
 * <i>holds</i> what it has not granted yet, or has granted <i>ahead</i> of what came.
 */
final class StreamCall
{
    private final StreamPool pool;
    private StreamTable table;
    private long correlationId;
    private int serviceId;
    private int methodId;
    private MethodKind kind;
    private StreamHandler handler;
    private ServiceAdapter adapter;
    private long endedId;

    private long sendItems;
    private long sendBytes;
    private long receiveItems;
    private long receiveBytes;
    private long returnedItems;
    private long returnedBytes;
    private int itemsThreshold;
    private int bytesThreshold;
    private long heldItems;
    private long heldBytes;
    private long aheadItems;
    private boolean isGrantAutomatic;
    private boolean isSendClosed;
    private boolean isReceiveClosed;

    /** The last of its messages in the outbox, which the next one has to wait for. */
    private OutboundMessage queued;
    private Object attachment;
    private StatusCode endStatus;
    private boolean isWaiting;
    private boolean isDue;

    StreamCall(final StreamPool pool)
    {
        this.pool = pool;
    }

    void begin(
        final StreamTable owner,
        final long callId,
        final int service,
        final int method,
        final MethodKind methodKind,
        final boolean isAutomatic,
        final StreamHandler streamHandler)
    {
        table = owner;
        correlationId = callId;
        serviceId = service;
        methodId = method;
        kind = methodKind;
        handler = streamHandler;
        sendItems = owner.peerItems();
        sendBytes = owner.peerBytes();
        receiveItems = owner.windowItems();
        receiveBytes = owner.windowBytes();
        itemsThreshold = Math.max(1, owner.windowItems() / 2);
        bytesThreshold = Math.max(1, owner.windowBytes() / 2);
        returnedItems = 0;
        returnedBytes = 0;
        heldItems = 0;
        heldBytes = 0;
        aheadItems = 0;
        isGrantAutomatic = isAutomatic;
        isSendClosed = false;
        isReceiveClosed = false;
        endStatus = null;
    }

    /**
     * The call has ended: nothing finds this object any more, but lists may still have it.
     */
    void end()
    {
        endedId = correlationId;
        correlationId = 0;
        queued = null;
        handler = null;
    }

    /**
     * Gives the object back once nobody has it any more.
     */
    void releaseIfUnused()
    {
        if (correlationId == 0 && !isWaiting && !isDue && endStatus == null)
        {
            attachment = null;
            adapter = null;
            table = null;
            pool.release(this);
        }
    }

    boolean isOpen()
    {
        return correlationId != 0;
    }

    /**
     * The call's id; 0 once it has ended.
     */
    long correlationId()
    {
        return correlationId;
    }

    int serviceId()
    {
        return serviceId;
    }

    int methodId()
    {
        return methodId;
    }

    MethodKind kind()
    {
        return kind;
    }

    StreamHandler handler()
    {
        return handler;
    }

    /**
     * The service at the server.
     */
    ServiceAdapter adapter()
    {
        return adapter;
    }

    void adapter(final ServiceAdapter service)
    {
        adapter = service;
    }

    /**
     * The id of the call that has ended.
     */
    long endedId()
    {
        return endedId;
    }

    StreamTable table()
    {
        return table;
    }

    /**
     * Whether the stream itself lets a further item begin.
     */
    boolean canSend()
    {
        return sendItems > 0 && sendBytes > 0 && queued == null;
    }

    void onSent(final int bytes)
    {
        sendItems--;
        sendBytes -= bytes;
    }

    void onCredit(final long items, final long bytes)
    {
        sendItems = ConnectionFlow.saturatedSum(sendItems, items);
        sendBytes = ConnectionFlow.saturatedSum(sendBytes, bytes);
    }

    /**
     * Whether the sender has credit for an item to begin.
     */
    boolean mayReceive()
    {
        return receiveItems > 0 && receiveBytes > 0;
    }

    long receiveItems()
    {
        return receiveItems;
    }

    long receiveBytes()
    {
        return receiveBytes;
    }

    void onItemBegins()
    {
        receiveItems--;
    }

    void onBytes(final int bytes)
    {
        receiveBytes -= bytes;
    }

    /**
     * The reader has taken an item.
     *
     * @return true if the sender should be told.
     */
    boolean onTaken(final int bytes)
    {
        if (isGrantAutomatic)
        {
            returnedItems++;
            returnedBytes += bytes;
            // returned and left are the window together: less than half returned is more than half left
            return returnedItems >= itemsThreshold || returnedBytes >= bytesThreshold;
        }
        if (aheadItems > 0)
        {
            aheadItems--;
            returnedBytes += bytes;
        }
        else
        {
            heldItems++;
            heldBytes += bytes;
        }
        return isManualGrantDue();
    }

    /**
     * The reader grants so many items, and with them the bytes of those it holds. The bytes of items granted ahead go
     * back when they have come.
     *
     * @return true if the sender should be told.
     */
    boolean grant(final int items)
    {
        final long fromHeld = Math.min(items, heldItems);
        final long bytes = fromHeld == heldItems ? heldBytes : (long)((double)heldBytes * fromHeld / heldItems);
        heldItems -= fromHeld;
        heldBytes -= bytes;
        aheadItems = ConnectionFlow.saturatedSum(aheadItems, items - fromHeld);
        returnedItems = ConnectionFlow.saturatedSum(returnedItems, items);
        returnedBytes += bytes;
        return isManualGrantDue();
    }

    boolean isGrantAutomatic()
    {
        return isGrantAutomatic;
    }

    long returnedItems()
    {
        return returnedItems;
    }

    long returnedBytes()
    {
        return returnedBytes;
    }

    /**
     * The sender was told what was returned.
     */
    void onGranted()
    {
        receiveItems = ConnectionFlow.saturatedSum(receiveItems, returnedItems);
        receiveBytes = ConnectionFlow.saturatedSum(receiveBytes, returnedBytes);
        returnedItems = 0;
        returnedBytes = 0;
    }

    boolean isSendClosed()
    {
        return isSendClosed;
    }

    void closeSend()
    {
        isSendClosed = true;
    }

    boolean isReceiveClosed()
    {
        return isReceiveClosed;
    }

    void closeReceive()
    {
        isReceiveClosed = true;
    }

    OutboundMessage queued()
    {
        return queued;
    }

    void queued(final OutboundMessage last)
    {
        queued = last;
    }

    Object attachment()
    {
        return attachment;
    }

    void attachment(final Object object)
    {
        attachment = object;
    }

    /**
     * How the call ended, while its service has not been told yet.
     */
    StatusCode endStatus()
    {
        return endStatus;
    }

    void endStatus(final StatusCode status)
    {
        endStatus = status;
    }

    /**
     * Whether it is in the list of those that want to send.
     */
    boolean isWaiting()
    {
        return isWaiting;
    }

    void isWaiting(final boolean waiting)
    {
        isWaiting = waiting;
    }

    /**
     * Whether it is in the list of those that have something to grant.
     */
    boolean isDue()
    {
        return isDue;
    }

    void isDue(final boolean due)
    {
        isDue = due;
    }

    /**
     * A reader may hold so much that half of the window never comes together: then what it grants counts by how little
     * the sender has left.
     */
    private boolean isManualGrantDue()
    {
        return returnedItems >= itemsThreshold || returnedBytes >= bytesThreshold ||
            returnedItems > 0 && receiveItems <= itemsThreshold ||
            returnedBytes > 0 && receiveBytes <= bytesThreshold;
    }
}
