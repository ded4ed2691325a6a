/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.aeron;

import io.verbena.rpc.transport.DisconnectCause;
import io.verbena.rpc.transport.TransportListener;
import org.agrona.DirectBuffer;
import org.agrona.LangUtil;

/**
 * The way to the listener of the present poll. Aeron's loops would swallow what a listener throws, so it is kept until
 * they have ended, and then leaves the poll.
 */
final class Callbacks
{
    private TransportListener listener;
    private Throwable thrown;

    /**
     * Who is called from now on.
     *
     * @param next the listener, or null for nobody.
     */
    void to(final TransportListener next)
    {
        listener = next;
    }

    void message(final AeronConnection connection, final DirectBuffer buffer, final int offset, final int length)
    {
        try
        {
            listener.onMessage(connection, buffer, offset, length);
        }
        catch (final Throwable t)
        {
            caught(t);
        }
    }

    void connected(final AeronConnection connection)
    {
        if (listener != null)
        {
            try
            {
                listener.onConnected(connection);
            }
            catch (final Throwable t)
            {
                caught(t);
            }
        }
    }

    void disconnected(final AeronConnection connection, final DisconnectCause cause)
    {
        if (listener != null)
        {
            try
            {
                listener.onDisconnected(connection, cause);
            }
            catch (final Throwable t)
            {
                caught(t);
            }
        }
    }

    private void caught(final Throwable t)
    {
        if (thrown == null)
        {
            thrown = t;
        }
        else if (thrown != t)
        {
            thrown.addSuppressed(t);
        }
    }

    void rethrow()
    {
        if (thrown != null)
        {
            final Throwable t = thrown;
            thrown = null;
            LangUtil.rethrowUnchecked(t);
        }
    }
}
