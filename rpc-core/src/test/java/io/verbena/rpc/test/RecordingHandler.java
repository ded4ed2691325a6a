/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc.test;

import io.verbena.rpc.ResponseHandler;
import io.verbena.rpc.StatusCode;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;

/**
 * Records how calls end, and that what it is given lies within the buffers it is given.
 */
public final class RecordingHandler implements ResponseHandler
{
    /**
     * How one call ended.
     *
     * @param correlationId of the call.
     * @param methodId      of the method.
     * @param code          OK for a response.
     * @param text          of an error.
     * @param payload       of the response, or the detail of the error; a copy.
     */
    public record Outcome(long correlationId, int methodId, StatusCode code, String text, byte[] payload)
    {
        @Override
        public String toString()
        {
            return correlationId + " of method " + methodId + ": " + code + " '" + text + "', " + payload.length +
                " bytes";
        }
    }

    /**
     * What a test does inside the callback.
     */
    public interface Then
    {
        /**
         * Called after an outcome was recorded.
         *
         * @param outcome of a call.
         */
        void accept(Outcome outcome);
    }

    private final List<Outcome> outcomes = new ArrayList<>();
    private Then then = outcome -> {};

    /**
     * With nothing recorded.
     */
    public RecordingHandler()
    {
    }

    /**
     * Sets what to do in the callback.
     *
     * @param action done after recording.
     * @return this.
     */
    public RecordingHandler then(final Then action)
    {
        then = action;
        return this;
    }

    /**
     * What was recorded.
     *
     * @return outcomes in order.
     */
    public List<Outcome> outcomes()
    {
        return outcomes;
    }

    /**
     * How many calls have ended.
     *
     * @return a count.
     */
    public int count()
    {
        return outcomes.size();
    }

    /**
     * The outcome of the call that ended last.
     *
     * @return the outcome.
     */
    public Outcome last()
    {
        return outcomes.get(outcomes.size() - 1);
    }

    /**
     * How often a call was told to have ended.
     *
     * @param correlationId of the call.
     * @return a count that should be 1 at last.
     */
    public int count(final long correlationId)
    {
        return (int)outcomes.stream().filter(outcome -> outcome.correlationId() == correlationId).count();
    }

    @Override
    public void onResponse(
        final long correlationId, final int methodId, final DirectBuffer buffer, final int offset, final int length)
    {
        record(new Outcome(correlationId, methodId, StatusCode.OK, "", copy(buffer, offset, length)));
    }

    @Override
    public void onError(
        final long correlationId,
        final int methodId,
        final StatusCode code,
        final String text,
        final DirectBuffer detail,
        final int detailOffset,
        final int detailLength)
    {
        final byte[] copy = detailLength == 0 ? new byte[0] : copy(detail, detailOffset, detailLength);
        record(new Outcome(correlationId, methodId, code, text, copy));
    }

    private void record(final Outcome outcome)
    {
        outcomes.add(outcome);
        then.accept(outcome);
    }

    private static byte[] copy(final DirectBuffer buffer, final int offset, final int length)
    {
        buffer.boundsCheck(offset, length);
        final byte[] bytes = new byte[length];
        buffer.getBytes(offset, bytes);
        return bytes;
    }
}
