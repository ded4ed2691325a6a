/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

/**
 * Where the calls of one caller go: its one channel, or the one of a group that is to have the next call. Agent's
 * thread alone, but for {@link #isClosed()}.
 */
interface CallRoute
{
    /**
     * The channel for the next call.
     *
     * @param avoided not to be chosen where another is ready; null for none.
     * @return one that is ready, or null if none is.
     */
    RpcChannel pick(RpcChannel avoided);

    /**
     * What to expect: READY if calls can be made, CONNECTING if a connection is being made, BACKING_OFF if the last
     * attempt failed.
     */
    ChannelState state();

    /**
     * Whether an established connection was lost and no attempt to have another one has failed since: then what moves
     * from that connection is not given up yet.
     */
    boolean isRecovering();

    /**
     * Why no call can be made.
     */
    String unavailableText();

    /**
     * Whether no call will ever be made again. Any thread.
     */
    boolean isClosed();
}
