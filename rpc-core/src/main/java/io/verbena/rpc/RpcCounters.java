/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

import io.verbena.rpc.transport.CountersSource;
import java.util.ArrayList;
import java.util.List;
import org.agrona.BitUtil;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.AtomicCounter;
import org.agrona.concurrent.status.CountersManager;
import org.agrona.concurrent.status.CountersReader;

/**
 * The counters of one client or server, see {@link RpcCounter}.
 * <p>
 * <b>Threading:</b> any thread reads, also after the close; the agent's thread alone counts. What it counted becomes
 * visible to others soon, in no particular order.
 * <p>
 * Design note: an event costs a load, an add and a store without a fence, in memory of the component's own. It is
 * copied to the transport's counters, where there are such, every {@value #PUBLISH_CYCLES} duty cycles, and those that
 * count nothing are not made there. So events cost the same with each transport, an unmapped counters file harms
 * nobody, and a thousand clients do not fill a driver's file. The number of calls in flight is never counted: it is
 * what was started less what ended.
 */
public final class RpcCounters
{
    /** Every so many duty cycles counters are copied to the transport's. */
    static final int PUBLISH_CYCLES = 1024;

    private static final RpcCounter[] ALL = RpcCounter.values();
    private static final StatusCode[] CODES = StatusCode.values();

    private final String agentName;
    private final boolean isServer;
    private final CountersManager manager;
    private final AtomicCounter[] counters = new AtomicCounter[ALL.length];
    private final AtomicCounter[] ended = new AtomicCounter[CODES.length];
    private final AtomicCounter callsStarted;
    private final AtomicCounter itemsSent;
    private final AtomicCounter itemsReceived;
    private final List<Mirror> mirrors = new ArrayList<>();

    RpcCounters(final String agentName, final boolean isServer)
    {
        this.agentName = agentName;
        this.isServer = isServer;
        final int capacity = ALL.length;
        manager = new CountersManager(
            newBuffer(capacity * CountersReader.METADATA_LENGTH),
            newBuffer(capacity * CountersReader.COUNTER_LENGTH));
        for (final RpcCounter counter : ALL)
        {
            // the other side's are there too, unseen: whatever counts need not ask which side it is on
            counters[counter.ordinal()] = isOfThisSide(counter) ?
                manager.newCounter(label(counter), counter.typeId()) :
                new AtomicCounter(newBuffer(CountersReader.COUNTER_LENGTH), 0);
        }
        for (final StatusCode code : CODES)
        {
            ended[code.value()] = of(RpcCounter.ended(code));
        }
        callsStarted = of(RpcCounter.CALLS_STARTED);
        itemsSent = of(RpcCounter.ITEMS_SENT);
        itemsReceived = of(RpcCounter.ITEMS_RECEIVED);
    }

    /**
     * What a counter says now. Any thread.
     *
     * @param counter to read.
     * @return its value; 0 for one of the other side.
     */
    public long get(final RpcCounter counter)
    {
        return counter == RpcCounter.CALLS_IN_FLIGHT ? callsInFlight() : of(counter).getOpaque();
    }

    /**
     * All counters as Agrona's tools read them, found by {@link RpcCounter#typeId()}. Any thread.
     *
     * @return a reader over memory of this component's own, valid as long as it is referred to.
     */
    public CountersReader reader()
    {
        return manager;
    }

    /**
     * Whether a server counts here.
     *
     * @return true for a server's, false for a client's.
     */
    public boolean isServers()
    {
        return isServer;
    }

    /**
     * The name of the agent that counts here.
     *
     * @return its context's name.
     */
    public String agentName()
    {
        return agentName;
    }

    /**
     * Whether the component that counts here has this counter.
     *
     * @param counter asked for.
     * @return false if it is the other side's alone.
     */
    public boolean isOfThisSide(final RpcCounter counter)
    {
        return isServer ? counter.isServers() : counter.isClients();
    }

