/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc.transport;

import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A claimed region of a transport's send memory, to encode one message in place. Reusable: one instance serves any
 * number of claims, one after the other; transports set it, callers commit or abort it.
 * <p>
 * <b>Threading:</b> the connection's thread alone.
 */
public final class MessageClaim
{
    /**
     * What a transport does when a claim ends. Implemented by transports.
     */
    public interface Completion
    {
        /**
         * The claim ends.
         *
         * @param claim     that ends; its region is still set.
         * @param committed true to send the message, false to drop it.
         */
        void onComplete(MessageClaim claim, boolean committed);
    }

    private final UnsafeBuffer view = new UnsafeBuffer(0, 0);
    private MutableDirectBuffer buffer = view;
    private int offset;
    private int length;
    private Completion completion;

    /**
     * Creates a claim that is not open.
     */
    public MessageClaim()
    {
    }

    /**
     * Opens the claim over a region. For transports.
     *
     * @param buffer     that holds the region; bounds checks should end at the region's end, so that an encoder
     *                   cannot write past it.
     * @param offset     of the region in bytes, 8-byte aligned in memory.
     * @param length     of the region in bytes.
     * @param completion called once when the claim ends.
     */
    public void open(
        final MutableDirectBuffer buffer, final int offset, final int length, final Completion completion)
    {
        if (this.completion != null)
        {
            throw new IllegalStateException("the claim is open: commit or abort it first");
        }
        this.buffer = buffer;
        this.offset = offset;
        this.length = length;
        this.completion = completion;
    }

    /**
     * A view that a transport may wrap around its region and pass to {@link #open}, so that it needs none of its own.
     *
     * @return the claim's own view.
     */
    public UnsafeBuffer view()
    {
        return view;
    }

    /**
     * The buffer that holds the region.
     *
     * @return the buffer; meaningful while the claim is open.
     */
    public MutableDirectBuffer buffer()
    {
        return buffer;
    }

    /**
     * Where the region begins.
     *
     * @return offset in {@link #buffer()}, in bytes; its address is 8-byte aligned.
     */
    public int offset()
    {
        return offset;
    }

    /**
     * How long the region is.
     *
     * @return length in bytes, as it was claimed.
     */
    public int length()
    {
        return length;
    }

    /**
     * Whether the claim awaits {@link #commit()} or {@link #abort()}.
     *
     * @return true if open.
     */
    public boolean isOpen()
    {
        return completion != null;
    }

    /**
     * Sends the message.
     *
     * @throws IllegalStateException if the claim is not open.
     */
    public void commit()
    {
        complete(true);
    }

    /**
     * Drops the message; the peer sees nothing of it. Does nothing if the claim is not open.
     */
    public void abort()
    {
        if (completion != null)
        {
            complete(false);
        }
    }

    private void complete(final boolean committed)
    {
        final Completion ending = completion;
        if (ending == null)
        {
            throw new IllegalStateException("the claim is not open");
        }
        completion = null;
        ending.onComplete(this, committed);
    }
}
