/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc.balance;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Asks the host's name service for all addresses of a name, and again at an interval, on a thread of its own. The
 * addresses are sorted, since name services answer in changing order; those of IPv6 are left out, since no transport
 * takes them. While the name can't be resolved, the addresses found last are kept.
 * <p>
 * Java keeps answers for a while by itself: see the security property {@code networkaddress.cache.ttl}.
 */
public final class DnsResolver extends PollingResolver
{
    /** Property: how long to wait before asking again; units such as 30s are understood. */
    public static final String INTERVAL_PROP_NAME = "verbena.rpc.client.dns.interval";

    /** Default of {@link #INTERVAL_PROP_NAME}: 30 s. */
    public static final long INTERVAL_DEFAULT_NS = 30_000_000_000L;

    private static final String AUTHORITY = "://";

    private final NameService names;
    private final String address;
    private final String prefix;
    private final String host;
    private final String suffix;

    /**
     * With the interval of {@link #INTERVAL_PROP_NAME}.
     *
     * @param address URI whose host is a name, such as {@code udp://quotes.example:9000}.
     * @throws IllegalArgumentException if it has no host and port.
     */
    public DnsResolver(final String address)
    {
        this(address, interval(INTERVAL_PROP_NAME, INTERVAL_DEFAULT_NS));
    }

    /**
     * With an interval.
     *
     * @param address    URI whose host is a name, such as {@code udp://quotes.example:9000}.
     * @param intervalNs nanoseconds from one look-up to the next, 1 to 1 day.
     * @throws IllegalArgumentException if the address has no host and port, or the interval is out of its range.
     */
    public DnsResolver(final String address, final long intervalNs)
    {
        this(address, intervalNs, InetAddress::getAllByName);
    }

    DnsResolver(final String address, final long intervalNs, final NameService names)
    {
        super(intervalNs);
        this.names = names;
        this.address = address;
        final int hostStart = address.indexOf(AUTHORITY) + AUTHORITY.length();
        final int hostEnd = address.indexOf(':', hostStart);
        if (hostStart <= AUTHORITY.length() || hostEnd <= hostStart || hostEnd == address.length() - 1)
        {
            throw new IllegalArgumentException("expected an address such as udp://name:9000, found " + address);
        }
        this.prefix = address.substring(0, hostStart);
        this.host = address.substring(hostStart, hostEnd);
        this.suffix = address.substring(hostEnd);
    }

    @Override
    List<String> resolve() throws UnknownHostException
    {
        final List<String> addresses = new ArrayList<>();
        try
        {
            for (final InetAddress found : names.all(host))
            {
                if (found instanceof Inet4Address)
                {
                    addresses.add(prefix + found.getHostAddress() + suffix);
                }
            }
        }
        catch (final UnknownHostException ex)
        {
            final UnknownHostException clear = new UnknownHostException(
                address + ": expected a host that the name service knows, found " + host);
            clear.initCause(ex);
            throw clear;
        }
        if (addresses.isEmpty())
        {
            throw new UnknownHostException(
                address + ": expected a host with an IPv4 address, found none for " + host);
        }
        Collections.sort(addresses);
        return List.copyOf(addresses);
    }

    @Override
    public String toString()
    {
        return "DnsResolver[" + address + ']';
    }

    /**
     * What knows the addresses of names.
     */
    interface NameService
    {
        InetAddress[] all(String name) throws UnknownHostException;
    }
}
