/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc.balance;

import java.util.List;

/**
 * Finds the addresses of a group's endpoints, and goes on to find them while they change.
 * <p>
 * <b>Threading:</b> {@link #start} and {@link #close} are called once each, by the client; the listener may be called
 * from any one thread at a time. Neither of them may block for long: work that does belongs on a thread of the
 * resolver's own.
 * <p>
 * <b>Ownership:</b> the group owns its resolver and closes it.
 */
public interface Resolver extends AutoCloseable
{
    /**
     * Starts to resolve.
     *
     * @param listener told of each list that is found; at once, or from a thread of the resolver's own.
     */
    void start(Listener listener);

    /**
     * Stops, without waiting for what is under way: what the listener is told after this is ignored.
     */
    @Override
    void close();

    /**
     * Told what a resolver finds.
     */
    interface Listener
    {
        /**
         * These are the endpoints now. The same list may come again.
         *
         * @param addresses URIs that the client's transport serves, in order of preference; at least one. Not changed
         *                  by the resolver afterwards.
         */
        void onAddresses(List<String> addresses);

        /**
         * The endpoints can't be found at present; those found last are kept. To be told once, not for every try that
         * fails in the same way.
         *
         * @param failure whose message says in one line what, where, what was expected and what was found.
         */
        void onError(Exception failure);
    }
}
