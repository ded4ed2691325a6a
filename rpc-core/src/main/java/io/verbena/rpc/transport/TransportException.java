/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.rpc.transport;

/**
 * A transport could not do what it was told: a malformed or foreign address, an address in use, a missing driver. The
 * message is meant for a user: it says what was expected and what was found.
 */
public class TransportException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    /**
     * With a message.
     *
     * @param message for the user.
     */
    public TransportException(final String message)
    {
        super(message);
    }

    /**
     * With a message and a cause.
     *
     * @param message for the user.
     * @param cause   below it.
     */
    public TransportException(final String message, final Throwable cause)
    {
        super(message, cause);
    }
}
