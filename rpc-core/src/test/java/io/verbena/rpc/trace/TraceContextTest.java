/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.rpc.test.InterruptAfter;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@InterruptAfter(10)
class TraceContextTest
{
    private static final String TRACE_ID = "4bf92f3577b34da6a3ce929d0e0e4736";
    private static final String PARENT_ID = "00f067aa0ba902b7";
    private static final String SAMPLED = "00-" + TRACE_ID + "-" + PARENT_ID + "-01";

    private final TraceContext context = new TraceContext();

    @Test
    void shouldTellIdsAndFlagWhenTraceparentIsWellFormed()
    {
        assertTrue(parse(SAMPLED));

        assertTrue(context.isValid());
        assertEquals(0x4bf92f3577b34da6L, context.traceIdHigh());
        assertEquals(0xa3ce929d0e0e4736L, context.traceIdLow());
        assertEquals(0x00f067aa0ba902b7L, context.spanId());
        assertTrue(context.isSampled());
        assertEquals(SAMPLED, context.toString());
    }

    @Test
    void shouldKeepNotSampledWhenTheFlagIsClear()
    {
        final String traceparent = "00-" + TRACE_ID + "-" + PARENT_ID + "-00";
        assertTrue(parse(traceparent));
        assertFalse(context.isSampled());
        assertEquals(traceparent, context.toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"03", "ff", "81"})
    void shouldClearOtherFlagsWhenSampledIsAmongThem(final String flags)
    {
        assertTrue(parse("00-" + TRACE_ID + "-" + PARENT_ID + "-" + flags));
        assertEquals(SAMPLED, context.toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-", "-what.the.future.will.be.like"})
    void shouldTakeWhatItKnowsWhenTheVersionIsLater(final String more)
    {
        assertTrue(parse("cc-" + TRACE_ID + "-" + PARENT_ID + "-01" + more));
        assertEquals(SAMPLED, context.toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "",
        "00",
        "00-" + TRACE_ID + "-" + PARENT_ID + "-0",
        "00-" + TRACE_ID + "-" + PARENT_ID + "-011",
        "00-" + TRACE_ID + "-" + PARENT_ID + "-01-",
        "00-" + TRACE_ID + "-" + PARENT_ID + "-01-more",
        "cc-" + TRACE_ID + "-" + PARENT_ID + "-01.what",
        "cc-" + TRACE_ID + "-" + PARENT_ID + "-0112",
        "ff-" + TRACE_ID + "-" + PARENT_ID + "-01",
        "0x-" + TRACE_ID + "-" + PARENT_ID + "-01",
        "00-00000000000000000000000000000000-" + PARENT_ID + "-01",
        "00-" + TRACE_ID + "-0000000000000000-01",
        "00-4BF92F3577B34DA6A3CE929D0E0E4736-" + PARENT_ID + "-01",
        "00-" + TRACE_ID + "-00F067AA0BA902B7-01",
        "00-" + TRACE_ID + "-" + PARENT_ID + "-0A",
        "00-." + TRACE_ID + PARENT_ID + "-01......",
        "00-4bf92f3577b34da6a3ce929d0e0e473.-" + PARENT_ID + "-01",
        "00-" + TRACE_ID + "-00f067aa0ba902b.-01",
        "00-" + TRACE_ID + "-" + PARENT_ID + "-.1",
        "00." + TRACE_ID + "-" + PARENT_ID + "-01",
        "00-" + TRACE_ID + "." + PARENT_ID + "-01",
        "00-" + TRACE_ID + "-" + PARENT_ID + ".01",
        " 0-" + TRACE_ID + "-" + PARENT_ID + "-01"
    })
    void shouldCountAsAbsentWhenTraceparentIsMalformed(final String traceparent)
    {
        parse(SAMPLED);
        state("a=1");

        assertFalse(parse(traceparent));

        assertFalse(context.isValid());
        assertFalse(context.isSampled());
        assertEquals(0, context.tracestateLength());
        assertEquals("(no trace)", context.toString());
        assertEquals(0, context.formatTraceparent(new UnsafeBuffer(new byte[64]), 0));
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "foo=1", "foo=1,bar=2", "foo=1,foo=2", "a_-*/0=v a!", "0tenant@system=x", "fw529a3039@dt=FfFfFfFf:0", "a@a=1",
        "foo= 1", "foo=1;bar"
    })
    void shouldKeepTracestateUnchangedWhenItIsWellFormed(final String tracestate)
    {
        assertTrue(state(tracestate));
        assertEquals(tracestate, stateText());
    }

    @ParameterizedTest
    @ValueSource(strings = {"foo=1 \t , \tbar=2", "foo=1,,bar=2,", " foo=1,\t,bar=2 "})
    void shouldDropSpaceAndEmptyEntriesWhenThereAreSome(final String tracestate)
    {
        assertTrue(state(tracestate));
        assertEquals("foo=1,bar=2", stateText());
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "foo", "foo=", "=1", "foo =1", "FOO=1", "foo.bar=1", "foo@=1,bar=2", "@foo=1,bar=2", "foo@@bar=1",
        "foo@bar@b=2",
        "foo=bar=baz", "0foo=1", "a@0=1", "foo=\u007f", "a@fifteencharacte=1", "_a=1", "foo=1=,bar=2"
    })
    void shouldHaveNoTracestateWhenItIsMalformed(final String tracestate)
    {
        parse(SAMPLED);
        state("a=1");
        assertFalse(state(tracestate));

        assertEquals(0, context.tracestateLength());
        assertTrue(context.isValid());
    }