    /**
     * Has the counters copied to those of a transport, if it offers any.
     *
     * @param transport a {@link CountersSource}, or something else, which is passed over.
     */
    void mirrorTo(final Object transport)
    {
        if (transport instanceof final CountersSource source)
        {
            mirrors.add(new Mirror(source));
        }
    }

    /**
     * Does {@link #publish()} in every so many of the duty cycles that it is called in.
     */
    void publish(final long cycle)
    {
        if ((cycle & PUBLISH_CYCLES - 1) == 0)
        {
            publish();
        }
    }

    /**
     * Copies to the counters of transports what has changed.
     */
    void publish()
    {
        of(RpcCounter.CALLS_IN_FLIGHT).setOpaque(callsInFlight());
        for (int i = 0, size = mirrors.size(); i < size; i++)
        {
            mirrors.get(i).publish();
        }
    }

    /**
     * The transports close: their counters are not touched any more.
     */
    void detach()
    {
        publish();
        mirrors.clear();
    }

    void callStarted()
    {
        callsStarted.incrementOpaque();
    }

    /**
     * A call that was counted as started has ended.
     */
    void callEnded(final StatusCode status)
    {
        ended[status.value()].incrementOpaque();
    }

    void streamOpened()
    {
        add(RpcCounter.STREAMS_OPEN, 1);
    }

    void streamClosed()
    {
        add(RpcCounter.STREAMS_OPEN, -1);
    }

    void itemSent()
    {
        itemsSent.incrementOpaque();
    }

    void itemReceived()
    {
        itemsReceived.incrementOpaque();
    }

    void creditStalled()
    {
        add(RpcCounter.CREDIT_STALLS, 1);
    }

    void creditGranted()
    {
        add(RpcCounter.CREDIT_GRANTS, 1);
    }

    void claimBackPressured()
    {
        add(RpcCounter.CLAIMS_BACK_PRESSURED, 1);
    }

    void messageQueued(final long bytes)
    {
        add(RpcCounter.MESSAGES_QUEUED, 1);
        add(RpcCounter.BYTES_QUEUED, bytes);
    }

    void messageUnqueued(final long bytes)
    {
        add(RpcCounter.BYTES_QUEUED, -bytes);
    }

    void messageTooLong()
    {
        add(RpcCounter.MESSAGES_TOO_LONG, 1);
    }

    void flowControlError()
    {
        add(RpcCounter.FLOW_CONTROL_ERRORS, 1);
    }

    void protocolError()
    {
        add(RpcCounter.PROTOCOL_ERRORS, 1);
    }

    void staleFrame()
    {
        add(RpcCounter.STALE_FRAMES, 1);
    }

    void connectionOpened()
    {
        add(RpcCounter.CONNECTIONS_OPENED, 1);
        add(RpcCounter.CONNECTIONS_OPEN, 1);
    }

    /**
     * A connection that was counted as opened has ended.
     *
     * @param isLost unless this side closed it.
     */
    void connectionClosed(final boolean isLost)
    {
        add(RpcCounter.CONNECTIONS_OPEN, -1);
        if (isLost)
        {
            add(RpcCounter.CONNECTIONS_LOST, 1);
        }
    }

    void connectionRefused()
    {
        add(RpcCounter.CONNECTIONS_REFUSED, 1);
    }

    void reconnectAttempted()
    {
        add(RpcCounter.RECONNECT_ATTEMPTS, 1);
    }

    void keepAliveTimedOut()
    {
        add(RpcCounter.KEEP_ALIVE_TIMEOUTS, 1);
    }

    void goAway()
    {
        add(RpcCounter.GO_AWAYS, 1);
    }

    void retried()
    {
        add(RpcCounter.RETRIES, 1);
    }

    void transparentlyRetried()
    {
        add(RpcCounter.TRANSPARENT_RETRIES, 1);
    }

