/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.systems.verbena;

import io.verbena.perf.generated.FeedSummaryDecoder;
import io.verbena.perf.generated.Item32Decoder;
import io.verbena.perf.generated.ItemDecoder;
import io.verbena.perf.generated.ItemsProxy;
import io.verbena.perf.generated.WatchRequestEncoder;
import io.verbena.perf.systems.StreamTally;
import io.verbena.rpc.MethodKind;
import io.verbena.rpc.RpcChannel;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The one call of a run with streams, by the zero-copy stub: a body of 32 bytes by the methods with fixed fields, any
 * other by those that carry data.
 */
final class StreamCaller extends ItemsCallbacks
{
    private final ItemsProxy proxy;
    private final MethodKind kind;
    private final int bodyLength;
    private final boolean isFixed;
    private final StreamTally tally;
    private final ItemFiller filler;
    private final UnsafeBuffer received = new UnsafeBuffer(0, 0);
    private final long correlationId;
    private boolean isReady = true;
    private boolean isEnded;
    private String failure;

    /**
     * Makes the call.
     *
     * @param channel    that is ready.
     * @param kind       of the call.
     * @param bodyLength of the items in bytes.
     * @param tally      to count in.
     */
    StreamCaller(final RpcChannel channel, final MethodKind kind, final int bodyLength, final StreamTally tally)
    {
        proxy = new ItemsProxy(channel, this);
        this.kind = kind;
        this.bodyLength = bodyLength;
        this.tally = tally;
        filler = new ItemFiller(bodyLength);
        isFixed = filler.isFixed();
        correlationId = open();
        if (correlationId <= 0)
        {
            throw new IllegalStateException("a stream expected to begin, found code " + correlationId);
        }
    }

    private long open()
    {
        return switch (kind)
        {
            case CLIENT_STREAM ->
                isFixed ? proxy.feed32Open(RpcChannel.NO_TIMEOUT) : proxy.feedOpen(RpcChannel.NO_TIMEOUT);
            case BIDI -> isFixed ? proxy.chat32Open(RpcChannel.NO_TIMEOUT) : proxy.chatOpen(RpcChannel.NO_TIMEOUT);
            default -> openWatch();
        };
    }

    private long openWatch()
    {
        final int length = WatchRequestEncoder.BLOCK_LENGTH;
        final long result = isFixed ?
            proxy.watch32Claim(length, RpcChannel.NO_TIMEOUT) : proxy.watchClaim(length, RpcChannel.NO_TIMEOUT);
        if (result > 0)
        {
            (isFixed ? proxy.watch32Encoder() : proxy.watchEncoder()).itemLength(filler.dataLength());
            proxy.commit();
        }
        return result;
    }

    /**
     * Sends items until one is refused; then nothing until the call is ready again.
     *
     * @return the number of items sent.
     */
    int send()
    {
        int count = 0;
        while (isReady)
        {
            if (kind == MethodKind.BIDI ? tryChat() : tryFeed())
            {
                tally.onSent();
                count++;
            }
            else
            {
                isReady = false;
            }
        }
        return count;
    }

    private boolean tryFeed()
    {
        if (isFixed)
        {
            if (proxy.feed32Claim(correlationId, bodyLength) <= 0)
            {
                return false;
            }
            filler.fill(proxy.feed32Encoder(), tally.nextSequence());
        }
        else
        {
            if (proxy.feedClaim(correlationId, bodyLength) <= 0)
            {
                return false;
            }
            filler.fill(proxy.feedEncoder(), tally.nextSequence());
        }
        proxy.commit();
        return true;
    }

    private boolean tryChat()
    {
        if (isFixed)
        {
            if (proxy.chat32Claim(correlationId, bodyLength) <= 0)
            {
                return false;
            }
            filler.fill(proxy.chat32Encoder(), tally.nextSequence());
        }
        else
        {
            if (proxy.chatClaim(correlationId, bodyLength) <= 0)
            {
                return false;
            }
            filler.fill(proxy.chatEncoder(), tally.nextSequence());
        }
        proxy.commit();
        return true;
    }

    void halfClose()
    {
        switch (kind)
        {
            case CLIENT_STREAM -> halfClosed(
                isFixed ? proxy.feed32HalfClose(correlationId) : proxy.feedHalfClose(correlationId));
            case BIDI -> halfClosed(
                isFixed ? proxy.chat32HalfClose(correlationId) : proxy.chatHalfClose(correlationId));
            default ->
            {
                // The server ends it.
            }
        }
    }

    private void halfClosed(final boolean isDone)
    {
        if (!isDone)
        {
            onUnexpected("no call to half-close");
        }
    }

    boolean isEnded()
    {
        return isEnded;
    }

    void throwFailure()
    {
        if (failure != null)
        {
            throw new IllegalStateException("the stream ended or went wrong: " + failure);
        }
    }

    @Override
    protected void onUnexpected(final String what)
    {
        failure = failure == null ? what : failure;
    }

    @Override
    public void onWatchItem(final long callId, final ItemDecoder item)
    {
        onItem(item);
    }

    @Override
    public void onChatItem(final long callId, final ItemDecoder item)
    {
        onItem(item);
    }

    private void onItem(final ItemDecoder item)
    {
        final long sequence = item.sequence();
        item.wrapPayload(received);
        if (received.capacity() != filler.dataLength())
        {
            onUnexpected("an item with " + received.capacity() + " bytes");
        }
        tally.onReceived(sequence);
    }

    @Override
    public void onWatch32Item(final long callId, final Item32Decoder item)
    {
        onItem(item);
    }

    @Override
    public void onChat32Item(final long callId, final Item32Decoder item)
    {
        onItem(item);
    }

    private void onItem(final Item32Decoder item)
    {
        if (item.filler(Item32Decoder.fillerLength() - 1) != ItemFiller.FILLER)
        {
            onUnexpected("an item with another last byte");
        }
        tally.onReceived(item.sequence());
    }

    @Override
    public void onFeedReady(final long callId)
    {
        isReady = true;
    }

    @Override
    public void onFeed32Ready(final long callId)
    {
        isReady = true;
    }

    @Override
    public void onChatReady(final long callId)
    {
        isReady = true;
    }

    @Override
    public void onChat32Ready(final long callId)
    {
        isReady = true;
    }

    @Override
    public void onWatchCompleted(final long callId)
    {
        isEnded = true;
    }

    @Override
    public void onWatch32Completed(final long callId)
    {
        isEnded = true;
    }

    @Override
    public void onChatCompleted(final long callId)
    {
        isEnded = true;
    }

    @Override
    public void onChat32Completed(final long callId)
    {
        isEnded = true;
    }

    @Override
    public void onFeedResponse(final long callId, final FeedSummaryDecoder response)
    {
        onSummary(response);
    }

    @Override
    public void onFeed32Response(final long callId, final FeedSummaryDecoder response)
    {
        onSummary(response);
    }

    private void onSummary(final FeedSummaryDecoder response)
    {
        isEnded = true;
        if (response.received() != tally.nextSequence())
        {
            onUnexpected(response.received() + " of " + tally.nextSequence() + " items received");
        }
    }
}
