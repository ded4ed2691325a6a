/*
 * Copyright 2026 The Verbena authors.
 * Licensed under the Apache License, Version 2.0; see LICENSE.
 */
package io.verbena.perf.rig;

/**
 * A run came to nothing: one of its processes failed. The message is meant for a user.
 */
final class RunFailedException extends Exception
{
    private static final long serialVersionUID = 1L;

    RunFailedException(final String message)
    {
        super(message);
    }
}
