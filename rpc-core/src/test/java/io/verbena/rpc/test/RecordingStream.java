/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc.test;

import io.verbena.rpc.StatusCode;
import io.verbena.rpc.StreamHandler;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.agrona.DirectBuffer;

/**
 * Records what one call that streams is told, and fails where anything follows its end.
 */
public final class RecordingStream implements StreamHandler
{
    private final List<byte[]> items = new ArrayList<>();
    private final boolean isGrantAutomatic;
    private Consumer<byte[]> onItem = item -> {};
    private Runnable onReady = () -> {};
    private Runnable onEnd = () -> {};
    private long bytes;
    private int readyCount;
    private int endCount;
    private boolean isToldAfterEnd;
    private StatusCode status;
    private String text = "";
    private byte[] response;

    /**
     * With automatic grants.
     */
    public RecordingStream()
    {
        this(true);
    }

    /**
     * With nothing recorded.
     *
     * @param isGrantAutomatic whether credit goes back by itself.
     */
    public RecordingStream(final boolean isGrantAutomatic)
    {
        this.isGrantAutomatic = isGrantAutomatic;
    }

    /**
     * Sets what to do with an item.
     *
     * @param action done after recording.
     * @return this.
     */
    public RecordingStream onItem(final Consumer<byte[]> action)
    {
        onItem = action;
        return this;
    }

    /**
     * Sets what to do when items can be sent again.
     *
     * @param action done after recording.
     * @return this.
     */
    public RecordingStream onReady(final Runnable action)
    {
        onReady = action;
        return this;
    }

    /**
     * Sets what to do at the end.
     *
     * @param action done after recording.
     * @return this.
     */
    public RecordingStream onEnd(final Runnable action)
    {
        onEnd = action;
        return this;
    }

    /**
     * The items that came.
     *
     * @return copies, in order.
     */
    public List<byte[]> items()
    {
        return items;
    }

    /**
     * How many bytes of items came.
     *
     * @return a sum.
     */
    public long bytes()
    {
        return bytes;
    }

    /**
     * How often it was told that items can be sent.
     *
     * @return a count.
     */
    public int readyCount()
    {
        return readyCount;
    }

    /**
     * Whether the call has ended, once and with nothing behind.
     *
     * @return true if so.
     */
    public boolean hasEnded()
    {
        return endCount > 0;
    }

    /**
     * How often the call was told to have ended.
     *
     * @return a count that should be 1 at last.
     */
    public int endCount()
    {
        return endCount;
    }

    /**
     * Whether anything came after the end.
     *
     * @return true if so, which is wrong.
     */
    public boolean isToldAfterEnd()
    {
        return isToldAfterEnd;
    }

    /**
     * How the call ended.
     *
     * @return the status, or null.
     */
    public StatusCode status()
    {
        return status;
    }

    /**
     * The text of the error it ended with.
     *
     * @return the text, or an empty one.
     */
    public String text()
    {
        return text;
    }

    /**
     * The response it ended with.
     *
     * @return a copy, or null.
     */
    public byte[] response()
    {
        return response;
    }

    @Override
    public void onItem(
        final long correlationId, final int methodId, final DirectBuffer buffer, final int offset, final int length)
    {
        isToldAfterEnd |= hasEnded();
        bytes += length;
        final byte[] item = copy(buffer, offset, length);
        items.add(item);
        onItem.accept(item);
    }

    @Override
    public void onReady(final long correlationId, final int methodId)
    {
        isToldAfterEnd |= hasEnded();
        readyCount++;
        onReady.run();
    }

    @Override
    public void onCompleted(final long correlationId, final int methodId)
    {
        end(StatusCode.OK);
    }

    @Override
    public void onResponse(
        final long correlationId, final int methodId, final DirectBuffer buffer, final int offset, final int length)
    {
        response = copy(buffer, offset, length);
        end(StatusCode.OK);
    }

    @Override
    public void onError(
        final long correlationId,
        final int methodId,
        final StatusCode code,
        final String errorText,
        final DirectBuffer detail,
        final int detailOffset,
        final int detailLength)
    {
        text = errorText;
        end(code);
    }

    @Override
    public boolean isGrantAutomatic()
    {
        return isGrantAutomatic;
    }

    @Override
    public String toString()
    {
        return status + " '" + text + "', " + items.size() + " items, ready " + readyCount + ", ended " + endCount;
    }

    private void end(final StatusCode code)
    {
        isToldAfterEnd |= hasEnded();
        endCount++;
        status = code;
        onEnd.run();
    }

    private static byte[] copy(final DirectBuffer buffer, final int offset, final int length)
    {
        buffer.boundsCheck(offset, length);
        final byte[] copied = new byte[length];
        buffer.getBytes(offset, copied);
        return copied;
    }
}
