/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc.trace;

import io.verbena.rpc.Metadata;
import io.verbena.rpc.RpcException;
import org.agrona.AsciiSequenceView;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Reads trace contexts from metadata and writes them there, without allocation. One thread.
 */
final class TraceMetadata
{
    private final UnsafeBuffer scratch = new UnsafeBuffer(new byte[TraceParentFormat.LENGTH]);
    private final AsciiSequenceView view = new AsciiSequenceView();

    /**
     * Reads a context.
     *
     * @return false if there is none, or none that is well formed; the context is then not valid.
     */
    static boolean read(final Metadata metadata, final TraceContext context)
    {
        context.clear();
        final int entry = metadata.find(TraceContext.TRACEPARENT_KEY);
        if (entry < 0 || metadata.isBinary(entry) || metadata.findNext(entry, TraceContext.TRACEPARENT_KEY) >= 0 ||
            !context.parseTraceparent(metadata.buffer(), metadata.valueOffset(entry), metadata.valueLength(entry)))
        {
            return false;
        }
        readState(metadata, context.state());
        return true;
    }

    /**
     * Adds a context, unless there is one. Leaves it out where it has no room: a call is worth more than its trace.
     */
    void write(final TraceContext context, final Metadata metadata)
    {
        if (metadata.find(TraceContext.TRACEPARENT_KEY) >= 0)
        {
            return;
        }
        try
        {
            final int length = context.formatTraceparent(scratch, 0);
            metadata.add(TraceContext.TRACEPARENT_KEY, view.wrap(scratch, 0, length));
            if (context.tracestateLength() > 0)
            {
                metadata.set(
                    TraceContext.TRACESTATE_KEY, view.wrap(context.tracestate(), 0, context.tracestateLength()));
            }
        }
        catch (final RpcException ex)
        {
            // no room: what was added may stay, each part by itself says nothing wrong
            return;
        }
    }

    private static void readState(final Metadata metadata, final TraceState state)
    {
        int entries = 0;
        int entry = metadata.find(TraceContext.TRACESTATE_KEY);
        for (; entry >= 0; entry = metadata.findNext(entry, TraceContext.TRACESTATE_KEY))
        {
            final int count = metadata.isBinary(entry) ? -1 :
                TraceState.entries(metadata.buffer(), metadata.valueOffset(entry), metadata.valueLength(entry));
            if (count < 0 || entries + count > TraceState.MAX_ENTRIES)
            {
                return;
            }
            entries += count;
        }
        if (!addStates(metadata, state, false))
        {
            state.clear();
            addStates(metadata, state, true);
        }
    }

    private static boolean addStates(final Metadata metadata, final TraceState state, final boolean isShortOnly)
    {
        int entry = metadata.find(TraceContext.TRACESTATE_KEY);
        for (; entry >= 0; entry = metadata.findNext(entry, TraceContext.TRACESTATE_KEY))
        {
            if (!state.add(
                metadata.buffer(), metadata.valueOffset(entry), metadata.valueLength(entry), isShortOnly))
            {
                return false;
            }
        }
        return true;
    }
}
