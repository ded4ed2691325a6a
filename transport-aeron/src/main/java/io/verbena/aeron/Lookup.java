/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.aeron;

import java.net.InetAddress;
import java.net.UnknownHostException;

import io.verbena.rpc.transport.TransportException;

/**
 * Looks one host name up, on a thread that ends with it.
 */
final class Lookup
{
    private final String host;
    private volatile InetAddress found;
    private volatile UnknownHostException failure;

    Lookup(final String host)
    {
        this.host = host;
        Thread.ofPlatform().daemon().name("verbena-lookup").start(this::run);
    }

    private void run()
    {
        try
        {
            found = InetAddress.getByName(host);
        }
        catch (final UnknownHostException e)
        {
            failure = e;
        }
    }

    boolean isDone()
    {
        return found != null || failure != null;
    }

    /**
     * What was found.
     *
     * @return the address.
     * @throws TransportException if the name is unknown.
     */
    InetAddress result()
    {
        if (failure != null)
        {
            throw new TransportException("cannot resolve host '" + host + "'", failure);
        }
        return found;
    }
}
