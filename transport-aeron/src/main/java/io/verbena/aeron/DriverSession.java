/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.aeron;

import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;

import io.aeron.Aeron;
import io.aeron.Image;
import io.aeron.driver.MediaDriver;
import io.verbena.rpc.transport.TransportException;
import org.agrona.CloseHelper;
import org.agrona.concurrent.AgentInvoker;
import org.agrona.concurrent.NoOpLock;

/**
 * An Aeron client at one driver directory and, where the transport owns it, the media driver there. Ends as a whole
 * when either fails, and can then be started again.
 * <p>
 * Created by the {@link AeronLoop}; its thread alone. All commands to Aeron are asynchronous, so nothing here waits
 * for a driver that another process runs.
 */
final class DriverSession
{
    private static final int KEEP_ALIVES_PER_LIVENESS = 8;

    private final AeronTransport.Context ctx;
    private final String directory;
    private final boolean embedded;
    private final ErrorSink errors;
    private final ArrayDeque<Image> arrivedImages = new ArrayDeque<>();

    private MediaDriver driver;
    private AgentInvoker driverInvoker;
    private Aeron aeron;
    private AgentInvoker clientInvoker;
    private long retryAtNs = Long.MIN_VALUE;
    private boolean servesUdp;
    private int users;

    DriverSession(
        final AeronTransport.Context ctx, final String directory, final boolean embedded, final ErrorSink errors)
    {
        this.ctx = ctx;
        this.directory = directory;
        this.embedded = embedded;
        this.errors = errors;
    }

    String directory()
    {
        return directory;
    }

    boolean isEmbedded()
    {
        return embedded;
    }

    boolean isUp()
    {
        return aeron != null;
    }

    Aeron aeron()
    {
        return aeron;
    }

    /** Sockets want the driver's attention in every poll, shared memory only now and then. */
    void serveUdp()
    {
        servesUdp = true;
    }

    boolean isPolled()
    {
        return servesUdp && embedded && ctx.driverInvoker();
    }

    void acquire()
    {
        ++users;
    }

    void release()
    {
        --users;
    }

    /**
     * Whether nothing uses the session any more. A client of a foreign driver then leaves it.
     *
     * @return true if it can be closed.
     */
    boolean isUnused()
    {
        return users == 0 && !embedded;
    }

    /**
     * Starts driver and client, or says why that is impossible.
     *
     * @throws TransportException for the user.
     */
    void start()
    {
        if (aeron != null)
        {
            return;
        }
        final boolean interrupted = Thread.interrupted();
        try
        {
            if (embedded && driver == null)
            {
                startDriver();
            }
            if (!embedded && !DriverDirectory.isDriverAlive(directory, livenessMs()))
            {
                throw new TransportException(
                    "expected a living media driver in " + directory + ", found none. Start the server that owns it");
            }
            aeron = Aeron.connect(clientContext());
            clientInvoker = aeron.conductorAgentInvoker();
        }
        catch (final TransportException e)
        {
            throw e;
        }
        catch (final RuntimeException e)
        {
            stop();
            throw new TransportException("cannot use the media driver in " + directory + ": " + e.getMessage(), e);
        }
        finally
        {
            restoreInterrupt(interrupted);
        }
    }

    /**
     * Starts where that can be done at once; a failure is for the error handler, and the next try comes later.
     *
     * @param nowNs the time.
     * @return true if up.
     */
    boolean tryStart(final long nowNs)
    {
        if (aeron != null)
        {
            return true;
        }
        if (retryAtNs != Long.MIN_VALUE && nowNs - retryAtNs < 0)
        {
            return false;
        }
        retryAtNs = nowNs + AeronLoop.RETRY_INTERVAL_NS;
        if (!embedded && !DriverDirectory.isDriverAlive(directory, livenessMs()))
        {
            return false;
        }
        try
        {
            start();
            return true;
        }
        catch (final TransportException e)
        {
            errors.onError(e);
            return false;
        }
    }

