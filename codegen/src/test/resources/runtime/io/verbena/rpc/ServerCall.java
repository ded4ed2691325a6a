/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Test double with the signatures that generated code uses. It records what was done to the call; regions lie amid
 * other bytes, as in a real term buffer.
 */
public final class ServerCall
{
    public static final int REGION_OFFSET = 64;
    public static final byte FILLER = 0x5A;

    public final List<String> log = new ArrayList<>();
    public final UnsafeBuffer term = new UnsafeBuffer(new byte[4096]);
    public UnsafeBuffer sent;
    public StatusCode code = StatusCode.OK;
    public String text = "";
    public ServerCall detached;
    /** The call has ended: what is sent goes nowhere, by way of a buffer that starts small. */
    public boolean isDropped;
    /** Nothing is written down and nothing copied, to measure what generated code allocates. */
    public boolean isQuiet;
    public int sentLength;
    /** What a claimed or offered item is answered with: positive, or a code. */
    public long itemResult = 1;
    public Object attachment;
    private final long connectionId;
    private final long correlationId;
    private final int methodId;
    private MutableDirectBuffer region;
    private int claimed;
    private boolean isOpen = true;

    public ServerCall(final long connectionId, final long correlationId, final int methodId)
    {
        this.connectionId = connectionId;
        this.correlationId = correlationId;
        this.methodId = methodId;
        term.setMemory(0, term.capacity(), FILLER);
    }

    public long connectionId()
    {
        return connectionId;
    }

    public long correlationId()
    {
        return correlationId;
    }

    public int methodId()
    {
        return methodId;
    }

    public boolean isOpen()
    {
        return isOpen;
    }

    public long remainingNs()
    {
        return 12_345L;
    }

    public void claim(final int payloadLength)
    {
        if (!isQuiet)
        {
            log.add("claim " + payloadLength);
        }
        region = isDropped ? new ExpandableArrayBuffer(REGION_OFFSET) : term;
        claimed = payloadLength;
    }

    public void claimError(final StatusCode code, final CharSequence text, final int detailLength)
    {
        claim(detailLength);
        this.code = code;
        this.text = text.toString();
    }

    public void claimScratch()
    {
        log.add("scratch");
        region = new ExpandableArrayBuffer(REGION_OFFSET);
        claimed = Integer.MAX_VALUE;
    }

    public void claimErrorScratch(final StatusCode code, final CharSequence text)
    {
        claimScratch();
        this.code = code;
        this.text = text.toString();
    }

    public MutableDirectBuffer buffer()
    {
        return region;
    }

    public int offset()
    {
        return REGION_OFFSET;
    }

    public long claimItem(final int payloadLength)
    {
        if (itemResult > 0)
        {
            claim(payloadLength);
        }
        return itemResult;
    }

    public long offerItem(final DirectBuffer buffer, final int offset, final int length)
    {
        log.add("offerItem " + length);
        return itemResult;
    }

    public boolean isReady()
    {
        return itemResult > 0;
    }

    public void complete()
    {
        log.add("complete");
        isOpen = false;
    }

    public boolean grant(final int items)
    {
        log.add("grant " + items);
        return true;
    }

    public void attach(final Object attachment)
    {
        this.attachment = attachment;
    }

    public Object attachment()
    {
        return attachment;
    }

    public int maxMessageLength()
    {
        return 4096;
    }

    public void send(final int payloadLength)
    {
        if (isQuiet)
        {
            sentLength = payloadLength;
            region = null;
            return;
        }
        log.add("send " + payloadLength);
        if (payloadLength > claimed)
        {
            throw new IllegalStateException("more than claimed");
        }
        final byte[] bytes = new byte[payloadLength];
        region.getBytes(REGION_OFFSET, bytes);
        sent = new UnsafeBuffer(bytes);
        region = null;
        isOpen = false;
    }

    public void abort()
    {
        log.add("abort");
        region = null;
        code = StatusCode.OK;
        text = "";
    }

    public void fail(final StatusCode code, final CharSequence text)
    {
        log.add("fail");
        this.code = code;
        this.text = text.toString();
        isOpen = false;
    }

    public ServerCall detach()
    {
        log.add("detach");
        detached = new ServerCall(connectionId, correlationId, methodId);
        return detached;
    }
}
