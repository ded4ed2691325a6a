/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.aeron;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;

import io.aeron.Aeron;
import io.aeron.Counter;
import io.aeron.exceptions.RegistrationException;
import org.agrona.BitUtil;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.AtomicCounter;
import org.agrona.concurrent.status.CountersReader;

/**
 * Counters that users of the transport write, shown in the counters file of the media driver.
 * <p>
 * Design note: a counter in the driver's file is memory of that driver, which goes when the driver does; whoever wrote
 * it then would end the process. So users write memory that is theirs for good, and this copies it every 100 ms, into
 * whatever driver the transport has at that time. The transport's thread alone.
 */
final class MirroredCounters
{
    private static final long INTERVAL_NS = 100_000_000L;

    private final ErrorSink errors;
    private final Map<String, Mirrored> byKey = new HashMap<>();
    private final ArrayList<Mirrored> all = new ArrayList<>();
    private Aeron shownBy;
    private long copiedAtNs;

    MirroredCounters(final ErrorSink errors)
    {
        this.errors = errors;
    }

    /**
     * The counter with a type id and a label, made when it is first asked for.
     *
     * @param typeId of the counter.
     * @param label  at most 380 characters.
     * @return the counter to write.
     */
    AtomicCounter counter(final int typeId, final String label)
    {
        if (label.length() > CountersReader.MAX_LABEL_LENGTH)
        {
            throw new IllegalArgumentException("label of a counter must be at most " +
                CountersReader.MAX_LABEL_LENGTH + " characters, found " + label.length());
        }
        return byKey.computeIfAbsent(typeId + " " + label, (key) ->
        {
            final Mirrored mirrored = new Mirrored(typeId, label);
            all.add(mirrored);
            return mirrored;
        }).own;
    }

    /**
     * Copies the values from time to time.
     *
     * @param sessions of the transport.
     * @param nowNs    the time.
     */
    void work(final DriverSession[] sessions, final long nowNs)
    {
        if (all.isEmpty() || nowNs - copiedAtNs < INTERVAL_NS)
        {
            return;
        }
        copiedAtNs = nowNs;
        final Aeron aeron = choose(sessions);
        if (aeron != shownBy)
        {
            // What the former one showed went with it.
            shownBy = aeron;
            all.forEach(Mirrored::forget);
        }
        if (aeron != null)
        {
            for (int i = 0; i < all.size(); i++)
            {
                all.get(i).copy(aeron, errors);
            }
        }
    }

    /** The transport's own driver, or else the first that it uses. */
    private static Aeron choose(final DriverSession[] sessions)
    {
        Aeron chosen = null;
        for (final DriverSession session : sessions)
        {
            if (session.isUp() && (chosen == null || session.isEmbedded()))
            {
                chosen = session.aeron();
            }
        }
        return chosen;
    }

    private static final class Mirrored
    {
        private final int typeId;
        private final String label;
        private final AtomicCounter own = new AtomicCounter(
            new UnsafeBuffer(
                BufferUtil.allocateDirectAligned(CountersReader.COUNTER_LENGTH, BitUtil.CACHE_LINE_LENGTH)), 0);
        private long registrationId = Aeron.NULL_VALUE;
        private Counter shown;
        private boolean refused;

        Mirrored(final int typeId, final String label)
        {
            this.typeId = typeId;
            this.label = label;
        }

        void forget()
        {
            registrationId = Aeron.NULL_VALUE;
            shown = null;
            refused = false;
        }

        void copy(final Aeron aeron, final ErrorSink errors)
        {
            if (shown != null)
            {
                shown.setRelease(own.get());
            }
            else if (!refused)
            {
                show(aeron, errors);
            }
        }

        private void show(final Aeron aeron, final ErrorSink errors)
        {
            try
            {
                if (registrationId == Aeron.NULL_VALUE)
                {
                    registrationId = aeron.asyncAddCounter(typeId, label);
                }
                shown = aeron.getCounter(registrationId);
                if (shown != null)
                {
                    shown.setRelease(own.get());
                }
            }
            catch (final RegistrationException e)
            {
                // No room in the driver's file: it is not shown, and counts on.
                refused = true;
            }
            catch (final RuntimeException e)
            {
                refused = true;
                errors.onError(e);
            }
        }
    }
}