    private void startDriver()
    {
        DriverDirectory.requireOwn(directory);
        DriverDirectory.requireFree(directory, livenessMs());
        driver = MediaDriver.launch(EmbeddedDriver.context(ctx, directory).errorHandler(errors));
        driverInvoker = driver.sharedAgentInvoker();
    }

    private Aeron.Context clientContext()
    {
        final Aeron.Context client = new Aeron.Context()
            .aeronDirectoryName(directory)
            .useConductorAgentInvoker(true)
            .clientLock(NoOpLock.INSTANCE)
            .keepAliveIntervalNs(ctx.livenessTimeoutNs() / KEEP_ALIVES_PER_LIVENESS)
            .driverTimeoutMs(livenessMs())
            .resourceLingerDurationNs(ctx.livenessTimeoutNs() / 2)
            .clientName("verbena")
            .errorHandler(errors)
            .subscriberErrorHandler(errors)
            .availableImageHandler(arrivedImages::add);
        return driverInvoker == null ? client : client.driverAgentInvoker(driverInvoker);
    }

    /**
     * The driver's part of each poll, where it has sockets to serve and no thread of its own.
     *
     * @return the work done.
     */
    int pollDriver()
    {
        return servesUdp && driverInvoker != null ? invoke(driverInvoker) : 0;
    }

    /**
     * The part that need not be done in each poll: the client's conductor, and the driver where pollDriver leaves it.
     *
     * @return the work done.
     */
    int work()
    {
        if (aeron == null)
        {
            return 0;
        }
        int workCount = 0;
        if (driverInvoker != null && !servesUdp)
        {
            workCount += invoke(driverInvoker);
        }
        workCount += invoke(clientInvoker);
        return workCount;
    }

    /**
     * Whether driver or client gave up, so that everything on this session has ended.
     *
     * @return true if it must be stopped.
     */
    boolean isLost()
    {
        return aeron != null &&
            (aeron.isClosed() || !clientInvoker.isRunning() || driverInvoker != null && !driverInvoker.isRunning());
    }

    /** After a reported error the client may be about to end: one more duty cycle lets it. */
    void settle()
    {
        if (aeron != null)
        {
            invoke(clientInvoker);
        }
    }

    /**
     * The next image that arrived on any subscription of the session.
     *
     * @return an image or null.
     */
    Image pollImage()
    {
        return arrivedImages.poll();
    }

    /** Ends client and driver, as after a loss. */
    void stop()
    {
        final boolean interrupted = Thread.interrupted();
        try
        {
            arrivedImages.clear();
            CloseHelper.close(errors, aeron);
            aeron = null;
            clientInvoker = null;
            // A driver on its own thread outlives the client, and with it the clients of other processes.
            if (driver != null && (driverInvoker != null || !DriverDirectory.isDriverAlive(directory, livenessMs())))
            {
                stopDriver();
            }
        }
        finally
        {
            restoreInterrupt(interrupted);
        }
    }

    /** Ends everything and deletes the directory of an embedded driver. */
    void close()
    {
        stop();
        final boolean interrupted = Thread.interrupted();
        stopDriver();
        restoreInterrupt(interrupted);
    }

    private void stopDriver()
    {
        CloseHelper.close(errors, driver);
        driver = null;
        driverInvoker = null;
    }

    private long livenessMs()
    {
        return TimeUnit.NANOSECONDS.toMillis(ctx.livenessTimeoutNs());
    }

    /** An interrupt meant for the caller would close sockets here and stop the invoker for good: hold it back. */
    private static int invoke(final AgentInvoker invoker)
    {
        if (Thread.currentThread().isInterrupted())
        {
            final boolean interrupted = Thread.interrupted();
            final int workCount = invoker.invoke();
            restoreInterrupt(interrupted);
            return workCount;
        }
        return invoker.invoke();
    }

    private static void restoreInterrupt(final boolean interrupted)
    {
        if (interrupted)
        {
            Thread.currentThread().interrupt();
        }
    }
}
