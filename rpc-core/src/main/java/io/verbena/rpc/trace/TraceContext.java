/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc.trace;

import io.verbena.rpc.CallScope;
import io.verbena.rpc.ScopeContext;
import java.util.random.RandomGenerator;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Which trace a call belongs to: trace id, the id of the span that makes the call, the sampled flag, and what vendors
 * of tracing add ({@code tracestate}). Meant to be kept and filled again; neither reading nor writing allocates.
 * <p>
 * What is received is passed on unchanged, with these exceptions of the recommendation: flags other than the sampled
 * one are cleared, the version written is 00, and a {@code tracestate} longer than {@value TraceState#MAX_LENGTH} bytes
 * loses its entries of more than {@value TraceState#LONG_ENTRY_LENGTH} bytes, then those at its end. White space around
 * its entries is dropped. A malformed {@code traceparent} makes the whole count as absent, a malformed
 * {@code tracestate}, or one of more than {@value TraceState#MAX_ENTRIES} entries, only itself.
 * <p>
 * <b>Threading:</b> none of its own; one thread at a time.
 */
public final class TraceContext implements ScopeContext
{
    /** The metadata key of trace id, span id and flags. */
    public static final String TRACEPARENT_KEY = "traceparent";

    /** The metadata key of what vendors add. */
    public static final String TRACESTATE_KEY = "tracestate";

    /** How long a {@code traceparent} is that this class writes, in bytes. */
    public static final int TRACEPARENT_LENGTH = TraceParentFormat.LENGTH;

    /** The longest {@code tracestate} that this class keeps, in bytes. */
    public static final int MAX_TRACESTATE_LENGTH = TraceState.MAX_LENGTH;

    private static final int SAMPLED = 1;

    private final TraceState state = new TraceState();
    private final UnsafeBuffer stateBuffer = new UnsafeBuffer(state.bytes());
    private long traceIdHigh;
    private long traceIdLow;
    private long spanId;
    private int flags;

    /**
     * A context of no trace.
     */
    public TraceContext()
    {
    }

    /**
     * The context of what this thread is doing: that of the call that it handles, or one that was made current.
     *
     * @return the context; null if there is none. Not to be changed; valid until the call has ended (by its answer, for
     *     one), its handler has returned, or the scope is closed.
     */
    public static TraceContext current()
    {
        return CallScope.currentContext() instanceof final TraceContext context ? context : null;
    }

    /**
     * Makes this the context of the calls that this thread makes until the scope is closed. It must not be changed
     * meanwhile.
     *
     * @return the scope, to be closed by this thread.
     */
    public CallScope makeCurrent()
    {
        return CallScope.with(this);
    }

    /**
     * Whether this names a trace.
     *
     * @return false if it is new, cleared, or what was read was malformed.
     */
    public boolean isValid()
    {
        return spanId != 0;
    }

    /**
     * The first half of the trace id.
     *
     * @return 64 bits; both halves are 0 only in a context that is not valid.
     */
    public long traceIdHigh()
    {
        return traceIdHigh;
    }

    /**
     * The second half of the trace id.
     *
     * @return 64 bits; both halves are 0 only in a context that is not valid.
     */
    public long traceIdLow()
    {
        return traceIdLow;
    }

    /**
     * The span that makes the call; the recommendation calls it parent id.
     *
     * @return 64 bits; 0 only in a context that is not valid.
     */
    public long spanId()
    {
        return spanId;
    }

    /**
     * Whether the caller may have recorded the trace.
     *
     * @return true if the sampled flag is set.
     */
    public boolean isSampled()
    {
        return (flags & SAMPLED) != 0;
    }

    /**
     * Makes this a context of no trace.
     *
     * @return this.
     */
    public TraceContext clear()
    {
        traceIdHigh = 0;
        traceIdLow = 0;
        spanId = 0;
        flags = 0;
        state.clear();
        return this;
    }

    /**
     * Makes this equal to another.
     *
     * @param other to copy from.
     * @return this.
     */
    public TraceContext set(final TraceContext other)
    {
        traceIdHigh = other.traceIdHigh;
        traceIdLow = other.traceIdLow;
        spanId = other.spanId;
        flags = other.flags;
        state.set(other.state);
        return this;
    }

    /**
     * Makes this a context with given ids and without a {@code tracestate}.
     *
     * @param newTraceIdHigh first half of the trace id.
     * @param newTraceIdLow  second half of the trace id.
     * @param newSpanId      the span that will make calls.
     * @param isSampled      whether the trace may be recorded.
     * @return this.
     * @throws IllegalArgumentException if the trace id or the span id is all zero, which the recommendation forbids.
     */
    public TraceContext set(
        final long newTraceIdHigh, final long newTraceIdLow, final long newSpanId, final boolean isSampled)
    {
        if ((newTraceIdHigh | newTraceIdLow) == 0 || newSpanId == 0)
        {
            throw new IllegalArgumentException("trace id and span id: expected other than 0, found " +
                Long.toHexString(newTraceIdHigh) + ":" + Long.toHexString(newTraceIdLow) + " and " +
                Long.toHexString(newSpanId));
        }
        traceIdHigh = newTraceIdHigh;
        traceIdLow = newTraceIdLow;
        spanId = newSpanId;
        flags = isSampled ? SAMPLED : 0;
        state.clear();
        return this;
    }

    /**
     * Begins a trace.
     *
     * @param random    source of its ids.
     * @param isSampled whether the trace may be recorded.
     * @return this.
     */
    public TraceContext newTrace(final RandomGenerator random, final boolean isSampled)
    {
        return set(random.nextLong(), nonZero(random), nonZero(random), isSampled);
    }

    /**
     * Makes this the context of a new span of the same trace, for those who record one.
     *
     * @param random source of its id.
     * @return this.
     * @throws IllegalStateException if this context is not valid.
     */
    public TraceContext newSpan(final RandomGenerator random)
    {
        if (!isValid())
        {
            throw new IllegalStateException("new span: expected a context of some trace, found one of none");
        }
        spanId = nonZero(random);
        return this;
    }

    /**
     * Reads a {@code traceparent}. What this context was before is gone, its {@code tracestate} too.
     *
     * @param buffer that holds the text.
     * @param offset of the text.
     * @param length of the text in bytes.
     * @return false if it is malformed; this context is then not valid.
     */
    public boolean parseTraceparent(final DirectBuffer buffer, final int offset, final int length)
    {
        clear();
        if (!TraceParentFormat.isWellFormed(buffer, offset, length))
        {
            return false;
        }
        final long high = TraceParentFormat.hex(buffer, offset + TraceParentFormat.TRACE_ID_OFFSET, 16);
        final long low = TraceParentFormat.hex(buffer, offset + TraceParentFormat.TRACE_ID_OFFSET + 16, 16);
        final long parentId = TraceParentFormat.hex(buffer, offset + TraceParentFormat.PARENT_ID_OFFSET, 16);
        if ((high | low) == 0 || parentId == 0)
        {
            return false;
        }
        traceIdHigh = high;
        traceIdLow = low;
        spanId = parentId;
        flags = (int)TraceParentFormat.hex(buffer, offset + TraceParentFormat.FLAGS_OFFSET, 2) & SAMPLED;
        return true;
    }

    /**
     * Writes a {@code traceparent} of version 00.
     *
     * @param buffer to write to.
     * @param offset to write at.
     * @return {@link #TRACEPARENT_LENGTH}; 0 if this context is not valid, and nothing was written.
     */
    public int formatTraceparent(final MutableDirectBuffer buffer, final int offset)
    {
        if (!isValid())
        {
            return 0;
        }
        TraceParentFormat.putHex(buffer, offset, 2, 0);
        buffer.putByte(offset + TraceParentFormat.TRACE_ID_OFFSET - 1, (byte)'-');
        TraceParentFormat.putHex(buffer, offset + TraceParentFormat.TRACE_ID_OFFSET, 16, traceIdHigh);
        TraceParentFormat.putHex(buffer, offset + TraceParentFormat.TRACE_ID_OFFSET + 16, 16, traceIdLow);
        buffer.putByte(offset + TraceParentFormat.PARENT_ID_OFFSET - 1, (byte)'-');
        TraceParentFormat.putHex(buffer, offset + TraceParentFormat.PARENT_ID_OFFSET, 16, spanId);
        buffer.putByte(offset + TraceParentFormat.FLAGS_OFFSET - 1, (byte)'-');
        TraceParentFormat.putHex(buffer, offset + TraceParentFormat.FLAGS_OFFSET, 2, flags);
        return TRACEPARENT_LENGTH;
    }

    /**
     * Reads a {@code tracestate} that came in one piece.
     *
     * @param buffer that holds the text.
     * @param offset of the text.
     * @param length of the text in bytes; may be 0.
     * @return false if it is malformed; this context then has none.
     */
    public boolean parseTracestate(final DirectBuffer buffer, final int offset, final int length)
    {
        state.clear();
        final int entries = TraceState.entries(buffer, offset, length);
        if (entries < 0 || entries > TraceState.MAX_ENTRIES)
        {
            return false;
        }
        if (!state.add(buffer, offset, length, false))
        {
            state.clear();
            state.add(buffer, offset, length, true);
        }
        return true;
    }

    /**
     * The {@code tracestate}, as ASCII.
     *
     * @return a buffer that holds it from index 0 on, {@link #tracestateLength()} bytes; it changes with this context.
     */
    public DirectBuffer tracestate()
    {
        return stateBuffer;
    }

    /**
     * How long the {@code tracestate} is.
     *
     * @return 0 to {@link #MAX_TRACESTATE_LENGTH} bytes; 0 for none.
     */
    public int tracestateLength()
    {
        return state.length();
    }

    /**
     * A copy, since contexts of requests are used again when their calls have ended. Allocates.
     *
     * @return the copy.
     */
    @Override
    public TraceContext retain()
    {
        return new TraceContext().set(this);
    }

    /**
     * The {@code traceparent}. Allocates.
     *
     * @return the text; "(no trace)" if this context is not valid.
     */
    @Override
    public String toString()
    {
        final UnsafeBuffer text = new UnsafeBuffer(new byte[TRACEPARENT_LENGTH]);
        return formatTraceparent(text, 0) == 0 ? "(no trace)" : text.getStringWithoutLengthAscii(0, TRACEPARENT_LENGTH);
    }

    TraceState state()
    {
        return state;
    }

    private static long nonZero(final RandomGenerator random)
    {
        long value;
        do
        {
            value = random.nextLong();
        }
        while (value == 0);
        return value;
    }
}