    @Test
    void shouldHoldKeysAndValuesToTheirLengthsWhenAtTheLimit()
    {
        assertTrue(state("a".repeat(256) + "=1"));
        assertFalse(state("a".repeat(257) + "=1"));
        assertTrue(state("t".repeat(241) + "@v=1"));
        assertFalse(state("t".repeat(242) + "@v=1"));
        assertTrue(state("t@" + "v".repeat(14) + "=1"));
        assertFalse(state("t@" + "v".repeat(15) + "=1"));
        assertTrue(state("a=" + "x".repeat(256)));
        assertFalse(state("a=" + "x".repeat(257)));
    }

    @Test
    void shouldHoldEntriesToThirtyTwoWhenCounted()
    {
        assertTrue(state("a=1" + ",a=1".repeat(31)));
        assertFalse(state("a=1" + ",a=1".repeat(32)));
        assertEquals(0, context.tracestateLength());
    }

    @Test
    void shouldKeepAllWhenTracestateIsAsLongAsTheLimit()
    {
        final String longest = "a=" + "x".repeat(253) + ",b=" + "y".repeat(254);
        assertEquals(TraceContext.MAX_TRACESTATE_LENGTH, longest.length());
        assertTrue(state(longest));
        assertEquals(longest, stateText());
    }

    @Test
    void shouldDropLongEntriesFirstWhenTracestateIsTooLong()
    {
        final String kept = "k=" + "x".repeat(126);
        assertEquals(128, kept.length());
        assertTrue(state("a=" + "x".repeat(127) + "," + kept + ",b=" + "y".repeat(254) + ",c=3"));
        assertEquals(kept + ",c=3", stateText());
    }

    @Test
    void shouldDropTheLastEntriesWhenTracestateIsStillTooLong()
    {
        final String entry = "k=" + "x".repeat(120);
        assertTrue(state(entry + ("," + entry).repeat(4) + ",z=1"));
        assertEquals(entry + ("," + entry).repeat(3), stateText());
    }

    @Test
    void shouldKeepTheTraceWhenASpanIsNew()
    {
        parse(SAMPLED);
        state("a=1");
        final long high = context.traceIdHigh();

        context.newSpan(new SplittableRandom(1));

        assertEquals(high, context.traceIdHigh());
        assertNotEquals(0x00f067aa0ba902b7L, context.spanId());
        assertTrue(context.isSampled());
        assertEquals("a=1", stateText());
    }

    @Test
    void shouldBeEqualInAllPartsWhenSetFromAnother()
    {
        parse(SAMPLED);
        state("a=1");
        final TraceContext other = new TraceContext().newTrace(new SplittableRandom(2), false);
        assertFalse(other.isSampled());

        other.set(context);

        assertEquals(SAMPLED, other.toString());
        assertEquals("a=1", other.tracestate().getStringWithoutLengthAscii(0, other.tracestateLength()));
    }

    @Test
    void shouldRefuseZeroesWhenIdsAreGiven()
    {
        assertThrows(IllegalArgumentException.class, () -> context.set(0, 0, 1, true));
        assertThrows(IllegalArgumentException.class, () -> context.set(0, 1, 0, true));
        assertThrows(IllegalStateException.class, () -> context.newSpan(new SplittableRandom(1)));
        assertTrue(context.set(0, 1, 1, true).isValid());
    }

    private boolean parse(final String text)
    {
        final UnsafeBuffer buffer = ascii(text);
        return context.parseTraceparent(buffer, 3, buffer.capacity() - 6);
    }

    private boolean state(final String text)
    {
        final UnsafeBuffer buffer = ascii(text);
        return context.parseTracestate(buffer, 3, buffer.capacity() - 6);
    }

    private String stateText()
    {
        return context.tracestate().getStringWithoutLengthAscii(0, context.tracestateLength());
    }

    private static UnsafeBuffer ascii(final String text)
    {
        return new UnsafeBuffer(("00-" + text + "-01").getBytes(StandardCharsets.US_ASCII));
    }
}
