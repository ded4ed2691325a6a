/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.systems.aeron;

import io.aeron.Aeron;
import io.aeron.driver.MediaDriver;
import org.agrona.CloseHelper;
import org.agrona.concurrent.AgentInvoker;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * One process's hold on Aeron: its client, and its driver when it owns one, both run by the thread that polls.
 */
final class AeronEndpoint implements AutoCloseable
{
    private static final long SETUP_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(10);
    private static final int POLLS_PER_LOOK = 32;
    private static final long WORK_INTERVAL_NS = TimeUnit.MICROSECONDS.toNanos(50);

    private final MediaDriver driver;
    private final Aeron aeron;
    private final AgentInvoker driverInvoker;
    private final AgentInvoker conductorInvoker;
    private final boolean isDriverInEachPoll;
    private int pollsUntilLook;
    private long workedAtNs;

    private AeronEndpoint(final MediaDriver driver, final String directory, final boolean isDriverInEachPoll)
    {
        this.isDriverInEachPoll = isDriverInEachPoll;
        this.driver = driver;
        driverInvoker = driver == null ? null : driver.sharedAgentInvoker();
        final Aeron.Context context = new Aeron.Context()
            .aeronDirectoryName(directory)
            .useConductorAgentInvoker(true);
        if (driverInvoker != null)
        {
            context.driverAgentInvoker(driverInvoker);
        }
        aeron = Aeron.connect(context);
        conductorInvoker = aeron.conductorAgentInvoker();
    }

    static AeronEndpoint withDriver(final AeronSettings settings, final String directory)
    {
        final MediaDriver driver = MediaDriver.launch(settings.driverContext(directory));
        try
        {
            return new AeronEndpoint(driver, driver.aeronDirectoryName(), settings.isUdp());
        }
        catch (final RuntimeException ex)
        {
            driver.close();
            throw ex;
        }
    }

    static AeronEndpoint withForeignDriver(final String directory)
    {
        return new AeronEndpoint(null, directory, false);
    }

    Aeron aeron()
    {
        return aeron;
    }

    String directory()
    {
        return aeron.context().aeronDirectoryName();
    }

    /**
     * What a poll has to do for Aeron, at the pace of Verbena's transport: the driver each time where it has sockets
     * to serve; the conductors every 50 µs, the clock being looked at in every 32nd poll only.
     *
     * @return the work done.
     */
    int dutyCycle()
    {
        final int work = isDriverInEachPoll ? driverInvoker.invoke() : 0;
        if (--pollsUntilLook <= 0)
        {
            pollsUntilLook = POLLS_PER_LOOK;
            final long nowNs = System.nanoTime();
            if (nowNs - workedAtNs >= WORK_INTERVAL_NS)
            {
                workedAtNs = nowNs;
                return work + runAll();
            }
        }
        return work;
    }

    /**
     * The conductors are wanted in the next poll: a publication waits for room.
     */
    void hurry()
    {
        pollsUntilLook = 0;
        workedAtNs = 0;
    }

    /**
     * Everything at once: for a publication that has no room, and for setting up.
     *
     * @return the work done.
     */
    int runAll()
    {
        return (driverInvoker == null ? 0 : driverInvoker.invoke()) + conductorInvoker.invoke();
    }

    /**
     * Runs duty cycles until something has come about.
     *
     * @param what      is awaited, for the error.
     * @param condition to wait for.
     */
    void await(final String what, final BooleanSupplier condition)
    {
        final long deadlineNs = System.nanoTime() + SETUP_TIMEOUT_NS;
        while (!condition.getAsBoolean())
        {
            runAll();
            if (System.nanoTime() - deadlineNs > 0)
            {
                throw new IllegalStateException(
                    what + " expected within " + TimeUnit.NANOSECONDS.toSeconds(SETUP_TIMEOUT_NS) + " s");
            }
            Thread.yield();
        }
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(aeron, driver);
    }
}