    void hedged()
    {
        add(RpcCounter.HEDGES, 1);
    }

    void retryBudgetRefused()
    {
        add(RpcCounter.RETRY_BUDGET_REFUSALS, 1);
    }

    void admissionRefused()
    {
        add(RpcCounter.ADMISSION_REFUSALS, 1);
    }

    void admissionQueued()
    {
        add(RpcCounter.ADMISSION_QUEUED, 1);
        add(RpcCounter.ADMISSION_WAITING, 1);
    }

    /**
     * A call that was counted as queued has left the queue, in whatever way.
     */
    void admissionUnqueued()
    {
        add(RpcCounter.ADMISSION_WAITING, -1);
    }

    void drainRefused()
    {
        add(RpcCounter.DRAIN_REFUSALS, 1);
    }

    void callDrained()
    {
        add(RpcCounter.CALLS_DRAINED, 1);
    }

    void compressed(final long bytesIn, final long bytesOut)
    {
        add(RpcCounter.COMPRESSION_BYTES_IN, bytesIn);
        add(RpcCounter.COMPRESSION_BYTES_OUT, bytesOut);
    }

    void decompressed(final long bytesIn, final long bytesOut)
    {
        add(RpcCounter.DECOMPRESSION_BYTES_IN, bytesIn);
        add(RpcCounter.DECOMPRESSION_BYTES_OUT, bytesOut);
    }

    void decompressionFailed()
    {
        add(RpcCounter.DECOMPRESSION_FAILURES, 1);
    }

    void checksumFailed()
    {
        add(RpcCounter.CHECKSUM_FAILURES, 1);
    }

    void deadlineExpired()
    {
        add(RpcCounter.DEADLINES_EXPIRED, 1);
    }

    void callCancelled()
    {
        add(RpcCounter.CANCELS, 1);
    }

    void interceptorRefused()
    {
        add(RpcCounter.INTERCEPTOR_REFUSALS, 1);
    }

    void schemaVersionsDiffered(final long services)
    {
        add(RpcCounter.SCHEMA_VERSIONS_DIFFERENT, services);
    }

    void handlerFailed()
    {
        add(RpcCounter.HANDLER_FAILURES, 1);
    }

    private void add(final RpcCounter counter, final long amount)
    {
        of(counter).getAndAddOpaque(amount);
    }

    private AtomicCounter of(final RpcCounter counter)
    {
        return counters[counter.ordinal()];
    }

    private long callsInFlight()
    {
        long endedCount = 0;
        for (final AtomicCounter counter : ended)
        {
            endedCount += counter.getOpaque();
        }
        // read last, so that another thread may see some too many, but never fewer than none
        return callsStarted.getOpaque() - endedCount;
    }

    private static UnsafeBuffer newBuffer(final int length)
    {
        return new UnsafeBuffer(BufferUtil.allocateDirectAligned(length, BitUtil.CACHE_LINE_LENGTH * 2));
    }

    private String label(final RpcCounter counter)
    {
        return agentName + ": " + counter.label();
    }

    /**
     * The counters of one transport that the values are copied to.
     */
    private final class Mirror
    {
        private final CountersSource source;
        private final AtomicCounter[] targets = new AtomicCounter[ALL.length];
        private final long[] published = new long[ALL.length];

        Mirror(final CountersSource source)
        {
            this.source = source;
        }

        void publish()
        {
            for (int i = 0; i < ALL.length; i++)
            {
                final long value = counters[i].getPlain();
                if (value != published[i] && isOfThisSide(ALL[i]))
                {
                    publish(i, value);
                }
            }
        }

        private void publish(final int index, final long value)
        {
            if (targets[index] == null)
            {
                targets[index] = source.counter(ALL[index].typeId(), label(ALL[index]));
            }
            if (targets[index] != null)
            {
                targets[index].setOpaque(value);
                published[index] = value;
            }
        }
    }
}
