/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.systems;

/**
 * The client's end of a run with streams: sends items where its kind has the client send, and receives those of the
 * server. One thread.
 */
public non-sealed interface StreamClient extends EchoClient
{
    /**
     * One duty cycle: sends what the transport takes, up to a batch, delivers what has arrived. Never blocks.
     *
     * @return the work done; 0 when idle.
     */
    int poll();

    /**
     * The last item has been sent: ends this end's direction.
     */
    void stopSending();

    /**
     * Whether the system itself told that all is over, in both directions. Where a system has no such word, as bare
     * Aeron, the rig waits until nothing arrives any more.
     *
     * @return true when it did.
     */
    boolean isEnded();

    /**
     * Whether the system tells at all.
     *
     * @return false where only silence tells.
     */
    boolean tellsEnd();

    /**
     * The server, where it runs in the client's process, by this very thread.
     *
     * @return the server, or null where it has a process of its own.
     */
    default WatchedServer ownServer()
    {
        return null;
    }

    /**
     * What was counted at this end.
     *
     * @return the counts.
     */
    StreamTally tally();
}
