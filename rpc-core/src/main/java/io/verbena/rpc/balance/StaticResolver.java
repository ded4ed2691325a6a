/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc.balance;

import java.util.List;

/**
 * A list that does not change.
 */
public final class StaticResolver implements Resolver
{
    private final List<String> addresses;

    /**
     * With addresses.
     *
     * @param addresses URIs that the client's transport serves, in order of preference; at least one.
     * @throws IllegalArgumentException if there is none.
     */
    public StaticResolver(final String... addresses)
    {
        this(List.of(addresses));
    }

    /**
     * With addresses.
     *
     * @param addresses URIs that the client's transport serves, in order of preference; at least one.
     * @throws IllegalArgumentException if there is none.
     */
    public StaticResolver(final List<String> addresses)
    {
        if (addresses.isEmpty())
        {
            throw new IllegalArgumentException("addresses: expected at least one, found none");
        }
        this.addresses = List.copyOf(addresses);
    }

    @Override
    public void start(final Listener listener)
    {
        listener.onAddresses(addresses);
    }

    @Override
    public void close()
    {
    }

    @Override
    public String toString()
    {
        return "StaticResolver" + addresses;
    }
}
