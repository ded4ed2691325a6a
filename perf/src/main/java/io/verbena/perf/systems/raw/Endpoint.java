/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.systems.raw;

import java.net.InetAddress;
import java.net.InetSocketAddress;

/**
 * Socket addresses as text, and back.
 */
final class Endpoint
{
    private Endpoint()
    {
    }

    static InetSocketAddress anyLoopbackPort()
    {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    static String format(final InetSocketAddress address)
    {
        return address.getAddress().getHostAddress() + ":" + address.getPort();
    }

    static InetSocketAddress parse(final String address)
    {
        final int colon = address.lastIndexOf(':');
        if (colon < 0)
        {
            throw new IllegalArgumentException("address: host:port expected, found " + address);
        }
        return new InetSocketAddress(address.substring(0, colon), Integer.parseInt(address.substring(colon + 1)));
    }
}
