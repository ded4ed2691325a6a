/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.aeron;

import java.util.Arrays;

/**
 * The sessions of one transport, found by what an address needs. Embedded ones live as long as the transport, those
 * with foreign drivers as long as something uses them.
 */
final class Sessions
{
    private final AeronTransport.Context ctx;
    private final ErrorSink errors;
    // Replaced, never changed, so that loops go on undisturbed while callbacks add one.
    private DriverSession[] all = new DriverSession[0];
    private DriverSession[] polled = new DriverSession[0];

    Sessions(final AeronTransport.Context ctx, final ErrorSink errors)
    {
        this.ctx = ctx;
        this.errors = errors;
    }

    DriverSession[] all()
    {
        return all;
    }

    /**
     * Those whose driver wants its part of each poll.
     *
     * @return some of all.
     */
    DriverSession[] polled()
    {
        return polled;
    }

    DriverSession toListen(final AeronAddress address)
    {
        return address.isUdp() ? forUdp() : at(address.directory(), ctx.embedded());
    }

    DriverSession toConnect(final AeronAddress address)
    {
        return address.isUdp() ? forUdp() : at(address.directory(), false);
    }

    /** UDP lives on whatever driver this transport owns already, else on one in a directory that nobody else knows. */
    private DriverSession forUdp()
    {
        final DriverSession session = ctx.embedded() ? ownOrNew() : at(ctx.ipcDirectory(), false);
        session.serveUdp();
        findPolled();
        return session;
    }

    private DriverSession ownOrNew()
    {
        for (final DriverSession session : all)
        {
            if (session.isEmbedded())
            {
                return session;
            }
        }
        return at(ctx.aeronDirectory() == null ? DriverDirectory.unique() : ctx.ipcDirectory(), true);
    }

    private DriverSession at(final String directory, final boolean embedded)
    {
        for (final DriverSession session : all)
        {
            if (session.directory().equals(directory) && (session.isEmbedded() || !embedded))
            {
                return session;
            }
        }
        final DriverSession session = new DriverSession(ctx, directory, embedded, errors);
        all = Arrays.copyOf(all, all.length + 1);
        all[all.length - 1] = session;
        return session;
    }

    void leaveUnused()
    {
        for (final DriverSession session : all)
        {
            if (session.isUnused())
            {
                all = Arrays.stream(all).filter((other) -> other != session).toArray(DriverSession[]::new);
                session.close();
                findPolled();
            }
        }
    }

    private void findPolled()
    {
        polled = Arrays.stream(all).filter(DriverSession::isPolled).toArray(DriverSession[]::new);
    }

    void close()
    {
        for (final DriverSession session : all)
        {
            session.close();
        }
    }
}
