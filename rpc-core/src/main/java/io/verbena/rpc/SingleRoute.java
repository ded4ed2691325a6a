/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc;

/**
 * The calls of one channel go there.
 */
final class SingleRoute implements CallRoute
{
    private final RpcChannel channel;

    SingleRoute(final RpcChannel channel)
    {
        this.channel = channel;
    }

    @Override
    public RpcChannel pick(final RpcChannel avoided)
    {
        return channel.state() == ChannelState.READY ? channel : null;
    }

    @Override
    public ChannelState state()
    {
        return channel.state();
    }

    @Override
    public boolean isRecovering()
    {
        return channel.connector().isRecovering();
    }

    @Override
    public String unavailableText()
    {
        return channel.unavailableText();
    }

    @Override
    public boolean isClosed()
    {
        return channel.state() == ChannelState.CLOSED;
    }
}
